"""Pictures of the tank arena as arrays of pixels, for videos without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwright_tank.rules.trig import sincos
from turnwright_tank.settings import TankSettings
from turnwright_tank.structs import Frame

_SIDE_MAX = 600
"""The largest number of pixels of the longer side."""
_GROUND = (18, 24, 38)
_COLORS = (
    (230, 159, 0),
    (86, 180, 233),
    (0, 158, 115),
    (240, 228, 66),
    (0, 114, 178),
    (213, 94, 0),
    (204, 121, 167),
    (255, 255, 255),
)
"""The colours of seats, used in turn. People with any kind of colour vision can distinguish them (Okabe and
Ito).
"""
_RADIUS = 18.0
_GUN, _RADAR = 30.0, 60.0

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


def draw(frame: Frame, settings: TankSettings) -> Pixels:
    """Return a picture of a frame: height × width × 3 bytes, with north at the top."""
    width, height = settings.arena_width, settings.arena_height
    scale = min(_SIDE_MAX / max(width, height), 1.0)
    pixels = np.empty((max(round(height * scale), 1), max(round(width * scale), 1), 3), np.uint8)
    pixels[:] = _GROUND
    brush = _Brush(pixels, scale)
    for tank in frame.bot_states:
        color = _COLORS[(tank.id - 1) % len(_COLORS)]
        if tank.energy < 0.0:
            brush.disc(tank.x, tank.y, _RADIUS / 2, (90, 90, 90))
            continue
        brush.line(
            tank.x, tank.y, tank.radar_direction, _RADAR, (color[0] // 2, color[1] // 2, color[2] // 2)
        )
        brush.disc(tank.x, tank.y, _RADIUS, color)
        brush.line(tank.x, tank.y, tank.direction, _RADIUS, (0, 0, 0))
        brush.line(tank.x, tank.y, tank.gun_direction, _GUN, (255, 255, 255))
        brush.bar(tank.x, tank.y, tank.energy / 100.0, color)
    for bullet in frame.bullet_states:
        brush.disc(bullet.x, bullet.y, 2.0 + bullet.power, _COLORS[(bullet.owner_id - 1) % len(_COLORS)])
    return pixels


class _Brush:
    """Paints on a picture. Its coordinates are arena units."""

    def __init__(self, pixels: Pixels, scale: float) -> None:
        self._pixels, self._scale = pixels, scale
        self._rows, self._columns = np.ogrid[: pixels.shape[0], : pixels.shape[1]]

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self._pixels.shape[0] - 1 - y * self._scale, x * self._scale

    def disc(self, x: float, y: float, radius: float, color: tuple[int, int, int]) -> None:
        """Paint a filled circle."""
        row, column = self._at(x, y)
        reach = radius * self._scale
        inside = (self._rows - row) ** 2 + (self._columns - column) ** 2 <= reach * reach
        self._pixels[inside] = color

    def line(self, x: float, y: float, degrees: float, length: float, color: tuple[int, int, int]) -> None:
        """Paint a line that begins at a place and has a direction."""
        sine, cosine = sincos(degrees)
        for step in np.linspace(0.0, length, max(int(length * self._scale), 2)):
            self._point(*self._at(x + cosine * step, y + sine * step), color)

    def bar(self, x: float, y: float, part: float, color: tuple[int, int, int]) -> None:
        """Paint an energy bar above a place.

        Args:
            part: the energy as a part of 100. Parts above 1 are drawn as 1.
        """
        row, column = self._at(x, y + 1.6 * _RADIUS)
        half = _RADIUS * self._scale
        for step in np.arange(-half, -half + 2 * half * min(max(part, 0.0), 1.0)):
            self._point(row, column + step, color)

    def _point(self, row: float, column: float, color: tuple[int, int, int]) -> None:
        k, j = round(row), round(column)
        if 0 <= k < self._pixels.shape[0] and 0 <= j < self._pixels.shape[1]:
            self._pixels[k, j] = color
