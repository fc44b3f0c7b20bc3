"""Finds the files of a Python installation from its links and settings files, without running any of its
files.

A program that the interpreter's path names could be a script, and an interpreter runs the `.pth` files in its
folders. These files may be untrusted.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from glob import escape, glob

_LINKS_MAX = 8
_TEXT_SIZE_MAX = 1 << 16
"""The largest number of bytes that are read of a settings file."""
_VERSIONED = re.compile(r"(?:python|pypy)(\d+\.\d+)")
_SETTINGS = "pyvenv.cfg"
_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class PythonFiles:
    """The files of a Python.

    Attributes:
        program: the program that starts the Python. If the path leads to the shim of a version manager, this
            is the program behind the shim.
        links: the links that lead to the program.
        prefixes: the folder of the virtual environment, and the folder of the installation from which the
            environment was made.
        packages: the folders in which the Python finds modules.
    """

    program: str
    links: tuple[str, ...]
    prefixes: tuple[str, ...]
    packages: tuple[str, ...]

    @property
    def all(self) -> list[str]:
        """Every file and folder that the Python reads, in any order."""
        return [*self.links, os.path.realpath(self.program), *self.prefixes, *self.packages]


def python_files(path: str) -> PythonFiles:
    """Return the files of the Python that `path` starts."""
    program = _behind_shim(path)
    links, real = links_to(program), os.path.realpath(program)
    prefixes = []
    for one in (*links, real):
        prefix = _prefix(one)
        settings = _text(os.path.join(prefix, _SETTINGS))
        if settings or one == real:
            prefixes.append(prefix)
        prefixes += [_prefix(os.path.join(home, "python")) for home in _homes(settings)]
    version = _VERSIONED.search(os.path.basename(real))
    found = list(_packages(dict.fromkeys(prefixes), version[1] if version else "3*"))
    return PythonFiles(program, tuple(links), tuple(dict.fromkeys(prefixes)), tuple(dict.fromkeys(found)))


def find_program(name: str, without: str = "") -> str | None:
    """Return the path of a program on the operator's PATH, or None if it is not there.

    Relative folders in PATH are ignored. In a bot's directory, such a folder could contain files of the bot.

    Args:
        without: a further folder in PATH to ignore.
    """
    folders = [one for one in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(one)]
    folders = [one for one in folders if one != without]
    return shutil.which(name, path=os.pathsep.join(folders))


def links_to(path: str) -> list[str]:
    """Return the links that lead from a path to its file."""
    found: list[str] = []
    while os.path.islink(path) and len(found) < _LINKS_MAX:
        found.append(path)
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
    return found


def _text(path: str) -> str:
    """Return the beginning of a settings file, or "" if it cannot be read."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_TEXT_SIZE_MAX)
    except OSError:
        return ""


def _prefix(program: str) -> str:
    folder = os.path.dirname(program)
    return os.path.dirname(folder) if os.path.basename(folder) in ("bin", "Scripts") else folder


def _homes(settings: str) -> list[str]:
    """Return the folders of the Python from which a virtual environment was made, by its pyvenv.cfg."""
    pairs = (line.partition("=") for line in settings.splitlines())
    homes = [value.strip() for key, _, value in pairs if key.strip() == "home"]
    return [home for home in homes if os.path.isabs(home) and os.path.isdir(home)]


def _packages(prefixes: Iterator[str] | dict[str, None], version: str) -> Iterator[str]:
    for prefix in prefixes:
        start = escape(prefix)
        for name in _PACKAGES:
            for pattern in (f"lib/python{version}/{name}", f"local/lib/python{version}/{name}"):
                yield from _with_path_files(glob(os.path.join(start, pattern)))
        yield from _with_path_files(glob(os.path.join(start, "lib/python3/dist-packages")))
        yield from _with_path_files(glob(os.path.join(start, "Lib/site-packages")))


def _with_path_files(folders: list[str]) -> Iterator[str]:
    """Yield the folders, and the folders that their `.pth` files name. Editable installations use `.pth`
    files.
    """
    for folder in folders:
        yield folder
        for file in sorted(glob(os.path.join(escape(folder), "*.pth"))):
            for line in _text(file).splitlines():
                if os.path.isabs(line.strip()) and os.path.isdir(line.strip()):
                    yield line.strip()


def _behind_shim(path: str) -> str:
    """Return the Python that a shim of pyenv starts by default. Settings of single folders are not
    considered.

    For a shim of another manager, return the next Python on PATH. Return any other path unchanged.
    """
    folder, name = os.path.split(path)
    root = os.path.dirname(folder)
    if os.path.basename(folder) != "shims":
        return path
    words = os.environ.get("PYENV_VERSION", "").split(":") + _text(os.path.join(root, "version")).split()
    found = [os.path.join(root, "versions", word, "bin", name) for word in words if word]
    behind = find_program(name, without=folder) or path
    return next((one for one in found if os.path.isfile(one)), behind)
