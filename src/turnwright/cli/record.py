"""`turnwright record`: observe a server and write what it shows as `.battle.gz`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.output import Style, clean, count, print_json
from turnwright.cli.parser import Subparsers, add_command, whole_number
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK, SetupError, TurnwrightError

if TYPE_CHECKING:
    from turnwright.net.royale_files import GameFile, Names

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Any server that speaks Robocode Tank Royale's protocol can be observed: `turnwright serve` and the official
one. Each game becomes a file game-yyyy-MM-dd-HH-mm-ss.battle.gz, as official recorders write it: what was
received, unchanged. It can be read while it is written, and after a kill up to about a second before.

It ends when the server closes the connection, after --games, or with Ctrl-C; the exit code is 130 when a game
was interrupted by that. The paths of files go to stdout, everything else to stderr.

The secret of a server that wants one: TURNWRIGHT_CONTROLLER_SECRETS in the environment, or a file of it. On
the command line (-s) everybody on the machine can read it.

--json prints one object: url, server (name and version), files: a list of file, ending ("over", "aborted", or
null when it has no end), lines, and error (why it is not whole, or null)."""

_REDRAW_S = 0.5


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "record", _DESCRIPTION)
    parser.add_argument(
        "-u", "--url", default="ws://localhost:7654", metavar="URL", help="the server (default: %(default)s)"
    )
    parser.add_argument("--secret-file", type=Path, metavar="FILE", help="the server's controller secret")
    parser.add_argument("-s", "--secret", metavar="SECRET", help="the same, for all on this machine to see")
    parser.add_argument(
        "-d", "--dir", type=Path, default=Path(), metavar="DIR", help="where files go (default: here)"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE.battle.gz",
        help="the name of the first file; later ones are numbered",
    )
    parser.add_argument("--force", action="store_true", help="let --out replace a file")
    parser.add_argument("--games", type=whole_number, metavar="N", help="end after so many games")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Observe until it ends. Raises: SetupError; TurnwrightError when a file is not whole."""
    from turnwright.net.observing import Watch, observe
    from turnwright.net.royale_files import RoyaleFiles

    if arguments.games is not None and arguments.games < 1:
        raise SetupError(f"--games is {arguments.games}: give 1 or more")
    watch = Watch(arguments.url, _secret(arguments), arguments.games)
    teller = _Teller(as_json=arguments.json)
    files = RoyaleFiles(_names(arguments), teller.changed)
    server: dict[str, Any] = {}

    def met(hello: Any) -> None:
        server.update(name=hello.name, version=hello.version)
        teller.say(f"observing {clean(hello.name or 'a server')} {clean(hello.version)} at {watch.url}")

    interrupted = observe(watch, files, met, lambda: teller.look(files.files))
    teller.close()
    if arguments.json:
        told = [_described(file) for file in files.files]
        print_json({"url": watch.url, "server": server, "files": told})
    elif not files.files:
        teller.say("no game was shown")
    return _code(files.files, interrupted)


def _code(files: list[GameFile], interrupted: bool) -> int:
    for file in files:
        if file.error is not None:
            raise TurnwrightError(f"{file.path} is not whole: {file.error}")
    return EXIT_INTERRUPTED if interrupted and files and files[-1].ending is None else EXIT_OK


def _described(file: GameFile) -> dict[str, Any]:
    return {"file": str(file.path), "ending": file.ending, "lines": file.lines, "error": file.error}


def _names(arguments: argparse.Namespace) -> Names:
    """Return what names the files. Raises: SetupError for names that cannot be used."""
    from turnwright.net.royale_files import SUFFIX, dated_names, numbered_names

    out: Path | None = arguments.out
    folder = arguments.dir if out is None else arguments.dir / out.parent
    if not folder.is_dir():
        raise SetupError(f"there is no directory {folder}: create it first")
    if out is None:
        return dated_names(folder)
    path = folder / out.name
    if not path.name.endswith(SUFFIX):
        raise SetupError(f"--out {out}: expected a name that ends with {SUFFIX}")
    if path.exists() and not arguments.force:
        raise SetupError(f"--out {out}: it is there already; give another name, or --force to replace it")
    return numbered_names(path)


def _secret(arguments: argparse.Namespace) -> str | None:
    """Return the secret to give, or None. Warns of one on the command line."""
    from turnwright.net import secrets

    secret, warnings = secrets.gather_one(option=arguments.secret, file=arguments.secret_file)
    for warning in warnings:
        print(f"turnwright: {warning}", file=sys.stderr)
    return secret


class _Teller:
    """Says on stderr what is recorded: one line for each game, on a terminal also how far it has come."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._style = Style(sys.stderr)
        self._drawn = False
        self._drawn_at = 0.0

    def say(self, text: str) -> None:
        """Say something that stays."""
        self.close()
        print(text, file=sys.stderr, flush=True)

    def changed(self, file: GameFile) -> None:
        """Say that a game has begun or ended, and print the path of a file that is whole."""
        if not file.closed:
            self.say(f"recording {file.path}")
            return
        if file.error is not None:
            self.say(f"{file.path} is not whole: {file.error}")
            return
        self.say(f"{file.path}: {file.ending or 'cut off'}, {count(file.lines)} lines")
        if not self._as_json:
            print(file.path, flush=True)

    def look(self, files: list[GameFile]) -> None:
        """Show on a terminal how far it has come."""
        now = time.monotonic()
        if not self._style.terminal or now - self._drawn_at < _REDRAW_S:
            return
        self._drawn_at, self._drawn = now, True
        text = "waiting for a game"
        if files and not files[-1].closed:
            at = "round {}, turn {}".format(*map(count, files[-1].place))
            text = f"game {len(files)}: {at}, {count(files[-1].lines)} lines"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take away what is shown in place."""
        if self._drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._drawn = False
