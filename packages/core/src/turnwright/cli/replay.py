"""`turnwright replay FILE`: shows a recorded battle in the browser."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.app.option_fields import option
from turnwright.catalog import names
from turnwright.cli.choice import (
    BattleFileChoice,
    ForceChoice,
    JsonChoice,
    OpenChoice,
    PortChoice,
    RecordGameChoice,
)
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Bar, Style, clean, count, print_json
from turnwright.errors import EXIT_OK, RecordError, SetupError

if TYPE_CHECKING:
    from turnwright.app.replay import Viewable

TPS_DEFAULT = 30
"""The default speed of a battle in a terminal, in turns per second."""

_DESCRIPTION = """\
The command plays a record (.twr) or a Tank Royale recording (.battle.gz) in the browser, until Ctrl-C. The
page comes from this machine. The file is not sent to any other machine.

With --html the command instead writes one file that plays the battle from disk, without turnwright.

--text plays the battle in this terminal, if its game is installed and can be shown in characters. Space
pauses, the arrow keys step and jump, + and - change the speed, page up and page down change the round, q
quits. If the output is not a terminal, --text prints only a line from time to time. --once prints a single
picture."""
_JSON = """\
| Key | Value |
|---|---|
| `file` | the path of the file |
| `kind` | "record" or "royale" |
| `truncated` | whether the file is truncated |
| `url` | without `--html`: the address of the page |
| `html`, `bytes` | with `--html`: the path and the size of the page |"""

_TURN = re.compile(r"[1-9][0-9]{0,8}\.[1-9][0-9]{0,8}")


def _turn(text: str) -> str:
    """Return `text`, which must be ROUND.TURN."""
    if not _TURN.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a turn such as 2.140")
    return text


@dataclass(frozen=True)
class ReplayOptions:
    """The settings of `turnwright replay`.

    html: the file to write. None means that the battle is shown in the browser.
    """

    turn: str | None = option(
        None, "start at this turn, e.g. 2.140 (default: 1.1)", metavar="ROUND.TURN", read=_turn, often=True
    )
    html: Path | None = option(None, "write one page with the battle in it", metavar="FILE.html", often=True)


@dataclass(frozen=True)
class TextOptions:
    """The settings for a record in a terminal."""

    text: bool = option(
        False, "show the battle in this terminal, in characters", group="terminal", often=True
    )
    tps: int | None = option(
        None,
        f"turns per second: 1 to 1000. -1 = as fast as possible (default: {TPS_DEFAULT})",
        metavar="N",
        group="terminal",
    )
    contents: Path | None = option(
        None,
        "for a record of a world: the folder in which the server stored the world's content, e.g."
        " world-data/contents. The command runs the code of the world's verbs, which is in this folder, and"
        " prints the story",
        metavar="FOLDER",
        group="terminal",
    )
    once: bool = option(False, "print one picture of the turn that --turn names, and end", group="terminal")

    @property
    def wanted(self) -> bool:
        """Whether the record is shown in a terminal."""
        return self.text or self.once


def run(given: GivenOptions) -> int:
    """Show a recorded battle, and return the exit code.

    Raises:
        RecordError: the file cannot be shown.
        SetupError: the port is taken, or the options contradict each other.
    """
    from turnwright.app.game.playable import find_game
    from turnwright.app.replay import look_at
    from turnwright.net.http.ports import check_port

    options, text = given.make(ReplayOptions), given.make(TextOptions)
    path, game = given.make(BattleFileChoice).file, given.make(RecordGameChoice).game
    as_json = given.make(JsonChoice).json
    check_port(given.make(PortChoice).port)
    _check_way(options, in_text=text.wanted)
    if text.wanted:
        _check_text(game, as_json=as_json)
    in_a_page = as_json or options.html is not None
    if not in_a_page and _tell(path, text.contents):
        return EXIT_OK
    if text.wanted:
        return int(_replay_text_of(path)(path, text.tps, options.turn, once=text.once))
    with Bar(wanted=not as_json) as bar:
        found = look_at(path, bar.reach, None if game is None else find_game(game), options.turn)
    if found.truncated:
        print(f"turnwright: {found.path} is truncated; the existing part is shown", file=sys.stderr)
    if options.html is not None:
        return _write(options.html, found, force=given.make(ForceChoice).force, as_json=as_json)
    return _show(found, options.turn, given)


def _check_way(options: ReplayOptions, *, in_text: bool) -> None:
    """Raise SetupError if the command line names two ways to show the file."""
    if in_text and options.html is not None:
        raise SetupError("--text and --html are different ways to show it; give only one of them")


def _check_text(game: str | None, *, as_json: bool) -> None:
    """Raise SetupError for options that do not work with a record in a terminal."""
    if game is not None:
        raise SetupError(
            "--text shows only games that are installed: leave --text out, or leave --game out if the game"
            " is installed"
        )
    if as_json:
        raise SetupError("--text prints for people: leave out --json or --text. For a program use `trace`")


def _replay_text_of(path: Path) -> Callable[..., int]:
    """Return the game's function that shows a file in the terminal.

    Raises:
        RecordError: the file is not a record, or its game has no display in the terminal.
    """
    from turnwright.app.game.playable import find_game, game_of_recordings
    from turnwright.net.files.reader import game_of_record, kind_of_file

    name = game_of_record(path) if kind_of_file(path) == "record" else ""
    if name and name not in names():
        raise RecordError(
            f"{path} is of the game {name[:80]!r}, which is not installed: leave --text out, and give the"
            " folder with its game.py as --game FOLDER"
        )
    try:
        game = find_game(name, installed_only=True) if name else game_of_recordings()
        found: Callable[..., int] | None = game.part("replay_text")
    except SetupError as error:
        raise RecordError(f"{path}: {error}") from None
    if found is None:
        raise RecordError(f"{path} is of the game {game.name!r}: --text does not show it; leave --text out")
    return found


def _tell(path: Path, contents: Path | None) -> bool:
    """Print the record as a story, and return True. If its game is not installed or tells no stories, print
    nothing and return False.

    Raises:
        RecordError: the record cannot be read.
    """
    from turnwright.app.game.playable import find_game
    from turnwright.net.files.reader import game_of_record

    name = game_of_record(path)
    if name not in names():
        return False
    records = find_game(name).records
    columns, colours = shutil.get_terminal_size().columns, Style(sys.stdout).colours
    with Bar() as bar:
        story = records.story(path, columns, colours=colours, contents=contents, on_progress=bar.reach)
    for line in story or ():
        print(line)
    return story is not None


def _show(found: Viewable, turn: str | None, given: GivenOptions) -> int:
    from turnwright.app.replay import show
    from turnwright.cli.watch import open_or_print

    as_json, opened = given.make(JsonChoice).json, given.make(OpenChoice).open

    def listening(url: str) -> None:
        if as_json:
            print_json({**_described(found), "url": url})
        shown = open_or_print(url, wanted=opened, said=as_json)
        where = "in your browser" if shown else "at this address"
        print(f"{found.path.name} is shown {where} until Ctrl-C", file=sys.stderr, flush=True)

    show(found, port=given.make(PortChoice).port, turn=turn, on_listening=listening)
    return EXIT_OK


def _write(html: Path, found: Viewable, *, force: bool, as_json: bool) -> int:
    """Write the page that contains the battle."""
    from turnwright.app.frames import view_files
    from turnwright.app.html import one_page, write_page

    analysis: bytes | None = None
    if found.frames is None:
        try:
            analysis = found.game.explained(found.path)
        except RecordError as error:
            print(f"turnwright: the page will not explain defeats: {clean(str(error))}", file=sys.stderr)
    page = one_page(view_files(found.game), found.name, found.content(), analysis)
    write_page(html, page, force=force)
    if as_json:
        print_json({**_described(found), "html": str(html), "bytes": len(page)})
    else:
        print(f"{html}: {count(len(page))} bytes; open it in a browser")
    return EXIT_OK


def _described(found: Viewable) -> dict[str, Any]:
    return {"file": str(found.path), "kind": found.kind, "truncated": found.truncated}


_TAKES = (
    *(BattleFileChoice, ReplayOptions, ForceChoice, RecordGameChoice, JsonChoice),
    *(OpenChoice, PortChoice, TextOptions),
)
COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    _TAKES,
    examples={
        "battle.twr": "show the battle in the browser",
        "battle.twr --html battle.html": "write one page that plays the battle without turnwright",
        "battle.twr --turn 2.140": "begin at turn 140 of round 2",
    },
    json=_JSON,
)
