"""A battle on a screen of characters: headline, arena, who is who, what happened, how far it is.

headline
┌─ arena ──────────┐ A name      score
│                  │   ████···    57.2
│                  │ 120 A hit B -16.0
└──────────────────┘
timeline, keys
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from turnwright.cli.arena import COLORS, arena_size, draw_arena, letters_of
from turnwright.cli.canvas import Canvas
from turnwright.cli.output import Style, clean, count, cut, width
from turnwright.games.tank.story.moment import Fighter, Setting
from turnwright.games.tank.view import Frame, TankFrame

__all__ = ["SIDE_COLUMNS", "View", "view_lines"]

SIDE_COLUMNS = 25
"""Columns beside the arena, at least; a narrow terminal has its legend below."""
_NARROW = 60
_BAR_CELLS = 12
_BAR_EIGHTHS = " ▏▎▍▌▋▊▉█"
_TWO_LINES_TANKS = 5
_HAPPENED_ROWS = 4
"""Beside the arena so many rows are for what happened."""
_SCORE_COLUMNS = 22
"""With less room for name and score, a line about a tank leaves the score out."""


@dataclass(slots=True)
class View:
    """What is shown. happened: newest first; scores: by bot id, after the last whole round; waits: a line to
    show instead of the arena. share: how far the battle is, 0…1, or None; marks: places on the timeline."""

    setting: Setting
    frame: Frame | None
    state: str = ""
    scores: Mapping[int, int] = field(default_factory=dict)
    happened: Sequence[str] = ()
    slow: Sequence[int] = ()
    share: float | None = None
    marks: Sequence[tuple[float, str]] = ()
    keys: str = ""


def view_lines(view: View, columns: int, lines: int, style: Style) -> list[str]:
    """Return the picture: at most so many lines, each at most so many columns wide."""
    below = [_timeline(view, columns, style)] if view.share is not None else []
    if view.keys:
        below.append(style.paint(cut(view.keys, columns), "dim"))
    room = max(3, lines - 1 - len(below))
    narrow = columns < _NARROW
    legend = _legend_lines(view) if narrow else 0
    body = _body(view, columns, max(3, room - legend), style, narrow=narrow)
    if narrow:
        body += [line for line, _ in _legend(view, columns, room - len(body), style)]
    picture = [style.paint(cut(_headline(view), columns), "bold"), *body[:room], *below]
    return picture[:lines]


def _headline(view: View) -> str:
    frame, setting = view.frame, view.setting
    if frame is None:
        return f"{clean(setting.game_type)}, {view.state}"
    where = f"round {frame.round_number}/{setting.rounds}  turn {frame.turn_number}"
    return f"{where}  {view.state}  {clean(setting.game_type)} {setting.width:g}x{setting.height:g}"


def _body(view: View, columns: int, rows: int, style: Style, *, narrow: bool) -> list[str]:
    """Return the framed arena, and beside it the legend and what happened."""
    setting = view.setting
    side = 0 if narrow else SIDE_COLUMNS + 1
    across, down = arena_size(setting.width, setting.height, max(4, columns - side - 2), max(1, rows - 2))
    canvas = Canvas(across, down)
    if view.frame is not None:
        draw_arena(canvas, setting, view.frame, letters_of(setting.fighters))
    edge = "─" * across
    arena = [f"┌{edge}┐", *(f"│{line}│" for line in canvas.lines(style)), f"└{edge}┘"]
    if narrow:
        return arena
    beside = [line for line, _ in _legend(view, columns - across - 3, rows - _HAPPENED_ROWS, style)]
    beside += [cut(line, columns - across - 3) for line in view.happened[: max(0, rows - len(beside) - 1)]]
    if len(beside) > len(arena):
        arena += [" " * (across + 2)] * (len(beside) - len(arena))
    beside += [""] * (len(arena) - len(beside))
    return [f"{left} {right}".rstrip() for left, right in zip(arena, beside, strict=True)]


def _legend_lines(view: View) -> int:
    many = len(view.setting.fighters)
    return min(8, 2 * many if many <= _TWO_LINES_TANKS else many)


def _legend(view: View, columns: int, rows: int, style: Style) -> list[tuple[str, int]]:
    """Return a line or two for each tank; where `rows` are too few, the living ones with most energy."""
    fighters = list(view.setting.fighters)
    tanks = {tank.id: tank for tank in view.frame.bot_states} if view.frame is not None else {}
    double = len(fighters) <= _TWO_LINES_TANKS and 2 * len(fighters) <= rows
    shown = fighters
    if len(fighters) > max(1, rows) and not double:
        best = sorted(fighters, key=lambda one: -_energy(tanks.get(one.id)))[: max(1, rows - 1)]
        shown = [one for one in fighters if one in best]
    letters = letters_of(fighters)
    found: list[tuple[str, int]] = []
    for one in shown:
        color = COLORS[fighters.index(one) % len(COLORS)]
        score = view.scores.get(one.id)
        row = _Row(one, letters[one.id], tanks.get(one.id), score, color, one.id in view.slow)
        found += [(line, one.id) for line in row.lines(columns, style, double=double)]
    if len(shown) < len(fighters):
        found.append((style.paint(f"  and {len(fighters) - len(shown)} more", "dim"), 0))
    return found


def _energy(tank: TankFrame | None) -> float:
    return -1.0 if tank is None else tank.energy


@dataclass(slots=True)
class _Row:
    """One tank in the legend."""

    fighter: Fighter
    letter: str
    tank: TankFrame | None
    score: int | None
    color: str
    slow: bool

    def lines(self, columns: int, style: Style, *, double: bool) -> list[str]:
        alive = self.tank is not None and self.tank.energy >= 0.0
        name = clean(self.fighter.name) + (" (slow)" if self.slow else "")
        score = "" if self.score is None else count(self.score)
        if double:
            first = self._named(name, score, columns, style)
            cells = min(_BAR_CELLS, columns - 9)
            return [first, f"  {self._bar(cells, style)} {self._energy_text(alive)}"]
        cells = 5
        right = f" {self._energy_text(alive)}"
        room = columns - cells - len(right) - 1
        named = self._named(name, score if room >= _SCORE_COLUMNS else "", room, style)
        return [f"{named} {self._bar(cells, style)}{right}"]

    def _named(self, name: str, right: str, columns: int, style: Style) -> str:
        room = max(1, columns - 2 - len(right) - (1 if right else 0))
        kept = cut(name, room)
        space = " " * (columns - 2 - width(kept) - len(right))
        return f"{style.paint(self.letter, self.color, 'bold')} {kept}{space}{right}"

    def _energy_text(self, alive: bool) -> str:
        return f"{self.tank.energy:5.1f}" if alive and self.tank is not None else "  out"

    def _bar(self, cells: int, style: Style) -> str:
        share = max(0.0, min(1.0, _energy(self.tank) / self.fighter.energy_at_start))
        eighths = round(share * 8 * cells)
        whole, part = divmod(eighths, 8)
        bar = "█" * whole + (_BAR_EIGHTHS[part] if part else "")
        return style.paint(bar, self.color) + style.paint("·" * (cells - len(bar)), "dim")


def _timeline(view: View, columns: int, style: Style) -> str:
    """Return how far the battle is, with marks: a round begins (|), a tank died (x)."""
    cells = max(4, columns)
    line = ["─"] * cells
    for share, mark in view.marks:
        line[min(cells - 1, int(share * cells))] = mark
    at = min(cells - 1, int((view.share or 0.0) * cells))
    line[at] = "●"
    return style.paint("".join(line[:at]), "dim") + "●" + style.paint("".join(line[at + 1 :]), "dim")
