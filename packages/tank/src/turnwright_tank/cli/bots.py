"""`turnwright bots list`: lists the built-in bots and the bots in directories."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwright.app.option_fields import argument
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Style, clean, join_some, print_json, table
from turnwright.errors import EXIT_OK, SetupError

_DESCRIPTION = """\
A directory ROOT/Name is a bot directory if it contains Name.json, a script Name.sh, or a main file such as
Name.py. If a bot cannot play, the list gives the reason."""
_JSON = """\
`built_in` is a list of the built-in bots' names. `bots` is a list with an object for each bot in the
directories:

| Key | Value |
|---|---|
| `name`, `version`, `authors` | the values in the bot's JSON file |
| `platform` | what the bot needs to run, e.g. Python, or null |
| `path` | the bot's directory |
| `kind` | "bot" or "team" |
| `members` | the directory names of a team's members |
| `problem` | why the bot cannot play here, or null |"""


@dataclass(frozen=True)
class BotsOptions:
    """The directories that are searched."""

    roots: tuple[str, ...] = argument(
        "ROOT", "directories that contain bot directories", many=True, default=()
    )


def run(given: GivenOptions) -> int:
    """Print the built-in bots and the bots in directories, and return the exit code.

    Raises:
        SetupError: a root does not exist.
    """
    from turnwright.net.participants.directory import scan
    from turnwright_tank.bots.house import HOUSE

    arguments = given.make(BotsOptions)
    entries = scan(arguments.roots)
    found = [_described(entry) for entry in entries]
    built_in = list(HOUSE)
    if given.make(JsonChoice).json:
        print_json({"bots": found, "built_in": built_in})
        return EXIT_OK
    style = Style(sys.stdout)
    if arguments.roots:
        print("\n".join(_listing(found, style)))
        print()
    print(f"built-in bots, weakest first: {', '.join(built_in)}")
    return EXIT_OK


def _described(entry: Any) -> dict[str, Any]:
    """Return a bot or team as JSON values."""
    config = entry.config
    return {
        "name": config.name,
        "version": config.version,
        "kind": entry.kind,
        "platform": entry.platform if entry.kind == "bot" and entry.problem is None else None,
        "authors": list(config.authors),
        "members": list(config.team_members),
        "path": str(entry.directory),
        "problem": entry.problem or _problem(entry),
    }


def _problem(entry: Any) -> str | None:
    """Return why a bot or team cannot be started on this machine, or None."""
    from turnwright.net.participants.command import command
    from turnwright.net.participants.directory import members

    try:
        for member in dict.fromkeys(members(entry)):
            program = command(member)[0]
            if shutil.which(program) is None:
                return f"needs {program}, which is not on the PATH"
    except SetupError as error:
        return str(error)
    return None


def _listing(found: list[dict[str, Any]], style: Style) -> list[str]:
    if not found:
        return ["no bots found: a bot directory holds a file named like itself, e.g. MyBot/MyBot.json"]
    rows = [
        (
            clean(bot["name"]),
            clean(bot["version"]),
            bot["kind"] if bot["kind"] == "bot" else f"team of {len(bot['members'])}",
            clean(bot["platform"] or ""),
            clean(join_some(bot["authors"], 2)),
            clean(_short(bot["path"])),
        )
        for bot in found
    ]
    lines = table(("Name", "Version", "Kind", "Platform", "Authors", "Path"), rows, "<" * 6, style)
    problems = [bot for bot in found if bot["problem"]]
    if problems:
        lines += ["", style.paint("cannot be played here:", "bold")]
        lines += [f"  {clean(bot['name'])}: {clean(bot['problem'])}" for bot in problems]
    return lines


def _short(path: str) -> str:
    """Return a path relative to the current directory, if it is inside that directory."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (BotsOptions, JsonChoice),
    examples={"": "list the built-in bots", ".": "also list the bots in this directory"},
    json=_JSON,
)
