"""Battles of tanks in characters: headline, arena, legend, events and timeline.

headline
┌─ arena ──────────┐ A name      score
│                  │   ████···    57.2
│                  │ 120 A hit B -16.0
└──────────────────┘
timeline, keys
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from turnwright.app.results import Progress
from turnwright.cli.terminal import Screen, Style, clean, count, cut, progress_text, width
from turnwright_tank.analysis.turns import Fighter, Setting
from turnwright_tank.app.battle_files import fighters_of, scores_of, teams_of
from turnwright_tank.cli.braille import ACROSS, DOWN, Canvas
from turnwright_tank.cli.event_lines import EventLines
from turnwright_tank.structs import (
    BotDeathEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletState,
    Frame,
    TankFrame,
)
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode_server

# The arena in characters, to scale: tanks as a letter with
# an arrow, guns and bullets as dots. A cell of a terminal
# is about twice as high as wide, and has 2 by 4 dots. So
# the dots are square.
#
#     A→   tank A drives east      ⡀ ⣀ ⣤  a weak, a middling, a strong bullet
#     *    a bullet hit            X      a tank died


COLORS = ("cyan", "yellow", "green", "magenta", "blue", "red")
_ARROWS = "→↗↑↖←↙↓↘"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BARREL_FROM, _BARREL_TO = 22.0, 46.0
"""The range in which a tank's gun is drawn, in units from its centre."""
_STRONG, _MIDDLING = 2.0, 1.0


def letters_of(fighters: Sequence[Fighter]) -> Mapping[int, str]:
    """Return a letter for each bot id.

    It is the first free letter of the bot's name, or any free letter, or "+" if no letter is free.
    """
    found: dict[int, str] = {}
    free = dict.fromkeys(_LETTERS)
    for one in fighters:
        wanted = [letter for letter in one.name.upper() if letter in free]
        letter = wanted[0] if wanted else next(iter(free), "+")
        free.pop(letter, None)
        found[one.id] = letter
    return found


def arena_size(width: float, height: float, columns: int, rows: int) -> tuple[int, int]:
    """Return the columns and rows of cells for an arena, to scale and within the given size."""
    width, height = max(1.0, width), max(1.0, height)
    scale = min(columns * ACROSS / width, rows * DOWN / height)
    across, down = int(width * scale / ACROSS + 0.5), int(height * scale / DOWN + 0.5)
    return max(1, min(columns, across)), max(1, min(rows, down))


def draw_arena(canvas: Canvas, setting: Setting, frame: Frame, letters: Mapping[int, str]) -> None:
    """Draw a frame, scaled to the size of the canvas."""
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
        """Return a place in dots from the upper left."""
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


SIDE_COLUMNS = 25
"""The smallest number of columns next to the arena. A narrower terminal has the legend below the arena."""
_NARROW = 60
_BAR_CELLS = 12
_BAR_EIGHTHS = " ▏▎▍▌▋▊▉█"
_TWO_LINES_TANKS = 5
_HAPPENED_ROWS = 4
"""The number of rows for events next to the arena."""
_SCORE_COLUMNS = 22
"""The columns for name and score. With fewer columns, a tank's line leaves out the score."""


@dataclass(slots=True)
class View:
    """The contents of a picture.

    Attributes:
        state: the text after round and turn in the headline.
        scores: the scores by bot id, after the last complete round.
        happened: the lines about events, newest first.
        slow: the ids of the bots that missed the turn.
        share: the progress of the battle, 0…1, or None for no timeline.
        marks: the place of each mark on the timeline, 0…1, and its character.
        keys: the last line, which explains the keys.
    """

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
    """Return the picture with at most `lines` lines of at most `columns` columns."""
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
    """Return the framed arena, and next to it the legend and the events."""
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
    """Return one or two lines for each tank, or for the tanks with most energy if `rows` are too few.

    Each line is a pair with the bot id of its tank. The id is 0 in the line that counts the other tanks.
    """
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
    """Return the progress of the battle with marks for the start of a round (|) and a death (x)."""
    cells = max(4, columns)
    line = ["─"] * cells
    for share, mark in view.marks:
        line[min(cells - 1, int(share * cells))] = mark
    at = min(cells - 1, int((view.share or 0.0) * cells))
    line[at] = "●"
    return style.paint("".join(line[:at]), "dim") + "●" + style.paint("".join(line[at + 1 :]), "dim")


# The display of a running battle on stderr, for
# `turnwright battle --watch=text`. The loop of the battle
# only stores the newest frames. A separate thread draws
# them, at most 15 times per second, and waits for a slow
# terminal. So neither drawing nor an SSH connection delays
# a turn.


