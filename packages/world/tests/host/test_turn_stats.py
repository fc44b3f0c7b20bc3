"""Statistics of turns have a bound."""

from __future__ import annotations

from packages.core.tests.messages import missing
from turnwright_world.host.turn_stats import OVERRUNS_KEPT, TURNS_KEPT, MissedTurns, Overrun, TurnStats


def test_statistics_remember_only_the_last_turns_and_overruns() -> None:
    figures = TurnStats()
    for turn in range(TURNS_KEPT + 1):
        figures.late_ns.append(turn)
        figures.used_ns.append(turn)
        figures.overruns.append(Overrun(turn, turn, 0, {}, ()))
    assert (figures.late_ns[0], len(figures.late_ns)) == (1, TURNS_KEPT)
    assert (figures.used_ns[0], len(figures.used_ns)) == (1, TURNS_KEPT)
    assert [one.turn for one in figures.overruns] == list(range(TURNS_KEPT + 1))[-OVERRUNS_KEPT:]


def late(turn: int, late_us: int, skipped: int = 0) -> Overrun:
    return Overrun(turn, late_us * 1_000, skipped, {"tell": 2_000_000}, ((7, "rat", 3_000_000),))


def test_late_turns_are_reported_once_a_second_with_their_number() -> None:
    missed, second = MissedTurns(), 1_000_000_000
    pace_ns = 10_000_000
    missed.note(late(1, 999), pace_ns)
    assert missed.take(0) is None, "nobody has to act on it"
    missed.note(late(2, 1_000), pace_ns)
    assert not missing(missed.take(0), "turn 2", "1.0 ms late", "tell 2.0 ms", "rat 7 3 ms")
    assert missed.take(5 * second) is None, "it is told once"
    missed.note(late(3, 5_000), pace_ns)
    assert missed.take(0) is None, "another one within the same second waits"
    missed.note(late(4, 31_000, 2), pace_ns)
    missed.note(late(5, 2_000, 1), pace_ns)
    text = missed.take(second)
    assert text is not None
    assert not missing(text, "3 turns missed", "turn 4", "31.0 ms late", "3 turns were left out")
    missed.note(late(6, 9_000), pace_ns)
    assert missed.take(second + 1) is None
    assert missed.take(second + 1, last=True) is not None, "when the world rests, nothing waits"


def test_a_turn_that_worked_longer_than_a_turn_is_always_reported() -> None:
    missed, pace_ns = MissedTurns(), 100_000_000
    missed.note(Overrun(1, 0, 0, {"resolve": 60_000_000, "tell": 40_000_000}, ()), pace_ns)
    assert missed.take(0) is None
    missed.note(Overrun(2, 0, 0, {"resolve": 60_000_000, "tell": 40_000_001}, ()), pace_ns)
    assert not missing(missed.take(0), "turn 2", "100.0 ms", "resolve 60.0 ms", "tell 40.0 ms")
