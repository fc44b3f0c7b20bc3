"""The command line and the environment of a bot, and the choice of the Python for it.

A start script takes precedence over the usual command of the platform. Secrets are passed only in the
environment, where other users of the machine cannot read them. They are never on the command line.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.participants.directory import THIS_SYSTEM, BotEntry, System, find_script, first_line
from turnwright.net.participants.installation import find_program, python_files
from turnwright.net.participants.own_files import beginning_of, is_own_file
from turnwright.net.processes import guard

_OURS = re.compile(rb"^[ \t]*(from|import)[ \t]+turnwright(_\w+)?\b", re.MULTILINE)
_BOT_CLASS = re.compile(
    rb"^[ \t]*from[ \t]+turnwright_\w+(\.bots[ \t]+import\b|[ \t]+import\b.*\bbots\b)", re.MULTILINE
)
_SOURCE_SIZE_MAX = 1 << 20
_LIBRARY_FILE = ("turnwright", "client.py")
ENVIRONMENT = ".venv"
"""The name of the folder with a bot directory's own virtual environment."""
_VENV_PYTHONS = ("bin/python", "Scripts/python.exe")


def choose_python(python: str | None) -> str:
    """Return the interpreter for Python bots: the interpreter that `python` gives for all bots, or the first
    available one.

    Raises:
        SetupError: a given interpreter does not exist.
    """
    given = pythons_given(python)
    return given.get("") or _candidates()[0]


def pythons_given(python: str | None) -> dict[str, str]:
    """Return the given interpreters by name of bot. The name "" stands for all other bots.

    Args:
        python: "PATH", "NAME=PATH", or several of these with commas between them. None means that no
            interpreter is given.

    Raises:
        SetupError: a given interpreter does not exist.
    """
    found = {}
    for part in () if python is None else [python] if shutil.which(python) else python.split(","):
        name, equals, path = part.partition("=")
        if not equals or shutil.which(part):
            name, path = "", part
        if shutil.which(path) is None:
            raise SetupError(
                f"--python {part}: no such program; give the path of a Python interpreter, for all bots"
                " or for one: NAME=PATH"
            )
        found[name] = os.path.abspath(path) if os.sep in path else path
    return found


def python_for(script: Path, python: str | None, names: Collection[str] = ()) -> str:
    """Return the interpreter for one bot.

    The first available interpreter of these is used: the one given for the bot's name, the one in `.venv`
    next to the bot's script, the one given for all bots, and the first one on this machine. For a bot that
    uses our library, interpreters of this machine that have the library come first.

    Args:
        script: the bot's main file.
        python: see `pythons_given`.
        names: the names of the bot.

    Raises:
        SetupError: a given interpreter does not exist.
    """
    given = pythons_given(python)
    named = next((given[name] for name in names if name in given), None)
    if chosen := named or own_python(script.parent) or given.get(""):
        return chosen
    if not uses_our_library(script):
        return _candidates()[0]
    candidates = _candidates()
    return next((one for one in candidates if _has_our_library(one)), candidates[0])


def own_python(directory: Path) -> str | None:
    """Return the interpreter in a bot directory's `.venv`, or None if there is none."""
    for name in _VENV_PYTHONS:
        if os.access(path := directory / ENVIRONMENT / name, os.X_OK):
            return str(path.absolute())
    return None


def _candidates() -> list[str]:
    """Return the interpreters of this machine, in the order of the official booter."""
    return [*(name for name in ("python", "python3") if shutil.which(name)), sys.executable]


def uses_our_library(script: Path) -> bool:
    """Return whether a Python file imports turnwright."""
    return _finds(_OURS, script)


def _finds(pattern: re.Pattern[bytes], script: Path) -> bool:
    return pattern.search(beginning_of(script.parent, script, _SOURCE_SIZE_MAX)) is not None


def _has_our_library(name: str) -> bool:
    """Return whether a Python has our library. The Python is not run, because it may be a file of the
    untrusted bot.
    """
    if name == sys.executable:
        return True
    path = find_program(name)
    return path is not None and any(
        os.path.isfile(os.path.join(folder, *_LIBRARY_FILE)) for folder in python_files(path).packages
    )


