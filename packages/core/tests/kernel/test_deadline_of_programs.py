"""The deadline binds every program at every speed.

The tests know what each program thought about and when. The kernel knows only when intents came. Both must
agree. The models are those of the table in `packages/core/docs/turns-and-deadlines.md`.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from packages.core.tests.kernel.support import MS, SETUPS, battle, drive, intent_for
from tests.parts import few
from turnwright.kernel.on_late_drop import SILENCE_NS_MIN
from turnwright.kernel.pace import Pace
from turnwright.testing.manual_clock import BattleDriver, ScriptedAnswer

T = 30
RULES = {"timeout_ns": T * MS, "max_skipped": 0, "opening_timeout_ns": 10_000 * MS}
TPS = (-1, 30, 999)
MODELS = ("newest", "restart", "handlers", "each")
SEEDS = 1_000
CHUNK = 10
every_tps = pytest.mark.parametrize("tps", TPS)
every_model = pytest.mark.parametrize("goes_on", MODELS)
NEVER = 10**18
HICCUPS_MS = (31, 45, 100, 200, 329, 331, 345, 400, 700, 1500, 2000, 5000)


@pytest.fixture(autouse=True)
def _long_games(monkeypatch):
    monkeypatch.setitem(SETUPS, "countdown", {"pile": 9_000, "turns": 2_000})


def of(seed, *what):
    return random.Random(f"deadline/{seed}/{what}")


def play(think_us, tps, turns, **options):
    return drive("countdown", think_us, tps, turns, **{**RULES, **options})


def missed(it, seat):
    """The turns that a seat was skipped in; no seat is asked in the first."""
    return [log.turn for log in it.log[1:] if seat in log.skipped]


def stale(it, seat):
    """The turns in which an answer to another observation was accepted."""
    taken = [(log.turn, c.entry.intents.get(seat)) for log, c in zip(it.log, it.closed, strict=True)]
    return [turn for turn, x in taken if x is not None and x != intent_for("countdown", turn, seat)]


def back_at_ns(it, seat, turn):
    """The time at which a program has answered `turn`."""
    return next((t.ended_ns for t in it.seats.thoughts if t.seat == seat and t.turn == turn), NEVER)


def missed_after(it, seat, at_ns):
    """The turns that a seat missed and that were not over at `at_ns`."""
    missed_turns = set(missed(it, seat))
    return [log.turn for log in it.log if log.turn in missed_turns and log.collected_ns >= at_ns]


# ---- one hiccup ------------------------------------------------------------------------------------------


def with_a_hiccup(seed, turn_of_hiccup=60, quick_us=T * 500):
    """Times to think in µs for seat 0: a slow start, and one hiccup of any length."""
    rng = of(seed, "hiccup")
    hiccup_us = rng.choice(HICCUPS_MS) * rng.uniform(1, 1.1) * 1000

    def think_us(turn, seat):
        if seat:
            return 500
        if turn == 1:
            return 1_500_000
        return hiccup_us if turn == turn_of_hiccup else of(seed, turn).uniform(100, quick_us)

    return think_us


@pytest.mark.parametrize("first", few(range(0, SEEDS, CHUNK), 2, 6))
def test_a_prompt_bot_is_in_step_at_most_two_turns_after_a_hiccup_of_any_length(first):
    for seed in range(first, first + CHUNK):
        goes_on = MODELS[seed % len(MODELS)]
        quick_us = 1_000 if goes_on == "each" else T * 500
        it = play(with_a_hiccup(seed, quick_us=quick_us), of(seed).choice(TPS), 250, goes_on=goes_on)
        assert len(missed_after(it, 0, back_at_ns(it, 0, 60))) <= 2, f"seed {seed}"
        assert stale(it, 0) == [], f"seed {seed}"
        assert missed(it, 1) == missed(it, 2) == []


@every_model
@every_tps
def test_a_hiccup_shorter_than_a_hold_costs_its_turn_alone(tps, goes_on):
    for hiccup_ms in (31, 60, 100, 200, 300):
        slow = lambda turn, seat, ms=hiccup_ms: 1000 * (ms if (seat, turn) == (0, 6) else 1)  # noqa: E731
        it = play(slow, tps, 20, goes_on=goes_on)
        assert missed(it, 0) == [6]


@every_model
@every_tps
def test_the_issues_program_plays_on(tps, goes_on):
    """Its first answer takes 1.5 s and is late, too: the opening timeout is the turn's."""
    first_us = lambda turn, seat: 1_500_000 if (seat, turn) == (0, 2) else 500  # noqa: E731
    it = play(first_us, tps, 120, goes_on=goes_on, opening_timeout_ns=None, max_skipped=60)
    assert len(missed_after(it, 0, back_at_ns(it, 0, 2))) <= 2
    assert stale(it, 0) == []


