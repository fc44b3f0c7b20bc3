"""The versions of a tournament's bots, with their results against the current bots.

A bot's current version is in the standings. An earlier version gets no more battles. Its share is computed
from its battles against the current versions of the other bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import participants_of
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.scores import average_share, pairing_shares


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One version of a bot.

    Attributes:
        is_current: whether it is in the standings.
        first_us, last_us: the times of its first and its last battle that count, UTC, µs since 1970, or 0
            without one.
        aps: its APS against the current versions of other bots, in percent, or None without a battle.
        opponents: the number of current versions of other bots that it has met.
        battles: the number of battles against these versions.
    """

    entry: TournamentEntry
    is_current: bool
    first_us: int
    last_us: int
    aps: float | None
    opponents: int
    battles: int


def versions_of(
    bots: Mapping[str, Sequence[TournamentEntry]], played: Iterable[PlayedBattle]
) -> dict[str, tuple[BotVersion, ...]]:
    """Return the versions of each bot, newest first, by the id of its current version.

    Args:
        bots: all versions of each bot in the order in which they joined, by the id of its current version.
    """
    battles: dict[str, list[PlayedBattle]] = {}
    for battle in played:
        if battle.counts:
            for entry in participants_of(battle.spec):
                battles.setdefault(entry, []).append(battle)
    return {
        current: tuple(_version(one, current, bots.keys(), battles.get(one.id, [])) for one in entries[::-1])
        for current, entries in bots.items()
    }


def _version(
    one: TournamentEntry, current: str, field: Iterable[str], battles: Sequence[PlayedBattle]
) -> BotVersion:
    """Return a version with the results of its battles.

    Args:
        field: the current versions of all bots.
    """
    known = {entry for entry in field if entry != current} | {one.id}
    against = [battle for battle in battles if known.issuperset(battle.spec.seats)]
    times = [battle.played_us for battle in battles]
    return BotVersion(
        one,
        one.id == current,
        min(times, default=0),
        max(times, default=0),
        average_share(pairing_shares(against), one.id),
        len({entry for battle in against for entry in battle.spec.seats} - {one.id}),
        len(against),
    )
