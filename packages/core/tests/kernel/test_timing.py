"""Document 000, its table and its list of tests, on a manual clock, for every game."""

from __future__ import annotations

import random

import pytest

from packages.core.tests.kernel.support import MS, drive, every_game, intent_for
from tests.parts import few
from turnwright.kernel.deadline import Receipt
from turnwright.kernel.pace import Pace

T10 = 10 * MS
PERIOD_30 = 1_000_000_000 // 30


def phases(it, turn=3):
    """(time until collected, time until published) of a turn, ns from its observation."""
    log = it.log[turn]
    return log.collected_ns - log.opened_ns, log.published_ns - log.opened_ns


def after(us):
    return lambda turn, seat: us


TABLE = [
    # scenario, answers in µs by seat, tps, collected after, published after (ns)
    ("fast bots, slow visual", (8000, 8000, 8000), 30, 8 * MS, PERIOD_30),
    ("fast bots, unlimited", (8000, 8000, 8000), -1, 8 * MS, 8 * MS),
    ("one timeout", (5000, 7000, None), 30, T10 + 1, PERIOD_30),
    ("very slow visual", (8000, 8000, 8000), 10, 8 * MS, 100 * MS),
    ("all instant", (100, 100, 100), -1, 100_000, 100_000),
]


@every_game
@pytest.mark.parametrize(
    ("name", "answers", "tps", "collected", "published"), TABLE, ids=[r[0] for r in TABLE]
)
def test_examples_summary_holds_to_the_nanosecond(game, name, answers, tps, collected, published):
    it = drive(game, lambda turn, seat: answers[seat], tps, 8, timeout_ns=T10, max_skipped=0)
    collected_ns, total_ns = phases(it, 5)
    assert collected_ns == collected
    assert abs(total_ns - published) <= 1
    assert it.log[5].skipped == tuple(s for s, a in enumerate(answers) if a is None)


@every_game
def test_examples_summary_paused_collects_and_never_resolves(game):
    it = drive(game, after(8000), 30, 4, timeout_ns=T10, controls=[(60 * MS, lambda p: p.set_tps(0))])
    before = len(it.log)
    it.run(100, limit_ns=3600 * 10**9)
    assert len(it.log) == before
    assert it.battle.collecting.inbox.collected_ns - it.log[-1].published_ns == 8 * MS
    assert not it.battle.collecting.inbox.missing


@every_game
def test_turn_is_collected_when_the_slowest_of_several_has_answered(game):
    it = drive(game, lambda turn, seat: (1000, 9000, 4000)[seat], -1, 5, timeout_ns=T10)
    assert phases(it)[0] == 9 * MS


@every_game
def test_turn_ends_at_the_deadline_when_one_never_answers(game):
    it = drive(game, lambda turn, seat: None if seat == 1 else 50, -1, 6, timeout_ns=T10, max_skipped=0)
    assert phases(it) == (T10 + 1, T10 + 1)
    assert it.log[3].skipped == (1,)


@every_game
def test_an_answer_at_the_deadline_itself_is_in_time(game):
    it = drive(game, after(10_000), -1, 5, timeout_ns=T10)
    assert all(log.skipped == () for log in it.log)
    assert phases(it)[0] == T10


@every_game
@pytest.mark.parametrize("tps", [-1, 30])
def test_a_timeout_equal_to_the_average_time_skips_only_the_slower_bots(game, tps):
    it = drive(game, lambda turn, seat: (5_000, 10_000, 15_000)[seat], tps, 8, timeout_ns=T10, max_skipped=0)
    assert it.log[1].skipped == (2,)
    assert phases(it, 1)[0] == T10 + 1
    assert {seat for log in it.log for seat in log.skipped} == {2}


EVERY_TPS = (-1, 1, 20, 30, 999)
AS_OFFICIAL = {"on_late": "next", "goes_on": "each", "max_skipped": 0}


@every_game
@pytest.mark.parametrize("tps", EVERY_TPS)
def test_turn_timeout_less_than_average_response_time_many_skipped_turn_events(game, tps):
    """Document 000's test. It is not many, but all."""
    it = drive(game, after(15_000), tps, 8, timeout_ns=T10, max_skipped=0)
    assert [log.skipped for log in it.log[1:]] == [(0, 1, 2)] * 7
    assert {r for log in it.log for _, r in log.receipts} == {Receipt.LATE}
    assert all(not closed.entry.intents for closed in it.closed[1:])


@every_game
def test_very_high_tps_with_slow_bots_is_bound_by_the_bots(game):
    it = drive(game, after(8000), 1000, 8, timeout_ns=T10)
    assert all(phases(it, k) == (8 * MS, 8 * MS) for k in range(2, 8))


@every_game
def test_cadence_is_exact_and_does_not_drift(game):
    it = drive(
        game, lambda turn, seat: random.Random(turn * 9 + seat).uniform(10, 9000), 30, 40, timeout_ns=T10
    )
    first = it.log[1].published_ns
    for k, log in enumerate(it.log[1:]):
        assert abs(log.published_ns - first - k * 1_000_000_000 / 30) <= 1


@every_game
@pytest.mark.parametrize("slow_ms", [34, 40, 66, 90])
def test_an_overrun_is_not_followed_by_a_burst(game, slow_ms):
    it = drive(game, lambda turn, seat: slow_ms * 1000 if turn == 6 else 10, 30, 14, timeout_ns=100 * MS)
    gaps = [b.published_ns - a.published_ns for a, b in zip(it.log[1:], it.log[2:], strict=False)]
    assert min(gaps) >= PERIOD_30
    assert gaps[3] == slow_ms * MS


