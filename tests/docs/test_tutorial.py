"""The tutorial is a transcript: its commands are typed, and their output is compared."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.transcript import Block, blocks_of, commands_of, perform, steady, timeless, words_of
from tests.parts import few
from turnwright import run_battle

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial"
ROUNDS = 100
WON_MIN = 90
"""Each tutorial that improves a bot ends with one that wins this many of 100 rounds against the previous."""
SEEDS = (11, 23)
"""Other seeds than that of the pages. Only `make explore` plays the second one."""


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


def blocks_of_page(name: str) -> list[Block]:
    return blocks_of((TUTORIAL / name).read_text(encoding="utf-8"))


def bots_of(name: str) -> dict[str, Any]:
    """Return the bots of a page by name, each as the page has it last."""
    space: dict[str, Any] = {"__name__": "tutorial"}
    for block in blocks_of_page(name):
        if block.language == "python" and "run_battle" not in block.text:
            exec(compile(block.text, name, "exec"), space)
    return space


def rounds_won(page: str) -> dict[str, int]:
    """Return how many of 100 rounds each bot won in the last match of a page."""
    found = re.findall(rf"^(\w+) won (\d+) of {ROUNDS} rounds$", page, re.MULTILINE)
    return {name: int(won) for name, won in found}


@pytest.mark.process
@pytest.mark.long
def test_the_bots_that_aim_ahead_and_keep_moving_are_built_as_the_tutorials_say(tmp_path: Path) -> None:
    for page in ("03-aim-ahead.md", "04-keep-moving.md"):
        for block in blocks_of_page(page):
            perform(block, tmp_path)


@pytest.mark.parametrize(
    ("page", "new", "old"),
    [("03-aim-ahead.md", "Aimer", "MyBot"), ("04-keep-moving.md", "Dancer", "Aimer")],
)
def test_the_last_match_of_a_tutorial_is_won_by_the_new_bot(page: str, new: str, old: str) -> None:
    won = rounds_won((TUTORIAL / page).read_text(encoding="utf-8"))
    assert won[new] >= WON_MIN
    assert won[new] + won[old] == ROUNDS


@pytest.mark.long
@pytest.mark.parametrize("seed", few(SEEDS, quick=1, later=1))
@pytest.mark.parametrize(("new", "old"), [("Aimer", "MyBot"), ("Dancer", "Aimer")])
def test_the_bot_of_a_tutorial_beats_the_one_before_under_other_seeds(new: str, old: str, seed: int) -> None:
    bots = {**bots_of("03-aim-ahead.md"), **bots_of("04-keep-moving.md")}
    result = run_battle(bots[new], bots[old], rounds=ROUNDS, seed=seed)
    assert {row.name: row for row in result.results}[new].first_places >= WON_MIN


def test_a_wrong_line_in_a_transcript_is_found(tmp_path: Path) -> None:
    for wrong in ("$ echo one\ntwo", "$ false", "$ echo one"):
        with pytest.raises(AssertionError):
            perform(blocks_of(f"```console\n{wrong}\n```\n")[0], tmp_path)


def test_commands_are_distinguished_from_their_output() -> None:
    first, second = commands_of("$ one\nsays\n\nthis\n$ two\n")
    assert (first.typed, first.printed, second.typed) == ("one", ["says", "", "this"], "two")


def test_rows_of_a_table_are_compared_by_name_and_order() -> None:
    assert words_of("1  Ace  1.0  3–4\n2  Duck  0") == words_of("1  Ace  1.0\n2  Duck  7  1, 2")
    assert words_of("1  Ace  1.0\n2  Duck  0") != words_of("1  Duck  0\n2  Ace  1.0")


def test_a_page_that_promises_the_same_scores_is_compared_with_its_scores() -> None:
    assert timeless("1  Ace   1.0   1,234  79 µs\n") == timeless("1 Ace 1.0  1,234  1.02 ms")
    assert timeless("1  Ace   1.0   1,234  79 µs\n") != timeless("1 Ace 1.0  1,235  79 µs")


def test_turns_ranks_versions_and_scores_are_compared() -> None:
    assert steady("1  Ace  1.0\n\n3 turns") != steady("1  Ace  1.1\n\n3 turns")
    assert steady("1  Ace  1.0\n\n3 turns") != steady("1  Ace  1.0\n\n4 turns")
    assert steady("Name  p50  Missed\nAce  1 ms  3\n\n3 turns") == steady(
        "Name  p50  Missed\nAce  2 ms  0\n\n3 turns"
    )


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("page", ["tutorial/06-how-ace-works.md", "teachers-kit.md"])
def test_programs_of_a_page_print_the_output_that_it_shows(page: str, tmp_path: Path) -> None:
    for block in blocks_of((TUTORIAL.parent / page).read_text(encoding="utf-8")):
        perform(block, tmp_path)
