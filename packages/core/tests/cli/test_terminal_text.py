from __future__ import annotations

import io
import json
import sys

import pytest

from turnwright.cli.terminal import (
    Style,
    clean,
    count,
    cut,
    degrade,
    duration,
    join_some,
    print_json,
    table,
    width,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "painted"),
    [
        (Terminal(), {}, "\033[1;31mx\033[0m"),
        (Terminal(), {"NO_COLOR": ""}, "\033[1;31mx\033[0m"),
        (Terminal(), {"NO_COLOR": "1"}, "x"),
        (Terminal(), {"TERM": "dumb"}, "x"),
        (io.StringIO(), {}, "x"),
    ],
)
def test_colours_go_to_terminals_that_want_them(
    stream: io.StringIO, environ: dict[str, str], painted: str
) -> None:
    assert Style(stream, environ).paint("x", "bold", "red") == painted


def test_nothing_is_painted_as_nothing() -> None:
    assert Style(Terminal(), {}).paint("", "bold") == ""


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("坦克", 4), ("e\u0301", 1), ("a\u200bb", 2), ("", 0)]
)
def test_width_counts_columns_not_letters(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("坦克坦克", 5, "坦克…"),
        ("坦克", 3, "坦…"),
        ("ab", 1, "…"),
        ("a", 0, ""),
    ],
)
def test_a_long_text_is_cut_to_the_columns(text: str, columns: int, short: str) -> None:
    assert cut(text, columns) == short
    assert width(short) <= columns


def test_characters_that_could_command_a_terminal_are_replaced() -> None:
    assert clean("a\x1b[2J\nb\tc\u202e") == "a�[2J�b�c�"
    assert clean("Blå 坦克") == "Blå 坦克"


def test_a_table_is_aligned_by_columns() -> None:
    lines = table(("Name", "N"), [("坦克", "1"), ("Walls", "1,000")], "<>")
    assert lines == ["Name       N", "坦克       1", "Walls  1,000"]


def test_a_table_without_rows_is_its_header() -> None:
    assert table(("A", "B"), [], "<<") == ["A  B"]


@pytest.mark.parametrize(
    ("us", "text"),
    [
        (0, "0 µs"),
        (850, "850 µs"),
        (999.7, "1 ms"),
        (1_250, "1.25 ms"),
        (30_000, "30 ms"),
        (999_000, "999 ms"),
        (4_200_000, "4.2 s"),
        (59_000_000, "59 s"),
        (185_000_000, "3 min 5 s"),
    ],
)
def test_durations_read_well(us: float, text: str) -> None:
    assert duration(us) == text


def test_numbers_and_lists_read_well() -> None:
    assert count(1234567) == "1,234,567"
    assert join_some(["a", "b", "c"]) == "a, b, c"
    assert join_some(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
    assert join_some([]) == ""


@pytest.mark.parametrize(
    ("encoding", "line"),
    [("utf-8", '{"name": "坦克 µ"}'), ("latin-1", '{"name": "\\u5766\\u514b \\u00b5"}'), ("ascii", None)],
)
def test_json_keeps_its_letters_wherever_it_goes(
    encoding: str, line: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding, errors="replace"))
    print_json({"name": "坦克 µ"})
    text = written.getvalue().decode(encoding)
    assert json.loads(text) == {"name": "坦克 µ"}
    assert line is None or text == f"{line}\n"


def test_json_preserves_an_undecodable_path(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf-8", errors="replace"))
    print_json({"file": "a\udcff.twr"})
    assert json.loads(written.getvalue()) == {"file": "a\udcff.twr"}


ARENA = "┌──┐ A→ ▏███▍·\n│⢀⠈│ 12 µs ●\n└──┘ cut…"


def written(text: str, encoding: str) -> str:
    data = io.BytesIO()
    stream = io.TextIOWrapper(data, encoding=encoding, newline="\n")
    degrade(stream)
    stream.write(text)
    stream.flush()
    return data.getvalue().decode(encoding)


def test_a_terminal_without_our_letters_shows_something_like_them() -> None:
    assert written(ARENA, "ascii") == "+--+ A> -####.\n|..| 12 us o\n+--+ cut~"


def test_characters_that_a_terminal_has_are_shown() -> None:
    assert written(ARENA, "utf-8") == ARENA
    assert written("12 µs · Blå", "latin-1") == "12 µs · Blå"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_characters_without_an_equivalent_become_question_marks(encoding: str) -> None:
    assert written("a\udcff.twr", encoding) == "a?.twr"
    assert written("坦", "ascii") == "?"


def test_a_stream_that_has_no_encoding_is_left_alone() -> None:
    stream = io.StringIO()
    degrade(stream)
    stream.write(ARENA)
    assert stream.getvalue() == ARENA
