"""A missing runtime of a bot is found before and after the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.net.participants import runtimes
from turnwright.net.participants.runtimes import program_not_found, program_that_lacks

HERE = {"bash", "node", "python", "env", "cat"}


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has the programs in HERE."""
    monkeypatch.setattr(runtimes.shutil, "which", lambda name: f"/bin/{name}" if name in HERE else None)


@pytest.mark.parametrize(
    ("argv", "lacks"),
    [
        (["dotnet", "run", "-c", "Release"], "dotnet"),
        (["java", "-cp", "../lib/*", "A.java"], "java"),
        (["node", "a.js"], ""),
    ],
)
def test_the_program_of_a_template_is_looked_for(argv: list[str], lacks: str) -> None:
    assert program_that_lacks(argv) == lacks


@pytest.mark.parametrize(
    ("script", "lacks"),
    [
        ("#!/bin/sh\ncd bin\nexec dotnet NetBot.dll\n", "dotnet"),
        ("cd bin && java -jar Bot.jar", "java"),
        ("node bot.js", ""),
        ("  dotnet", "dotnet"),
        ("echo dotnet", ""),
        ("./dotnet/run", ""),
        ("dotnet-wrapper", ""),
        ("if command -v dotnet; then\ndotnet a\nelse\n./a\nfi", ""),
        ("dotnet a || ./a", ""),
        ("PATH=$PWD/bin:$PATH\ndotnet a", ""),
        ("", ""),
    ],
)
def test_a_shell_script_is_read_for_the_runtimes_that_it_calls(
    script: str, lacks: str, tmp_path: Path
) -> None:
    place = tmp_path / "NetBot.sh"
    place.write_text(script)
    assert program_that_lacks(["bash", str(place)]) == lacks


def test_a_first_line_names_a_runtime(tmp_path: Path) -> None:
    place = tmp_path / "Bot"
    for line, lacks in (("#!/usr/bin/env julia", "julia"), ("#!/usr/bin/env node", ""), ("binary", "")):
        place.write_bytes(line.encode() + b"\n\xff\n")
        assert program_that_lacks([str(place)]) == lacks


SAID = {
    "NetBot.sh: line 3: dotnet: command not found": "dotnet",
    "NetBot.sh: 3: dotnet: not found": "dotnet",
    "env: \u2018julia\u2019: No such file or directory": "julia",
    "/usr/bin/env: 'deno': No such file or directory": "deno",
    "NetBot.sh: line 3: node: command not found": "",
    "NetBot.sh: line 3: my-own-tool: command not found": "",
    "nothing": "",
}


@pytest.mark.parametrize(("line", "lacks"), SAID.items())
def test_output_of_a_shell_counts_only_for_a_known_missing_runtime(line: str, lacks: str) -> None:
    assert program_not_found(127, ["begins", line]) == lacks
    assert program_not_found(1, ["begins", line]) == ""
