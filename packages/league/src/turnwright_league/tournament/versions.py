"""The versions of a tournament's bots, each measured against the bots that play now.

A bot's current version is in the standings. An earlier one gets no battles any more: its share is that of the
battles it has played against the current versions of the other bots.
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
        is_current: it is in the standings.
        first_us, last_us: when its first and its last battle that count were played, UTC, µs since 1970; 0
            without one.
        aps: against the current versions of other bots, percent, or None without a battle.
        opponents: of these that it has met.
        battles: against them.
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
    """Return the versions of each bot, the newest first, by the id of its current one.

    Args:
        bots: for the id of each current version all versions, in the order in which they joined.
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
    """Return a version with what its battles say.

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
