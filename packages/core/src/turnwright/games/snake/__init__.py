"""Snake: several snakes on one grid, with rules, bots and a view."""

from __future__ import annotations

from turnwright.game_package import GamePackage

GAME = GamePackage(
    rules=".game:SnakeGame",
    checked=False,
    bots=".bots:BOTS",
    view="view.js",
    spaces=".envs.spaces:SnakeSpaces",
    environments=".envs.spaces:ENVS",
)
