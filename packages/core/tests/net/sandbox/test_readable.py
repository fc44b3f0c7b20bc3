from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from turnwright.net.sandbox.readable import base_environment, etc, program_of, system_folders


def folder(place: Path, *names: str) -> Path:
    for name in names:
        (place / name).mkdir(parents=True, exist_ok=True)
    return place / names[0]


@pytest.mark.process
def test_a_python_is_shown_with_all_that_it_reads(tmp_path: Path) -> None:
    bot = folder(tmp_path, "Bot")
    program = program_of([sys.executable, "Bot.py"], bot)
    assert program.argv == (sys.executable, "Bot.py")
    outside = [one for one in (sys.prefix, sys.base_prefix) if not one.startswith("/usr")]
    assert all(
        any(one == place or one.startswith(f"{place}/") for place in program.readable) for one in outside
    )
    assert program.path.endswith("/usr/bin:/bin")


@pytest.mark.process
def test_a_program_outside_the_system_is_shown_with_the_folder_above_its_bin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = folder(tmp_path, "bots/Bot", "jdk/bin", "links")
    java = tmp_path / "jdk" / "bin" / "java"
    java.write_text("#!/bin/sh\n")
    java.chmod(0o755)
    (tmp_path / "links" / "java").symlink_to(java)
    monkeypatch.setenv("PATH", f"{tmp_path / 'links'}:/usr/bin:/bin")
    program = program_of(["java", "Bot.java"], bot)
    assert program.argv == (str(java), "Bot.java")
    assert str(tmp_path / "jdk") in program.readable
    assert program.path.startswith(str(tmp_path / "jdk" / "bin"))


@pytest.mark.process
def test_a_program_in_a_home_folder_is_visible_without_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = folder(tmp_path, "bots/Bot", "home/bin")
    node = tmp_path / "home" / "bin" / "node"
    node.write_text("#!/bin/sh\n")
    node.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{node.parent}:/usr/bin:/bin")
    assert program_of(["node", "Bot.js"], bot).readable == (str(node),)


@pytest.mark.process
def test_libraries_next_to_a_bot_are_visible_and_other_bots_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    bot = folder(tmp_path, "Bot", "Other", "lib", "secrets", "deps")
    (tmp_path / "venv").symlink_to(tmp_path / "secrets")
    program = program_of(["bash", str(bot / "Bot.sh")], bot)
    assert program.readable == (str(tmp_path / "deps"), str(tmp_path / "lib"))


@pytest.mark.process
def test_a_library_folder_that_is_a_bot_or_unreadable_is_not_visible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    bot = folder(tmp_path, "Bot", "lib", "deps")
    (tmp_path / "lib" / "lib.py").touch()
    found = Path.iterdir

    def closed(path: Path) -> Iterator[Path]:
        if path.name == "deps":
            raise PermissionError
        return found(path)

    monkeypatch.setattr(Path, "iterdir", closed)
    assert program_of(["bash", str(bot / "Bot.sh")], bot).readable == ()


@pytest.mark.process
def test_a_script_of_the_bot_is_started_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    bot = folder(tmp_path, "Bot")
    script = bot / "Bot"
    script.write_text("#!/bin/sh\n")
    program = program_of([str(script)], bot)
    assert program.argv == (str(script),)
    assert program.readable == ()


def test_runtimes_learn_their_memory_limit_and_nothing_of_the_server() -> None:
    environ = base_environment(512, {"LANG": "de_DE.UTF-8", "AWS_SECRET": "x", "PYTHONPATH": "/home/ann"})
    assert environ["LANG"] == "de_DE.UTF-8"
    assert "-Xmx256m" in environ["JAVA_TOOL_OPTIONS"]
    assert environ["NODE_OPTIONS"] == "--max-old-space-size=256"
    assert int(environ["DOTNET_GCHeapHardLimit"], 16) == 256 << 20
    assert not {"AWS_SECRET", "PYTHONPATH"} & set(environ)


def test_only_the_needed_files_of_etc_are_visible() -> None:
    assert ("/usr", None) in system_folders()
    assert not {"/etc/shadow", "/etc/passwd", "/etc/ssh", "/etc/hosts", "/etc/machine-id"} & set(etc())
    assert all(os.path.exists(place) for place in etc())
