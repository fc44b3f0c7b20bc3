"""Version 2 of the record: `.twr` = gzip of JSON lines.

A record has a header, one line for each turn, and a footer.

Every line ends with a hash, which is computed from the line and from the full hash of the line before. With
the hashes, a reader finds changed bytes, missing lines and swapped lines, and can name the number of the
line. For an intent, a line contains only the differences from the seat's previous intent.
packages/core/docs/record.md describes the lines.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from operator import add, attrgetter
from typing import Any

import msgspec

from turnwright.errors import RecordError
from turnwright.kernel.game import Seat
from turnwright.kernel.printed import TurnPrints
from turnwright.kernel.record import ChangedLine, Footer, Header, Record, TurnEntry
from turnwright.wire.nesting_bound import LEVELS_MAX, TOO_DEEP, nested_too_deeply
from turnwright.wire.record.v2_lines import (
    DIGEST_DIGITS,
    HASH_DIGITS,
    LINE_BYTES_MAX,
    NOTHING,
    VERSION,
    FooterLine,
    HeaderLine,
    TurnLine,
)

IntentWriter = Callable[[Any], Any]
IntentReader = Callable[[Any], Any]

_HASH_BYTES = 8
_START = b"turnwright record 2"
_KEY = b'"h":"'
_END = b'"}\n'
_TAIL_BYTES = len(_KEY) + HASH_DIGITS + len(_END)
_FOOTER = b'{"kind":'
_SEATS_MAX = 1 << 53

_rare = attrgetter(
    "skipped",
    "late_ns",
    "gone",
    "disqualified",
    "failures",
    "faults",
    "opening",
    "answered",
    "server_late_ns",
    "keyframe",
    "checks",
    "printed",
    "out",
)
"""The fields of an entry that are empty in most turns. Intents, `debugged` and the digest are handled
separately.
"""
_named = attrgetter("r", "s", "l", "g", "x", "q", "e", "b", "p")
"""The fields of a line that name seats and are empty in most turns. `i` is handled separately."""
_pack = msgspec.msgpack.Encoder().encode
"""Encodes intents as bytes, to compare them. The bytes are equal if the intents are bit for bit equal (0.0
and -0.0 differ). This is faster than encoding as JSON.
"""
_to_json = msgspec.json.Encoder().encode
_header_lines = msgspec.json.Decoder(HeaderLine)
_turn_lines = msgspec.json.Decoder(TurnLine)
_footer_lines = msgspec.json.Decoder(FooterLine)


def chained(body: bytes, before: bytes = _START) -> tuple[bytes, bytes]:
    """Return a line with its hash, and the full hash. Pass the full hash as `before` for the next line.

    Args:
        body: a JSON object without its hash.
        before: the full hash of the line before.
    """
    covered = body[:-1] + (b"," if len(body) > len(b"{}") else b"")
    whole = _hash(before, covered)
    return b"".join((covered, _KEY, whole[:HASH_DIGITS], _END)), whole


def _hash(before: bytes, covered: bytes) -> bytes:
    return hashlib.blake2b(before + covered, digest_size=_HASH_BYTES).hexdigest().encode()


# ---- writing -------------------------------------------------------------------------------------------


class Encoder:
    """Writes one record, line by line.

    Call `encode_header` once, `encode_turn` for each turn, and `encode_footer` once.

    Args:
        write_intent: returns an intent as JSON values.
        frozen: whether the game never changes an intent object. If so, the same object is always the same
            intent.
    """

    def __init__(self, write_intent: IntentWriter, *, frozen: bool = False) -> None:
        self._write_intent = write_intent
        self._frozen = frozen
        self._said: dict[Seat, Any] = {}
        self._intents: dict[Seat, bytes] = {}
        self._data: dict[Seat, Any] = {}
        self._answering: list[Seat] = []
        self._hash = _START

    def encode_header(self, header: Header) -> bytes:
        """Return the first line of a record."""
        same = {name: getattr(header, name) for name in Header.__dataclass_fields__}
        same |= {"setup": dict(header.setup), "announced": dict(header.announced)}
        return self._line(HeaderLine(VERSION, "header", **same))

    def encode_turn(self, entry: TurnEntry) -> bytes:
        """Return the line of one turn.

        Intents are compared with the intents of earlier lines, so call the method in the order of the turns.
        """
        changed, same = self._compared(entry)
        before, self._answering = self._answering, list(entry.intents)
        as_before = self._answering == before or same == [seat for seat in before if seat not in changed]
        digest = entry.digest[:DIGEST_DIGITS]
        if digest and as_before and entry.debugged is None and not any(_rare(entry)):
            if not changed:
                return self._closed(b'{"d":"%b"}' % digest.encode())
            return self._closed(b'{"i":%b,"d":"%b"}' % (_to_json(changed), digest.encode()))
        line = TurnLine(
            i=changed,
            r=None if as_before else tuple(same),
            s=entry.skipped,
            l=dict(entry.late_ns),
            g=entry.gone,
            x=entry.disqualified,
            q=dict(entry.out),
            e=dict(entry.failures),
            f=entry.faults,
            p=dict(entry.printed),
            o=entry.opening,
            a=entry.answered,
            b=entry.debugged,
            w=entry.server_late_ns,
            k=msgspec.Raw(entry.keyframe) if entry.keyframe else NOTHING,
            c=entry.checks,
            d=digest,
        )
        return self._line(line)

    def _compared(self, entry: TurnEntry) -> tuple[dict[Seat, Any], list[Seat]]:
        """Return the changes of each seat's intent, and the seats whose intents did not change."""
        changed: dict[Seat, Any] = {}
        same: list[Seat] = []
        before, said = self._intents, self._said
        for seat, intent in entry.intents.items():
            if seat in said and said[seat] is intent:
                same.append(seat)
                continue
            if self._frozen:
                said[seat] = intent
            try:
                packed = _pack(intent)
            except TypeError:  # a class that only the game can write as JSON
                packed = _pack(self._write_intent(intent))
            if before.get(seat) == packed:
                same.append(seat)
            else:
                before[seat] = packed
                data = self._write_intent(intent)
                changed[seat] = _changes(self._data.get(seat), data)
                self._data[seat] = data
        return changed, same

    def referred_to(self) -> tuple[str, dict[Seat, Any], tuple[Seat, ...]]:
        """Return the data to which the next line refers.

        These are the full hash of the last line, the newest intent of each seat, and the seats with intents
        in the last line.
        """
        return self._hash.decode(), dict(self._data), tuple(self._answering)

    def encode_footer(self, footer: Footer) -> bytes:
        """Return the last line of a record."""
        return self._line(
            FooterLine("footer", footer.ending, footer.turns, footer.results, dict(footer.printed))
        )

    def _line(self, line: msgspec.Struct) -> bytes:
        return self._closed(_to_json(line))

    def _closed(self, body: bytes) -> bytes:
        data, self._hash = chained(body, self._hash)
        return data


