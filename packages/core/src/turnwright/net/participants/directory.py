"""Bot directories and their contents, by the conventions of Tank Royale's booter.

    <root>/<Bot>/<Bot>.json              name, version, authors … (optional for bots)
    <root>/<Bot>/<Bot>.py|.java|.cs|…    its main file
    <root>/<Bot>/<Bot>.sh|…              a start script, which takes precedence over the main file
    <root>/<Team>/<Team>.json            a team: "teamMembers" names neighbouring directories, repeats allowed

`participants.command` starts a directory, and `participants.config` reads its JSON.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from turnwright.errors import SetupError
from turnwright.net.participants.config import BotConfig, read_config
from turnwright.net.participants.own_files import beginning_of

# Order and names are those of the official booter. macOS and Windows have their own scripts in front of the
# common list.


System = Literal["linux", "darwin", "windows"]

THIS_SYSTEM: System = (
    "windows" if sys.platform == "win32" else "darwin" if sys.platform == "darwin" else "linux"
)

_OWN_SCRIPTS: dict[System, tuple[str, ...]] = {
    "windows": (".bat", ".cmd"),
    "darwin": (".command",),
    "linux": (),
}
_SHARED_SCRIPTS = (".sh", ".py")
_PLATFORMS = (
    ("jvm", (".jar", ".class", ".java")),
    ("python", (".py",)),
    ("dotnet", (".cs", ".csproj", ".dll")),
)
_FIRST_LINE_MAX = 1024


def config_file(directory: Path) -> Path:
    """Return the path of a bot directory's JSON file, existing or not."""
    return directory / f"{directory.name}.json"


def detect_platform(directory: Path) -> str | None:
    """Return "jvm", "python" or "dotnet" by the main file in `directory`, or None if there is none."""
    for platform, suffixes in _PLATFORMS:
        if any((directory / (directory.name + suffix)).is_file() for suffix in suffixes):
            return platform
    return None


def find_script(directory: Path, system: System = THIS_SYSTEM) -> Path | None:
    """Return the script that starts the bot, or None if the directory has no such script.

    The first of these files is used: a script of the system's own kind, `<Dir>.sh`, `<Dir>.py`, and a file
    `<Dir>` or `<Dir>.SUFFIX` in upper or lower case. `<Dir>.SUFFIX` counts only if its first line begins with
    `#!`.
    """
    for suffix in (*_OWN_SCRIPTS[system], *_SHARED_SCRIPTS):
        path = directory / (directory.name + suffix)
        if path.is_file():
            return path
    name = directory.name.lower()
    for path in sorted(directory.iterdir()):
        lower = path.name.lower()
        if not path.is_file() or not (lower == name or lower.startswith(name + ".")):
            continue
        if lower == name or first_line(path).startswith("#!"):
            return path
    return None


def first_line(path: Path) -> str:
    """Return the beginning of the first line of a file, at most 1 KiB, without white space around it.

    Return "" if the file cannot be read, or if it is a link that leads out of its directory.
    """
    begin, _, _ = beginning_of(path.parent, path, _FIRST_LINE_MAX).partition(b"\n")
    return begin.decode("utf-8", "replace").strip()


TEAM_MEMBERS_MAX = 100
"""The largest number of members of a team."""

