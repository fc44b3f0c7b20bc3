"""`turnwright observe`: writes a recording of each game on another server."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.app.option_fields import option
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import InPlace, clean, count, cut, print_json
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK, SetupError, TurnwrightError

if TYPE_CHECKING:
    from turnwright_tank.app.recordings import GameFile, Names

_DESCRIPTION = """\
The server may be `turnwright serve`, the official server, or any other server that speaks Robocode Tank
Royale's protocol. The command writes each game to a file game-yyyy-MM-dd-HH-mm-ss.battle.gz in the official
recording format. The file contains the received messages without any change. Programs can read the file while
the command writes it. If the command is killed, about the last second of the game is missing in the file.

The command ends when the server closes the connection, after --games games, or with Ctrl-C. The exit code is
130 if Ctrl-C interrupts a game. The paths of the files go to stdout, everything else to stderr.

If the server requires a secret, set TURNWRIGHT_CONTROLLER_SECRETS in the environment, or give a file. Every
user of the machine can read a secret on the command line (--secret)."""
_JSON = """\
| Key | Value |
|---|---|
| `url` | the address of the server |
| `server` | its `name` and `version` |
| `files` | a list with an object for each file |

| Key in `files` | Value |
|---|---|
| `file`, `lines` | the path, and the number of lines |
| `ending` | "over", "aborted", or null if the file has no end |
| `error` | why the file is incomplete, or null |"""

_REDRAW_S = 0.5


@dataclass(frozen=True)
class ObserveOptions:
    """The server that is observed, and where its games are written."""

    url: str = option("ws://localhost:7654", "the server (default: {default})", "-u", "--url", metavar="URL")
    secret_file: Path | None = option(None, "a file with the server's controller secret", metavar="FILE")
    secret: str | None = option(
        None, "the server's controller secret. Other users of this machine can read it", metavar="SECRET"
    )
    out: Path = option(
        Path(),
        "a directory for the files, or the name of the first file. The names of later files are numbered"
        " (default: the current directory)",
        "-o",
        "--out",
        metavar="PATH",
    )
    force: bool = option(False, "let --out replace an existing file")
    games: int | None = option(None, "end after this number of games", metavar="N")


def run(given: GivenOptions) -> int:
    """Write the games of a server until it closes, print the paths of the files, and return the exit code.

    Raises:
        SetupError: an option is wrong, the server does not answer, or it refuses the observer.
        TurnwrightError: a file is incomplete.
    """
    from turnwright_tank.app.observe import Watch, observe
    from turnwright_tank.app.recordings import RoyaleFiles

    arguments = given.make(ObserveOptions)
    if arguments.games is not None and arguments.games < 1:
        raise SetupError(f"--games is {arguments.games}: give 1 or more")
    watch = Watch(arguments.url, _secret(arguments), arguments.games)
    as_json = given.make(JsonChoice).json
    reporter = _Reporter(as_json=as_json)
    files = RoyaleFiles(_names(arguments), reporter.changed)
    server: dict[str, Any] = {}

    def met(hello: Any) -> None:
        server.update(name=hello.name, version=hello.version)
        reporter.note(f"observing {clean(hello.name or 'a server')} {clean(hello.version)} at {watch.url}")

    interrupted = observe(watch, files, met, lambda: reporter.look(files.files))
    reporter.close()
    if as_json:
        told = [_described(file) for file in files.files]
        print_json({"url": watch.url, "server": server, "files": told})
    elif not files.files:
        reporter.note("no game was played")
    return _code(files.files, interrupted)


def _code(files: list[GameFile], interrupted: bool) -> int:
    for file in files:
        if file.error is not None:
            raise TurnwrightError(f"{file.path} is incomplete: {file.error}")
    return EXIT_INTERRUPTED if interrupted and files and files[-1].ending is None else EXIT_OK


def _described(file: GameFile) -> dict[str, Any]:
    return {"file": str(file.path), "ending": file.ending, "lines": file.lines, "error": file.error}


def _names(arguments: ObserveOptions) -> Names:
    """Return the names of the files.

    Raises:
        SetupError: files cannot have such names, or they exist already.
    """
    from turnwright_tank.app.recordings import SUFFIX, dated_names, numbered_names

    out = arguments.out
    if out.is_dir():
        return dated_names(out)
    if not out.name.endswith(SUFFIX):
        raise SetupError(
            f"--out {out}: this is neither a directory nor a name that ends with {SUFFIX}: give one"
        )
    if not out.parent.is_dir():
        raise SetupError(f"--out {out}: there is no directory {out.parent}: create it first")
    if out.exists() and not arguments.force:
        raise SetupError(f"--out {out}: it already exists; give another name, or --force to replace it")
    return numbered_names(out)


def _secret(arguments: ObserveOptions) -> str | None:
    """Return the secret for the server, or None. A secret on the command line causes a warning."""
    from turnwright.net.http import options as secrets

    secret, warnings = secrets.gather_one(option=arguments.secret, file=arguments.secret_file)
    for warning in warnings:
        print(f"turnwright: {warning}", file=sys.stderr)
    return secret


class _Reporter(InPlace):
    """Prints one line for each recorded game on stderr, and on a terminal its progress."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__(sys.stderr)
        self._as_json, self._drawn_at = as_json, 0.0

    def changed(self, file: GameFile) -> None:
        """Report that a game has begun or ended, and print the path of a complete file."""
        if not file.closed:
            self.note(f"recording {file.path}")
            return
        if file.error is not None:
            self.note(f"{file.path} is incomplete: {file.error}")
            return
        self.note(f"{file.path}: {file.ending or 'truncated'}, {count(file.lines)} lines")
        if not self._as_json:
            print(file.path, flush=True)

    def look(self, files: list[GameFile]) -> None:
        """Show the progress on a terminal."""
        now = time.monotonic()
        if not self._style.terminal or now - self._drawn_at < _REDRAW_S:
            return
        self._drawn_at = now
        text = "waiting for a game"
        if files and not files[-1].closed:
            at = "round {}, turn {}".format(*map(count, files[-1].place))
            text = f"game {len(files)}: {at}, {count(files[-1].lines)} lines"
        self.draw([cut(text, self.columns)])


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (ObserveOptions, JsonChoice),
    examples={
        "": "observe the server on this machine",
        "--url ws://host:7654 --out games": "observe another server, and write into the directory games",
    },
    json=_JSON,
)
