"""The bots of the page on other languages are those that play with the official APIs."""

from __future__ import annotations

from pathlib import Path

from tests.docs.transcript import blocks_of
from tests.peers.conftest import BOTS

PAGE = Path(__file__).parents[2] / "packages/tank/docs/other-languages.md"


def block(language: str) -> str:
    (text,) = [one.text for one in blocks_of(PAGE.read_text(encoding="utf-8")) if one.language == language]
    return text


def test_the_bot_in_typescript_is_circler() -> None:
    assert block("typescript") == (BOTS / "typescript/Circler/Circler.ts").read_text(encoding="utf-8")


def test_the_bot_in_java_is_rover_without_its_log() -> None:
    rover = (BOTS / "java/Rover/Rover.java").read_text(encoding="utf-8")
    java = block("java").replace("import dev.robocode.tankroyale.botapi.Bot;\n", "")
    assert java.replace("Hunter", "Rover").replace("extends Bot", "extends LoggedBot") == rover
