from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from turnwright.app.times import SECONDS_MAX, microseconds, milliseconds, seconds, time_text


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("30ms", 30_000),
        ("1.5ms", 1_500),
        ("500us", 500),
        ("500µs", 500),
        ("500\N{GREEK SMALL LETTER MU}s", 500),
        ("1s", 1_000_000),
        ("0.25 s", 250_000),
        ("-1us", -1),
        ("2m", 120_000_000),
        ("0s", 0),
    ],
)
def test_a_time_is_a_number_with_a_unit(text: str, us: int) -> None:
    assert microseconds(text) == us


def test_a_time_is_in_the_unit_of_its_option() -> None:
    assert (milliseconds("250ms"), milliseconds("0.25s")) == (250, 250)
    assert (seconds("30s"), seconds("30ms"), seconds("1.5s"), seconds("0s")) == (30.0, 0.03, 1.5, 0.0)
    assert (seconds("30m"), seconds("1h"), seconds("2d")) == (1800.0, 3600.0, 172_800.0)


@pytest.mark.parametrize(
    ("read", "text", "readings"),
    [
        (microseconds, "30", "30ms or 30us"),
        (microseconds, "30000", "30000ms or 30000us"),
        (microseconds, "0", "0ms or 0us"),
        (milliseconds, "200", "200ms or 200s"),
        (seconds, "90", "90s or 90m"),
        (seconds, "0.5", "0.5s or 0.5m"),
        (seconds, "-1", "-1s or -1m"),
    ],
)
def test_a_number_without_a_unit_is_refused_with_both_readings(
    read: Callable[[str], float], text: str, readings: str
) -> None:
    with pytest.raises(ValueError, match=rf"{re.escape(repr(text))} .*unit.*{re.escape(readings)}\?"):
        read(text)


@pytest.mark.parametrize("read", [microseconds, milliseconds, seconds])
@pytest.mark.parametrize("text", ["", "ms", "x", "30 minutes", "nan", "inf", "1e3", "1_000", "9" * 5000])
def test_a_text_that_is_not_a_time_is_refused_with_an_example(
    read: Callable[[str], float], text: str
) -> None:
    with pytest.raises(ValueError, match="unit"):
        read(text)


@pytest.mark.parametrize("us", [0, 1, 999, 30_000, 1_500_000, 300_000_000, 3_600_000_000, 86_400_000_000])
def test_a_written_time_can_be_read_back(us: int) -> None:
    assert microseconds(time_text(us)) == us


def test_part_of_a_microsecond_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'0\.5us'.*whole number of us"):
        microseconds("0.5us")


@pytest.mark.parametrize("text", ["-1s", f"{SECONDS_MAX + 1:.0f}s", f"{2 * SECONDS_MAX:.0f}s"])
def test_negative_and_very_long_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="give 0s to 1000000s"):
        seconds(text)
