"""The built-in bots, weakest first.

Duck      stands still and never fires: a target.
Spinner   drives in circles and fires at tanks that its radar happens to meet.
Rammer    locks its radar on a tank, drives into it and fires at close range.
Tracker   keeps its radar and gun on one tank, swings before it and fires straight at it.
Crawler   drives along the walls and fires inwards at where it last saw a tank.
Dodger    circles its target, turns when the target fires, and aims ahead.
Ace       surfs the bullets' waves, learns where its enemies drive, chooses its gun by what would have hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from turnwright_tank.bots.bot import Bot

IN_BATCHES = ("Spinner", "Rammer", "Tracker", "Crawler", "Dodger", "Ace")
"""The bots that play inside a batch, as players 1, 2 … `tools/bots_to_c` translates them."""
DUELLISTS = {"Ace": ("bots.house.parts.duel", "Duellist")}
"""The bots of `IN_BATCHES` that play in batches against a single enemy only, each with the class that does
so."""


class HouseBots(Mapping[str, type[Bot]]):
    """The built-in bots by name, weakest first.

    The module of a bot is imported on first use.
    """

    NAMES = ("Duck", *IN_BATCHES)

    def __getitem__(self, name: str) -> type[Bot]:
        """Return the class of a built-in bot.

        Raises:
            KeyError: there is no built-in bot of that name.
        """
        if name not in self.NAMES:
            raise KeyError(name)
        bot: type[Bot] = getattr(import_module(f"{__name__}.{name.lower()}"), name)
        return bot

    def __iter__(self) -> Iterator[str]:
        return iter(self.NAMES)

    def __len__(self) -> int:
        return len(self.NAMES)

    def __contains__(self, name: object) -> bool:
        return name in self.NAMES


HOUSE: Mapping[str, type[Bot]] = HouseBots()
"""The built-in bots by name, weakest first."""
