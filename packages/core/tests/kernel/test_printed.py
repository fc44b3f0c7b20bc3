"""Output of bots: by turn, once, bounded, without control characters."""

from __future__ import annotations

import pytest

from turnwright.kernel.printed import (
    BATTLE_CHARS_MAX,
    LINE_CHARS_MAX,
    TURN_CHARS_MAX,
    PrintedLine,
    Prints,
    TurnPrints,
    lines_of,
)


def test_a_line_belongs_to_the_turn_in_which_it_arrives_whole() -> None:
    prints = Prints()
    prints.take(0, "one\ntw")
    assert prints.close_turn() == {0: TurnPrints("one\n")}
    assert prints.close_turn() == {}
    prints.take(0, "o")
    assert prints.close_turn() == {}
    prints.take(0, "\r\n\nfour\n")
    assert prints.close_turn() == {0: TurnPrints("two\n\nfour\n")}


def test_output_and_errors_of_each_bot_are_separate() -> None:
    prints = Prints()
    prints.take(1, "a")
    prints.take(1, "oops\n", is_error=True)
    prints.take(1, "b\n")
    prints.take(0, "c\n")
    assert prints.close_turn() == {0: TurnPrints("c\n"), 1: TurnPrints("ab\n", "oops\n")}


def test_a_line_without_end_is_ended_with_the_battle() -> None:
    prints = Prints()
    prints.take(0, "last words")
    assert prints.close_turn() == {}
    assert prints.end() == {0: TurnPrints("last words\n")}
    assert prints.end() == {}


@pytest.mark.parametrize("process_first", [True, False])
def test_output_that_an_official_api_sends_twice_is_recorded_once(process_first: bool) -> None:
    prints, found = Prints(), []
    ways = [lambda: prints.take(0, "hit\nhit\n"), lambda: prints.say(0, "hit\nhit\n", None)]
    for way in ways if process_first else reversed(ways):
        way()
        found.append(prints.close_turn())
    assert found == [{0: TurnPrints("hit\nhit\n")}, {}]
    prints.take(0, "hit\n")
    prints.say(0, "and this", "oh")
    assert prints.close_turn() == {0: TurnPrints("hit\nand this", "oh")}


def test_control_characters_are_replaced() -> None:
    prints = Prints()
    prints.take(0, "\x1b[2Jred\tgreen\ud800\n")
    assert prints.close_turn() == {
        0: TurnPrints("\N{REPLACEMENT CHARACTER}[2Jred\tgreen\N{REPLACEMENT CHARACTER}\n")
    }


@pytest.mark.parametrize(
    ("chars", "is_cut"), [(LINE_CHARS_MAX - 1, False), (LINE_CHARS_MAX, False), (LINE_CHARS_MAX + 1, True)]
)
def test_a_long_line_is_cut_and_names_the_bound(chars: int, is_cut: bool) -> None:
    prints = Prints()
    for _ in range(chars):
        prints.take(0, "x")
    prints.take(0, "\n")
    out = prints.close_turn()[0].out
    assert out.startswith("x" * min(chars, LINE_CHARS_MAX))
    assert (f"{LINE_CHARS_MAX:,}" in out) is is_cut
    assert out.count("x") <= LINE_CHARS_MAX


@pytest.mark.parametrize("lines", [TURN_CHARS_MAX // 10 - 1, TURN_CHARS_MAX // 10, TURN_CHARS_MAX // 10 + 1])
def test_the_first_lines_of_a_turn_are_recorded_and_the_bound_is_named(lines: int) -> None:
    prints = Prints()
    prints.take(0, "123456789\n" * lines)
    out = prints.close_turn()[0].out
    assert out.count("123456789\n") == min(lines, TURN_CHARS_MAX // 10)
    assert ("10 characters more" in out and f"{TURN_CHARS_MAX:,}" in out) is (lines * 10 > TURN_CHARS_MAX)
    prints.take(0, "next\n")
    assert prints.close_turn() == {0: TurnPrints("next\n")}


def test_the_first_lines_of_a_battle_are_recorded_and_the_bound_is_named_once() -> None:
    prints, kept = Prints(), ""
    for _ in range(3 * BATTLE_CHARS_MAX // TURN_CHARS_MAX):
        prints.take(0, "123456789\n" * (TURN_CHARS_MAX // 10))
        kept += prints.close_turn().get(0, TurnPrints()).out
    assert BATTLE_CHARS_MAX - TURN_CHARS_MAX <= len(kept) <= BATTLE_CHARS_MAX + 200
    assert kept.count(f"{BATTLE_CHARS_MAX:,}") == 1
    prints.take(1, "another bot\n")
    assert prints.close_turn() == {1: TurnPrints("another bot\n")}


def test_a_flood_costs_only_a_bounded_part_of_each_piece() -> None:
    prints = Prints(10**9)
    piece = "".join(f"{k % 10_000}\n" for k in range(15_000))
    for _ in range(200):
        prints.take(0, piece)
        prints.take(0, "y" * 65_536)
    out = prints.close_turn()[0].out
    assert len(out) < TURN_CHARS_MAX + 200
    assert len(prints.end()[0].out) < LINE_CHARS_MAX + 200


def test_lines_are_named_by_seat_round_and_turn() -> None:
    lines = list(lines_of({1: TurnPrints("b\n", "e\n"), 0: TurnPrints("a\nc\n")}, 2, 7))
    assert lines == [
        PrintedLine(0, 2, 7, "a"), PrintedLine(0, 2, 7, "c"), PrintedLine(1, 2, 7, "b"),
        PrintedLine(1, 2, 7, "e", is_error=True),
    ]  # fmt: skip
