"""Options for watching a battle in the browser."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from turnwright.app.option_fields import option
from turnwright.app.times import seconds
from turnwright.cli.choice import OpenChoice, PortChoice
from turnwright.cli.parser import GivenOptions
from turnwright.errors import SetupError
from turnwright.net.files.new_file import temporary_folder

if TYPE_CHECKING:
    from turnwright.app.game.playable import PlayableGame
    from turnwright.app.options import BattleOptions
    from turnwright.app.results import BattleResult
    from turnwright.app.watch import Watching


def open_or_print(url: str, *, wanted: bool | None, said: bool = False) -> bool:
    """Print the address of a page, open the page if wanted, and return whether it was opened.

    Args:
        wanted: whether to open the page in a browser. None means only if there is a display.
        said: whether the address is already printed.
    """
    from turnwright.app.watch import has_display, open_page

    if not said:
        print(url, flush=True)
    return (has_display() if wanted is None else wanted) and open_page(url)


WAIT_S = 10.0
"""The time for which a battle waits until its page is opened, in seconds. After the battle, the page waits
for the same time, if a browser was opened and the command does not run in a terminal.
"""
STAY_S = 60.0
"""The time for which the page of a finished battle waits to be opened, in seconds, if the command runs in a
terminal.
"""


@dataclass(frozen=True)
class WatchOptions:
    """The ways to watch a battle while it runs."""

    watch: Literal["browser", "text"] | None = option(
        None,
        "show the battle while it is played. browser: on a page in the browser. The command prints the"
        " page's address. text: in this terminal, in characters (--watch alone: browser)",
        metavar="browser|text",
        bare="browser",
        group="watching",
        often=True,
    )
    wait: float | None = option(
        None,
        "the longest time that the battle waits for a spectator before it starts, e.g. 60s (default: 0s, or"
        " 10s with --pacing together if a browser was opened)",
        metavar="TIME",
        read=seconds,
        group="watching",
    )
    keep_open: bool = option(False, "keep the page open after the battle, until Ctrl-C", group="watching")


@dataclass
class Watched:
    """A battle that is shown in the browser.

    Attributes:
        open, wait_s: None means that the command chooses a value that suits this machine.
        port: the port of the page, 0 for a free port. As soon as the page is served, `port` is the port in
            use.
        apart: whether bots do not wait for spectators.
    """

    open: bool | None = None
    port: int = 0
    wait_s: float | None = None
    keep_open: bool = False
    apart: bool = False

    def begin(
        self, say: Callable[[str], None], show: Callable[[BattleResult], None] = lambda result: None
    ) -> Watching:
        """Return the settings with which the battle is watched.

        Args:
            say: prints a line that stays in the terminal.
            show: prints the result of the battle, if the page stays open after the battle.
        """
        from turnwright.app.watch import Watching

        opened = False

        def on_page(url: str) -> float:
            nonlocal opened
            self.port = urlsplit(url).port or 0
            say(f"watch: {url}")
            opened = open_or_print(url, wanted=self.open, said=True)
            if self.wait_s is None:
                return WAIT_S if opened and not self.apart else 0.0
            return self.wait_s

        def on_over(result: BattleResult, is_watched: bool) -> float | None:
            show(result)
            stays_s = STAY_S if sys.stderr.isatty() else WAIT_S if opened else 0.0
            until = "until it is closed (Ctrl-C to stop)"
            if self.keep_open:
                stays_s, until = math.inf, "until Ctrl-C"
            elif not is_watched:
                until = f"for {stays_s:.0f} s, or {until}"
            if is_watched or stays_s:
                print(f"the page stays {until}", file=sys.stderr, flush=True)
            return stays_s

        return Watching(on_page, self.port, on_over)

    @contextmanager
    def keeping(self, options: BattleOptions) -> Iterator[BattleOptions]:
        """Yield the options. Add a temporary record if the page needs one. The page needs a record if the
        battle waits for spectators and the page stays open after the battle.

        A temporary record is deleted afterwards.

        Raises:
            SetupError: the folder for a temporary record cannot be created.
        """
        if self.apart or not self.keep_open or options.record is not None:
            yield options
            return
        folder = temporary_folder()
        try:
            yield replace(options, record=folder / "battle.twr")
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def stay(self, result: BattleResult, game: PlayableGame, say: Callable[[str], None]) -> None:
        """Show the finished battle at the same address until Ctrl-C, if `keep_open` is set and the battle
        waited for its spectators.

        Raises:
            RecordError, SetupError: the record cannot be shown, or the port is taken.
        """
        from turnwright.app.replay import look_at, show

        if self.keep_open and not self.apart and result.record is not None:
            found = look_at(Path(result.record), game=game)
            show(
                found,
                port=self.port,
                turn=None,
                on_listening=lambda url: say(f"still viewable at {url} (Ctrl-C to stop)"),
            )


def _check_unwatched(watch: WatchOptions, port: int) -> None:
    given = {
        "--port": port != 0,
        "--wait": watch.wait is not None,
        "--keep-open": watch.keep_open,
    }
    for name, is_given in given.items():
        if is_given:
            raise SetupError(f"{name} is about the page in the browser; add --watch, or leave {name} out")


def watched_as(given: GivenOptions) -> Watched | None:
    """Return how the battle is shown in the browser. None means that the battle is not shown there.

    Raises:
        SetupError: the port is invalid, or an option of the page is given without --watch.
    """
    from turnwright.net.http.ports import check_port

    watch, port = given.make(WatchOptions), given.make(PortChoice).port
    if watch.watch != "browser":
        _check_unwatched(watch, port)
        return None
    check_port(port)
    apart = given.values.get("pacing") != "together"
    return Watched(given.make(OpenChoice).open, port, watch.wait, watch.keep_open, apart)
