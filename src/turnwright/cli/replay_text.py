"""`turnwright replay FILE --text`: a battle that was played, in the terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.cli.arena_view import View, view_lines
from turnwright.cli.bar import Bar
from turnwright.cli.happenings import Happenings, happenings
from turnwright.cli.output import Style, clean, count
from turnwright.cli.parser import Parser, whole_number
from turnwright.cli.screen import Keys, Screen, restoring
from turnwright.errors import EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright.net.reel import Reel

__all__ = ["Player", "add_text", "run_text", "tell_world"]

DRAW_S = 1 / 15
"""At least so much is between two pictures."""
TPS_MAX = 1000
TPS_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 250, 500, 1000, -1)
TPS_DEFAULT = 30
SEEK_TURNS = 30
LINE_TURNS = 100
"""Without a terminal, a line is printed for every so many turns."""
RECENT_TURNS = 60
"""What happened in so many turns before is shown after a jump."""
HAPPENINGS = 60
KEYS_TEXT = "space pause  ←→ step/1 turn  ↑↓ 30 turns  +- speed  n p round  q quit"


def add_text(parser: Parser) -> None:
    """Add the options of the terminal."""
    group = parser.add_argument_group("terminal")
    group.add_argument("--text", action="store_true", help="show it in this terminal, in characters")
    group.add_argument(
        "--tps",
        type=whole_number,
        metavar="N",
        help=f"turns a second: 1 to 1000, or -1 = as fast as it draws (default: {TPS_DEFAULT})",
    )
    group.add_argument(
        "--contents",
        metavar="FOLDER",
        type=Path,
        help="for a record of a world, whose story is printed: where its server kept the contents, e.g."
        " world-data/contents; their verbs are run",
    )
    group.add_argument(
        "--once", action="store_true", help="print one picture, of the turn of --turn, and end"
    )


def run_text(path: Path, tps: int | None = None, turn: str | None = None, *, once: bool = False) -> int:
    """Show the file in the terminal. turn: "ROUND.TURN" to begin with.

    Raises: RecordError for a file that cannot be read; SetupError for an impossible speed.
    """
    from turnwright.net.reel import open_reel

    if tps is not None and tps != -1 and not 1 <= tps <= TPS_MAX:
        raise SetupError(f"tps is {tps}; give 1 to {TPS_MAX}, or -1 for as fast as it draws")
    with Bar() as bar:
        reel = open_reel(path, bar.reach)
    round_number, _, turn_number = (turn or "1.1").partition(".")
    begin = reel.find(int(round_number), int(turn_number))
    if once:
        _print_once(reel, begin)
    elif sys.stdout.isatty():
        _play(reel, begin, tps)
    else:
        _print_lines(reel, begin)
    for note in reel.notes:
        print(f"turnwright: {path}: {note}", file=sys.stderr)
    return EXIT_OK


def tell_world(path: Path, contents: Path | None = None) -> bool:
    """Print the story of a world's record; return whether it is one. contents: see `world_contents`.

    Raises: RecordError.
    """
    from turnwright.host.world.rendering import Look
    from turnwright.net.world_contents import story_of

    look = Look(shutil.get_terminal_size().columns, sys.stdout.isatty())
    with Bar() as bar:
        story = story_of(path, look, contents, bar.reach)
    if story is None:
        return False
    for line in story:
        print(line)
    return True


class Player:
    """A position in a battle that moves with time and keys.

    index: of the turn shown; tps: turns a second, -1: one with each picture.
    """

    def __init__(
        self, reel: Reel, tps: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.reel = reel
        self.index = 0
        self.tps = TPS_DEFAULT if tps is None else tps
        self.paused = False
        self.over = False
        self._clock = clock
        self._moved_at = clock()
        self._happenings = Happenings(reel.setting)
        self._noted = -1

    def press(self, key: str) -> None:
        """Do what a key says; of others nothing."""
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
            self.seek(0 if key == "home" else self.reel.length - 1)
        elif key in ("+", "=", "-"):
            self._change_speed(-1 if key == "-" else 1)
        elif key in ("n", "p"):
            self._to_round(1 if key == "n" else -1)
        self._moved_at = self._clock()

    def seek(self, index: int) -> None:
        """Go to a turn; before the first: the first, past the end: the last one."""
        self.index = max(0, min(index, self.reel.length - 1))

    def _change_speed(self, by: int) -> None:
        slower = [k for k, step in enumerate(TPS_STEPS[:-1]) if 0 < step <= self.tps]
        at = len(TPS_STEPS) - 1 if self.tps < 0 else slower[-1]
        self.tps = TPS_STEPS[max(0, min(len(TPS_STEPS) - 1, at + by))]

    def _to_round(self, by: int) -> None:
        """Go to the next round, or to the beginning of this one, or from there to the one before."""
        frame = self.reel.at(self.index).frame
        stays = by < 0 and frame.turn_number > SEEK_TURNS
        self.seek(self.reel.find(frame.round_number + (0 if stays else by), 1))

    def advance(self) -> None:
        """Move with time."""
        now = self._clock()
        if self.paused or self.index >= self.reel.length - 1:
            self._moved_at = now
        elif self.tps < 0:
            self.seek(self.index + 1)
        else:
            turns = int((now - self._moved_at) * self.tps)
            self._moved_at += turns / self.tps
            self.seek(self.index + turns)

    def view(self) -> View:
        """Return what is to be shown."""
        reel = self.reel
        self._note()
        moment, last = reel.at(self.index), max(1, reel.length - 1)
        marks = [(one.index / last, "|") for one in reel.rounds]
        marks += [(at / last, "x") for at in sorted(reel.deaths)]
        speed = "fastest" if self.tps < 0 else f"{self.tps} turns/s"
        word = "paused" if self.paused else "end" if self.index == reel.length - 1 else "playing"
        return View(
            reel.setting,
            moment.frame,
            f"{word}  {speed}",
            reel.scores_at(self.index),
            self._happenings.last(HAPPENINGS),
            moment.skipped,
            self.index / last,
            marks,
            KEYS_TEXT,
        )

    def _note(self) -> None:
        """Bring what happened up to this turn; after a jump, from some turns before it."""
        first = self._noted + 1
        if not self.index - RECENT_TURNS <= first <= self.index + 1:
            first = max(0, self.index - RECENT_TURNS)
            self._happenings = Happenings(self.reel.setting)
        for at in range(first, self.index + 1):
            moment = self.reel.at(at)
            self._happenings.take(moment.frame, moment.skipped)
        self._noted = self.index


def _play(reel: Reel, begin: int, tps: int | None) -> None:
    """Play in the terminal until q or Ctrl-C."""
    from turnwright.net.calm import Calm

    screen, keys, style = Screen(sys.stdout), Keys(sys.stdin), Style(sys.stdout)
    player = Player(reel, tps)
    player.seek(begin)
    calm = Calm()
    calm.begin()
    try:
        with restoring(screen, keys):
            while not player.over:
                _show_once(player, screen, keys, style)
    finally:
        calm.end()


def _show_once(player: Player, screen: Screen, keys: Keys, style: Style) -> None:
    """Draw one picture and wait for keys until the next one is due."""
    started = time.monotonic()
    player.advance()
    columns, lines = screen.size
    screen.show(view_lines(player.view(), columns, lines, style))
    for key in keys.wait(max(0.005, started + DRAW_S - time.monotonic())):
        player.press(key)


def _print_once(reel: Reel, at: int) -> None:
    """Print one picture, as large as the terminal, or 80 by 24."""
    player = Player(reel)
    player.paused = True
    player.seek(at)
    columns, lines = shutil.get_terminal_size((80, 24))
    view = player.view()
    view.keys = ""
    print("\n".join(view_lines(view, columns, lines - 1, Style(sys.stdout))))


def _print_lines(reel: Reel, begin: int) -> None:
    """Print a line now and then: deaths, ends of rounds, and energies every so many turns."""
    ends = {one.index - 1 for one in reel.rounds} | {reel.length - 1}
    for at in range(begin, reel.length):
        moment = reel.at(at)
        frame = moment.frame
        for line in happenings(reel.setting, frame):
            if line.endswith(" died"):
                print(f"round {frame.round_number}, turn {line}")
        if at in ends:
            scores = reel.scores_at(at)
            rows = [f"{clean(one.name)} {count(scores.get(one.id, 0))}" for one in reel.setting.fighters]
            print(f"round {frame.round_number} ends after {frame.turn_number} turns: {', '.join(rows)}")
        elif frame.turn_number % LINE_TURNS == 0:
            rows = [
                f"{clean(reel.setting.fighter(tank.id).name)} {tank.energy:.1f}" for tank in frame.bot_states
            ]
            print(f"round {frame.round_number}, turn {frame.turn_number}: {', '.join(rows)}")
