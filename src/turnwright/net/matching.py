"""Which connection is which of the bots that we started: nothing on the wire says what process a bot is."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.net.contestants import Place
from turnwright.wire.royale.parts import BotInfo

__all__ = ["match"]


def match(places: Sequence[Place], connected: Sequence[BotInfo]) -> list[BotInfo | None]:
    """Return, for each place, the connected bot that takes it, or None while there is none.

    First by who they say they are (name, version, authors; and their team, where it is said), as a multiset;
    then directories without a JSON file take what is left, in order of arrival. A bot that says it is
    somebody else than its JSON file can only be told by what is left when everybody has come.
    """
    free = list(connected)
    taken: list[BotInfo | None] = [None] * len(places)

    def take(seat: int, fits: Sequence[BotInfo]) -> None:
        if taken[seat] is None and fits:
            taken[seat] = fits[0]
            free.remove(fits[0])

    for seat, place in enumerate(places):
        take(seat, [bot for bot in free if _is(place, bot) and bot.team_id == _team_id(place)])
    for seat, place in enumerate(places):
        take(seat, [bot for bot in free if _is(place, bot)])
    everybody = len(connected) >= len(places)
    for seat, place in enumerate(places):
        if everybody or (place.entry is not None and not place.entry.has_config):
            take(seat, free)
    return taken


def _is(place: Place, bot: BotInfo) -> bool:
    """Return whether a bot says that it is the one of this place's JSON file."""
    if place.entry is None or not place.entry.has_config:
        return False
    config = place.entry.config
    said = (bot.name, bot.version, ", ".join(bot.authors))
    return said == (config.name, config.version, ", ".join(config.authors))


def _team_id(place: Place) -> int | None:
    return place.team.id if place.team is not None else None