_UNSET = object()


def _changes(before: Any, after: Any) -> Any:
    """Return the change from one intent to the next. For two objects, these are the changed keys, with None
    for each removed key. Otherwise it is the whole new value.
    """
    if type(before) is not dict or type(after) is not dict:
        return after
    changed = {}
    get = before.get
    for key, value in after.items():
        old = get(key, _UNSET)
        if old is not value and (old != value or not _same(old, value)):
            changed[key] = value
    if not before.keys() <= after.keys():
        changed.update((key, None) for key in before if key not in after)
    return changed


def _same(one: Any, two: Any) -> bool:
    """Return whether two JSON values are bit for bit equal."""
    kind = type(one)
    if kind is not type(two) or one != two:
        return False
    return kind is str or kind is bool or (kind is float and one != 0.0) or _pack(one) == _pack(two)


# ---- reading -------------------------------------------------------------------------------------------


def decode_lines(
    lines: Iterable[bytes], intent_reader: Callable[[Header], IntentReader], *, lenient: bool = False
) -> Record:
    """Return the record in `lines`. Each line must include its newline.

    A record without a footer is `truncated`. An incomplete last line is ignored.

    Args:
        intent_reader: takes the header, and returns a function that makes an intent from its data. It may
            raise RecordError for a game that it does not know.
        lenient: whether to accept lines with a wrong hash. The record then has `broken` set. It contains the
            lines as they are, up to the first line that cannot be read.

    Raises:
        RecordError: there is no header, or a line is wrong. The message names the line.
        OSError, zlib.error: `lines` raised it, and no line before was changed.
    """
    decoder = _Decoder(intent_reader, lenient)
    try:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return decoder.end(line)
            decoder.read(number, line)
            if decoder.is_at_its_end:
                break
        return decoder.end(b"")
    except (RecordError, OSError, zlib.error):
        if decoder.record is None or decoder.record.broken is None:
            raise
        return decoder.record


