"""The deadline binds whoever answers, at every speed: programs that think, and what they miss.

A program takes the newest observation when it is free, and needs its time for it. The tests know what each
one thought about and when; the kernel knows only when intents came. Both must say the same.
"""

from __future__ import annotations

import random

import pytest

from tests.kernel.support import MS, battle, drive, intent_for
from tests.parts import few
from turnwright.kernel.pace import Pace
from turnwright.testing.manual_clock import BattleDriver, ScriptedAnswer

T = 30
RULES = {"timeout_ns": T * MS, "max_skipped": 0}
EVERY_TPS = (-1, 1, 20, 30, 999)
SEEDS = 1_000
CHUNK = 100
BOTH = pytest.mark.parametrize("numbered", [False, True], ids=["as the official protocol", "with turnNumber"])
every_tps = pytest.mark.parametrize("tps", EVERY_TPS)


PAUSE = [(70 * MS, Pace.pause), (400 * MS, Pace.resume)]


def of(seed, *what):
    return random.Random(f"deadline/{seed}/{what}")


def storm(seed):
    """Pauses, steps and resumptions at odd moments; in the end it runs."""
    rng = of(seed, "controls")
    some = [(rng.randrange(900) * MS, rng.choice((Pace.pause, Pace.step, Pace.resume))) for _ in range(20)]
    return [*some, (1000 * MS, Pace.resume)]


def missed(it, seat):
    """The turns that a seat was skipped in; nobody is asked in the first."""
    return [log.turn for log in it.log[1:] if seat in log.skipped]


def assert_explained(it):
    """A seat is skipped exactly if its answer to that very turn came after the deadline, or never."""
    opened = {log.turn: log.opened_ns for log in it.log}
    ended = {(t.turn, t.seat): t.ended_ns for t in it.thoughts if t.turn in opened}
    for log, closed in list(zip(it.log, it.closed, strict=True))[1:]:
        for seat in range(3):
            in_time = ended.get((log.turn, seat), 10**18) <= log.opened_ns + T * MS
            assert (seat in log.skipped) != in_time, (log.turn, seat)
            answer = closed.entry.intents.get(seat)
            assert answer == (intent_for("countdown", log.turn, seat) if in_time else None)


# ---- random programs -----------------------------------------------------------------------------------


def any_times(seed):
    """Times to think in µs: mostly in time, some hiccups of up to five timeouts."""

    def think_us(turn, seat):
        rng = of(seed, turn, seat)
        return rng.uniform(T * 1000, 5 * T * 1000) if rng.random() < 0.12 else rng.uniform(1, T * 1000)

    return think_us


@pytest.mark.parametrize("first", few(range(0, SEEDS, CHUNK), 2))
def test_every_skip_is_explained_by_the_times_that_programs_needed(first):
    for seed in range(first, first + CHUNK):
        rng = of(seed, "speed")
        tps, controls = rng.choice(EVERY_TPS), storm(seed) if rng.random() < 0.3 else ()
        runs = [
            drive("countdown", any_times(seed), tps, 20, controls=controls, numbered=numbered, **RULES)
            for numbered in (False, True)
        ]
        for run in runs:
            assert_explained(run)
        plain, told = ([log.digest for log in run.log] for run in runs)
        assert plain == told, f"seed {seed}: the same program fares the same, whether it names turns or not"


def short_hiccups(seed, quickest_tps):
    """Times to think in µs: hiccups end before the next turn of the quickest pace begins."""

    def think_us(turn, seat):
        rng = of(seed, turn, seat)
        longest = 1_000_000 // quickest_tps - 1
        return rng.uniform(T * 1000 + 1, longest) if rng.random() < 0.3 else rng.uniform(1, T * 1000)

    return think_us


@pytest.mark.parametrize("quickest", [20, 30])
@pytest.mark.parametrize("first", few(range(0, SEEDS, 5 * CHUNK), 1))
def test_outcomes_are_equal_at_all_speeds_at_which_no_hiccup_is_longer_than_a_turn(first, quickest):
    skips = 0
    for seed in range(first, first + 5 * CHUNK, 10):
        script, slower = short_hiccups(seed, quickest), [tps for tps in (1, 20, 30) if tps <= quickest]
        runs = [drive("countdown", script, tps, 15, **RULES) for tps in slower]
        runs.append(drive("countdown", script, quickest, 15, controls=PAUSE, **RULES))
        outcomes = [[(log.skipped, log.digest) for log in run.log] for run in runs]
        assert all(outcome == outcomes[0] for outcome in outcomes), f"seed {seed}"
        skips += sum(len(log.skipped) for log in runs[0].log)
    assert skips > 100


# ---- programs that always need too long ----------------------------------------------------------------


