"""Attacks that begin at the upload: nothing that a bot's directory names runs outside of its box."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.playing import PLAYING_BOT
from tests.net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.errors import TurnwrightError
from turnwright.net.participants.command import command
from turnwright.net.participants.directory import load
from turnwright.net.sandbox.readable import program_of

TROPHY = "trophy"
"""The file outside of every box that an attack writes where it runs outside."""


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def thief(place: Path) -> str:
    """Return a program in place of an interpreter, which leaves its mark and answers as one."""
    answer = f'["{place}", ["{place}/private"]]'
    return f"#!/bin/sh\nid > {place}/{TROPHY}\necho '{answer}'\nexec /usr/bin/env python3 \"$@\"\n"


def in_its_environment(place: Path) -> Path:
    bot = make_bot(place, "Evil", {"Evil.py": PLAYING_BOT})
    executable(bot / ".venv/bin/python", thief(place))
    return bot


def in_its_first_line(place: Path) -> Path:
    bot = make_bot(place, "Evil")
    executable(bot / "python3", thief(place))
    executable(bot / "Evil", f"#!{bot}/python3\n")
    return bot


def in_the_first_line_of_a_file_without_its_mode(place: Path) -> Path:
    bot = in_its_first_line(place)
    (bot / "Evil").chmod(0o644)
    return bot


def in_another_bots_directory(place: Path) -> Path:
    friend = executable(place / "Friend" / "python3", thief(place))
    bot = make_bot(place, "Evil")
    executable(bot / "Evil", f"#!{friend}\n")
    return bot


def in_packages_of_its_environment(place: Path) -> Path:
    bot = make_bot(place, "Evil", {"Evil.py": PLAYING_BOT})
    packages = bot / ".venv/lib/python{}.{}/site-packages".format(*sys.version_info)
    packages.mkdir(parents=True)
    (packages / "evil.pth").write_text(f"import os; os.system('id > {place}/{TROPHY}')\n{place}/private\n")
    (bot / ".venv/bin").mkdir()
    (bot / ".venv/bin/python").symlink_to(sys.executable)
    (bot / ".venv/pyvenv.cfg").write_text(f"home = {place}/private/bin\n")
    return bot


UPLOADS = [
    in_its_environment,
    in_its_first_line,
    in_the_first_line_of_a_file_without_its_mode,
    in_another_bots_directory,
    in_packages_of_its_environment,
]


@pytest.mark.process
@pytest.mark.parametrize("upload", UPLOADS)
def test_no_program_of_a_bot_runs_while_its_start_is_prepared(upload, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    bot = upload(tmp_path)
    program = program_of(command(load(bot)), bot)
    assert not (tmp_path / TROPHY).exists()
    assert not any(str(tmp_path / "private").startswith(place) for place in program.readable)


@pytest.mark.process
def test_a_module_in_the_folder_of_the_command_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = make_bot(tmp_path, "Evil", {"Evil.py": "import turnwright\n"})
    executable(bot / "turnwright/__init__.py", f"open({str(tmp_path / TROPHY)!r}, 'w')\n")
    executable(bot / "python", thief(tmp_path))
    monkeypatch.chdir(bot)
    monkeypatch.setenv("PATH", f".:{bot}:/usr/local/bin:/usr/bin:/bin")
    program_of(command(load(bot)), bot)
    assert not (tmp_path / TROPHY).exists()


@pytest.mark.process
@pytest.mark.long
@pytest.mark.usefixtures("boxed")
@pytest.mark.parametrize("upload", UPLOADS)
def test_no_program_of_a_bot_runs_outside_in_a_battle(upload, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    bot = upload(tmp_path)
    with suppress(TurnwrightError):  # its box has not what it names
        run_battle(bot, "Wanderer", game="snake", turns=5, sandbox="full")
    assert not (tmp_path / TROPHY).exists()
