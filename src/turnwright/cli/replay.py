"""`turnwright replay FILE`: a battle that was played, in the browser."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.bar import Bar
from turnwright.cli.opening import add_open
from turnwright.cli.output import count, print_json
from turnwright.cli.parser import Subparsers, add_command, whole_number
from turnwright.cli.rehearse import add_bot_settings, feed
from turnwright.cli.replay_text import add_text, run_text, tell_world
from turnwright.errors import EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright.net.viewing import Viewable

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Plays a record (.twr) or a recording of Tank Royale (.battle.gz) in the browser. The page comes from this
machine alone and the file leaves it nowhere; Ctrl-C ends it. With --html one file is written instead that
plays the battle from disk, without turnwright. With --text it is shown in this terminal: space pauses, the
arrows step and jump, + and - change the speed, n and p change the round, q ends it. Where the output is no
terminal, --text prints a line now and then, and --once one picture.

--json prints one object: file, kind ("record" or "royale"), truncated, and url, or with --html: html (the
path) and bytes.

With --bot N --with BOT nothing is shown in the browser: BOT is started, sees turn by turn what bot N saw (up
to --turn, else to the end), and what it answers is compared with what is recorded. --json then prints one
object: file, bot, name, with, same, different and unanswered (numbers of turns), differences (a list of
round, turn and fields: by name the recorded and the new value; null where the record has no answer), and
last: the last turn's round, turn, recorded and live intent."""

_TURN = re.compile(r"[1-9][0-9]{0,8}\.[1-9][0-9]{0,8}")


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "replay", _DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path, help="a record, e.g. battle.twr or x.battle.gz")
    parser.add_argument(
        "--turn", type=_turn, metavar="ROUND.TURN", help="begin with this turn, e.g. 2.140 (default: 1.1)"
    )
    parser.add_argument(
        "-p", "--port", type=whole_number, default=0, metavar="N", help="default: 0 = a free one"
    )
    add_open(parser)
    parser.add_argument("--html", type=Path, metavar="OUT.html", help="write one page with the battle in it")
    parser.add_argument("--force", action="store_true", help="let --html replace a file")
    parser.add_argument(
        "--bot", metavar="N", help="a bot's id (1, 2 …) or name: show what it saw to the bot of --with"
    )
    parser.add_argument(
        "--with", dest="with_bot", metavar="BOT", help="a bot directory or a house bot's name, to sit there"
    )
    add_bot_settings(parser)
    add_text(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show the file. Raises: RecordError for one that cannot be shown; SetupError for a taken port."""
    from turnwright.net.bind import check_port
    from turnwright.net.viewing import look_at

    check_port(arguments.port)
    _check_way(arguments)
    in_a_page = arguments.json or arguments.html is not None or arguments.bot is not None
    if not in_a_page and tell_world(arguments.file, arguments.contents):
        return EXIT_OK
    if arguments.text or arguments.once:
        return run_text(arguments.file, arguments.tps, arguments.turn, once=arguments.once)
    if arguments.bot is not None:
        return feed(arguments)
    with Bar(wanted=not arguments.json) as bar:
        found = look_at(arguments.file, bar.reach)
    if found.truncated:
        print(f"turnwright: {found.path} was cut off: what it holds is shown", file=sys.stderr)
    if arguments.html is not None:
        return _write(arguments, found)
    return _show(arguments, found)


def _check_way(arguments: argparse.Namespace) -> None:
    """Raise SetupError unless the file is to be shown in one way."""
    if (arguments.bot is None) != (arguments.with_bot is None):
        raise SetupError("--bot N and --with BOT belong together: give both")
    in_text = arguments.text or arguments.once
    ways = {"--text": in_text, "--html": arguments.html is not None, "--bot": arguments.bot is not None}
    wanted = [name for name, is_wanted in ways.items() if is_wanted]
    if len(wanted) > 1:
        raise SetupError(f"{' and '.join(wanted)} are different ways to show it: give one of them")
    if in_text and arguments.json:
        raise SetupError("--text prints for people: leave --json out, or --text; `trace` tells programs all")


def _show(arguments: argparse.Namespace, found: Viewable) -> int:
    from turnwright.cli.opening import open_or_print
    from turnwright.net.replaying import show

    def listening(url: str) -> None:
        if arguments.json:
            print_json({**_described(found), "url": url})
        opened = open_or_print(url, wanted=arguments.open, said=arguments.json)
        where = "in your browser" if opened else "at this address"
        print(f"{found.path.name} is shown {where} until Ctrl-C", file=sys.stderr, flush=True)

    show(found, port=arguments.port, turn=arguments.turn, on_listening=listening)
    return EXIT_OK


def _write(arguments: argparse.Namespace, found: Viewable) -> int:
    """Write the page that holds the battle."""
    from turnwright.net.onefile import one_page, write_page
    from turnwright.net.shelf import name_of
    from turnwright.net.viewer_files import load_viewer

    page = one_page(load_viewer(), name_of(found.path), found.path.read_bytes())
    write_page(arguments.html, page, force=arguments.force)
    if arguments.json:
        print_json({**_described(found), "html": str(arguments.html), "bytes": len(page)})
    else:
        print(f"{arguments.html}: {count(len(page))} bytes; open it in a browser")
    return EXIT_OK


def _described(found: Viewable) -> dict[str, Any]:
    return {"file": str(found.path), "kind": found.kind, "truncated": found.truncated}


def _turn(text: str) -> str:
    """Return "ROUND.TURN", for argparse."""
    if not _TURN.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no turn such as 2.140")
    return text
