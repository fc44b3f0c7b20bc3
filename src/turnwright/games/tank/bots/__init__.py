"""A small library to write bots with, and the house bots.

`Bot` is to be subclassed (`client`), `run` plays one against a server (`connection`), `as_player` makes a
player for a battle in the same process (`player`). What must not live here: anything of the server.
"""

from __future__ import annotations

from turnwright.games.tank.bots.bot import Bot
from turnwright.games.tank.bots.connection import run
from turnwright.games.tank.bots.identity import GameInfo
from turnwright.games.tank.bots.player import Player, as_player

__all__ = ["Bot", "GameInfo", "Player", "as_player", "run"]
