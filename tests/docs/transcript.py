"""Runs a page of documentation: its Python blocks are written, its console blocks are typed.

A ```python block whose first line is `# some/file.py` is written there; one that begins with `# do` or
`# do not` is compiled. In a ```console block each line after `$ ` is a command, and the lines up to the next
one are what it must print.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\S+\.py)\n")
_TIMEOUT_S = 120.0
_DURATION = re.compile(r"\d[\d.,]* (?:µs|ms|s)\b")
_NO_DURATION = re.compile(r"(?<=\s)–(?=\s)")
_REMARK = re.compile(r"the server itself was late|\w+ missed \S+ turns?: ")
_NUMBER = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str


@dataclass
class Command:
    """A command and the lines that it must print."""

    typed: str
    printed: list[str] = field(default_factory=list)


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    return [Block(language, text) for language, text in _BLOCK.findall(page)]


def commands_of(text: str) -> list[Command]:
    """Return the commands of a console block."""
    commands: list[Command] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append(Command(line[2:]))
        else:
            commands[-1].printed.append(line)
    return commands


def environment() -> dict[str, str]:
    """Return an environment in which `python` and `turnwright` are those of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BOT_", "SERVER_"))}
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def timeless(text: str) -> list[str]:
    """Return lines with durations made equal and without the padding of tables.

    A dash that is alone is a duration, too: in a table without a value to show.
    """
    text = _DURATION.sub("T", _NO_DURATION.sub("T", text))
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def steady(text: str) -> list[str]:
    """Return lines of `timeless`, and without the counts of missed turns, which a busy machine changes.

    These are in the table of answer times alone. Turns, ranks, versions and scores are compared.
    """
    lines, in_times = [], False
    for line in timeless(text):
        in_times = bool(line) and (in_times or line.startswith("Name p50"))
        lines.append(_NUMBER.sub("N", line) if in_times else line)
    return lines


def without_remarks(lines: list[str]) -> list[str]:
    """Return lines without the remarks that a busy machine adds."""
    return [line for line in lines if not _REMARK.match(line)]


def words_of(text: str) -> list[str]:
    """Return lines without remarks and numbers, and without cells that have only numbers.

    A busy machine changes a few scores.
    """
    lines = [_NUMBER.sub("N", line) for line in without_remarks(timeless(text))]
    return [" ".join(w for w in line.split() if re.search(r"[^\W\dN_]", w)) for line in lines]


def perform(block: Block, folder: Path) -> None:
    """Compile a Python block, and write it if it names a file. Run the commands of a console block.

    Fail if a command fails or prints something else. Other blocks are ignored.
    """
    if block.language == "python":
        named = _FILE.match(block.text)
        compile(block.text, named[1] if named else "<block>", "exec")
        assert named or block.text.startswith(("# do\n", "# do not\n")), block.text
        if named:
            path = folder / named[1]
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    elif block.language == "console":
        for command in commands_of(block.text):
            _type(command, folder)


def _type(command: Command, folder: Path) -> None:
    done = subprocess.run(
        command.typed,
        shell=True,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    assert done.returncode == 0, f"{command.typed}\n{done.stdout}{done.stderr}"
    expected = "\n".join(command.printed)
    if command.typed.startswith("turnwright"):
        assert without_remarks(steady(done.stdout)) == steady(expected), done.stdout
    else:
        assert done.stdout.strip() == expected.strip(), done.stdout
