"""Reads Tank Royale's recordings, `.battle.gz` or plain text.

The reader is as tolerant as the official reader, and limits the size of files. It skips blank lines and other
messages. It also skips unreadable lines, and notes them. It reads a truncated file up to its end. The module
opens no file, because the content comes as chunks. See compatibility.md#recordings.
"""

from __future__ import annotations

import contextlib
import math
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from turnwright.errors import RecordError
from turnwright.wire.faults import Fault, FaultCode
from turnwright.wire.nesting_bound import TOO_DEEP, nested_too_deeply
from turnwright_tank.structs import Event, Frame, TankFrame
from turnwright_tank.wire.recording.split_by_game import RECORDED
from turnwright_tank.wire.royale import lenient_decoder
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode_server
from turnwright_tank.wire.royale.message_parts import GameSetup, Participant, ResultsForObserver
from turnwright_tank.wire.royale.setup import custom

# ---- a recording in memory ------------------------------------------------------------------------------
# It is built from messages to observers, from a `.battle.gz` or a replayed `.twr` (`from_record`).


STATES_MAX = 4_000_000
"""The limit on tanks, bullets and events in the frames of a recording in memory (about 2 GB)."""
_SIDE_STEP = 100
_SIDE_MAX = 100_000
_TANK_RADIUS = 18

Ending = Literal["over", "aborted", "cut off"]
"""How a recording ends. It is "cut off" if its last line is not the end of a game."""


@dataclass(slots=True)
class Notes:
    """Problems of a file, and lines that were skipped completely or in part."""

    texts: list[str] = field(default_factory=list)
    """Problems of the file."""
    truncated: bool = False
    """Whether the file is truncated."""
    first: str = ""
    """The number of the first line with a skipped part, and the reason."""
    skipped: int = 0
    """The number of lines with a skipped part."""
    last: int = 0
    """The number of the last of these lines."""

    def add(self, text: str) -> None:
        """Add a problem of the file."""
        self.texts.append(text)

    def skip(self, number: int, why: str) -> None:
        """Note that a line, or a part of a line, was skipped."""
        if number == self.last:
            return
        self.first = self.first or f"line {number}: {why}: skipped"
        self.skipped += 1
        self.last = number

    @property
    def lines(self) -> list[str]:
        """One text for all skipped lines, then the problems of the file."""
        more = ""
        if self.skipped == 2:
            more = f"; so was line {self.last}"
        elif self.skipped > 2:
            more = f"; so were {self.skipped - 1:,} more, the last one line {self.last}"
        return [self.first + more, *self.texts] if self.skipped else self.texts


@dataclass(slots=True)
class Recording:
    """One game as spectators saw it.

    Attributes:
        participants: by bot id, in order.
        frames: one frame for each turn of all rounds.
        rounds: the ends of rounds, with the results so far.
        results: the last known results, best first.
        guessed: whether setup and participants were guessed from the frames, because the recorder joined
            late and the file does not have them.
    """

    setup: GameSetup
    participants: dict[int, Participant]
    frames: list[Frame]
    rounds: list[m.RoundEndedEventForObserver]
    results: tuple[ResultsForObserver, ...]
    ending: Ending
    guessed: bool
    notes: Notes


def collect(messages: Iterable[object], notes: Notes | None = None) -> Recording:
    """Return the first game in the messages.

    Args:
        notes: the notes, to which missing parts are added.

    Raises:
        RecordError: the messages contain no turn and no start of a game, or more than STATES_MAX tanks,
            bullets and events.
    """
    collector = _Collector(Notes() if notes is None else notes)
    for message in messages:
        if not collector.take(message):
            break
    return collector.recording()


class _Collector:
    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._started: m.GameStartedEventForObserver | None = None
        self._frames: list[Frame] = []
        self._rounds: list[m.RoundEndedEventForObserver] = []
        self._results: tuple[ResultsForObserver, ...] = ()
        self._ending: Ending = "cut off"
        self._states = 0

    def take(self, message: object) -> bool:
        """Take a message, and return whether it belongs to the first game."""
        if self._ending != "cut off" or (self._frames and isinstance(message, m.GameStartedEventForObserver)):
            self._notes.add("there is another game in the file: only the first one is shown")
            return False
        if isinstance(message, Frame):
            self._take_frame(message)
        elif isinstance(message, m.GameStartedEventForObserver):
            self._started = self._started or message
        elif isinstance(message, m.RoundEndedEventForObserver):
            self._rounds.append(message)
            self._results = message.results
        elif isinstance(message, m.GameEndedEventForObserver):
            self._results = message.results
            self._ending = "over"
        elif isinstance(message, m.GameAbortedEvent):
            self._ending = "aborted"
        return True

    def _take_frame(self, frame: Frame) -> None:
        self._states += len(frame.bot_states) + len(frame.bullet_states) + len(frame.events) + 1
        if self._states > STATES_MAX:
            raise RecordError(
                f"the recording is too large to hold: more than {STATES_MAX:,} tanks, bullets and events in "
                f"{len(self._frames):,} turns"
            )
        self._frames.append(frame)

    def recording(self) -> Recording:
        """Return the collected recording, and note what is missing.

        Raises:
            RecordError: no turn and no start of a game was collected.
        """
        if self._started is None and not self._frames:
            raise RecordError("no turn and no start of a game is in it: give a Tank Royale recording")
        guessed = self._started is None
        if guessed:
            self._notes.add(
                "the start of the game is missing: the size of the arena and the participants are guesses"
            )
        if self._ending == "cut off":
            self._notes.add("the end of the game is missing")
        setup = _guessed_setup(self._frames) if self._started is None else self._started.game_setup
        participants = {} if self._started is None else {p.id: p for p in self._started.participants}
        for frame in self._frames:
            for tank in frame.bot_states:
                if tank.id not in participants:
                    participants[tank.id] = _guessed_participant(tank)
        return Recording(
            setup,
            dict(sorted(participants.items())),
            self._frames,
            self._rounds,
            self._results,
            self._ending,
            guessed,
            self._notes,
        )


