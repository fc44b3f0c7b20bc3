from __future__ import annotations

import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing, says
from packages.core.tests.net.bot_directories import make_bot
from turnwright.net.participants.command import command
from turnwright.net.participants.directory import load
from turnwright.net.participants.start_advice import author_advice, start_advice

MISSING = [
    "Traceback (most recent call last):",
    "ModuleNotFoundError: No module named 'robocode_tank_royale'",
]


def advice(directory: Path, lines: list[str] = MISSING) -> str:
    entry = load(directory)
    return start_advice(entry, command(entry, python=sys.executable), lines)


def test_advice_says_how_the_python_of_a_bot_gets_a_missing_module(tmp_path: Path) -> None:
    text = advice(make_bot(tmp_path, "Bot", ["Bot.py"]))
    assert says(text, f"{sys.executable} -m pip install robocode-tank-royale … --python Bot=")


@pytest.mark.parametrize("files", [["Bot.sh"], ["Bot.sh", "requirements.txt"]])
def test_advice_names_the_python_of_the_script_that_starts_the_bot(tmp_path: Path, files: list[str]) -> None:
    text = advice(make_bot(tmp_path, "Bot", dict.fromkeys(files, "")))
    assert says(text, "Bot.sh … robocode_tank_royale … pip install robocode-tank-royale")
    for unfit in ("bash", "--python", "--install"):
        assert unfit not in text


def test_a_superfluous_script_is_named_with_the_program_that_starts_without_it(tmp_path: Path) -> None:
    text = advice(make_bot(tmp_path, "Bot", ["Bot.sh", "Bot.py"]))
    assert says(text, "Bot.sh … pip install … without Bot.sh … Bot.py … --python Bot=PATH")


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("ModuleNotFoundError: No module named 'numpy.linalg'", "numpy"),
        ("SyntaxError: expected ':'", "line"),
        ("RuntimeError: can't start new thread", "own machine"),
    ],
)
def test_an_author_elsewhere_gets_advice_without_commands_for_the_server(line: str, advice: str) -> None:
    said = author_advice(["Traceback (most recent call last):", line])
    assert not missing(said, advice)
    assert not any(word in said for word in ("cd ", "&&", "pip", "--python", "/"))