DRAW_S = 1 / 15
"""The time between two pictures, in seconds."""
_TICKS_KEPT = 4
"""The largest number of frames that wait to be drawn. If turns are faster, the oldest frames are left out."""
_OTHERS_KEPT = 100
_NOTES_KEPT = 100
_CLOSE_WAIT_S = 2.0
_TICK = b"TickEventForObserver"


class TextDisplay:
    """Shows a battle on a terminal, like LiveDisplay.

    `take` gets the messages to observers. The first `show` or `take` opens the screen and starts a thread
    that draws. After that, only `close` waits for the terminal. `scene` is the state of the battle.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._screen = Screen(stream)
        self._style = Style(stream)
        self._ticks: deque[bytes] = deque(maxlen=_TICKS_KEPT)
        self._others: deque[bytes] = deque(maxlen=_OTHERS_KEPT)
        self._notes: deque[str] = deque(maxlen=_NOTES_KEPT)
        self._progress: Progress | None = None
        self.scene = Scene()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.playing = False

    def show(self, progress: Progress) -> None:
        """Store the progress of the battle. The first call of `show` or `take` opens the screen."""
        self.playing = progress.stage != "starting"
        self._progress = progress
        self._begin()

    def take(self, data: bytes) -> None:
        """Take a message to observers. If messages are faster than the drawing, the oldest are dropped."""
        (self._ticks if _TICK in data else self._others).append(data)
        self._begin()

    def note(self, text: str) -> None:
        """Show a note among the events, and print it again after the picture is removed."""
        self._notes.append(text)

    def close(self) -> None:
        """Remove the picture, and print the notes. Wait at most 2 s for the thread that draws.

        A second call does nothing.
        """
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_WAIT_S)
            self._thread = None
        self._screen.leave()
        while self._notes:
            print(self._notes.popleft(), file=self._stream, flush=True)

    def _begin(self) -> None:
        if self._thread is None and not self._stop.is_set():
            self._screen.enter()
            self._thread = threading.Thread(target=self._run, name="turnwright-arena", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            over = self._stop.wait(DRAW_S)
            for waiting in (self._others, self._ticks):
                while waiting:
                    self.scene.take(waiting.popleft())
            columns, lines = self._screen.size
            self._screen.show(self.picture(columns, lines))
            if over:
                return

    def picture(self, columns: int, lines: int) -> list[str]:
        """Return the lines of the current picture."""
        view = self.scene.view(list(self._notes))
        if view is None:
            waiting = progress_text(self._progress) if self._progress is not None else "starting"
            return [waiting, *self._notes][:lines]
        return view_lines(view, columns, lines, self._style)


class Scene:
    """The state of a battle, built from its messages."""

    def __init__(self) -> None:
        self._setting: Setting | None = None
        self._event_lines: EventLines | None = None
        self._frame: Frame | None = None
        self._teams: Mapping[int, int | None] = {}
        self._scores: Mapping[int, int] = {}
        self._tps: int | None = None
        self._state = "playing"

    def take(self, data: bytes) -> None:
        """Update the scene from a message to observers."""
        message: Any = decode_server(data)
        if isinstance(message, m.GameStartedEventForObserver):
            self._start(message)
        elif isinstance(message, Frame):
            self._frame = message
            if self._event_lines is not None:
                self._event_lines.take(message)
        elif isinstance(message, m.RoundEndedEventForObserver | m.GameEndedEventForObserver):
            self._scores = scores_of(message.results, self._teams)
            if isinstance(message, m.GameEndedEventForObserver):
                self._state = "over"
        elif isinstance(message, m.TpsChangedEvent):
            self._tps = message.tps
        elif isinstance(message, m.GamePausedEventForObserver):
            self._state = "paused"
        elif isinstance(message, m.GameResumedEventForObserver):
            self._state = "playing"

    def _start(self, message: m.GameStartedEventForObserver) -> None:
        setup, participants = message.game_setup, message.participants
        self._setting = Setting(
            setup.game_type,
            float(setup.arena_width),
            float(setup.arena_height),
            setup.number_of_rounds,
            fighters_of(participants),
        )
        self._teams = teams_of(participants)
        self._event_lines = EventLines(self._setting)
        self._scores = {}
        self._frame = None
        self._state = "playing"

    def view(self, notes: list[str]) -> View | None:
        """Return the view to show, or None before the battle has begun."""
        if self._setting is None or self._event_lines is None:
            return None
        speed = "" if self._tps is None else "  no waiting" if self._tps < 0 else f"  {self._tps} turns/s"
        happened = [*notes[-3:], *self._event_lines.last(60)]
        return View(self._setting, self._frame, self._state + speed, self._scores, happened)
