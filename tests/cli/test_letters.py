from __future__ import annotations

import io

import pytest

from turnwright.cli.terminal import degrade

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


def test_what_a_terminal_has_it_shows() -> None:
    assert written(ARENA, "utf-8") == ARENA
    assert written("12 µs · Blå", "latin-1") == "12 µs · Blå"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_what_is_like_nothing_or_no_text_is_a_question_mark(encoding: str) -> None:
    assert written("a\udcff.twr", encoding) == "a?.twr"
    assert written("坦", "ascii") == "?"


def test_a_stream_that_has_no_encoding_is_left_alone() -> None:
    stream = io.StringIO()
    degrade(stream)
    stream.write(ARENA)
    assert stream.getvalue() == ARENA