_DOTNET_SUFFIXES = (".cs", ".csproj", ".fs", ".fsproj", ".vb", ".vbproj")
_MANIFEST_SIZE_MAX = 1 << 20
_ABOUT_ANOTHER = frozenset(
    [
        "SERVER_URL",
        "SERVER_SECRET",
        "BOT_BOOTED",
        "BOT_SEED",
        "BOT_NAME",
        "BOT_NAME_DEFAULT",
        "BOT_VERSION",
        "BOT_AUTHORS",
        "BOT_DESCRIPTION",
        "BOT_HOMEPAGE",
        "BOT_COUNTRY_CODES",
        "BOT_GAME_TYPES",
        "BOT_PLATFORM",
        "BOT_PROG_LANG",
        "BOT_INITIAL_POS",
        "TEAM_ID",
        "TEAM_NAME",
        "TEAM_VERSION",
    ]
)
_OUR_SETTINGS = "TURNWRIGHT_"
_SAID_AT_ONCE = {"PYTHONUNBUFFERED": "1"}
"""This variable makes Python write a bot's output immediately. The output then arrives in the turn in which
the bot prints it.
"""


@dataclass(frozen=True, slots=True)
class Team:
    """The team for which a process plays.

    Attributes:
        id: a number of 1 or more that no other team on the server has.
    """

    id: int
    name: str
    version: str


def command(entry: BotEntry, *, python: str | None = None, system: System = THIS_SYSTEM) -> list[str]:
    """Return the command line that starts a bot. It must be run in the bot's directory.

    Args:
        python: the interpreters for Python bots (see `pythons_given`).

    Raises:
        SetupError: the entry is a team (start its `members`), nothing in the directory can be started, or a
            given interpreter does not exist.
    """
    if entry.kind == "team":
        raise SetupError(f"{entry.directory} is a team; start its members instead")
    script = find_script(entry.directory, system)
    if script is not None:
        return _script_command(entry, script, python, system)
    argv = _template_command(entry, python)
    return ["cmd.exe", "/c", *argv] if system == "windows" else argv


def python_file(entry: BotEntry) -> Path | None:
    """Return the main file of a Python bot. None means that `--python` has no effect on the bot."""
    main = find_script(entry.directory)
    named = f"{entry.base}.py"
    if main is None and "python" in (entry.platform or "").lower() and _holds(entry, named):
        main = entry.directory / named
    return main if main is not None and main.suffix.lower() == ".py" and main.is_file() else None


def environment(
    entry: BotEntry,
    *,
    server_url: str,
    secret: str | None,
    seed: int,
    team: Team | None = None,
    inherited: Mapping[str, str] = os.environ,
) -> dict[str, str]:
    """Return the complete environment of a bot's process.

    The environment has the variables that Tank Royale's booter sets, and our BOT_SEED for the bot's own
    random numbers. Of the inherited variables, two groups are left out: variables that describe another bot,
    and our own settings (TURNWRIGHT_*), because some of them are secret.

    Args:
        secret: the value of SERVER_SECRET. None means that the variable is not set.
        seed: the value of BOT_SEED.
        inherited: the variables of the server's own environment.
    """
    values = {
        key: value
        for key, value in inherited.items()
        if key not in _ABOUT_ANOTHER and not key.startswith(_OUR_SETTINGS)
    }
    values.update(SERVER_URL=server_url, BOT_BOOTED="true", BOT_SEED=str(seed), **_SAID_AT_ONCE)
    if secret is not None:
        values["SERVER_SECRET"] = secret
    values.update(_identity(entry))
    if team is not None:
        values.update(TEAM_ID=str(team.id), TEAM_NAME=team.name, TEAM_VERSION=team.version)
    return values


def environment_of_copy(server_url: str, secret: str, seed: int, mark: str) -> dict[str, str]:
    """Return the variables that a copy of this process needs in addition to its own."""
    values = {"SERVER_URL": server_url, "SERVER_SECRET": secret, "BOT_BOOTED": "true", "BOT_SEED": str(seed)}
    return {**values, guard.MARK: mark}


