"""Version 1 of the record: `.twr` = gzip of JSON lines, a header, one line a turn, a footer.

Every line ends with a hash over itself and the line before it, so a changed byte, a missing line or two that
were swapped are found, and named by their number. An intent that is the same, byte for byte, as that seat's
intent before is not written again. docs/reference/record.md describes the lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turnwright.errors import RecordError
from turnwright.kernel.game import Seat, SeatInfo
from turnwright.kernel.record import Footer, Header, Record, TurnEntry, TurnRules

__all__ = ["LINE_BYTES_MAX", "VERSION", "Encoder", "FooterLine", "HeaderLine", "TurnLine", "decode_lines"]

VERSION = 1
LINE_BYTES_MAX = 67_108_864
"""A line, bytes (64 MiB: 100 seats with the largest messages that the wire takes fit)."""

IntentWriter = Callable[[Any], Any]
IntentReader = Callable[[Any], Any]

_HASH_BYTES = 8
_TAIL = re.compile(rb',"h":"([0-9a-f]{16})"\}\n')
_TAIL_BYTES = len(',"h":"0123456789abcdef"}\n')
_START = b"turnwright record 1"


class HeaderLine(msgspec.Struct, omit_defaults=True):
    """The first line: what was played by whom from which seed."""

    turnwright: Annotated[int, Meta(description="the version of this format: 1")]
    kind: Annotated[str, Meta(description='"header"')]
    game: Annotated[str, Meta(description="the game's name in the catalogue")]
    behaviour_version: Annotated[int, Meta(description="of the game's rules")]
    seed: Annotated[int, Meta(description="what all random numbers came from")]
    setup: Annotated[dict[str, Any], Meta(description="the game's settings")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="who played, in order of seat")]
    rules: Annotated[TurnRules, Meta(description="how turns were collected; times in ns")]
    tolerant: Annotated[bool, Meta(description="a stage of the rules that failed was skipped")] = False
    made_by: Annotated[str, Meta(description="the program that wrote it")] = ""
    announced: Annotated[dict[str, Any], Meta(description="what spectators were told when it began")] = {}


class TurnLine(msgspec.Struct, omit_defaults=True):
    """A turn. Seats (from 0) as keys are texts, since JSON has no other keys; what is empty is left out."""

    t: Annotated[int, Meta(description="the turn's number: 1, 2, 3 …")]
    i: Annotated[
        dict[int, Any], Meta(description="by seat: accepted intents that differ from the one before")
    ] = {}
    r: Annotated[tuple[int, ...], Meta(description="seats whose accepted intent was the same as before")] = ()
    s: Annotated[tuple[int, ...], Meta(description="seats that were skipped")] = ()
    l: Annotated[dict[int, int], Meta(description="by seat: how late a late answer was, ns")] = {}  # noqa: E741
    g: Annotated[tuple[int, ...], Meta(description="seats whose participant left")] = ()
    x: Annotated[tuple[int, ...], Meta(description="seats that were disqualified")] = ()
    f: Annotated[tuple[tuple[str, str], ...], Meta(description="stages that failed: name, error")] = ()
    d: Annotated[
        str, Meta(description="digest of the state after the turn, hex; absent: the rules failed")
    ] = ""
    c: Annotated[bytes, Meta(description="a check byte for each part of the state")] = b""


class FooterLine(msgspec.Struct):
    """The last line: how it ended. A record without it was cut off."""

    kind: Annotated[str, Meta(description='"footer"')]
    ending: Annotated[str, Meta(description="over, aborted or void")]
    turns: Annotated[int, Meta(description="how many turns were played")]
    results: Annotated[Any, Meta(description="the game's results")] = None


_pack = msgspec.msgpack.Encoder().encode
"""Equal bytes for intents that are equal to the bit (0.0 and -0.0 are not), and quicker than JSON."""
_header_lines = msgspec.json.Decoder(HeaderLine)
_turn_lines = msgspec.json.Decoder(TurnLine)
_footer_lines = msgspec.json.Decoder(FooterLine)


def _chained(before: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(before + body, digest_size=_HASH_BYTES).hexdigest().encode()


class Encoder:
    """Writes one record, line by line: encode_header once, encode_turn for each turn, encode_footer once."""

    def __init__(self, intent_to_data: IntentWriter) -> None:
        self._intent_to_data = intent_to_data
        self._intents: dict[Seat, bytes] = {}
        self._hash = _START

    def encode_header(self, header: Header) -> bytes:
        """Return the first line."""
        line = HeaderLine(
            turnwright=VERSION,
            kind="header",
            game=header.game,
            behaviour_version=header.behaviour_version,
            seed=header.seed,
            setup=dict(header.setup),
            seats=header.seats,
            rules=header.rules,
            tolerant=header.tolerant,
            made_by=header.made_by,
            announced=dict(header.announced),
        )
        return self._line(line)

    def encode_turn(self, entry: TurnEntry) -> bytes:
        """Return the line of one turn. Intents are compared with the lines before, so the order matters."""
        changed: dict[int, Any] = {}
        same: list[int] = []
        before = self._intents
        for seat, intent in entry.intents.items():
            packed = _pack(intent)
            if before.get(seat) == packed:
                same.append(seat)
            else:
                before[seat] = packed
                changed[seat] = self._intent_to_data(intent)
        line = TurnLine(
            t=entry.turn,
            i=changed,
            r=tuple(same),
            s=entry.skipped,
            l=dict(entry.late_ns),
            g=entry.gone,
            x=entry.disqualified,
            f=entry.faults,
            d=entry.digest,
            c=entry.checks,
        )
        return self._line(line)

    def encode_footer(self, footer: Footer) -> bytes:
        """Return the last line."""
        return self._line(FooterLine("footer", footer.ending, footer.turns, footer.results))

    def _line(self, line: msgspec.Struct) -> bytes:
        body = msgspec.json.encode(line)
        self._hash = _chained(self._hash, body)
        return body[:-1] + b',"h":"' + self._hash + b'"}\n'


def decode_lines(lines: Iterable[bytes], intent_reader: Callable[[Header], IntentReader]) -> Record:
    """Return the record in `lines` (each with its newline).

    intent_reader: gives, for the header, what turns the data of an intent into an intent; it may raise
    RecordError for a game it does not know. A last line that was cut off, or a missing footer, gives a
    record that is `truncated`. Raises: RecordError, naming the line, for anything else.
    """
    decoder = _Decoder(intent_reader)
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n"):
            return decoder.end(line)
        decoder.read(number, line)
    return decoder.end(b"")


class _Bad(Exception):
    """A line that says something impossible; str() is what."""


class _Decoder:
    def __init__(self, intent_reader: Callable[[Header], IntentReader]) -> None:
        self._intent_reader = intent_reader
        self._from_data: IntentReader | None = None
        self._record: Record | None = None
        self._intents: dict[Seat, Any] = {}
        self._hash = _START

    def read(self, number: int, line: bytes) -> None:
        try:
            if self._record is None:
                _check_version(line)
            body = self._checked(line)
            self._take(body)
        except (_Bad, ValueError, RecursionError) as error:
            raise RecordError(f"line {number} of the record cannot be read: {error}") from error

    def _take(self, body: bytes) -> None:
        if self._record is None:
            self._record = _header(body)
            self._from_data = self._intent_reader(self._record.header)
        elif self._record.footer is not None:
            raise _Bad("there is more after the footer")
        elif body.startswith(b'{"kind":'):
            line = _footer_lines.decode(body)
            self._record.footer = Footer(line.ending, line.turns, line.results)
        else:
            self._record.turns.append(self._turn(_turn_lines.decode(body), self._record))

    def _checked(self, line: bytes) -> bytes:
        """Return the line without its hash, which holds."""
        if len(line) > LINE_BYTES_MAX:
            raise _Bad(f"it has {len(line)} bytes, more than {LINE_BYTES_MAX}")
        tail = _TAIL.fullmatch(line[-_TAIL_BYTES:])
        if tail is None:
            raise _Bad("it does not end with a hash")
        body = line[:-_TAIL_BYTES] + b"}"
        self._hash = _chained(self._hash, body)
        if tail.group(1) != self._hash:
            raise _Bad("its hash is wrong: it was changed, or a line before it is missing")
        return body

    def _turn(self, line: TurnLine, record: Record) -> TurnEntry:
        if line.t != len(record.turns) + 1:
            raise _Bad(f"it is turn {line.t}, expected turn {len(record.turns) + 1}")
        for seat in (*line.i, *line.r, *line.s, *line.l, *line.g, *line.x):
            if not 0 <= seat < len(record.header.seats):
                raise _Bad(f"there is no seat {seat}")
        assert self._from_data is not None  # the header has been read
        for seat, data in line.i.items():
            self._intents[seat] = self._from_data(data)
        return TurnEntry(
            turn=line.t,
            intents=self._accepted(line),
            skipped=line.s,
            late_ns=line.l,
            gone=line.g,
            disqualified=line.x,
            faults=line.f,
            digest=line.d,
            checks=line.c,
        )

    def _accepted(self, line: TurnLine) -> dict[Seat, Any]:
        seats = sorted((*line.i, *line.r))
        missing = [seat for seat in seats if seat not in self._intents]
        if missing:
            raise _Bad(f"seat {missing[0]} repeats an intent that it never sent")
        return {seat: self._intents[seat] for seat in seats}

    def end(self, last: bytes) -> Record:
        """Return the record; `last`: what follows the last whole line."""
        record = self._record
        if record is None:
            raise RecordError("the record has no header: line 1 is empty or cut off")
        if last and record.footer is not None:
            raise RecordError("the record cannot be read: there is more after the footer")
        record.truncated = record.footer is None
        return record


class _Version(msgspec.Struct):
    turnwright: int


def _check_version(line: bytes) -> None:
    try:
        version = msgspec.json.decode(line, type=_Version).turnwright
    except (ValueError, RecursionError):
        raise _Bad("this is not a record of turnwright") from None
    if version != VERSION:
        raise _Bad(f"it is of version {version} of the format; this turnwright reads version {VERSION}")


def _header(body: bytes) -> Record:
    line = _header_lines.decode(body)
    header = Header(
        game=line.game,
        behaviour_version=line.behaviour_version,
        seed=line.seed,
        setup=line.setup,
        seats=line.seats,
        rules=line.rules,
        tolerant=line.tolerant,
        made_by=line.made_by,
        announced=line.announced,
    )
    return Record(header)
