"""Names for authors of tank bots: `from turnwright.bots import Bot`."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("turnwright.games.tank") is None:
    raise ImportError(
        "turnwright.bots is the library for bots of the game 'tank', which is not here; a bot of another game"
        " imports turnwright.client"
    )

from turnwright.games.tank.bots import Bot, GameInfo, Player, as_player, run  # it is there

__all__ = ["Bot", "GameInfo", "Player", "as_player", "run"]
