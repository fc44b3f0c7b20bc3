"""Reading Tank Royale's recordings, `.battle.gz` or plain text: tolerant as the official reader, and bounded.

Blank lines and messages of no interest are passed over; what cannot be read is skipped and noted. A file that
was cut off is read up to there. Nothing here opens a file: it comes in as chunks.
See compatibility.md#recordings.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from turnwright.errors import RecordError
from turnwright.games.tank.view import Event, Frame
from turnwright.wire.nesting import TOO_DEEP, nested_too_deeply
from turnwright.wire.record.recording import Notes
from turnwright.wire.record.royale import RECORDED
from turnwright.wire.royale import lenient
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import Fault, FaultCode, decode_server

__all__ = ["LINE_BYTES_MAX", "TOTAL_BYTES_MAX", "RoyaleLine", "read_lines", "read_messages"]

LINE_BYTES_MAX = 1 << 26
"""A line, bytes (64 MiB); a longer one is skipped."""
TOTAL_BYTES_MAX = 1 << 33
"""A whole file unpacked, bytes (8 GiB)."""
_PIECE = 1 << 20
_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_SHOWN_CHARS_MAX = 120

Shown = (
    Frame
    | m.GameStartedEventForObserver
    | m.RoundEndedEventForObserver
    | m.GameEndedEventForObserver
    | m.GameAbortedEvent
)
_KEPT = (
    Frame,
    m.GameStartedEventForObserver,
    m.RoundEndedEventForObserver,
    m.GameEndedEventForObserver,
    m.GameAbortedEvent,
)
_EVENT_TYPES = frozenset(m.type_name(kind) for kind in Event.__args__)


@dataclass(frozen=True, slots=True)
class RoyaleLine:
    """A line that counts. number: from 1; data: as it stands in the file, without its line end."""

    number: int
    data: bytes
    message: Shown


def read_messages(chunks: Iterable[bytes], notes: Notes) -> Iterator[RoyaleLine]:
    """Yield the messages of a recording, in order; notes: gets what was skipped or is missing.

    Raises: RecordError for a file that unpacks to more than TOTAL_BYTES_MAX.
    """
    for number, line in read_lines(chunks, notes):
        data = line.strip()
        if not data:
            continue
        message = _decode(data, number, notes)
        if isinstance(message, _KEPT):
            yield RoyaleLine(number, data, message)


def read_lines(chunks: Iterable[bytes], notes: Notes) -> Iterator[tuple[int, bytes]]:
    """Yield the number (from 1) and the bytes of each line, unpacked; too long ones are skipped and noted."""
    pending: list[bytes] = []
    size, number = 0, 1
    for piece in _bounded(_unpacked(chunks, notes)):
        *ended, rest = piece.split(b"\n")
        for part in ended:
            if size + len(part) <= LINE_BYTES_MAX:
                yield number, b"".join((*pending, part))
            else:
                notes.skip(number, f"longer than {LINE_BYTES_MAX:,} bytes")
            pending, size = [], 0
            number += 1
        size += len(rest)
        pending = [*pending, rest] if size <= LINE_BYTES_MAX else []
    if size > LINE_BYTES_MAX:
        notes.skip(number, f"longer than {LINE_BYTES_MAX:,} bytes")
    elif size and not notes.truncated:
        yield number, b"".join(pending)


def _bounded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > TOTAL_BYTES_MAX:
            raise RecordError(f"it unpacks to more than {TOTAL_BYTES_MAX >> 30} GiB; expected a recording")
        yield piece


def _unpacked(chunks: Iterable[bytes], notes: Notes) -> Iterator[bytes]:
    """Yield what is in gzip, or the bytes as they are where they are no gzip, without a byte order mark."""
    rest = iter(chunks)
    start = b""
    while len(start) < len(_BOM) and (chunk := next(rest, b"")):
        start += chunk
    if start.startswith(_MAGIC):
        yield from _gunzipped(start, rest, notes)
        return
    yield start.removeprefix(_BOM)
    yield from rest


def _gunzipped(start: bytes, chunks: Iterator[bytes], notes: Notes) -> Iterator[bytes]:
    gzip, data = zlib.decompressobj(_GZIP), start
    while data or (data := next(chunks, b"")):
        if gzip.eof:
            if not data.startswith(_MAGIC):
                notes.add("there is something behind the end of the gzip: skipped")
                return
            gzip = zlib.decompressobj(_GZIP)
        before = gzip.copy()
        try:
            yield gzip.decompress(data, _PIECE)
        except zlib.error as error:
            yield from _saved(before, data)
            notes.truncated = True
            notes.add(f"the file is damaged ({error}): what stands before is read")
            return
        data = gzip.unused_data if gzip.eof else gzip.unconsumed_tail
    if not gzip.eof:
        yield gzip.flush()
        notes.truncated = True
        notes.add("the file is cut off: what stands before is read")


def _saved(gzip: Any, data: bytes) -> Iterator[bytes]:
    """Yield, byte by byte, what can be unpacked of data that is damaged somewhere."""
    with contextlib.suppress(zlib.error):
        for at in range(len(data)):
            yield gzip.decompress(data[at : at + 1])


def _decode(data: bytes, number: int, notes: Notes) -> object:
    """Return the message in a line, or None when it is to be skipped."""
    if nested_too_deeply(data):
        notes.skip(number, TOO_DEEP)
        return None
    found = decode_server(data)
    if not isinstance(found, Fault | None):
        return found
    if isinstance(found, Fault):
        if found.code is FaultCode.SERVER_ONLY:
            return None
        if found.refers_to in RECORDED:
            mended = _mended(data, number, notes)
            if mended is not None:
                return mended
    why = "a message of an unknown type" if found is None else found.advice.partition(";")[0]
    notes.skip(number, why[:_SHOWN_CHARS_MAX])
    return None


def _mended(data: bytes, number: int, notes: Notes) -> object | None:
    """Return a message whose optional parts are missing, as the official reader takes it, or None."""
    value = lenient.plain(lenient.parse(data.decode()))
    kind = value["type"]
    if kind == m.type_name(Frame):
        _mend_tick(value, number, notes)
    else:
        for row in _rows(value, "results"):
            row.setdefault("isTeam", False)
        for row in _rows(value, "participants"):
            for name in ("authors", "countryCodes", "gameTypes"):
                row.setdefault(name, [])
    classes = {m.type_name(kept): kept for kept in _KEPT}
    try:
        return msgspec.convert(value, classes[kind])
    except msgspec.ValidationError:
        return None


def _mend_tick(value: dict[str, Any], number: int, notes: Notes) -> None:
    for tank in _rows(value, "botStates"):
        tank.setdefault("name", f"Bot {tank.get('id')}")
        tank.setdefault("version", "1.0")
        tank.setdefault("isDebuggingEnabled", False)
    events = value.get("events")
    if isinstance(events, list):
        value["events"] = known = [event for event in events if _is_known(event)]
        if len(known) < len(events):
            notes.skip(number, f"unknown events ({len(events) - len(known)})")


def _is_known(event: Any) -> bool:
    kind = event.get("type") if isinstance(event, dict) else None
    return isinstance(kind, str) and kind in _EVENT_TYPES


def _rows(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows = value.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
