"""The countdown game, an example of a small game."""

from __future__ import annotations

from turnwright.game_package import GamePackage

GAME = GamePackage(rules=".game:Countdown", checked=False)
