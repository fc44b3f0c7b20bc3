"""A chart of a training as SVG: lines over time, with bands for their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _PANEL, _GAP = 860, 240, 52
_LEFT, _RIGHT, _TOP = 64, 170, 40
_COLORS = ("#1f6fb2", "#c2410c", "#3f7d20", "#7e3fa8", "#8a6d00", "#0f766e", "#be185d", "#57534e")
_TICKS = 4


@dataclass(frozen=True)
class Line:
    """A line of a chart.

    Attributes:
        points: (x, y, low, high). low and high are the interval of y, drawn as a band if `banded`.
    """

    name: str
    points: Sequence[tuple[float, float, float, float]]
    banded: bool = False


@dataclass(frozen=True)
class Panel:
    """A panel of lines with one scale.

    Attributes:
        low, high: the ends of the scale, or None to fit the lines.
    """

    title: str
    lines: Sequence[Line]
    low: float | None = None
    high: float | None = None


def chart(title: str, x_label: str, panels: Sequence[Panel]) -> str:
    """Return an SVG document with panels one below the other.

    Args:
        x_label: the label of all x axes.
    """
    height = _TOP + len(panels) * (_PANEL + _GAP) + 12
    xs = [point[0] for panel in panels for line in panel.lines for point in line.points] or [1.0]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
        f' font-family="system-ui, sans-serif" font-size="13" fill="#1c1917">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, _TOP + number * (_PANEL + _GAP), max(xs) or 1.0, x_label)
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel, top: float, x_max: float, x_label: str) -> list[str]:
    values = [value for line in panel.lines for point in line.points for value in _range(line, point)]
    low = panel.low if panel.low is not None else min(values, default=0.0)
    high = panel.high if panel.high is not None else max(values, default=1.0)
    low, high, step = _scale(low, high)
    top += 18
    bottom = top + _PANEL - 34

    def x_of(x: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * x / x_max

    def y_of(y: float) -> float:
        return bottom - (bottom - top) * (min(max(y, low), high) - low) / (high - low)

    parts = [f'<text x="{_LEFT}" y="{top - 8:.1f}" font-weight="600">{escape(panel.title)}</text>']
    for tick in range(round((high - low) / step) + 1):
        value = low + step * tick
        parts += [
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y_of(value):.1f}" y2="{y_of(value):.1f}"'
            ' stroke="#e7e5e4"/>',
            f'<text x="{_LEFT - 8}" y="{y_of(value) + 4:.1f}" text-anchor="end">{value:.4g}</text>',
        ]
    for tick in range(_TICKS + 1):
        x = x_max * tick / _TICKS
        parts.append(f'<text x="{x_of(x):.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{x:.3g}</text>')
    parts.append(f'<text x="{_WIDTH - _RIGHT + 12}" y="{bottom + 18:.1f}">{escape(x_label)}</text>')
    for number, line in enumerate(panel.lines):
        parts += _line(line, _COLORS[number % len(_COLORS)], x_of, y_of)
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 12}" y="{top + 12 + 18 * number:.1f}"'
            f' fill="{_COLORS[number % len(_COLORS)]}">{escape(line.name)}</text>'
        )
    return parts


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Return round ends of a scale that contains both values, and the round step of its ticks."""
    wanted = (high - low) / _TICKS if high > low else 1.0
    size = 10.0 ** math.floor(math.log10(wanted))
    step = next(one * size for one in (1.0, 2.0, 2.5, 5.0, 10.0) if one * size >= wanted * 0.999)
    first = math.floor(low / step + 1e-9)
    return first * step, max(math.ceil(high / step - 1e-9), first + 1) * step, step


def _range(line: Line, point: tuple[float, float, float, float]) -> tuple[float, ...]:
    return point[1:] if line.banded else point[1:2]


def _line(line: Line, color: str, x_of: object, y_of: object) -> list[str]:
    assert callable(x_of)
    assert callable(y_of)
    if not line.points:
        return []
    parts = []
    if line.banded:
        edge = [(x, high) for x, _, _, high in line.points] + [
            (x, low) for x, _, low, _ in reversed(line.points)
        ]
        corners = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in edge)
        parts.append(f'<polygon points="{corners}" fill="{color}" opacity="0.18"/>')
    corners = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y, _, _ in line.points)
    parts.append(f'<polyline points="{corners}" fill="none" stroke="{color}" stroke-width="1.8"/>')
    return parts
