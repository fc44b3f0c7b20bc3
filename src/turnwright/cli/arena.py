"""The arena in characters, to scale: tanks as a letter with an arrow, guns and bullets as dots.

A cell of a terminal is about twice as high as it is wide, and has 2 by 4 dots, so dots are square.

    A→   tank A drives east      ⡀ ⣀ ⣤  a weak, a middling, a strong bullet
    *    a bullet hit            X      a tank died
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from turnwright.cli.canvas import ACROSS, DOWN, Canvas
from turnwright.games.tank.story.moment import Fighter, Setting
from turnwright.games.tank.view import (
    BotDeathEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletState,
    Frame,
    TankFrame,
)

__all__ = ["COLORS", "arena_size", "draw_arena", "letters_of"]

COLORS = ("cyan", "yellow", "green", "magenta", "blue", "red")
_ARROWS = "→↗↑↖←↙↓↘"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BARREL_FROM, _BARREL_TO = 22.0, 46.0
"""u from a tank's centre: where its gun is drawn."""
_STRONG, _MIDDLING = 2.0, 1.0


def letters_of(fighters: Sequence[Fighter]) -> Mapping[int, str]:
    """Return a letter for each bot id: the first of its name that is free, else any; with many, "+" again."""
    found: dict[int, str] = {}
    free = dict.fromkeys(_LETTERS)
    for one in fighters:
        wanted = [letter for letter in one.name.upper() if letter in free]
        letter = wanted[0] if wanted else next(iter(free), "+")
        free.pop(letter, None)
        found[one.id] = letter
    return found


def arena_size(width: float, height: float, columns: int, rows: int) -> tuple[int, int]:
    """Return how many columns and rows of cells an arena takes that is to scale and fits."""
    width, height = max(1.0, width), max(1.0, height)
    scale = min(columns * ACROSS / width, rows * DOWN / height)
    across, down = int(width * scale / ACROSS + 0.5), int(height * scale / DOWN + 0.5)
    return max(1, min(columns, across)), max(1, min(rows, down))


def draw_arena(canvas: Canvas, setting: Setting, frame: Frame, letters: Mapping[int, str]) -> None:
    """Draw a frame so that it fills the canvas."""
    _Drawing(canvas, setting, letters).draw(frame)


class _Drawing:
    def __init__(self, canvas: Canvas, setting: Setting, letters: Mapping[int, str]) -> None:
        self._canvas = canvas
        self._letters = letters
        self._height = max(1.0, setting.height)
        self._x_scale = canvas.columns * ACROSS / max(1.0, setting.width)
        self._y_scale = canvas.rows * DOWN / self._height
        order = [one.id for one in setting.fighters]
        self._colors = {bot: COLORS[at % len(COLORS)] for at, bot in enumerate(order)}

    def draw(self, frame: Frame) -> None:
        died = {event.victim_id for event in frame.events if isinstance(event, BotDeathEvent)}
        for tank in frame.bot_states:
            self._barrel(tank)
        for bullet in frame.bullet_states:
            self._bullet(bullet)
        for tank in frame.bot_states:
            if tank.id not in died:
                self._tank(tank)
        for event in frame.events:
            if isinstance(event, BulletHitBotEvent | BulletHitBulletEvent):
                self._mark(event.bullet.x, event.bullet.y, "*", "yellow", only_free=True)
        for tank in frame.bot_states:
            if tank.id in died:
                self._mark(tank.x, tank.y, "X", "red", "bold")

    def _dots(self, x: float, y: float) -> tuple[int, int]:
        """Return where a place is, in dots from the upper left."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return -1, -1
        return math.floor(x * self._x_scale), math.floor((self._height - y) * self._y_scale)

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        across, down = self._dots(x, y)
        return across // ACROSS, down // DOWN

    def _color(self, bot: int) -> str:
        return self._colors.get(bot, "dim")

    def _barrel(self, tank: TankFrame) -> None:
        angle = math.radians(tank.gun_direction)
        steps = max(2, int((_BARREL_TO - _BARREL_FROM) * self._x_scale) + 1)
        for step in range(steps):
            away = _BARREL_FROM + (_BARREL_TO - _BARREL_FROM) * step / (steps - 1)
            x, y = self._dots(tank.x + math.cos(angle) * away, tank.y + math.sin(angle) * away)
            self._canvas.dot(x, y, self._color(tank.id), "dim")

    def _bullet(self, bullet: BulletState) -> None:
        x, y = self._dots(bullet.x, bullet.y)
        across = 2 if bullet.power >= _MIDDLING else 1
        down = 2 if bullet.power >= _STRONG else 1
        for dx in range(across):
            for dy in range(down):
                self._canvas.dot(x + dx, y + dy, self._color(bullet.owner_id), "bold")

    def _tank(self, tank: TankFrame) -> None:
        column, row = self._cell(tank.x, tank.y)
        arrow = _ARROWS[round(tank.direction / 45.0) % 8] if math.isfinite(tank.direction) else "?"
        color = self._color(tank.id)
        self._canvas.letter(column, row, self._letters.get(tank.id, "?"), color, "bold")
        aside = -1 if arrow in "↖←↙" else 1
        beside = column + aside if self._canvas.is_free(column + aside, row) else column - aside
        if self._canvas.is_free(beside, row):
            self._canvas.letter(beside, row, arrow, color)

    def _mark(self, x: float, y: float, letter: str, *paint: str, only_free: bool = False) -> None:
        column, row = self._cell(x, y)
        if not only_free or self._canvas.is_free(column, row):
            self._canvas.letter(column, row, letter, *paint)
