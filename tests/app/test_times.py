from __future__ import annotations

from collections.abc import Callable

import pytest

from turnwright.app.times import SECONDS_MAX, microseconds, milliseconds, seconds


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
    with pytest.raises(ValueError, match="unit"):
        read(text)


def test_part_of_a_microsecond_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'0\.5us'.*whole number of us"):
        microseconds("0.5us")


@pytest.mark.parametrize("text", ["-1", f"{SECONDS_MAX + 1:.0f}", f"{2 * SECONDS_MAX:.0f}s"])
def test_nobody_waits_below_nothing_or_for_weeks(text: str) -> None:
    with pytest.raises(ValueError, match="give 0 to 1000000 seconds"):
        seconds(text)
