"""`turnwright bots`: lists bot directories and house bots."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwright.app.option_fields import argument, option
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Style, clean, join_some, print_json, table
from turnwright.errors import EXIT_OK, SetupError

_DESCRIPTION = """\
A bot directory is ROOT/Name with Name.json, a script Name.sh or a main file such as Name.py. Directories that
cannot be played are listed with the reason.

--json prints {"bots": [...], "house": [names]}. A bot has name, version, kind ("bot" or "team"), platform,
authors, members (directory names), path, and problem (why it cannot be played here, or null).

--install makes a virtual environment, .venv, in each directory with a requirements.txt, and installs what it
names there; `turnwright battle` then starts the bot with it. With --json: {..., "installed": [paths]}."""


@dataclass(frozen=True)
class BotsOptions:
    """The directories that are searched."""

    roots: tuple[str, ...] = argument("ROOT", "directories that hold bot directories", many=True, default=())
    install: bool = option(False, "install what each requirements.txt names into a .venv beside it")


def run(given: GivenOptions) -> int:
    """List the bots. Raises: SetupError when a root does not exist."""
    from turnwright.net.participants.directory import scan
    from turnwright_tank.bots.house import HOUSE

    arguments = given.make(BotsOptions)
    entries = scan(arguments.roots)
    installed = _install(entries) if arguments.install else None
    found = [_described(entry) for entry in entries]
    house = list(HOUSE)
    if given.make(JsonChoice).json:
        more = {} if installed is None else {"installed": installed}
        print_json({"bots": found, "house": house} | more)
        return EXIT_OK
    style = Style(sys.stdout)
    if arguments.roots:
        print("\n".join(_listing(found, style)))
        print()
    print(f"house bots, weakest first: {', '.join(house)}")
    return EXIT_OK


def _install(entries: list[Any]) -> list[str]:
    """Install what bots require; return their directories. Raises: SetupError."""
    from turnwright.net.participants.requirements import REQUIREMENTS, install_requirements

    def say(line: str) -> None:
        print(clean(line), file=sys.stderr, flush=True)

    done = install_requirements(entries, say, sys.stderr)
    if not done:
        say(f"nothing to install: no bot directory given has a {REQUIREMENTS}")
    return [str(entry.directory) for entry in done]


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
    """Return a path as seen from here, where that is shorter."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


COMMAND = CommandSpec(run, _DESCRIPTION, (BotsOptions, JsonChoice))
