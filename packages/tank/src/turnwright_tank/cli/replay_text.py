"""`turnwright replay FILE --text`: shows a recorded battle in the terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.cli.replay import TPS_DEFAULT
from turnwright.cli.terminal import Bar, Keys, Screen, Style, clean, count, restoring
from turnwright.errors import EXIT_OK, RecordError, SetupError
from turnwright_tank.cli.event_lines import EventLines, event_lines
from turnwright_tank.cli.text_display import View, view_lines

if TYPE_CHECKING:
    from turnwright_tank.app.battle_files import BattleFile

DRAW_S = 1 / 15
"""The shortest time between two pictures, in seconds."""
TPS_MAX = 1000
TPS_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 250, 500, 1000, -1)
"""The speeds that + and - select, in turns per second. -1 shows one turn with each picture."""
SEEK_TURNS = 30
"""The number of turns that the up and down keys skip."""
LINE_TURNS = 100
"""The number of turns between two lines of output without a terminal."""
RECENT_TURNS = 60
"""The number of turns before the end of a jump whose events are shown."""
EVENT_LINES = 60
KEYS_TEXT = "space pause  ←→ step/1 turn  ↑↓ 30 turns  +- speed  page ↑↓ round  q quit"


def run_text(path: Path, tps: int | None = None, turn: str | None = None, *, once: bool = False) -> int:
    """Show the file in the terminal, and return the exit code.

    Args:
        tps: turns per second. -1 means one turn with each picture, and None the default.
        turn: "ROUND.TURN" to begin with, or None for the first turn.
        once: whether to print only a picture of this turn.

    Raises:
        RecordError: the file cannot be read, or has no turn.
        SetupError: the speed is impossible, or the file has no such turn.
    """
    from turnwright_tank.app.battle_files import open_battle_file

    if tps is not None and (tps == 0 or tps > TPS_MAX):
        raise SetupError(f"tps is {tps}: give 1 to {TPS_MAX}, or -1 for as fast as it draws")
    with Bar() as bar:
        file = open_battle_file(path, bar.reach)
    if not file.length:
        raise RecordError(f"{path}: there is no turn in it")
    round_number, _, turn_number = (turn or "1.1").partition(".")
    begin = file.find(int(round_number), int(turn_number))
    if turn is not None and file.place(begin) != (int(round_number), int(turn_number)):
        shown = "{}.{}".format(*file.place(begin))
        raise SetupError(f"--turn {turn}: there is no such turn in this file; the nearest is {shown}")
    if once:
        _print_once(file, begin)
    elif sys.stdout.isatty():
        _play(file, begin, tps)
    else:
        _print_lines(file, begin)
    for note in file.notes:
        print(f"turnwright: {path}: {note}", file=sys.stderr)
    return EXIT_OK


class TextPlayer:
    """A position in a battle that moves with time and keys.

    `index` is the index of the shown turn. `tps` is one of `TPS_STEPS` or a speed in between.
    """

    def __init__(
        self, file: BattleFile, tps: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.file = file
        self.index = 0
        self.tps = TPS_DEFAULT if tps is None else tps
        self.paused = False
        self.over = False
        self._clock = clock
        self._moved_at = clock()
        self._event_lines = EventLines(file.setting)
        self._noted = -1

    def press(self, key: str) -> None:
        """Handle a key. Unknown keys have no effect."""
        if key == "q":
            self.over = True
        elif key == "space":
            self.paused = not self.paused
        elif key in ("right", "left"):
            self.paused = True
            self.seek(self.index + (1 if key == "right" else -1))
        elif key in ("up", "down"):
            self.seek(self.index + (SEEK_TURNS if key == "up" else -SEEK_TURNS))
        elif key in ("home", "end"):
            self.seek(0 if key == "home" else self.file.length - 1)
        elif key in ("+", "=", "-"):
            self._change_speed(-1 if key == "-" else 1)
        elif key in ("page down", "page up"):
            self._to_round(1 if key == "page down" else -1)
        self._moved_at = self._clock()

    def seek(self, index: int) -> None:
        """Go to a turn. Numbers out of range go to the first or last turn."""
        self.index = max(0, min(index, self.file.length - 1))

    def _change_speed(self, by: int) -> None:
        slower = [k for k, step in enumerate(TPS_STEPS[:-1]) if 0 < step <= self.tps]
        at = len(TPS_STEPS) - 1 if self.tps < 0 else slower[-1]
        self.tps = TPS_STEPS[max(0, min(len(TPS_STEPS) - 1, at + by))]

    def _to_round(self, by: int) -> None:
        """Go to the next round, or back to the start of this round. From its start, go back to the round
        before.
        """
        frame = self.file.at(self.index).frame
        stays = by < 0 and frame.turn_number > SEEK_TURNS
        self.seek(self.file.find(frame.round_number + (0 if stays else by), 1))

    def advance(self) -> None:
        """Move on by the time that has passed since the last move, unless playing is paused."""
        now = self._clock()
        if self.paused or self.index >= self.file.length - 1:
            self._moved_at = now
        elif self.tps < 0:
            self.seek(self.index + 1)
        else:
            turns = int((now - self._moved_at) * self.tps)
            self._moved_at += turns / self.tps
            self.seek(self.index + turns)

    def view(self) -> View:
        """Return the view to show."""
        file = self.file
        self._note()
        moment, last = file.at(self.index), max(1, file.length - 1)
        marks = [(one.index / last, "|") for one in file.rounds]
        marks += [(at / last, "x") for at in sorted(file.deaths)]
        speed = "fastest" if self.tps < 0 else f"{self.tps} turns/s"
        word = "paused" if self.paused else "end" if self.index == file.length - 1 else "playing"
        return View(
            file.setting,
            moment.frame,
            f"{word}  {speed}",
            file.scores_at(self.index),
            self._event_lines.last(EVENT_LINES),
            moment.skipped,
            self.index / last,
            marks,
            KEYS_TEXT,
        )

    def _note(self) -> None:
        """Update the events up to this turn. After a jump, begin some turns before it."""
        first = self._noted + 1
        if not self.index - RECENT_TURNS <= first <= self.index + 1:
            first = max(0, self.index - RECENT_TURNS)
            self._event_lines = EventLines(self.file.setting)
        for at in range(first, self.index + 1):
            moment = self.file.at(at)
            self._event_lines.take(moment.frame, moment.skipped)
        self._noted = self.index


def _play(file: BattleFile, begin: int, tps: int | None) -> None:
    """Play in the terminal until q or Ctrl-C."""
    from turnwright.net.gc_pause import GcPause

    screen, keys, style = Screen(sys.stdout), Keys(sys.stdin), Style(sys.stdout)
    player = TextPlayer(file, tps)
    player.seek(begin)
    gc_pause = GcPause()
    gc_pause.begin()
    try:
        with restoring(screen, keys):
            while not player.over:
                _show_once(player, screen, keys, style)
    finally:
        gc_pause.end()


def _show_once(player: TextPlayer, screen: Screen, keys: Keys, style: Style) -> None:
    """Draw one picture, and handle keys until the next picture is due."""
    started = time.monotonic()
    player.advance()
    columns, lines = screen.size
    screen.show(view_lines(player.view(), columns, lines, style))
    for key in keys.wait(max(0.005, started + DRAW_S - time.monotonic())):
        player.press(key)


def _print_once(file: BattleFile, at: int) -> None:
    """Print one picture in the size of the terminal, or 80 by 24."""
    player = TextPlayer(file)
    player.paused = True
    player.seek(at)
    columns, lines = shutil.get_terminal_size((80, 24))
    view = player.view()
    view.keys = ""
    print("\n".join(view_lines(view, columns, lines - 1, Style(sys.stdout))))


def _print_lines(file: BattleFile, begin: int) -> None:
    """Print lines for deaths and ends of rounds, and the energies every LINE_TURNS turns."""
    ends = {one.index - 1 for one in file.rounds} | {file.length - 1}
    for at in range(begin, file.length):
        moment = file.at(at)
        frame = moment.frame
        for line in event_lines(file.setting, frame):
            if line.endswith(" died"):
                print(f"round {frame.round_number}, turn {line}")
        if at in ends:
            scores = file.scores_at(at)
            rows = [f"{clean(one.name)} {count(scores.get(one.id, 0))}" for one in file.setting.fighters]
            print(f"round {frame.round_number} ends after {frame.turn_number} turns: {', '.join(rows)}")
        elif frame.turn_number % LINE_TURNS == 0:
            rows = [
                f"{clean(file.setting.fighter(tank.id).name)} {tank.energy:.1f}" for tank in frame.bot_states
            ]
            print(f"round {frame.round_number}, turn {frame.turn_number}: {', '.join(rows)}")
