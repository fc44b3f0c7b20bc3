"""Finds the folders that a sandboxed bot may read: the system, the bot's own folder, and the folders of its
runtime.

The bot sees no other files of the user. A Python, Java, Node or .NET outside /usr is found by its path, so
installations by pyenv, SDKMAN or nvm work, too. No program is run for this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwright.net.participants.command import ENVIRONMENT
from turnwright.net.participants.directory import may_be_bot_directory
from turnwright.net.participants.installation import find_program, links_to, python_files

HOME = "/tmp/.home"
"""The home of a sandboxed bot. It is in memory, empty at first, and disappears with the bot."""
PATH = "/usr/local/bin:/usr/bin:/bin"
"""The end of the PATH in a sandbox. The folders of the operator's runtimes come before it."""
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = (
    "alternatives",
    "ca-certificates",
    "default",
    "dotnet",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "lsb-release",
    "mono",
    "os-release",
    "timezone",
)
"""Files and folders of /etc that programs look for and that every user may read. `etc` adds further files.
"""
_ETC_BEGINNINGS = ("java", "python", "perl")
_BESIDE = ("lib", "libs", "deps", ".deps", "venv", ".venv", "node_modules")
"""Folders next to a bot's directory with libraries that all bots of a root share (see
docs/how-to/run-a-battle.md).
"""
_RUNTIMES = ("python3", "python", "java", "node", "dotnet")
"""The runtimes that a bot's script may start."""
_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "DOTNET_ROOT")


@dataclass(frozen=True, slots=True)
class Program:
    """The command of a bot as it is started in the sandbox.

    Attributes:
        path: the PATH in the sandbox.
        readable: further folders and files that the sandbox shows.
    """

    argv: tuple[str, ...]
    path: str
    readable: tuple[str, ...]


def system_folders() -> list[tuple[str, str | None]]:
    """Return /usr and the folders related to it. For a link, the second value is the target of the link.
    Otherwise it is None.
    """
    found: list[tuple[str, str | None]] = [("/usr", None)]
    for name in _SYSTEM:
        if os.path.islink(name):
            found.append((name, os.readlink(name)))
        elif os.path.isdir(name):
            found.append((name, None))
    return found


def etc() -> list[str]:
    """Return the files and folders of /etc that a sandbox shows."""
    try:
        names = sorted(os.listdir("/etc"))
    except OSError:
        return []
    return [f"/etc/{name}" for name in names if name in _ETC or name.startswith(_ETC_BEGINNINGS)]


