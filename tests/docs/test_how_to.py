"""Every how-to guide can be typed: its commands succeed, in order, in one folder.

A comment `<!-- before: COMMAND -->` on a page makes what its reader has already. `<!-- not typed: REASON -->`
before a block leaves it out.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.transcript import environment

DOCS = Path(__file__).parents[2] / "docs"
_STEP = re.compile(
    r"<!-- before: (?P<before>.*?) -->|"
    r"(?:<!-- (?P<why>not typed: .*?) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_FILE = re.compile(r"# ([\w/]+\.(?:toml|py))\n")
_ENDLESS = re.compile(r"turnwright (serve|ladder|arena|observe|demo|world (serve|demo)|replay)\b|--watch\b")
_ENDS = re.compile(r"--html|--text|--bot\b|--once|--seat|--watch=text")
_TIMEOUT_S = 600.0
NOT_TYPED_MAX = 16
"""Blocks of all guides that need a network, minutes, or another machine."""


def guides() -> list[Path]:
    """Return the pages that the index lists as how-to guides."""
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## How-to guides\n(.*?)^## ", index, re.MULTILINE | re.DOTALL)
    found = [(DOCS / link).resolve() for link in re.findall(r"\]\(([^)#]+)\)", section)]
    return list(dict.fromkeys(found))


def commands_of(page: str) -> Iterator[str]:
    """Yield the commands of a page in order."""
    for step in _STEP.finditer(page):
        if step["before"]:
            yield step["before"]
        elif step["kind"] in ("toml", "python") and (named := _FILE.match(step["text"])):
            yield f"mkdir -p $(dirname {named[1]}) && cat > {named[1]} <<'END'\n{step['text']}END"
        elif step["kind"] == "sh" and not step["why"]:
            yield from (line for line in step["text"].splitlines() if line.strip())


def type_endless(command: str, folder: Path, exports: str) -> None:
    """Start a command that does not end by itself, and stop it with Ctrl-C once it has printed a line.

    Servers take a free port, since other tests run at the same time.
    """
    if re.match(r"turnwright (serve|ladder|arena)\b", command):
        command += " --port 0"
    with subprocess.Popen(
        f"{exports}exec {command}",
        shell=True,
        cwd=folder,
        env={**environment(), "BROWSER": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as program:
        assert program.stdout is not None
        select.select([program.stdout], [], [], _TIMEOUT_S)
        program.send_signal(signal.SIGINT)
        try:
            said, _ = program.communicate(timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            raise
        assert program.returncode in (0, 130), (command, said.decode())


@pytest.mark.process
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("page", guides(), ids=lambda page: page.stem)
def test_a_guide_can_be_typed(page: Path, tmp_path: Path) -> None:
    exports = ""
    for command in commands_of(page.read_text(encoding="utf-8")):
        if command.startswith("export "):
            exports += f"{command}; "
        elif _ENDLESS.search(command) and not _ENDS.search(command):
            type_endless(command, tmp_path, exports)
        else:
            done = subprocess.run(
                f"{exports}{command}",
                shell=True,
                cwd=tmp_path,
                env={**environment(), "BROWSER": "true"},
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_S,
            )
            assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])


def test_few_blocks_of_guides_are_not_typed() -> None:
    left_out = [
        f"{page.stem}: {step['why']}"
        for page in guides()
        for step in _STEP.finditer(page.read_text(encoding="utf-8"))
        if step["why"]
    ]
    assert len(left_out) <= NOT_TYPED_MAX, left_out


def test_commands_comments_and_left_out_blocks_are_distinguished() -> None:
    page = "<!-- before: one -->\n\n```sh\ntwo\n\nthree\n```\n<!-- not typed: slow -->\n```sh\nfour\n```\n"
    assert list(commands_of(page)) == ["one", "two", "three"]
