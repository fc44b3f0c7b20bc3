"""From what somebody named to who takes which seat: directories, teams, house bots, bots of this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from turnwright.bots.house import HOUSE
from turnwright.bots.player import as_player, name_of
from turnwright.errors import SetupError
from turnwright.net.botdir import BotEntry, load, members
from turnwright.net.botstart import Team, command
from turnwright.net.pythons import choose_python
from turnwright.options import Contestant

__all__ = ["Place", "places_of"]


_NAME_SHOWN = 80
"""Characters of a name that is no bot's, in the message."""


@dataclass(frozen=True, slots=True)
class Place:
    """One seat to be taken. entry: the directory to start, or None; then `given` is a bot of this process.

    argv: how the directory is started. team: the team that the bot plays for, or None.
    """

    name: str
    version: str = "1.0"
    entry: BotEntry | None = None
    argv: tuple[str, ...] = ()
    team: Team | None = None
    given: Any = None


def places_of(bots: Sequence[Contestant], python: str | None = None) -> list[Place]:
    """Return who takes which seat, in order; a team takes one seat for each member.

    Raises: SetupError for what is no bot, cannot be started, or is given in a way that cannot be played.
    """
    _refuse_shared(bots)
    if python is not None:
        choose_python(python)
    places: list[Place] = []
    teams = 0
    for bot in bots:
        if not isinstance(bot, str | os.PathLike):
            as_player(bot)
            places.append(Place(name_of(bot), given=bot))
        elif isinstance(bot, str) and bot in HOUSE:
            places.append(Place(bot, given=HOUSE[bot]))
        else:
            entry = _load(bot)
            team = None
            if entry.kind == "team":
                teams += 1
                team = Team(teams, entry.config.name, entry.config.version)
            places.extend(_place(member, team, python) for member in members(entry))
    return places


def _place(entry: BotEntry, team: Team | None, python: str | None) -> Place:
    config = entry.config
    return Place(config.name, config.version, entry, tuple(command(entry, python=python)), team)


def _load(bot: str | os.PathLike[str]) -> BotEntry:
    """Load a directory; for a name that is none, say which house bots there are."""
    text = os.fspath(bot)
    if os.sep in text or (text and os.path.exists(text)):
        return load(text)
    close = get_close_matches(text, HOUSE, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"house bots are {', '.join(HOUSE)}"
    raise SetupError(
        f"no bot {text[:_NAME_SHOWN]!r}: no directory of that name is here, and no house bot has it: {hint}"
    )


def _refuse_shared(bots: Sequence[Contestant]) -> None:
    """One object cannot sit in two seats; a class, a function or a directory can be named twice."""
    objects = [bot for bot in bots if hasattr(bot, "step") and not isinstance(bot, type)]
    for bot in objects:
        if sum(other is bot for other in objects) > 1:
            raise SetupError(f"the same {type(bot).__name__} object is given twice: give its class instead")
