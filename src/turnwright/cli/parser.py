"""The parser of the command line, with the table of commands; a command's own file adds its options."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from turnwright.errors import MEANINGS, SetupError

__all__ = [
    "COMMANDS",
    "Parser",
    "Subparsers",
    "add_command",
    "build_parser",
    "number",
    "parse",
    "record_path",
    "whole_number",
]

COMMANDS = {
    "battle": "play a battle between bots and print its results",
    "bots": "list the bots and teams in bot directories, and the house bots",
    "branch": "play a recorded battle on from some turn, with other bots",
    "convert": "make a recording of a record, or of a recording a whole one",
    "demo": "watch the house bots fight",
    "doctor": "say what this machine can run, and what is missing",
    "new": "begin a bot of your own",
    "record": "observe a server and write what it shows",
    "replay": "show a battle that was played, in the browser",
    "serve": "serve battles to bots, viewers and controllers that connect",
    "trace": "tell what happened in a battle, and why each tank died",
    "verify": "play records again and compare them turn by turn",
    "world": "run a text world that lasts, and write programs that play in it",
}
"""Each command's file is `turnwright.cli.<name>`; the text is its line in the list of commands."""

Subparsers = argparse._SubParsersAction  # the type has no public name

_HANGING = " " * 6


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal; lines that are indented stay lines of their own."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(indent + _filled(paragraph, width) for paragraph in text.split("\n\n"))


def _filled(paragraph: str, width: int) -> str:
    lines = paragraph.splitlines()
    if not any(line.startswith("  ") for line in lines):
        return textwrap.fill(paragraph, width)
    return "\n".join(textwrap.fill(line, width, subsequent_indent=_HANGING) for line in lines)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are ours: one line, exit code 2."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Help, **options)

    def error(self, message: str) -> NoReturn:
        """Raises: SetupError with the message and where the help is."""
        raise SetupError(f"{message} (see `{self.prog} --help`)")


class _Version(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any) -> None:
        super().__init__(
            option_strings, argparse.SUPPRESS, nargs=0, help="say which version this is, and exit"
        )

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from turnwright.cli.speed import version_text

        print(version_text())
        parser.exit()


def build_parser(words: Sequence[str], *, complete: bool = False) -> Parser:
    """Return the parser for these arguments: only the command that they name is imported.

    complete: with all options of all commands (for the reference page).
    """
    parser = Parser(
        prog="turnwright",
        description="A turn engine and game server for games whose players are programs.",
        epilog="\n".join(["exit codes:", *(f"  {code:<4}{what}" for code, what in MEANINGS.items())]),
    )
    parser.add_argument("--version", action=_Version)
    parser.add_argument("--verbose", action="store_true", help="show tracebacks of internal errors")
    subparsers = parser.add_subparsers(metavar="COMMAND", title="commands", parser_class=Parser)
    named = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if complete or name == named:
            import_module(f"turnwright.cli.{name}").add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=summary, add_help=False)
    return parser


def parse(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Return what the arguments say. Unlike argparse's own, bots may stand between and behind options.

    A command's default `elsewhere` says, for options that others have and it has not, what to use instead.
    """
    arguments, rest = parser.parse_known_args(words)
    unknown = [word for word in rest if word.startswith("-") or not hasattr(arguments, "bots")]
    if unknown:
        prog = getattr(arguments, "prog", parser.prog)
        elsewhere = getattr(arguments, "elsewhere", {})
        for option in (word.partition("=")[0] for word in unknown):
            if option in elsewhere:
                raise SetupError(f"{prog} has no {option}: {elsewhere[option]}")
        raise SetupError(f"unrecognized arguments: {' '.join(unknown)} (see `{prog} --help`)")
    if rest:
        arguments.bots += rest
    return arguments


def add_command(subparsers: Subparsers[Any], name: str, description: str, **options: Any) -> Parser:
    """Return the parser of a command. description: its first line is completed from the table."""
    parser: Parser = subparsers.add_parser(
        name,
        help=COMMANDS[name],
        description=f"{COMMANDS[name].capitalize()}.\n\n{description}".strip(),
        **options,
    )
    parser.add_argument(
        "--verbose", action="store_true", default=argparse.SUPPRESS, help="show tracebacks of internal errors"
    )
    parser.set_defaults(prog=parser.prog)
    return parser


def whole_number(text: str) -> int:
    """Return the number in `text`, for argparse."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number") from None


def number(text: str) -> float:
    """Return the number in `text`, for argparse."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number") from None


def record_path(text: str) -> Path:
    """Return the path in `text`, for argparse: of a record that is to be written."""
    if not text.endswith(".twr"):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a record: give one that ends with .twr")
    return Path(text)
