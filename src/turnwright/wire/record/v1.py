"""Version 1 of the record: `.twr` = gzip of JSON lines, a header, one line a turn, a footer.

Every line ends with a hash over itself and the line before it, so a changed byte, a missing line or two that
were swapped are found, and named by their number. Of an intent only what differs from the seat's intent
before is written. docs/reference/record.md describes the lines.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from turnwright.errors import RecordError
from turnwright.kernel.checks import CHECKS_EVERY, SEAT_DIGITS
from turnwright.kernel.game import Seat
from turnwright.kernel.record import Broken, Footer, Header, Record, TurnEntry
from turnwright.wire.nesting import TOO_DEEP, nested_too_deeply
from turnwright.wire.record.v1_lines import (
    CHECK_DIGITS_MAX,
    DIGEST_DIGITS,
    FIRST_DIGITS,
    HASH_DIGITS,
    LINE_BYTES_MAX,
    NOTHING,
    VERSION,
    FooterLine,
    HeaderLine,
    TurnLine,
)

__all__ = [
    "CHECK_DIGITS_MAX",
    "DIGEST_DIGITS",
    "HASH_DIGITS",
    "LINE_BYTES_MAX",
    "VERSION",
    "Encoder",
    "FooterLine",
    "HeaderLine",
    "TurnLine",
    "decode_lines",
]

IntentWriter = Callable[[Any], Any]
IntentReader = Callable[[Any], Any]

_HASH_BYTES = 8
_HASH_ALL = 2 * _HASH_BYTES
_DIGITS_MAX = 2 * _HASH_ALL + CHECK_DIGITS_MAX
_TAIL = re.compile(rb'"h":"([0-9a-f]+)"\}\n\Z')
_END_BYTES = len('"}\n')
_TAIL_BYTES_MAX = len('"h":"') + _DIGITS_MAX + _END_BYTES
_START = b"turnwright record 1"
_SEATS_MAX = 1 << 53
_BEHIND_MAX = CHECKS_EVERY
"""Lines that are read behind one that was changed: so many that checks of everything are among them."""

_pack = msgspec.msgpack.Encoder().encode
"""Equal bytes for intents that are equal to the bit (0.0 and -0.0 are not), and quicker than JSON."""
_header_lines = msgspec.json.Decoder(HeaderLine)
_turn_lines = msgspec.json.Decoder(TurnLine)
_footer_lines = msgspec.json.Decoder(FooterLine)


class _Shown(NamedTuple):
    """How many digits a turn without a keyframe shows at its end: of its digest, of checks, of its hash."""

    digest: int = DIGEST_DIGITS
    checks: int = SEAT_DIGITS
    hash_: int = HASH_DIGITS


def _chained(before: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(before + body, digest_size=_HASH_BYTES).hexdigest().encode()


# ---- writing -------------------------------------------------------------------------------------------


class Encoder:
    """Writes one record, line by line: encode_header once, encode_turn for each turn, encode_footer once."""

    def __init__(self, intent_to_data: IntentWriter) -> None:
        self._intent_to_data = intent_to_data
        self._intents: dict[Seat, bytes] = {}
        self._data: dict[Seat, Any] = {}
        self._answering: list[Seat] = []
        self._hash = _START
        self._shown = _Shown()

    def encode_header(self, header: Header) -> bytes:
        """Return the first line."""
        self._shown = _Shown(checks=header.check_digits)
        assert self._shown.checks <= CHECK_DIGITS_MAX, f"a turn has {self._shown.checks} digits of checks"
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
            rules_hash=header.rules_hash,
            deltas=True,
            digits=self._shown,
        )
        body = msgspec.json.encode(line)
        self._hash = _chained(_START, body)
        return body[:-1] + b',"h":"' + self._hash + b'"}\n'

    def encode_turn(self, entry: TurnEntry) -> bytes:
        """Return the line of one turn. Intents are compared with the lines before, so the order matters."""
        changed, same = self._compared(entry)
        expected = [seat for seat in self._answering if seat not in changed] if changed else self._answering
        self._answering = list(entry.intents)
        whole = bool(entry.keyframe)
        digest = entry.digest if whole else entry.digest[:DIGEST_DIGITS]
        if not changed and same == expected and not _besides(entry, self._shown.checks):
            return self._closed(b'{"h":"', digest + entry.checks, HASH_DIGITS)
        line = TurnLine(
            t=entry.turn if whole else 0,
            i=changed,
            r=None if same == expected else tuple(same),
            s=entry.skipped,
            l=dict(entry.late_ns),
            g=entry.gone,
            x=entry.disqualified,
            f=entry.faults,
            o=entry.opening,
            a=entry.answered,
            b=entry.debugged,
            w=entry.server_late_ns,
            k=msgspec.Raw(entry.keyframe) if whole else NOTHING,
            c=entry.checks[self._shown.checks :],
        )
        return self._line(line, digest + entry.checks[: self._shown.checks], whole=whole)

    def _compared(self, entry: TurnEntry) -> tuple[dict[Seat, Any], list[Seat]]:
        """Return what differs from the intents before, by seat, and the seats where nothing does."""
        changed: dict[Seat, Any] = {}
        same: list[Seat] = []
        before = self._intents
        for seat, intent in entry.intents.items():
            packed = _pack(intent)
            if before.get(seat) == packed:
                same.append(seat)
            else:
                before[seat] = packed
                data = self._intent_to_data(intent)
                changed[seat] = _changes(self._data.get(seat), data)
                self._data[seat] = data
        return changed, same

    def encode_footer(self, footer: Footer) -> bytes:
        """Return the last line."""
        return self._line(FooterLine("footer", footer.ending, footer.turns, footer.results), "", whole=True)

    def _line(self, line: msgspec.Struct, state: str, *, whole: bool) -> bytes:
        """Return a line behind the header. state: digits that go before the hash; whole: show all of that."""
        body = msgspec.json.encode(line)
        shown = _HASH_ALL if whole else HASH_DIGITS
        assert _parts(len(state) + shown, self._shown, footer=type(line) is FooterLine) is not None, state
        return self._closed(body[:-1] + (b',"h":"' if len(body) > 2 else b'"h":"'), state, shown)

    def _closed(self, start: bytes, state: str, shown: int) -> bytes:
        """Return a line with its state and so many digits of its hash."""
        start += state.encode()
        self._hash = _chained(self._hash, start)
        return start + self._hash[:shown] + b'"}\n'


def _besides(entry: TurnEntry, checks: int) -> bool:
    """Return whether a turn says more than intents, its digest and the checks that every turn has."""
    rare = entry.skipped or entry.late_ns or entry.gone or entry.disqualified or entry.faults
    rarer = entry.opening or entry.answered or entry.server_late_ns or entry.keyframe
    return bool(rare or rarer or entry.debugged is not None or len(entry.checks) > checks)


@lru_cache(64)
def _parts(digits: int, shown: _Shown, *, footer: bool = False) -> tuple[int, int] | None:
    """Return of so many digits at the end of a line how many are of the digest, and of the hash.

    shown: of a turn; its checks lie between the two, where they are kept. None for a number that no line has.
    """
    parts = {
        shown.hash_: (0, shown.hash_),
        shown.digest + shown.hash_: (shown.digest, shown.hash_),
        _HASH_ALL: (0, _HASH_ALL),
        2 * _HASH_ALL: (_HASH_ALL, _HASH_ALL),
    }
    plain = parts.get(digits - shown.checks)
    if plain is not None and plain[0] and not footer:
        return plain
    return parts.get(digits)


def _changes(before: Any, after: Any) -> Any:
    """Return what turns the data of one intent into that of the next: keys of an object, or all of it."""
    if type(before) is not dict or type(after) is not dict:
        return after
    changed = {}
    for key, value in after.items():
        if key not in before or (before[key] is not value and not _same(before[key], value)):
            changed[key] = value
    for key in before:
        if key not in after:
            changed[key] = None
    return changed


def _same(one: Any, two: Any) -> bool:
    """Return whether two JSON values are equal to the bit."""
    kind = type(one)
    if kind is not type(two) or one != two:
        return False
    return kind is str or kind is bool or (kind is float and one != 0.0) or _pack(one) == _pack(two)


# ---- reading -------------------------------------------------------------------------------------------


def decode_lines(
    lines: Iterable[bytes], intent_reader: Callable[[Header], IntentReader], *, lenient: bool = False
) -> Record:
    """Return the record in `lines` (each with its newline).

    intent_reader: gives, for the header, what turns the data of an intent into an intent; it may raise
    RecordError for a game it does not know. A last line that was cut off, or a missing footer, gives a
    record that is `truncated`. lenient: a line that can be read but was changed gives one that is `broken`;
    what lies behind it is read as far as it can be, up to 64 lines.
    Raises: RecordError, naming the line, for anything else.
    """
    decoder, rest = _Decoder(intent_reader, lenient), iter(lines)
    for number, line in enumerate(rest, 1):
        if not line.endswith(b"\n"):
            return decoder.end(line)
        decoder.read(number, line)
        if decoder.record is not None and decoder.record.broken is not None:
            return decoder.read_behind(decoder.record, decoder.record.broken, rest)
    return decoder.end(b"")


class _Bad(Exception):
    """A line that says something impossible; str() is what."""


class _State(NamedTuple):
    """What a line ends with besides its hash: the beginning of the state's digest, and some of its checks."""

    digest: str = ""
    checks: str = ""