_UNNAMED_VERSION = "0.0.1"
_UNNAMED_AUTHORS = ("unknown",)


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot or a team in a directory.

    Attributes:
        directory: the absolute path of the directory. Links are not resolved, because the conventions use the
            name of the directory.
        config: the content of the JSON, or defaults if there is none.
        has_config: whether there is a JSON file.
        problem: why the directory cannot be loaded (see `load`), in one line, or None. Only `scan` sets it.
    """

    directory: Path
    config: BotConfig
    has_config: bool = True
    problem: str | None = None

    @property
    def kind(self) -> Literal["bot", "team"]:
        """Whether this is a team, because its config names members, or a bot."""
        return "team" if self.config.team_members else "bot"

    @property
    def base(self) -> str:
        """The name of the main file or class, without its suffix."""
        return self.config.base or self.directory.name

    @property
    def platform(self) -> str | None:
        """The platform that the JSON file names. Without this entry, it is the platform that the files show,
        or None.
        """
        return self.config.platform or detect_platform(self.directory)


def load(directory: str | os.PathLike[str]) -> BotEntry:
    """Return the bot or team in `directory`.

    The function checks neither that the bot can be started (see `participants.command.command`) nor that a
    team's members exist (see `members`).

    Raises:
        SetupError: the directory has no bot or team, it cannot be read, or its JSON file is wrong.
    """
    try:
        return _load(directory, Path(os.path.abspath(directory)))
    except OSError as error:
        raise SetupError(
            f"{directory} cannot be read: {error.strerror}: give one that you may read"
        ) from error


def _load(directory: str | os.PathLike[str], path: Path) -> BotEntry:
    if not path.exists():
        raise SetupError(
            f"no bot directory at {directory}: check the path"
            " (`turnwright bots list DIR` lists the bots in a directory)"
        )
    if not path.is_dir():
        raise SetupError(f"{directory} is a file: give the bot's directory, e.g. {path.parent}")
    json_file = config_file(path)
    if json_file.is_file():
        return BotEntry(path, read_config(json_file))
    if not _has_main_file(path):
        raise SetupError(
            f"nothing to start in {directory}: {_found(path)}, expected {path.name}.json,"
            f" a script {path.name}.sh or a main file such as {path.name}.py"
        )
    config = BotConfig(path.name, _UNNAMED_VERSION, _UNNAMED_AUTHORS, platform=detect_platform(path))
    return BotEntry(path, config, has_config=False)


def members(team: BotEntry) -> list[BotEntry]:
    """Return the bots of a team, in the order of its JSON. For a single bot, return the bot itself.

    Raises:
        SetupError: a member is missing or is itself a team, or there are too many members.
    """
    if team.kind == "bot":
        return [team]
    names = team.config.team_members
    where = f"team {team.config.name} ({config_file(team.directory)})"
    if len(names) > TEAM_MEMBERS_MAX:
        raise SetupError(f"{where}: {len(names)} members, at most {TEAM_MEMBERS_MAX} are allowed")
    loaded = {name: _member(team, where, name) for name in dict.fromkeys(names)}
    return [loaded[name] for name in names]


def scan(roots: Iterable[str | os.PathLike[str]]) -> list[BotEntry]:
    """Return all bots and teams directly below each root, in order of roots and names of directories.

    A directory that cannot be loaded is listed, too, with its `problem`. A root that is itself a bot
    directory counts as one bot.

    Raises:
        SetupError: a root does not exist or cannot be read.
    """
    found: dict[Path, BotEntry] = {}
    for root in roots:
        path = Path(os.path.abspath(root))
        if not path.is_dir():
            raise SetupError(f"no directory at {root}: give a bot directory, or a directory of bots")
        try:
            candidates = [path] if _is_bot_directory(path) else sorted(path.iterdir())
        except OSError as error:
            raise SetupError(f"{root} cannot be read: {error.strerror}: give another directory") from error
        for candidate in candidates:
            if candidate not in found and may_be_bot_directory(candidate):
                found[candidate] = _try_load(candidate)
    return list(found.values())


def _try_load(path: Path) -> BotEntry:
    try:
        return load(path)
    except SetupError as error:
        blank = BotConfig(path.name, "", ())
        return BotEntry(path, blank, problem=str(error))


def _member(team: BotEntry, where: str, name: str) -> BotEntry:
    if name in ("", ".", "..") or "/" in name or "\\" in name:
        raise SetupError(f'{where}: member "{name}" is not a name: give a sibling directory of the team')
    try:
        entry = load(team.directory.parent / name)
    except SetupError as error:
        raise SetupError(f'{where}: member "{name}": {error}') from error
    if entry.kind == "team":
        raise SetupError(f'{where}: member "{name}" is a team: name its bots instead')
    return entry


def _is_bot_directory(path: Path) -> bool:
    """Return whether a directory has a bot's or a team's JSON file, or a main file."""
    return config_file(path).is_file() or _has_main_file(path)


def may_be_bot_directory(path: Path) -> bool:
    """Return whether a directory belongs to a bot. Return True if the directory cannot be examined."""
    try:
        return path.is_dir() and _is_bot_directory(path)
    except OSError:
        return True


def _has_main_file(path: Path) -> bool:
    return find_script(path) is not None or detect_platform(path) is not None


def _found(path: Path) -> str:
    """Return a few words that describe the content of a directory without a bot."""
    names = sorted(item.name for item in path.iterdir())
    if not names:
        return "it is empty"
    shown = ", ".join(names[:3])
    return f"it contains {shown}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")