def outcome(it):
    return [(log.turn, log.skipped, log.digest) for log in it.log]


PAUSES = [(40 * MS, Pace.pause), (900 * MS, Pace.step), (950 * MS, Pace.step), (2000 * MS, Pace.resume)]
CHANGES = [(k * 37 * MS, lambda p, t=t: p.set_tps(t)) for k, t in enumerate((5, 0, 999, -1, 60, 0, 30))]


def random_offsets(seed):
    """Times to think in µs, for a 10 ms timeout and seats that answer each observation in order.

    In time, never, or late by up to 90 % of the timeout. After a late answer a seat answers in time or not at
    all until it has left one out.
    """
    lags: dict[int, bool] = {}
    script: dict[tuple[int, int], float | None] = {}
    for turn in range(1, 200):
        for seat in range(3):
            rng = random.Random(f"{seed}/{turn}/{seat}")
            kind = rng.random()
            if kind < 0.15:
                script[turn, seat], lags[seat] = None, False
            elif kind < 0.35 and not lags.get(seat):
                script[turn, seat], lags[seat] = rng.uniform(10_001, 19_000), True
            else:
                script[turn, seat] = rng.uniform(1, 9_999)
    return lambda turn, seat: script[turn, seat]


def hiccups(seed):
    """Times to think in µs, for a 10 ms timeout: after a hiccup a seat still makes its next deadline.

    Both together take two timeouts at most, so even at full speed it is in step again.
    """

    def think_us(turn, seat):
        kind = random.Random(f"{seed}/{turn}/{seat}").random
        before, now = (random.Random(f"{seed}/{t}/{seat}").random() < 0.15 for t in (turn - 1, turn))
        if now and not before:
            return 10_001 + 9_000 * random.Random(f"late {seed}/{turn}/{seat}").random()
        return (990 if before else 9_999) * kind()

    return think_us


@every_game
@pytest.mark.parametrize("seed", few(range(12), 4))
def test_deadline_and_outcome_do_not_depend_on_tps(game, seed):
    """The same programs: the same turns at every speed and through pauses, whether they name turns or not."""
    script, rules = hiccups(seed), {"timeout_ns": T10, "max_skipped": 0}
    runs = [drive(game, script, tps, 25, **rules) for tps in EVERY_TPS]
    runs += [drive(game, script, 30, 25, controls=controls, **rules) for controls in (PAUSES, CHANGES)]
    runs.append(drive(game, script, -1, 25, numbered=True, **rules))
    assert any(log.skipped for log in runs[0].log)
    assert all(outcome(run) == outcome(runs[0]) for run in runs)


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_tps_changes_no_outcome_with_on_late_next_for_answers_in_order(game, seed):
    offsets = random_offsets(seed)
    runs = [drive(game, offsets, tps, 25, timeout_ns=T10, **AS_OFFICIAL) for tps in (-1, 1, 30, 999)]
    runs += [
        drive(game, offsets, 30, 25, timeout_ns=T10, controls=c, **AS_OFFICIAL) for c in (PAUSES, CHANGES)
    ]
    assert any(log.skipped for log in runs[0].log)
    assert all(outcome(run) == outcome(runs[0]) for run in runs)
    late = [[sorted(closed.entry.late_ns) for closed in run.closed] for run in runs]
    assert any(late[0])
    assert all(seats == late[0] for seats in late)


@every_game
@pytest.mark.parametrize("tps", EVERY_TPS)
def test_a_late_intent_does_nothing_at_every_tps(game, tps):
    """One seat misses turn 4 by half a timeout. It gets a message, and turn 5 has its own answer."""
    late = lambda turn, seat: 15_000 if (turn, seat) == (4, 1) else 12  # noqa: E731
    it = drive(game, late, tps, 7, timeout_ns=T10)
    assert [log.skipped for log in it.log[3:6]] == [(1,), (), ()]
    assert it.closed[4].entry.intents[1] == intent_for(game, 5, 1)
    told = [(log.turn, receipt) for log in it.log for seat, receipt in log.receipts if seat == 1]
    assert [receipt for _, receipt in told].count(Receipt.LATE) == 1
    assert [c.entry.late_ns for c in it.closed if c.entry.late_ns] == [{1: 5 * MS}]
    assert it.battle.referee.skips.seats[1].late == 1


@every_game
@pytest.mark.parametrize("tps", [-1, 1, 30, 999])
def test_a_late_intent_answers_the_next_observation_with_on_late_next(game, tps):
    late = lambda turn, seat: 15_000 if (turn, seat) == (4, 1) else 12  # noqa: E731
    it = drive(game, late, tps, 7, timeout_ns=T10, **AS_OFFICIAL)
    assert [log.skipped for log in it.log[3:6]] == [(1,), (), ()]
    entry = it.closed[4].entry
    assert entry.intents[1] == intent_for(game, 4, 1)
    assert entry.late_ns == {1: 5 * MS}
    told = [receipt for log in it.log for seat, receipt in log.receipts if seat == 1]
    assert told.count(Receipt.LATE) == 1
    assert it.battle.referee.skips.seats[1].late == 1


@every_game
def test_a_timeout_of_one_microsecond_works(game):
    it = drive(game, after(1), -1, 6, timeout_ns=1000)
    assert all(log.skipped == () for log in it.log)
    it = drive(game, after(2), -1, 4, timeout_ns=1000, max_skipped=0)
    assert it.log[1].skipped == (0, 1, 2)
