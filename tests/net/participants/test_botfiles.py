from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.net.bot_directories import make_bot
from turnwright.net.participants.directory import (
    System,
    config_file,
    detect_platform,
    find_script,
    first_line,
)


@pytest.mark.parametrize(
    ("files", "platform"),
    [
        (["Bot.jar"], "jvm"),
        (["Bot.class"], "jvm"),
        (["Bot.java", "Bot.py"], "jvm"),
        (["Bot.py", "Bot.cs"], "python"),
        (["Bot.cs"], "dotnet"),
        (["Bot.csproj"], "dotnet"),
        (["Bot.dll"], "dotnet"),
        (["Bot.ts"], None),
        (["Other.py"], None),
        (["bot.py"], None),
    ],
)
def test_the_platform_follows_the_main_file(tmp_path: Path, files: list[str], platform: str | None) -> None:
    assert detect_platform(make_bot(tmp_path, "Bot", files)) == platform


@pytest.mark.parametrize(
    ("system", "files", "script"),
    [
        ("linux", ["Bot.py", "Bot.sh", "Bot.cmd", "Bot.command"], "Bot.sh"),
        ("linux", ["Bot.py", "Bot"], "Bot.py"),
        ("darwin", ["Bot.sh", "Bot.command"], "Bot.command"),
        ("darwin", ["Bot.sh", "Bot.bat"], "Bot.sh"),
        ("windows", ["Bot.sh", "Bot.cmd", "Bot.bat"], "Bot.bat"),
        ("windows", ["Bot.sh", "Bot.cmd"], "Bot.cmd"),
        ("windows", ["Bot.py"], "Bot.py"),
        ("linux", ["Bot"], "Bot"),
        ("linux", ["bOT"], "bOT"),
        ("linux", ["Bot.java", "Bot.cs", "bot.py", "Botany"], None),
        ("linux", [], None),
    ],
)
def test_scripts_are_found_in_the_order_of_the_system(
    tmp_path: Path, system: System, files: Sequence[str], script: str | None
) -> None:
    directory = make_bot(tmp_path, "Bot", files)
    assert find_script(directory, system) == (None if script is None else directory / script)


def test_a_file_with_a_suffix_is_a_script_when_its_first_line_says_so(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot.ts": "#!/usr/bin/env tsx\n", "Bot.a": "plain"})
    assert find_script(directory, "linux") == directory / "Bot.ts"


def test_a_directory_is_never_a_script(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot")
    (directory / "Bot").mkdir()
    (directory / "Bot.sh").mkdir()
    assert find_script(directory, "linux") is None


def test_the_config_file_is_named_like_its_directory(tmp_path: Path) -> None:
    assert config_file(tmp_path / "A b") == tmp_path / "A b" / "A b.json"


def test_the_first_line_is_bounded_and_never_fails(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(b"\xff" * 5000)
    assert len(first_line(path)) == 1024
    assert first_line(tmp_path / "gone") == ""
