"""Folders that a boxed bot may read: the system, its own, its runtime's.

Of the user's files it sees nothing else. A Python, Java, Node or .NET outside /usr is found by what it says
of itself, so that those of pyenv, SDKMAN or nvm work, too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from turnwright.net.participants.directory import first_line

__all__ = ["HOME", "PATH", "Program", "base_environment", "etc", "is_system", "program_of", "system_folders"]

HOME = "/tmp/.home"
"""The home of a boxed bot: in memory, empty, gone with the bot."""
PATH = "/usr/local/bin:/usr/bin:/bin"
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
"""Files and folders of /etc that every user may read and programs look for, beside those that follow."""
_ETC_BEGINNINGS = ("java", "python", "perl")
_BESIDE = ("lib", "libs", "deps", ".deps", "venv", ".venv", "node_modules")
"""Folders beside a bot's directory that the bots of a root share (see docs/how-to/run-a-battle.md)."""
_RUNTIMES = ("python3", "python", "java", "node", "dotnet")
"""Programs that a script may call."""
_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "DOTNET_ROOT")
_ASK_TIMEOUT_S = 20.0
_ASK = (
    "import json, sys; print(json.dumps([sys.executable, [sys.prefix, sys.base_prefix, sys.exec_prefix,"
    " *sys.path]]))"
)


@dataclass(frozen=True, slots=True)
class Program:
    """The command of a bot as it is started in a box.

    path: the PATH there; readable: folders and files that are shown besides.
    """

    argv: tuple[str, ...]
    path: str
    readable: tuple[str, ...]


def system_folders() -> list[tuple[str, str | None]]:
    """Return /usr and what belongs to it; with each folder where it links to, or None."""
    found: list[tuple[str, str | None]] = [("/usr", None)]
    for name in _SYSTEM:
        if os.path.islink(name):
            found.append((name, os.readlink(name)))
        elif os.path.isdir(name):
            found.append((name, None))
    return found


def etc() -> list[str]:
    """Return the files and folders of /etc that a box shows."""
    try:
        names = sorted(os.listdir("/etc"))
    except OSError:
        return []
    return [f"/etc/{name}" for name in names if name in _ETC or name.startswith(_ETC_BEGINNINGS)]


def base_environment(memory_mib: int, inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables that every boxed bot has.

    Some tell its runtime how much memory there is. A JVM or Node would take the machine's memory for its own.
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


def program_of(argv: Sequence[str], directory: Path) -> Program:
    """Return how a bot's command is started in a box, and what that reads."""
    begin, folders, readable = argv[0], [], _beside(directory)
    is_its_own = os.path.dirname(begin) == str(directory)
    given = _interpreter(begin) if is_its_own else shutil.which(begin, path=_path_of_ours())
    if given is not None:
        program, folder, needed = _runtime(given)
        begin = begin if is_its_own else program
        folders.append(folder)
        readable += needed
    for name in _RUNTIMES:
        if (found := shutil.which(name, path=_path_of_ours())) is not None and not is_system(found):
            _, folder, needed = _runtime(found)
            folders.append(folder)
            readable += needed
    outside = [folder for folder in dict.fromkeys(folders) if not is_system(folder)]
    return Program((begin, *argv[1:]), ":".join([*outside, PATH]), tuple(_outermost(readable)))


def _interpreter(script: str) -> str | None:
    """Return the program that the first line of a bot's own script names, or None."""
    words = first_line(Path(script)).removeprefix("#!").split()
    return words[0] if words and os.path.isfile(words[0]) and os.path.isabs(words[0]) else None


def _path_of_ours() -> str:
    return os.environ.get("PATH", PATH)


def _beside(directory: Path) -> list[str]:
    """Return the folders of libraries that all bots of a root share, where they are inside that root."""
    found = [directory.parent / name for name in _BESIDE if name != directory.name]
    return [str(folder) for folder in found if folder.is_dir() and not folder.is_symlink()]


def _runtime(program: str) -> tuple[str, str, list[str]]:
    """Return the program to start, the folder of it, and what it reads besides the system."""
    if os.path.basename(program).startswith(("python", "pypy")) and (said := _asked(program)) is not None:
        executable, readable = said
        real = os.path.realpath(executable)
        needed = [*readable, *_links_to(executable), real]
        return executable, os.path.dirname(executable), [one for one in needed if not is_system(one)]
    real = os.path.realpath(program)
    if is_system(real):
        return program, os.path.dirname(program), []
    prefix = os.path.dirname(real)
    if os.path.basename(prefix) == "bin":
        prefix = os.path.dirname(prefix)
    return real, os.path.dirname(real), [real if _holds_home(prefix) else prefix]


def _links_to(path: str) -> list[str]:
    """Return the files that lead to a program by links, e.g. that of a virtual environment."""
    found: list[str] = []
    while os.path.islink(path) and len(found) < 8:
        found.append(path)
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    return found


@lru_cache(maxsize=16)
def _asked(python: str) -> tuple[str, tuple[str, ...]] | None:
    """Return what a Python says it is started by and reads; None when it does not answer."""
    try:
        done = subprocess.run(
            [python, "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_ASK_TIMEOUT_S,
            check=True,
            cwd="/",
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        )
        executable, places = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return str(executable), tuple(_existing(places))


def _existing(places: Iterable[str]) -> list[str]:
    """Return what there is of the places, and holds nobody's home."""
    found = dict.fromkeys(place for place in places if place and os.path.exists(place))
    return [place for place in found if os.path.isabs(place) and not _holds_home(place)]


def _holds_home(folder: str) -> bool:
    """Return whether a folder is a home or above one, so that binding it would show all that is there."""
    homes = {os.path.realpath(os.path.expanduser("~")), "/root", "/home", "/etc", "/tmp", "/var"}
    real = os.path.realpath(folder)
    return any(home == real or home.startswith(real.rstrip("/") + "/") for home in homes)


def is_system(path: str) -> bool:
    """Return whether a path lies in what every box shows of the system."""
    return path == "/usr" or path.startswith(("/usr/", *(f"{name}/" for name in _SYSTEM))) or path in _SYSTEM


def _outermost(places: Iterable[str]) -> list[str]:
    """Return the places that lie in no other of them, outer ones first."""
    kept: list[str] = []
    for place in sorted(dict.fromkeys(places)):
        if not any(place == outer or place.startswith(outer + "/") for outer in kept):
            kept.append(place)
    return kept