class _Bad(Exception):
    """A line has impossible content. str() describes it."""


class _Decoder:
    def __init__(self, intent_reader: Callable[[Header], IntentReader], lenient: bool) -> None:
        self.record: Record | None = None
        self._intent_reader = intent_reader
        self._lenient = lenient
        self._from_data: IntentReader | None = None
        self._data: dict[Seat, Any] = {}
        self._intents: dict[Seat, Any] = {}
        self._answering: list[Seat] = []
        self._answering_set: frozenset[Seat] = frozenset()
        self._hash = _START

    @property
    def is_at_its_end(self) -> bool:
        """Whether no further line can be read, because the header was changed. Without the right header,
        lines have no meaning.
        """
        return self._from_data is None

    def read(self, number: int, line: bytes) -> None:
        """Read the next line.

        Raises:
            RecordError: the line cannot be read. The message names its number.
        """
        try:
            if len(line) > LINE_BYTES_MAX:
                raise _Bad(f"it has {len(line)} bytes, more than {LINE_BYTES_MAX}")
            if len(line) > LEVELS_MAX and nested_too_deeply(line):
                raise _Bad(TOO_DEEP)
            record = self.record
            if record is None:
                _check_version(line)
                self._read_header(number, line)
            else:
                self._read_part(number, line, record)
        except (_Bad, ValueError, RecursionError) as error:
            raise RecordError(f"line {number} of the record cannot be read: {error}") from error

    def _read_header(self, number: int, line: bytes) -> None:
        broken = self._change(number, 0, line)
        header = _header(_header_lines.decode(line))
        self.record = Record(header, broken=broken)
        if broken is None:
            self._from_data = self._intent_reader(header)

    def _read_part(self, number: int, line: bytes, record: Record) -> None:
        """Read a line after the header."""
        is_footer = line.startswith(_FOOTER)
        if record.broken is None:
            record.broken = self._change(number, None if is_footer else number - 1, line)
        if record.footer is not None:
            raise _Bad("there is more after the footer")
        if is_footer:
            footer = _footer_lines.decode(line)
            record.footer = Footer(footer.ending, footer.turns, footer.results)
            self._add_printed(footer.p, record)
        else:
            record.turns.append(self._turn(_turn_lines.decode(line), record))

    def _change(self, number: int, turn: int | None, line: bytes) -> ChangedLine | None:
        """Compare the hash of a line with its content. Return the change if the line was changed after it was
        written, or None.

        Raises:
            _Bad: the hash is wrong, and `lenient` is False.
        """
        at = max(len(line) - _TAIL_BYTES, 0)
        self._hash = _hash(self._hash, line[:at])
        if line[at:] == b"".join((_KEY, self._hash[:HASH_DIGITS], _END)):
            return None
        found = self._hash[:HASH_DIGITS].decode()
        has_hash = line.startswith(_KEY, at) and line.endswith(_END)
        recorded = line[-len(_END) - HASH_DIGITS : -len(_END)].decode("ascii", "replace") if has_hash else ""
        if not self._lenient:
            wrong = "its hash is wrong: it was changed, or a line before it is missing"
            raise _Bad(wrong if recorded else "it does not end with a hash")
        return ChangedLine(number, turn, recorded, found)

    def _turn(self, line: TurnLine, record: Record) -> TurnEntry:
        seats = len(record.header.seats)
        named = list(line.i)
        if any(_named(line)):
            named += (*(line.r or ()), *line.s, *line.l, *line.g, *line.x)
            named += (*line.q, *line.e, *(line.b or ()), *line.p)
        if named and not 0 <= min(named) <= max(named) < (seats or _SEATS_MAX):
            # a game without seats: participants come and go during the battle
            odd = next(seat for seat in named if not 0 <= seat < (seats or _SEATS_MAX))
            raise _Bad(f"there is no seat {odd}")
        if line.a and len(line.a) != seats:
            raise _Bad(f"it has {len(line.a)} answer times for {seats} seats")
        return TurnEntry(  # positional arguments are faster
            len(record.turns) + 1,
            self._accepted(line),
            line.s,
            line.l,
            line.g,
            line.x,
            line.f,
            line.d,
            line.c,
            line.o,
            line.a,
            line.w,
            bytes(line.k) if line.k is not NOTHING else b"",
            line.b,
            line.e,
            line.p,
            line.q,
        )

    def _add_printed(self, printed: dict[Seat, TurnPrints], record: Record) -> None:
        """Add the lines that bots printed after the last turn to the output of the last turn.

        Raises:
            _Bad: a seat did not play.
        """
        seats = len(record.header.seats)
        if printed and not (record.turns and 0 <= min(printed) <= max(printed) < seats):
            raise _Bad("it names a seat that did not play")
        if printed:
            both = dict(record.turns[-1].printed)
            for seat, texts in printed.items():
                both[seat] = TurnPrints(*map(add, both.get(seat, TurnPrints()), texts))
            record.turns[-1].printed = both

    def _accepted(self, line: TurnLine) -> dict[Seat, Any]:
        assert self._from_data is not None  # the header has been read
        for seat, data in line.i.items():
            if type(data) is dict:
                self._data[seat] = data = _applied(self._data.get(seat), data)
            self._intents[seat] = self._from_data(data)
        if line.r is not None:
            self._answer(sorted((*line.i, *line.r)))
        elif not line.i.keys() <= self._answering_set:
            self._answer(sorted(self._answering_set.union(line.i)))
        intents = self._intents
        try:
            return {seat: intents[seat] for seat in self._answering}
        except KeyError as error:
            raise _Bad(f"seat {error} repeats its last intent, but has sent no intent before") from None

    def _answer(self, seats: list[Seat]) -> None:
        """Record the seats that answered the turn. The next line may repeat the intents of the same seats."""
        self._answering, self._answering_set = seats, frozenset(seats)

    def end(self, last: bytes) -> Record:
        """Return the record. `last` is the data after the last complete line.

        Raises:
            RecordError: there is no header, or there is more after the footer.
        """
        record = self.record
        if record is None:
            raise RecordError("the record has no header: line 1 is empty or cut off")
        if last and record.footer is not None:
            raise RecordError("the record cannot be read: there is more after the footer")
        record.truncated = record.footer is None and record.broken is None
        return record


def _applied(before: Any, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an intent: the data of the previous intent with `changes` applied."""
    if type(before) is not dict:
        return changes
    after = {**before, **changes}
    if None in changes.values():
        after = {key: value for key, value in after.items() if value is not None}
    return after


class _VersionLine(msgspec.Struct):
    turnwright: int


def _check_version(line: bytes) -> None:
    try:
        version = msgspec.json.decode(line, type=_VersionLine).turnwright
    except (ValueError, RecursionError):
        raise _Bad("this is not a record of turnwright") from None
    if version != VERSION:
        reader = "a newer one" if version > VERSION else "a development version from before release 0.1.0"
        raise _Bad(
            f"it is of version {version} of the format; this turnwright reads version {VERSION}:"
            f" read it with {reader}"
        )


def _header(line: HeaderLine) -> Header:
    return Header(**{name: getattr(line, name) for name in Header.__dataclass_fields__})