def _identity(entry: BotEntry) -> dict[str, str]:
    config = entry.config
    if not entry.has_config and _says_who_it_is(entry):
        return {"BOT_NAME_DEFAULT": config.name}
    values = {
        "BOT_NAME": config.name,
        "BOT_VERSION": config.version,
        "BOT_AUTHORS": ", ".join(config.authors),
        "BOT_DESCRIPTION": config.description,
        "BOT_HOMEPAGE": config.homepage,
        "BOT_COUNTRY_CODES": _joined(config.country_codes),
        "BOT_GAME_TYPES": _joined(config.game_types),
        "BOT_PLATFORM": config.platform,
        "BOT_PROG_LANG": config.programming_lang,
        "BOT_INITIAL_POS": config.initial_position,
    }
    return {key: value for key, value in values.items() if value is not None}


def _says_who_it_is(entry: BotEntry) -> bool:
    """Return whether the main file imports a game's bot class. A subclass then states the bot's name, version
    and authors.
    """
    main = python_file(entry)
    return main is not None and _finds(_BOT_CLASS, main)


def _joined(items: tuple[str, ...] | None) -> str | None:
    return None if items is None else ", ".join(items)


def names_of(entry: BotEntry) -> tuple[str, str]:
    """Return the two names of a bot: the name in its JSON file, and the name of its directory."""
    return entry.config.name, entry.directory.name


def _script_command(entry: BotEntry, script: Path, python: str | None, system: System) -> list[str]:
    suffix = script.suffix.lower()
    if suffix in (".bat", ".cmd"):
        return ["cmd.exe", "/c", str(script)]
    if suffix == ".sh":
        return ["bash", str(script)]
    if suffix == ".py":
        return [python_for(script, python, names_of(entry)), str(script)]
    if system == "windows" or os.access(script, os.X_OK):
        return [str(script)]
    line = first_line(script)
    if not line.startswith("#!") or not line[2:].strip():
        raise SetupError(f"{script} cannot be started: it is not executable: run `chmod +x` on it")
    try:
        return [*shlex.split(line[2:]), str(script)]
    except ValueError as error:
        raise SetupError(f"{script} cannot be started: its first line is wrong: {error}") from None


def _template_command(entry: BotEntry, python: str | None) -> list[str]:
    platform = (entry.platform or "").lower()
    argv: list[str] | None = None
    if any(word in platform for word in ("jvm", "java", "kotlin")) and "javascript" not in platform:
        argv = _jvm_command(entry)
    elif any(word in platform for word in ("dotnet", ".net", "csharp", "c#")):
        argv = _dotnet_command(entry)
    elif main := python_file(entry):
        argv = [python_for(main, python, names_of(entry)), main.name]
    if argv is None:
        what = f"platform {entry.platform}, base {entry.base}" if entry.platform else "no platform"
        raise SetupError(
            f"nothing to start in {entry.directory} ({what}): expected a script {entry.directory.name}.sh"
            " or the main file of a Python, Java or .NET bot"
        )
    return argv


def _jvm_command(entry: BotEntry) -> list[str] | None:
    base, libraries = entry.base, "../lib/*"
    if _holds(entry, f"{base}.java"):
        return ["java", "-cp", libraries, f"{base}.java"]
    jar = entry.directory / f"{base}.jar"
    if _holds(entry, f"{base}.jar"):
        return ["java", "-cp", os.pathsep.join((jar.name, libraries)), _main_class(jar) or base]
    if _holds(entry, f"{base}.class"):
        return ["java", "-cp", os.pathsep.join((".", libraries)), base]
    return None


def _holds(entry: BotEntry, name: str) -> bool:
    """Return whether a bot's directory has a file of this name, and the file is not a link that leads out of
    the directory.
    """
    return is_own_file(entry.directory, entry.directory / name)


def _main_class(jar: Path) -> str | None:
    """Return the Main-Class that a jar's manifest names, or None."""
    try:
        with zipfile.ZipFile(jar) as archive, archive.open("META-INF/MANIFEST.MF") as file:
            text = file.read(_MANIFEST_SIZE_MAX).decode("utf-8", "replace")
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() == "main-class":
            return value.strip() or None
    return None


def _dotnet_command(entry: BotEntry) -> list[str] | None:
    if any(path.suffix.lower() in _DOTNET_SUFFIXES for path in entry.directory.iterdir()):
        return ["dotnet", "run", "-c", "Release"]
    library = f"{entry.base}.dll"
    return ["dotnet", library] if _holds(entry, library) else None