@BOTH
@every_tps
@pytest.mark.parametrize("needs_ms", [T + 1e-6, 33.4, 45, 50, 50.5, 60, 70, 100, 1040, "random"])
def test_who_always_needs_more_than_the_timeout_is_skipped_in_every_turn(tps, needs_ms, numbered):
    def think_us(turn, seat):
        needs = of(turn, "slow").uniform(T + 1e-6, 4 * T) if needs_ms == "random" else needs_ms
        return 500 if seat else needs * 1000

    for controls in ((), storm(tps)):
        it = drive("countdown", think_us, tps, 40, controls=controls, numbered=numbered, **RULES)
        assert len(it.log) == 40
        assert missed(it, 0) == list(range(2, 41))
        assert missed(it, 1) == []
        assert all(0 not in closed.entry.intents for closed in it.closed)


@BOTH
@every_tps
@pytest.mark.parametrize("goes_on", ["newest", "restart"])
def test_and_is_disqualified_after_so_many_turns(tps, numbered, goes_on):
    slow = lambda turn, seat: 500 if seat else 45_000  # noqa: E731
    it = drive(
        "countdown", slow, tps, 40, numbered=numbered, goes_on=goes_on, timeout_ns=T * MS, max_skipped=30
    )
    assert [(c.entry.turn, c.entry.disqualified) for c in it.closed if c.entry.disqualified] == [(31, (0,))]


@every_tps
def test_a_timeout_of_30_microseconds_binds_programs_that_need_two_milliseconds(tps):
    it = drive("countdown", lambda turn, seat: 2_000, tps, 20, timeout_ns=30_000, max_skipped=0)
    assert all(log.skipped == (0, 1, 2) for log in it.log[1:])


@every_tps
def test_every_late_answer_is_counted_with_how_late_it_was(tps):
    it = drive("countdown", lambda turn, seat: 500 if seat else 45_000, tps, 40, **RULES)
    answers = [t for t in it.thoughts if t.seat == 0 and t.ended_ns <= it.log[-1].published_ns]
    assert it.battle.skips.seats[0].late == len(answers) >= 18
    opened = {log.turn: log.opened_ns for log in it.log}
    expected = [t.ended_ns - opened[t.turn] - T * MS for t in answers]
    assert [late for c in it.closed for late in c.entry.late_ns.values()] == expected


# ---- one hiccup ----------------------------------------------------------------------------------------


def with_a_hiccup(seed):
    """Times to think in µs for seat 0: up to half the timeout, but in turn 6 up to five timeouts."""
    hiccup = of(seed, "hiccup").uniform(T + 0.1, 5 * T) * 1000

    def think_us(turn, seat):
        if seat:
            return 500
        return hiccup if turn == 6 else of(seed, turn).uniform(100, T * 500)

    return think_us


def passed_in_the_hiccup(it):
    """The turns whose deadline went by while seat 0 thought about turn 6."""
    ended = next(t.ended_ns for t in it.thoughts if t.seat == 0 and t.turn == 6)
    return [log.turn for log in it.log if log.turn >= 6 and log.opened_ns + T * MS < ended]


@BOTH
@every_tps
def test_after_a_hiccup_a_program_has_lost_the_turns_that_passed_and_is_in_step_again(tps, numbered):
    """Back too late for the open turn, it loses that one as well, by its own times."""
    for seed in range(60):
        it = drive("countdown", with_a_hiccup(seed), tps, 25, numbered=numbered, **RULES)
        assert_explained(it)
        passed, lost = passed_in_the_hiccup(it), missed(it, 0)
        assert lost[: len(passed)] == passed
        assert len(lost) - len(passed) <= 1
        assert [t.turn for t in it.thoughts if t.seat == 0][-3:] == [23, 24, 25]


@every_tps
def test_a_program_on_an_official_api_loses_one_more_that_it_leaves_out_itself(tps):
    """They wait for the next observation after a late answer: no server could get one to the open one."""
    more = []
    for seed in range(60):
        think_us = with_a_hiccup(seed)

        def answers(turn, seat, think_us=think_us):
            return [ScriptedAnswer(round(think_us(turn, seat) * 1000), intent_for("countdown", turn, seat))]

        it = BattleDriver(battle("countdown", 3, **RULES), Pace(tps), answers, goes_on="restart")
        it.battle.restarts = {0}
        it.run(25)
        more.append(len(missed(it, 0)) - len(passed_in_the_hiccup(it)))
        own = {log.turn: closed.entry.intents.get(0) for log, closed in zip(it.log, it.closed, strict=True)}
        assert all(own[turn] == intent_for("countdown", turn, 0) for turn in range(16, 26))
    assert set(more) <= {0, 1, 2}
    assert more.count(2) <= 10
