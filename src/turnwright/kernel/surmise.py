"""What a state may have been of which only a few digits are known: tried out, until one has these digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice

from turnwright.kernel.checks import checks_of, column_name
from turnwright.kernel.game import Seat, Table
from turnwright.kernel.record import digest

__all__ = ["surmise"]

_TOGETHER_MAX = 4
_GUESSES_MAX = 2_000

Place = tuple[int, int]
"""A table and a column of it, both from 0."""
Values = dict[Place, bytes]
"""Of one seat, by place, 8 bytes each."""


def surmise(
    tables: Sequence[Table],
    seat: Seat,
    past: Sequence[Sequence[Table]],
    recorded: tuple[str, str],
    *,
    others: bool = True,
) -> tuple[str, ...]:
    """Return the columns of one seat in which a recorded state differs from this one, if that can be guessed.

    Tried out is that up to four of the seat's fields had the value of the turn before, and that one had
    any that it has had, or another seat has, or zero. tables: of the state; past: those of the turns before,
    the last one last. recorded: the first digits of the digest, and the checks of a turn without everything.
    others: whether other seats' values are tried, which takes longest where there are many.
    """
    now, before = _values(tables, seat), [_values(one, seat) for one in past]
    theirs = islice(_as_others(tables, now), _GUESSES_MAX if others else 0)
    for guess in chain(_guesses(now, before), theirs):
        altered = _altered(tables, seat, guess)
        if checks_of(altered, everything=False) == recorded[1] and _has_digest(tables, altered, recorded[0]):
            return tuple(column_name(tables[table], column) for table, column in sorted(guess))
    return ()


def _values(tables: Sequence[Table], seat: Seat) -> Values:
    values = {}
    for number, table in enumerate(tables):
        if table.by_seat:
            start = 8 * len(table.columns) * seat
            for column in range(len(table.columns)):
                at = start + 8 * column
                values[number, column] = table.data[at : at + 8]
    return values


def _guesses(now: Values, before: Sequence[Values]) -> Iterator[Values]:
    """Yield what may have been otherwise, the likeliest first."""
    last = before[-1] if before else now
    changed = [place for place in now if last[place] != now[place]]
    some = chain.from_iterable(combinations(changed, size) for size in range(1, _TOGETHER_MAX + 1))
    for places in islice(some, _GUESSES_MAX):
        yield {place: last[place] for place in places}
    for place, value in now.items():
        for other in dict.fromkeys([bytes(8), *(earlier[place] for earlier in reversed(before))]):
            if other != value:
                yield {place: other}


def _as_others(tables: Sequence[Table], now: Values) -> Iterator[Values]:
    """Yield that one field had the value that it has of another seat: many are what all bots say."""
    for (number, column), value in now.items():
        table = tables[number]
        width, at = 8 * len(table.columns), 8 * column
        rows = range(at, len(table.data), width)
        for other in dict.fromkeys(table.data[row : row + 8] for row in rows):
            if other != value:
                yield {(number, column): other}


def _altered(tables: Sequence[Table], seat: Seat, guess: Values) -> list[Table]:
    altered = list(tables)
    for (number, column), value in guess.items():
        table = altered[number]
        at = 8 * (len(table.columns) * seat + column)
        altered[number] = table._replace(data=table.data[:at] + value + table.data[at + 8 :])
    return altered


def _has_digest(tables: Sequence[Table], altered: Sequence[Table], recorded: str) -> bool:
    return digest(b"".join(table.data for table in altered)).startswith(recorded)
