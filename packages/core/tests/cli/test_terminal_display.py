from __future__ import annotations

import io
import logging
import re

import pytest

from turnwright.app.results import Progress, Standing
from turnwright.cli.terminal import REDRAW_S, DisplayHandler, LiveDisplay

TWO = (Standing("A", 5, level=50.0), Standing("B", 9, level=10.0))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("NO_COLOR", "1")


def test_a_terminal_gets_a_bar_and_the_standings_in_place() -> None:
    stream, clock = Terminal(), Clock()
    display = LiveDisplay(stream, clock)
    clock.now = 20.0
    display.show(Progress("playing", 3, 10, 412, 3_000, TWO))
    first = stream.getvalue()
    assert first.startswith("\033[J 20% |")
    assert "round 3/10, turn 412, 0 turns/s\n  B  " in first
    clock.now = 22.0
    display.show(Progress("playing", 3, 10, 500, 6_000, TWO))
    second = stream.getvalue()[len(first) :]
    assert second.startswith("\033[3F\033[J")
    assert "turn 500, 1,500 turns/s\n" in second


def test_a_terminal_is_drawn_at_most_ten_times_a_second() -> None:
    stream, clock = Terminal(), Clock()
    display = LiveDisplay(stream, clock)
    for turn in range(1000):
        clock.now = turn / 1000
        display.show(Progress("playing", 1, 1, turn, turn))
    assert 1 / REDRAW_S - 1 <= stream.getvalue().count("\033[J") <= 1 / REDRAW_S


def test_the_end_is_always_drawn_and_closing_takes_the_picture_away() -> None:
    stream, clock = Terminal(), Clock()
    display = LiveDisplay(stream, clock)
    display.show(Progress("playing", 1, 2, 1, 1, TWO))
    display.show(Progress("over", 2, 2, 1, 1, TWO))
    assert "100% |" in stream.getvalue()
    display.close()
    assert stream.getvalue().endswith("\033[3F\033[J")
    display.close()
    assert stream.getvalue().count("\033[3F") == 2


def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "4")
    stream = Terminal()
    display = LiveDisplay(stream, Clock())
    display.show(Progress("playing", 1, 2, 1, 1, TWO * 10))
    lines = re.sub(r"\033\[[0-9]*[JF]", "", stream.getvalue()).splitlines()
    assert len(lines) <= 3
    assert max(map(len, lines)) < 30


def test_output_that_is_not_a_terminal_gets_a_line_a_round_and_no_escapes() -> None:
    stream = io.StringIO()
    display = LiveDisplay(stream, Clock())
    display.show(Progress("starting", waiting_for=("A",)))
    for turn in range(50):
        display.show(Progress("playing", 1, 2, turn, turn, TWO))
    display.show(Progress("round over", 1, 2, 50, 50, TWO))
    display.show(Progress("over", 2, 2, 50, 100, TWO))
    display.close()
    assert stream.getvalue() == "round 1 of 2, 50 turns: B 9, A 5\n"


def test_a_note_is_printed_above_the_picture_and_stays() -> None:
    stream = Terminal()
    display = LiveDisplay(stream, Clock())
    display.show(Progress("playing", 1, 2, 1, 1, TWO))
    display.note("Walls is slow")
    assert stream.getvalue().endswith("\033[3F\033[JWalls is slow\n")


def test_the_log_speaks_through_the_display_warnings_only_while_it_plays() -> None:
    stream = io.StringIO()
    display = LiveDisplay(stream, Clock())
    log = logging.Logger("test")
    log.addHandler(DisplayHandler(display))
    log.info("info")
    log.warning("early warning")
    log.error("early error")
    display.show(Progress("playing", 1, 2, 1, 1, TWO))
    log.info("info")
    log.warning("Walls is %s", "slow")
    assert stream.getvalue().splitlines() == ["early error", "Walls is slow"]


def test_a_log_whose_reader_has_gone_stops_nothing() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    display = LiveDisplay(Gone(), Clock())
    display.playing = True
    log = logging.Logger("test")
    log.addHandler(DisplayHandler(display))
    log.warning("Walls is slow")