# ---- many hiccups ----------------------------------------------------------------------------------------


def many_hiccups(seed, share, longest_ms):
    """Times to think in µs of prompt programs on a busy machine; every seat hiccups."""

    def think_us(turn, seat):
        rng = of(seed, turn, seat)
        is_slow = rng.random() < share and turn > 5
        return 1000 * (rng.uniform(T, longest_ms) if is_slow else rng.uniform(0.1, T / 3))

    return think_us


@pytest.mark.parametrize(("share", "longest_ms", "more"), [(0.03, 150, 1), (0.08, 900, 99)])
@pytest.mark.parametrize("first", few(range(0, SEEDS, CHUNK), 1, 4))
def test_hiccups_of_several_seats_cost_their_turns_and_few_more(first, share, longest_ms, more):
    """Hiccups that use up all patience cost more turns.

    No answer counts for a wrong turn, unless hiccups longer than a hold follow each other: then a few may.
    """
    for seed in range(first, first + CHUNK):
        think_us = many_hiccups(seed, share, longest_ms)
        goes_on = ("newest", "restart", "handlers")[seed % 3]
        it = play(think_us, of(seed).choice(TPS), 150, goes_on=goes_on)
        for seat in range(3):
            assert len(stale(it, seat)) <= (0 if longest_ms < 300 else 5), f"seed {seed}"
            late = [t for t in it.seats.thoughts if t.seat == seat and t.ended_ns - t.began_ns > T * MS]
            passed = sum((t.ended_ns - t.began_ns) // (T * MS) for t in late)
            assert len(missed(it, seat)) <= passed + more * len(late) + 1, f"seed {seed}"


@every_tps
def test_a_bot_that_leaves_observations_unanswered_is_in_step_two_turns_later(tps):
    """As a program of the TypeScript API that missed the wake-up."""

    def answers(turn, seat):
        dropped = seat == 0 and turn > 5 and turn % 90 == 0
        return [] if dropped else [ScriptedAnswer(MS, intent_for("countdown", turn, seat))]

    it = BattleDriver(battle("countdown", 3, **RULES), Pace(tps), answers, goes_on="newest")
    it.run(400)
    assert missed(it, 0) == [turn + k for turn in (90, 180, 270, 360) for k in (0, 1)]
    assert stale(it, 0) == []


# ---- programs that always need too long --------------------------------------------------------------------


NEEDS_MS = (T + 1e-6, 33.4, 34, 45, 61, 100, 299, 315, 331, 345, 400, 700, 1040)


@pytest.mark.parametrize(
    ("needs_ms", "tps", "goes_on"),
    few(product([*NEEDS_MS, "30 to 120", "30 to 1000", "345 or 315"], TPS, MODELS), 27, 90),
)
def test_a_bot_that_always_needs_more_than_the_timeout_is_skipped(tps, needs_ms, goes_on):
    """At most once in hundreds of turns an answer counts, since the bot was silent just before."""

    def think_us(turn, seat):
        if seat:
            return 500
        if isinstance(needs_ms, float | int):
            return 1000 * needs_ms
        rng = of(turn, "slow")
        drawn = {
            "30 to 120": rng.uniform(T + 1e-6, 120),
            "30 to 1000": rng.uniform(T + 1e-6, 1_000),
            "345 or 315": rng.choice((345, 315)),
        }
        return 1000 * drawn[needs_ms]

    it = play(think_us, tps, 200, goes_on=goes_on)
    assert len(it.log) == 200
    assert 199 - len(missed(it, 0)) <= 2, "turn 2 opens the round: its timeout is long"
    assert missed(it, 1) == []


@pytest.mark.parametrize("seed", few(range(200), 2, 12))
def test_a_bot_that_is_slow_by_chance_is_skipped_too(seed):
    def think_us(turn, seat):
        return 500 if seat else 1000 * of(seed, turn).uniform(T + 1e-6, 1_000)

    it = play(think_us, of(seed).choice(TPS), 300, goes_on=of(seed).choice(MODELS))
    assert len(missed(it, 0)) >= 0.95 * 299


# ---- what a hold costs -----------------------------------------------------------------------------------


def held_ns(it):
    return it.battle.collecting.late_rule.held_ns.get(0, 0)


@pytest.mark.parametrize(("tps", "goes_on"), few(product(TPS, MODELS), 5))
def test_a_slow_bot_delays_its_battle_by_less_than_a_second(tps, goes_on):
    for needs_ms in (31, 34, 45, 100, 345, 2_000):
        it = play(lambda turn, seat, ms=needs_ms: 500 if seat else ms * 1000, tps, 300, goes_on=goes_on)
        assert held_ns(it) < 1_000 * MS


@every_tps
def test_holds_delay_a_battle_by_at_most_a_tenth_of_the_time_for_answers(tps):
    """The worst that a malicious bot can do: it is in time until it has earned a hold, then it is silent."""

    def answers(turn, seat):
        silent = seat == 0 and turn > 10 and turn % 25 < 3
        return [] if silent else [ScriptedAnswer(MS // 2, intent_for("countdown", turn, seat))]

    it = BattleDriver(battle("countdown", 3, **RULES), Pace(tps), answers, goes_on="newest")
    it.run(1_500)
    in_time = 1_500 - len(missed(it, 0))
    assert held_ns(it) <= 3 * SILENCE_NS_MIN + in_time * T * MS // 10


@pytest.mark.parametrize("tps", [1, 20])
def test_a_slow_pace_hides_holds(tps):
    it = play(lambda turn, seat: 500 if seat else 45_000, tps, 30)
    assert held_ns(it) == 0
    assert missed(it, 0) == list(range(3, 31))


# ---- programs that name their turns ----------------------------------------------------------------------


@every_tps
@pytest.mark.parametrize("needs_ms", [T + 1e-6, 45, 100])
def test_a_bot_that_names_turns_is_never_held(tps, needs_ms):
    it = play(lambda turn, seat: 500 if seat else needs_ms * 1000, tps, 60, numbered=True)
    assert held_ns(it) == 0
    assert missed(it, 0) == list(range(3, 61))
    assert stale(it, 0) == []


@every_tps
def test_a_bot_that_never_answered_is_never_held(tps):
    it = play(lambda turn, seat: None if seat == 0 else 500, tps, 60, opening_timeout_ns=None)
    assert held_ns(it) == 0


# ---- the deadline itself ---------------------------------------------------------------------------------


@every_tps
def test_a_timeout_of_30_microseconds_binds_programs_that_need_two_milliseconds(tps):
    it = drive("countdown", lambda turn, seat: 2_000, tps, 20, timeout_ns=30_000, max_skipped=0)
    assert all(log.skipped == (0, 1, 2) for log in it.log[1:])


@every_tps
def test_every_late_answer_is_counted_with_how_late_it_was(tps):
    it = play(lambda turn, seat: 500 if seat else 45_000, tps, 40, opening_timeout_ns=None)
    late = [late for c in it.closed for late in c.entry.late_ns.values()]
    assert it.battle.referee.skips.seats[0].late - len(late) in (0, 1)
    assert all(15 * MS <= by <= 16 * MS for by in late)


@every_model
@pytest.mark.parametrize("hiccup_ms", [31, 60, 100, 200])
def test_outcomes_are_equal_at_all_speeds_when_no_hiccup_is_longer_than_a_hold(hiccup_ms, goes_on):
    slow = lambda turn, seat: 1000 * (hiccup_ms if turn % 40 == 7 and seat == 0 else 2)  # noqa: E731
    runs = [play(slow, tps, 150, goes_on=goes_on) for tps in (-1, 1, 20, 30, 999)]
    outcomes = [[(log.skipped, log.digest) for log in run.log] for run in runs]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert missed(runs[0], 0) == [7, 47, 87, 127]
