"""One row for each game, loaded when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from turnwright.errors import SetupError
from turnwright.kernel.game import Game

__all__ = ["GAMES", "load"]

GAMES = {
    "tank": "turnwright.games.tank.game:TankGame",
    "countdown": "turnwright.games.countdown.game:Countdown",
    "world": "turnwright.games.world.game:WorldGame",
}
"""name: module and class."""


def load(name: str) -> Game:
    """Return a new instance of a game's rules. Raises: SetupError for an unknown name."""
    if name not in GAMES:
        raise SetupError(f"there is no game {name!r}; the games are {', '.join(sorted(GAMES))}")
    module, _, attribute = GAMES[name].partition(":")
    game: Game = getattr(import_module(module), attribute)()
    return game