def _guessed_setup(frames: list[Frame]) -> GameSetup:
    """Return a setup in which the frames fit: 800 × 600, or larger if tanks are outside."""
    setup = custom()
    return msgspec.structs.replace(
        setup,
        game_type="classic",
        arena_width=_side(setup.arena_width, (t.x for f in frames for t in f.bot_states)),
        arena_height=_side(setup.arena_height, (t.y for f in frames for t in f.bot_states)),
        number_of_rounds=max(1, max((f.round_number for f in frames), default=1)),
    )


def _side(least: int, places: Iterable[float]) -> int:
    farthest = min(max(places, default=0.0), _SIDE_MAX - _TANK_RADIUS)
    return max(least, math.ceil((farthest + _TANK_RADIUS) / _SIDE_STEP) * _SIDE_STEP)


def _guessed_participant(tank: TankFrame) -> Participant:
    return Participant(
        id=tank.id,
        session_id=tank.session_id,
        name=tank.name,
        version=tank.version,
        authors=(),
        country_codes=(),
        game_types=(),
        is_droid=tank.is_droid,
    )


LINE_BYTES_MAX = 1 << 26
"""The limit on bytes of a line (64 MiB). A longer line is skipped."""
TOTAL_BYTES_MAX = 1 << 33
"""The limit on bytes of an uncompressed file (8 GiB)."""
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
    """A line with a message of the recording.

    Attributes:
        number: the number of the line, from 1.
        data: the line as it is in the file, without white space at its start and end.
    """

    number: int
    data: bytes
    message: Shown


def read_messages(chunks: Iterable[bytes], notes: Notes) -> Iterator[RoyaleLine]:
    """Yield the messages of a recording, in order.

    Args:
        notes: the notes, to which skipped lines and missing parts are added.

    Raises:
        RecordError: the uncompressed file has more than TOTAL_BYTES_MAX.
    """
    for number, line in read_lines(chunks, notes):
        data = line.strip()
        if not data:
            continue
        message = _decode(data, number, notes)
        if isinstance(message, _KEPT):
            yield RoyaleLine(number, data, message)


def read_lines(chunks: Iterable[bytes], notes: Notes) -> Iterator[tuple[int, bytes]]:
    """Yield the number (from 1) and the uncompressed bytes of each line.

    Lines of more than LINE_BYTES_MAX are skipped and noted. The incomplete last line of a truncated file is
    left out.

    Raises:
        RecordError: the uncompressed file has more than TOTAL_BYTES_MAX.
    """
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
            raise RecordError(f"it unpacks to more than {TOTAL_BYTES_MAX >> 30} GiB: give a recording")
        yield piece


def _unpacked(chunks: Iterable[bytes], notes: Notes) -> Iterator[bytes]:
    """Yield the uncompressed bytes of gzip or plain text, without a byte order mark."""
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
                notes.add("data after the end of the gzip is skipped")
                return
            gzip = zlib.decompressobj(_GZIP)
        before = gzip.copy()
        try:
            yield gzip.decompress(data, _PIECE)
        except zlib.error as error:
            yield from _saved(before, data)
            notes.truncated = True
            notes.add(f"the file is damaged ({error}): the part before is read")
            return
        data = gzip.unused_data if gzip.eof else gzip.unconsumed_tail
    if not gzip.eof:
        yield gzip.flush()
        notes.truncated = True
        notes.add("the file is truncated: the part before is read")


def _saved(gzip: Any, data: bytes) -> Iterator[bytes]:
    """Yield byte by byte the part of damaged data that can be uncompressed."""
    with contextlib.suppress(zlib.error):
        for at in range(len(data)):
            yield gzip.decompress(data[at : at + 1])


def _decode(data: bytes, number: int, notes: Notes) -> object:
    """Return the message in a line, or None if the line is skipped."""
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
    """Return a message without its missing optional parts, as the official reader accepts it, or None."""
    value = lenient_decoder.plain(lenient_decoder.parse(data.decode()))
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
