"""A bot that is often slow is named: ten of the last hundred turns, and then counting begins anew."""

from __future__ import annotations

from turnwright.host.latency import SLOW_SKIPS, SLOW_WINDOW, SeatTiming, Slowness


def test_ten_misses_within_the_window_are_too_many():
    slowness = Slowness(2)
    said = [slowness.note(0, turn) for turn in range(1, SLOW_SKIPS + 1)]
    assert said == [0] * (SLOW_SKIPS - 1) + [SLOW_SKIPS]


def test_after_the_warning_counting_begins_anew():
    slowness = Slowness(1)
    said = [turn for turn in range(1, 51) if slowness.note(0, turn)]
    assert said == [10, 20, 30, 40, 50]


def test_misses_spread_over_more_than_the_window_are_not_too_many():
    slowness = Slowness(1)
    gap = SLOW_WINDOW // (SLOW_SKIPS - 1) + 1
    assert not any(slowness.note(0, turn) for turn in range(1, 50 * gap, gap))


def test_the_window_ends_exactly_where_it_says():
    for last, said in ((SLOW_WINDOW, SLOW_SKIPS), (SLOW_WINDOW + 1, 0)):
        slowness = Slowness(1)
        for turn in range(1, SLOW_SKIPS):
            slowness.note(0, turn)
        assert slowness.note(0, last) == said


def test_who_never_answered_is_not_called_slow():
    timing = SeatTiming()
    assert Slowness.text("Mute", 10, timing) == (
        "Mute has never answered so far: it missed 10 of the last 100 turns"
    )
    timing.answers.add(1_000_000)
    assert Slowness.text("Mute", 10, timing).startswith("Mute is slow: ")


def test_seats_are_counted_apart():
    slowness = Slowness(2)
    for turn in range(1, SLOW_SKIPS):
        slowness.note(0, turn)
        slowness.note(1, turn)
    assert slowness.note(0, SLOW_SKIPS)
    assert slowness.note(1, SLOW_SKIPS)


def test_the_warning_says_who_how_often_and_how_slow():
    timing = SeatTiming()
    for ms in range(1, 101):
        timing.answers.add(ms * 1_000_000)
    text = Slowness.text("Turtle", 12, timing)
    assert text.startswith("Turtle is slow: it missed 12 of the last 100 turns")
    assert "took up to 9" in text
    assert "\n" not in text
