"""Watching a battle while it is played: the options, the page that is opened, and staying afterwards."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from turnwright.cli.opening import add_open, open_or_print
from turnwright.cli.parser import Parser, whole_number
from turnwright.cli.times import seconds
from turnwright.errors import SetupError
from turnwright.net.newfile import temporary_folder

if TYPE_CHECKING:
    from turnwright.net.watching import Watching
    from turnwright.options import BattleOptions
    from turnwright.results import BattleResult

__all__ = ["WAIT_S", "Watched", "add_watch", "watched_as"]

WAIT_S = 10.0
"""How long a battle waits for the page that was opened."""


def add_watch(parser: Parser) -> None:
    """Add the options of watching."""
    group = parser.add_argument_group("watching")
    group.add_argument(
        "--watch",
        "--watch=browser",
        dest="watch",
        action="store_const",
        const="browser",
        help="show the battle in the browser, at 30 turns a second: its page is printed and opened",
    )
    group.add_argument(
        "--watch=text",
        dest="watch",
        action="store_const",
        const="text",
        help="show the arena in this terminal, in characters, at 30 turns a second",
    )
    add_open(group)
    group.add_argument(
        "-p", "--port", type=whole_number, default=0, metavar="N", help="of the page; default: 0 = a free one"
    )
    group.add_argument(
        "--wait",
        type=seconds,
        metavar="S",
        help="seconds in which somebody may come to watch, then the battle begins all the same"
        f" (default: {WAIT_S:g} where a browser was opened, else 0)",
    )
    group.add_argument(
        "--keep-open", action="store_true", help="show the battle on, when it is over, until Ctrl-C"
    )


@dataclass
class Watched:
    """A battle that is shown in the browser. open, wait_s: None: as it is wise here.

    port: of the page, 0 for a free one; once there is a page, which it is.
    """

    open: bool | None = None
    port: int = 0
    wait_s: float | None = None
    keep_open: bool = False

    def begin(self, say: Callable[[str], None]) -> Watching:
        """Return what the battle needs to know; `say` prints a line that stays."""
        from turnwright.net.watching import Watching

        def on_page(url: str) -> float:
            self.port = urlsplit(url).port or 0
            say(f"watch: {url}")
            opened = open_or_print(url, wanted=self.open, said=True)
            return (WAIT_S if opened else 0.0) if self.wait_s is None else self.wait_s

        return Watching(on_page, self.port)

    @contextmanager
    def keeping(self, options: BattleOptions) -> Iterator[BattleOptions]:
        """Yield the options, with a record while it is shown; one that nobody asked for is forgotten then."""
        if not self.keep_open or options.record is not None:
            yield options
            return
        folder = temporary_folder()
        try:
            yield replace(options, record=folder / "battle.twr")
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def stay(self, result: BattleResult, say: Callable[[str], None]) -> None:
        """Show the battle that is over, in the same place, until Ctrl-C."""
        from turnwright.net.replaying import show
        from turnwright.net.viewing import look_at

        if self.keep_open and result.record is not None:
            found = look_at(Path(result.record))
            show(found, port=self.port, turn=None, on_listening=lambda url: say(f"until Ctrl-C: {url}"))


def _check_unwatched(arguments: argparse.Namespace) -> None:
    given = {
        "--port": arguments.port != 0,
        "--wait": arguments.wait is not None,
        "--keep-open": arguments.keep_open,
    }
    for name, is_given in given.items():
        if is_given:
            raise SetupError(f"{name} is about the page in the browser: add --watch, or leave {name} out")


def watched_as(arguments: argparse.Namespace) -> Watched | None:
    """Return how the battle is shown in the browser, if it is.

    Raises: SetupError for an impossible port, or for what only a page has without one.
    """
    from turnwright.net.bind import check_port

    if arguments.watch != "browser":
        _check_unwatched(arguments)
        return None
    check_port(arguments.port)
    return Watched(arguments.open, arguments.port, arguments.wait, arguments.keep_open)
