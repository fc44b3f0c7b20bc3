"""The tutorial is a transcript: what it says is typed, and what it shows is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.transcript import blocks_of, commands_of, masked, perform, words_of

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial"


@pytest.mark.process
@pytest.mark.long
def test_the_first_bot_is_made_and_plays_as_the_tutorial_says(tmp_path: Path) -> None:
    blocks = blocks_of((TUTORIAL / "01-first-bot.md").read_text(encoding="utf-8"))
    assert {block.language for block in blocks} == {"console", "python"}
    for block in blocks:
        perform(block, tmp_path)


@pytest.mark.process
@pytest.mark.long
def test_the_first_tournament_is_played_proved_and_forged_as_the_tutorial_says(tmp_path: Path) -> None:
    blocks = blocks_of((TUTORIAL / "02-first-tournament.md").read_text(encoding="utf-8"))
    assert {block.language for block in blocks} == {"console", "python"}
    for block in blocks:
        perform(block, tmp_path)


def test_a_wrong_line_in_a_transcript_is_found(tmp_path: Path) -> None:
    for wrong in ("$ echo one\ntwo", "$ false", "$ echo one"):
        with pytest.raises(AssertionError):
            perform(blocks_of(f"```console\n{wrong}\n```\n")[0], tmp_path)


def test_commands_are_told_from_what_they_print() -> None:
    first, second = commands_of("$ one\nsays\n\nthis\n$ two\n")
    assert (first.typed, first.printed, second.typed) == ("one", ["says", "", "this"], "two")


def test_the_rows_of_a_table_are_told_by_their_names_in_order() -> None:
    assert words_of("1  Ace  1.0  3–4\n2  Duck  0") == words_of("1  Ace  1.0\n2  Duck  7  1, 2")
    assert words_of("1  Ace  1.0\n2  Duck  0") != words_of("1  Duck  0\n2  Ace  1.0")


def test_only_numbers_durations_and_padding_are_masked() -> None:
    assert masked("1  Ace   1.0   1,234  79 µs\n") == masked("2  Ace  1.0  5  1.02 ms")
    assert masked("1  Ace  1.0") != masked("1  Duck  1.0")
