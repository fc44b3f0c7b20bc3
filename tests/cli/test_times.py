from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest

from turnwright.cli.parser import build_parser, parse
from turnwright.cli.times import SECONDS_MAX, microseconds, milliseconds, seconds


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("30000", 30_000),
        ("30ms", 30_000),
        ("1.5ms", 1_500),
        ("500us", 500),
        ("500µs", 500),
        ("500\N{GREEK SMALL LETTER MU}s", 500),
        ("1s", 1_000_000),
        ("0.25 s", 250_000),
        ("-1", -1),
        ("0", 0),
    ],
)
def test_a_time_has_a_unit_or_is_in_microseconds(text: str, us: int) -> None:
    assert microseconds(text) == us


def test_a_bare_number_is_in_the_unit_of_its_option() -> None:
    assert (milliseconds("250"), milliseconds("0.25s")) == (250, 250)
    assert (seconds("30"), seconds("30ms"), seconds("1.5")) == (30.0, 0.03, 1.5)


@pytest.mark.parametrize("read", [microseconds, milliseconds, seconds])
@pytest.mark.parametrize(
    "text", ["", "ms", "x", "30m", "30 minutes", "nan", "inf", "1e3", "1_000", "9" * 5000]
)
def test_what_is_no_time_is_refused_with_an_example(read: Callable[[str], float], text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no time: give a number with a unit"):
        read(text)


def test_part_of_a_microsecond_is_refused() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"'0\.5us' is no whole number of us"):
        microseconds("0.5us")


@pytest.mark.parametrize("text", ["-1", f"{SECONDS_MAX + 1:.0f}", f"{2 * SECONDS_MAX:.0f}s"])
def test_nobody_waits_below_nothing_or_for_weeks(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="give 0 to 1000000 seconds"):
        seconds(text)


def test_the_timeouts_of_a_battle_take_units() -> None:
    words = ["battle", "A", "B", "--turn-timeout", "20ms", "--opening-timeout=2s", "--ready-timeout", "500ms"]
    said = parse(build_parser(words), words)
    assert (said.turn_timeout, said.opening_timeout, said.ready_timeout) == (20_000, 2_000_000, 500_000)
    words = ["serve", "--turn-timeout", "20ms", "--opening-timeout", "1s"]
    said = parse(build_parser(words), words)
    assert (said.turn_timeout, said.opening_timeout) == (20_000, 1_000_000)