def base_environment(memory_mib: int, inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables that every sandboxed bot has.

    Some of them limit the memory of the bot's runtime. Without these, a JVM or Node would choose its limit
    from the memory of the whole machine.

    Args:
        inherited: the variables from which the language, the time zone and the places of runtimes come.
    """
    heap = max(16, memory_mib // 2)
    values = {key: inherited[key] for key in _KEPT if key in inherited}
    return {
        "LANG": "C.UTF-8",
        **values,
        "HOME": HOME,
        "TMPDIR": "/tmp",
        "JAVA_TOOL_OPTIONS": f"-Xmx{heap}m -XX:ActiveProcessorCount=2 -XX:-UsePerfData",
        "NODE_OPTIONS": f"--max-old-space-size={heap}",
        "DOTNET_GCHeapHardLimit": f"{heap << 20:X}",
        "DOTNET_PROCESSOR_COUNT": "2",
        "DOTNET_EnableWriteXorExecute": "0",
        "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
        "DOTNET_NOLOGO": "1",
    }


def program_of(argv: Sequence[str], directory: Path, given: Iterable[str] = ()) -> Program:
    """Return a bot's command as it is started in a sandbox, with the files that the sandbox shows for it.

    The sandbox shows only files of the operator's programs: the runtimes on PATH, the interpreters in
    `given`, and the Python that runs the server. If the bot's directory, or the first line of its script,
    names another program, the sandbox need not contain it.

    Args:
        given: the operator's interpreters.
    """
    ours = _programs_of_operator(given, directory)
    folders, readable = [], _beside(directory)
    begin = argv[0]
    if begin in ours:
        begin, needed = _runtime(ours[begin])
        folders.append(os.path.dirname(begin))
        readable += needed
    is_in_its_environment = begin.startswith(f"{directory / ENVIRONMENT}{os.sep}")
    for name, found in ours.items():
        if name in _RUNTIMES or is_in_its_environment:  # it may be made from any of the operator's Pythons
            program, needed = _runtime(found)
            readable += needed
        if name in _RUNTIMES:
            folders.append(os.path.dirname(program))
    outside = [folder for folder in dict.fromkeys(folders) if not is_system(folder)]
    return Program((begin, *argv[1:]), ":".join([*outside, PATH]), tuple(_outermost(_existing(readable))))


def _programs_of_operator(given: Iterable[str], directory: Path) -> dict[str, str]:
    """Return the paths of the operator's programs, by name of the program. A path that leads through the
    bot's directory is left out.
    """
    words = dict.fromkeys((*_RUNTIMES, *given, sys.executable))
    found = {word: path for word in words if (path := find_program(word)) is not None}
    return {word: path for word, path in found.items() if not _leads_through(path, directory)}


def _leads_through(path: str, directory: Path) -> bool:
    """Return whether a program, or a link on the way to the program, is in `directory`."""
    places = (*links_to(path), os.path.realpath(path))
    insides = (str(directory), os.path.realpath(directory))
    folders = {folder for one in places for folder in (os.path.dirname(one), _real_folder(one))}
    return any(
        folder == inside or folder.startswith(f"{inside}/") for folder in folders for inside in insides
    )


def _real_folder(path: str) -> str:
    return os.path.realpath(os.path.dirname(path))


def _beside(directory: Path) -> list[str]:
    """Return the folders of libraries that all bots of a root share.

    Links are left out, because they may lead out of the root. A bot's directory with such a name is left out,
    too.
    """
    found = [directory.parent / name for name in _BESIDE if name != directory.name]
    folders = [folder for folder in found if folder.is_dir() and not folder.is_symlink()]
    return [str(folder) for folder in folders if not may_be_bot_directory(folder)]


def _runtime(program: str) -> tuple[str, list[str]]:
    """Return the program to start, and the files outside the system that it reads."""
    if os.path.basename(program).startswith(("python", "pypy")):
        files = python_files(program)
        return files.program, [one for one in files.all if not is_system(one)]
    real = os.path.realpath(program)
    if is_system(real):
        return program, []
    prefix = os.path.dirname(real)
    if os.path.basename(prefix) == "bin":
        prefix = os.path.dirname(prefix)
    return real, [real if _holds_home(prefix) else prefix]


def _existing(places: Iterable[str]) -> list[str]:
    """Return the absolute places that exist and do not contain a home (see `_holds_home`)."""
    found = dict.fromkeys(place for place in places if place and os.path.exists(place))
    return [place for place in found if os.path.isabs(place) and not _holds_home(place)]


def _holds_home(folder: str) -> bool:
    """Return whether a folder is or contains this user's home, /root, /home, /etc, /tmp or /var. The sandbox
    must not show such a folder, because it would show all of it.
    """
    homes = {os.path.realpath(os.path.expanduser("~")), "/root", "/home", "/etc", "/tmp", "/var"}
    real = os.path.realpath(folder)
    return any(home == real or home.startswith(real.rstrip("/") + "/") for home in homes)


def is_system(path: str) -> bool:
    """Return whether a path is in a part of the system that every sandbox shows."""
    return path == "/usr" or path.startswith(("/usr/", *(f"{name}/" for name in _SYSTEM))) or path in _SYSTEM


def _outermost(places: Iterable[str]) -> list[str]:
    """Return the outermost of these places, sorted. A place inside another one is left out."""
    kept: list[str] = []
    for place in sorted(dict.fromkeys(places)):
        if not any(place == outer or place.startswith(outer + "/") for outer in kept):
            kept.append(place)
    return kept
