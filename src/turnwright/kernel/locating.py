"""Where a replayed turn differs from the recorded one: whose state, and in which of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from turnwright.errors import VoidBattleError
from turnwright.kernel.battle import Battle
from turnwright.kernel.checks import (
    CHECKS_EVERY,
    checks,
    differing,
    odd_columns,
    odd_seat,
    part_names,
    watched,
)
from turnwright.kernel.game import Seat, Table
from turnwright.kernel.record import TurnEntry
from turnwright.kernel.surmise import surmise

__all__ = ["Mismatch", "compared", "differs", "locate"]

_SEAT_AHEAD = 4
"""Turns after one in which several seats differ that may show a single one."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first turn that comes out differently, and the first part of the state that does.

    turn: 0 for the header, None for the footer. seat: the first one whose state differs, where one does.
    field: "state" where no part is known, "line" where only the line was changed and the state is as it was.
    seen: the turn in which the parts were compared, where the turn's own checks do not tell them: up to 63
    turns later. line: of the file, where what differs is a line that was changed. also: other parts that
    differ.
    """

    turn: int | None
    field: str
    recorded: str
    replayed: str
    seat: Seat | None = None
    seen: int | None = None
    line: int | None = None
    also: tuple[str, ...] = ()


def differs(entry: TurnEntry, battle: Battle) -> bool:
    """Return whether the checks of a turn, where it has any, differ from those of a battle after it."""
    kept = battle.header.check_digits
    return bool(entry.checks) and entry.checks[:kept] != checks(battle.game, battle.state, everything=False)


def compared(entry: TurnEntry, battle: Battle, digest: str) -> tuple[str, str]:
    """Return what a record and a battle say of the state after a turn: of the digest, and the checks."""
    if not entry.checks:
        return entry.digest, digest[: len(entry.digest)]
    found = checks(battle.game, battle.state, everything=False)
    return entry.digest + entry.checks[: len(found)], digest[: len(entry.digest)] + found


def locate(
    mismatch: Mismatch, rest: Sequence[TurnEntry], battle: Battle, past: Iterable[Sequence[Table]] = ()
) -> Mismatch:
    """Say whose and which part of the state differs, as far as the record's checks tell.

    rest: the entries from the turn that differs on; the battle has resolved that one. past: the tables of
    the turns before. Each turn has checks of the single seat that differs, and of the parts where it shows
    first. Where they do not tell the part, it is guessed from what it was before, and what is guessed is
    compared with them; failing that, the battle is played on to the next turn that has more.
    """
    if mismatch.field != "state":
        return mismatch
    game, names = battle.game, watched(battle.game, battle.state)
    recorded, found = rest[0].checks, checks(game, battle.state, everything=False)
    parts = [names[column] for column in odd_columns(recorded, found, len(names))]
    located = _with_parts(replace(mismatch, seat=odd_seat(recorded, found, battle.seats)), parts)
    if not parts and rest[0].checks:
        located = _surmised(located, rest[0], battle, tuple(past))
    if located.seat is not None and located.field != "state":
        return replace(located, seen=mismatch.turn)
    return _locate_later(located, rest, battle)


def _surmised(
    mismatch: Mismatch, entry: TurnEntry, battle: Battle, past: Sequence[Sequence[Table]]
) -> Mismatch:
    """Guess the parts; and whose they are, where the checks do not tell."""
    tables = list(battle.game.tables(battle.state))
    is_all = b"".join(table.data for table in tables) == battle.game.snapshot(battle.state)
    recorded = (entry.digest if is_all else "", entry.checks[: battle.header.check_digits])
    if mismatch.seat is not None:
        return _with_parts(mismatch, surmise(tables, mismatch.seat, past, recorded))
    for seat in range(battle.seats):
        parts = surmise(tables, seat, past[-1:], recorded, others=False)
        if parts:
            return replace(_with_parts(mismatch, parts), seat=seat)
    return mismatch


def _locate_later(mismatch: Mismatch, rest: Sequence[TurnEntry], battle: Battle) -> Mismatch:
    """Take what is not known yet from the next checks of everything.

    Parts that are watched in each turn did not differ before, so those that are not go first.
    """
    game, seats, kept = battle.game, battle.seats, battle.header.check_digits
    with suppress(VoidBattleError):
        for entry in rest[:CHECKS_EVERY]:
            if entry.turn > battle.turn:
                battle.replay_turn(entry)
                mismatch = _with_seat(mismatch, entry, battle)
                if mismatch.seat is not None and mismatch.field != "state":
                    return mismatch
            if len(entry.checks) <= kept:
                continue
            places = differing(entry.checks[kept:], checks(game, battle.state)[kept:])
            if places:
                names, known = part_names(game, battle.state), watched(game, battle.state)
                parts = [names[k - seats] for k in places if k >= seats]
                if mismatch.field == "state":
                    mismatch = _with_parts(mismatch, sorted(parts, key=lambda part: part in known))
                if mismatch.seat is None:
                    mismatch = replace(mismatch, seat=next((k for k in places if k < seats), None))
                return replace(mismatch, seen=entry.turn)
    return mismatch


def _with_seat(mismatch: Mismatch, entry: TurnEntry, battle: Battle) -> Mismatch:
    """Name the seat by one of the next turns, when nothing differs any more of those that only saw it."""
    if mismatch.seat is not None or mismatch.turn is None or entry.turn > mismatch.turn + _SEAT_AHEAD:
        return mismatch
    found = checks(battle.game, battle.state, everything=False)
    seat = odd_seat(entry.checks, found, battle.seats)
    return mismatch if seat is None else replace(mismatch, seat=seat, seen=entry.turn)


def _with_parts(mismatch: Mismatch, parts: Sequence[str]) -> Mismatch:
    return replace(mismatch, field=parts[0], also=tuple(parts[1:])) if parts else mismatch
