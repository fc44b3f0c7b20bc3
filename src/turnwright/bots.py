"""Names for authors of tank bots: `from turnwright.bots import Bot`."""

from __future__ import annotations

from turnwright.games.tank.bots import Bot, GameInfo, Player, as_player, run

__all__ = ["Bot", "GameInfo", "Player", "as_player", "run"]