class _Decoder:
    def __init__(self, intent_reader: Callable[[Header], IntentReader], lenient: bool) -> None:
        self.record: Record | None = None
        self._intent_reader = intent_reader
        self._lenient = lenient
        self._from_data: IntentReader | None = None
        self._deltas = False
        self._shown = _Shown()
        self._has_checks = False
        self._data: dict[Seat, Any] = {}
        self._intents: dict[Seat, Any] = {}
        self._answering: list[Seat] = []
        self._hash = _START

    def read(self, number: int, line: bytes) -> None:
        """Take a line. Raises: RecordError."""
        try:
            if len(line) > LINE_BYTES_MAX:
                raise _Bad(f"it has {len(line)} bytes, more than {LINE_BYTES_MAX}")
            if nested_too_deeply(line):
                raise _Bad(TOO_DEEP)
            if self.record is None:
                _check_version(line)
            state, broken = self._checked(number, line)
            part = self._read_part(line, state)
        except (_Bad, ValueError, RecursionError) as error:
            raise RecordError(f"line {number} of the record cannot be read: {error}") from error
        self._put(part, broken)

    def read_behind(self, record: Record, broken: Broken, lines: Iterator[bytes]) -> Record:
        """Return the record with what can be read behind the line that was changed."""
        if broken.entry is None:
            return record
        behind: list[TurnEntry] = []
        with suppress(_Bad, RecordError, ValueError, RecursionError, OSError, zlib.error):
            for line in islice(lines, _BEHIND_MAX):
                if len(line) > LINE_BYTES_MAX or not line.endswith(b"\n") or _is_footer(line):
                    break
                if nested_too_deeply(line):
                    break
                turn = broken.entry.turn + len(behind) + 1
                behind.append(self._turn(_turn_lines.decode(line), record, turn, self._split(line)[1]))
        record.broken = replace(broken, behind=tuple(behind))
        return record

    def _checked(self, number: int, line: bytes) -> tuple[_State, Broken | None]:
        """Return what a line ends with besides its hash, and what is wrong with that."""
        covered, state, recorded = self._split(line)
        self._hash = _chained(self._hash, covered)
        found = self._hash.decode()
        if recorded and found.startswith(recorded):
            return state, None
        if not self._lenient:
            wrong = "its hash is wrong: it was changed, or a line before it is missing"
            raise _Bad(wrong if recorded else "it does not end with a hash")
        turn = 0 if self.record is None else None if _is_footer(line) else len(self.record.turns) + 1
        return state, Broken(number, turn, recorded, found[: len(recorded) or _HASH_ALL])

    def _split(self, line: bytes) -> tuple[bytes, _State, str]:
        """Return what a line's hash covers, what it ends with besides its hash, and the hash; "": none."""
        tail = _TAIL.search(line, max(0, len(line) - _TAIL_BYTES_MAX))
        digits = "" if tail is None else tail.group(1).decode()
        parts = _parts(len(digits), self._shown, footer=_is_footer(line))
        if tail is None or parts is None:
            return line[:-1], _State(), ""
        if not self._deltas:
            return line[: tail.start() - 1] + b"}", _State(), digits
        digest, hash_ = parts
        state = _State(digits[:digest], digits[digest:-hash_])
        return line[: -hash_ - _END_BYTES], state, digits[-hash_:]

    def _read_part(self, body: bytes, state: _State) -> HeaderLine | TurnEntry | Footer:
        if self.record is None:
            header = _header_lines.decode(body)
            if b'"on_late"' not in body:  # written before there was a choice
                header.rules = replace(header.rules, on_late="next")
            return header
        if self.record.footer is not None:
            raise _Bad("there is more after the footer")
        if _is_footer(body):
            line = _footer_lines.decode(body)
            return Footer(line.ending, line.turns, line.results)
        return self._turn(_turn_lines.decode(body), self.record, len(self.record.turns) + 1, state)

    def _put(self, part: HeaderLine | TurnEntry | Footer, broken: Broken | None) -> None:
        """Keep what a line said, unless it is broken; of a broken header only what it says of itself."""
        if isinstance(part, HeaderLine):
            self.record = Record(_header(part), broken=broken)
            if broken is None:
                self._deltas, self._has_checks = part.deltas, part.digits is not None
                self._shown = _Shown(*(part.digits or (FIRST_DIGITS[0], part.checks, FIRST_DIGITS[1])))
                self._from_data = self._intent_reader(self.record.header)
            return
        assert self.record is not None  # the header has been read
        if broken is not None:
            self.record.broken = replace(broken, entry=part) if isinstance(part, TurnEntry) else broken
        elif isinstance(part, Footer):
            self.record.footer = part
        else:
            self.record.turns.append(part)

    def _turn(self, line: TurnLine, record: Record, turn: int, state: _State) -> TurnEntry:
        if line.t != turn and (line.t or not self._deltas):
            raise _Bad(f"it is turn {line.t}, expected turn {turn}")
        seats = len(record.header.seats)
        for seat in (*line.i, *(line.r or ()), *line.s, *line.l, *line.g, *line.x, *(line.b or ())):
            if not 0 <= seat < (seats or _SEATS_MAX):  # without seats, they come and go while it is played
                raise _Bad(f"there is no seat {seat}")
        if line.a and len(line.a) != seats:
            raise _Bad(f"it has {len(line.a)} answer times for {seats} seats")
        return TurnEntry(
            turn=turn,
            intents=self._accepted(line),
            skipped=line.s,
            late_ns=line.l,
            gone=line.g,
            disqualified=line.x,
            faults=line.f,
            digest=state.digest if self._deltas else line.d,
            checks=state.checks + line.c if self._has_checks else "",  # the first writers had other ones
            opening=line.o,
            answered=line.a,
            debugged=line.b,
            server_late_ns=line.w,
            keyframe=bytes(line.k),
        )

    def _accepted(self, line: TurnLine) -> dict[Seat, Any]:
        assert self._from_data is not None  # the header has been read
        for seat, data in line.i.items():
            if self._deltas and type(data) is dict:
                self._data[seat] = data = _applied(self._data.get(seat), data)
            self._intents[seat] = self._from_data(data)
        same: Iterable[Seat] = line.r or ()
        if line.r is None and self._deltas:
            same = (seat for seat in self._answering if seat not in line.i)
        self._answering = seats = sorted((*line.i, *same))
        missing = [seat for seat in seats if seat not in self._intents]
        if missing:
            raise _Bad(f"seat {missing[0]} repeats an intent that it never sent")
        return {seat: self._intents[seat] for seat in seats}

    def end(self, last: bytes) -> Record:
        """Return the record; `last`: what follows the last whole line."""
        record = self.record
        if record is None:
            raise RecordError("the record has no header: line 1 is empty or cut off")
        if last and record.footer is not None:
            raise RecordError("the record cannot be read: there is more after the footer")
        record.truncated = record.footer is None
        return record


def _is_footer(body: bytes) -> bool:
    return body.startswith(b'{"kind":')


def _applied(before: Any, changes: dict[str, Any]) -> dict[str, Any]:
    """Return an intent's data after `changes` to the one before."""
    if type(before) is not dict:
        return changes
    after = {**before, **changes}
    if None in changes.values():
        after = {key: value for key, value in after.items() if value is not None}
    return after


class _Version(msgspec.Struct):
    turnwright: int


def _check_version(line: bytes) -> None:
    try:
        version = msgspec.json.decode(line, type=_Version).turnwright
    except (ValueError, RecursionError):
        raise _Bad("this is not a record of turnwright") from None
    if version != VERSION:
        raise _Bad(
            f"it is of version {version} of the format; this turnwright reads version {VERSION}:"
            " read it with a newer one"
        )


def _header(line: HeaderLine) -> Header:
    return Header(
        game=line.game,
        behaviour_version=line.behaviour_version,
        seed=line.seed,
        setup=line.setup,
        seats=line.seats,
        rules=line.rules,
        tolerant=line.tolerant,
        made_by=line.made_by,
        announced=line.announced,
        rules_hash=line.rules_hash,
        check_digits=line.digits[1] if line.digits else SEAT_DIGITS,
    )
