"""Finds out whether this machine has the programs that start bots.

If the machine lacks such a program, a bot that does not start is not to blame. The output of a bot's script
counts only if it names a known runtime, and the machine really lacks this runtime.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from turnwright.net.participants.directory import first_line

RUNTIMES = frozenset(
    [
        "bun", "clojure", "deno", "dotnet", "elixir", "erl", "escript", "go", "groovy", "guile", "java",
        "julia", "kotlin", "lua", "luajit", "mono", "node", "nodejs", "npm", "npx", "perl", "php",
        "pypy", "pypy3", "python", "python3", "racket", "ruby", "scala", "swift", "ts-node", "tsx",
        "uv",
    ]
)  # fmt: skip
"""The programs that run bots in some language."""
MISSING_CODE = 127
"""The exit code of shells and `env` if a program does not exist."""
_SCRIPT_BYTES_MAX = 1 << 16
_NOT_FOUND = re.compile(
    r"(?:^|[\s:'\"‘])([\w.+/-]+)['\"’]?: (?:command )?not found|"
    r"env: ['\"‘]?([\w.+/-]+)['\"’]?: No such file"
)
_CHOOSES = re.compile(
    r"\b(?:if|case|command|which|type|hash|PATH|alias|source)\b|\|\||^\s*\.\s", re.MULTILINE
)
"""A script that contains one of these words may check by itself whether a program exists."""
_COMMAND = re.compile(r"(?:^|;|&&)[ \t]*(?:exec[ \t]+)?([\w.+-]+)(?=[ \t\n]|$)", re.MULTILINE)


def program_that_lacks(argv: Sequence[str]) -> str:
    """Return the program that this machine lacks to start a bot, or "".

    A script is only read, not run.

    Args:
        argv: the bot's command line.
    """
    return next((name for name in _programs_of(argv) if shutil.which(name) is None), "")


def _programs_of(argv: Sequence[str]) -> Iterator[str]:
    if "/" not in argv[0]:
        yield argv[0]
    script = Path(argv[-1])
    if len(argv) == 2 and argv[0] == "bash":
        yield from _runtimes_in(script)
    elif len(argv) == 1 and (line := first_line(script)).startswith("#!"):
        words = shlex.split(line[2:], posix=False)
        yield from (word for word in words[:2] if word in RUNTIMES)


def _runtimes_in(script: Path) -> list[str]:
    """Return the runtimes that a shell script calls. For a script that looks for programs by itself or cannot
    be read, return [].
    """
    try:
        with script.open("rb") as file:
            text = file.read(_SCRIPT_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return []
    if _CHOOSES.search(text):
        return []
    return [name for name in _COMMAND.findall(text) if name in RUNTIMES]


def program_not_found(code: int | None, lines: Sequence[str]) -> str:
    """Return the program that was missing when a bot did not start, or "".

    Args:
        code: the exit code.
        lines: the last lines that were printed.
    """
    if code != MISSING_CODE:
        return ""
    said = [name for line in lines for pair in _NOT_FOUND.findall(line) for name in pair if name]
    return next((name for name in said if name in RUNTIMES and shutil.which(name) is None), "")


def lacking_program(name: str, program: str) -> str:
    """Return the text of the error about a bot that cannot start because this machine lacks a program.

    Args:
        name: the name of the bot.
    """
    return f"{name} needs {program}, which this machine lacks: install it"
