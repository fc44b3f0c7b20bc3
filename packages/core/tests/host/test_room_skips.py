"""Answers in time, late, early, double and missing, and the cost of a miss."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from packages.core.tests.host.support import MS, TIMEOUT, Room, S, duel, quick_setup
from packages.core.tests.messages import missing
from packages.core.tests.rounds import Rounds
from turnwright.host.generic_protocol import GenericProtocol
from turnwright.host.lobby import LIST_GAP_NS
from turnwright.host.protocol import RemoteAddress
from turnwright.kernel.verify import verify

US = 1_000


def skips(client):
    return [event["turn"] for event in client.of("skipped")]


def points(client):
    return client.last("observation")["observation"]["points"]


def turn(room):
    return room.host.room.battle.turn


def answers(*bots, **fields):
    for bot in bots:
        bot.say("intent", **fields)


# ---- who never answers -----------------------------------------------------------------------------------


def test_a_battle_without_any_answer_ends_with_its_results():
    room, *_ = duel(max_skipped=0, unanswered_turns_max=20)
    room.run(18 * TIMEOUT)
    assert not room.server.over
    room.run(2 * TIMEOUT)
    summary = room.server.over[0]
    assert (summary.ending, summary.turns, summary.unanswered) == ("aborted", 20, True)
    assert not missing(summary.why, "no participant", "answered")
    assert [seat.never_answered for seat in summary.seats] == [True, True]
    assert len(summary.seats) == 2


@pytest.mark.parametrize("late", [False, True])
def test_one_answer_of_any_bot_even_a_late_one_lets_the_battle_continue(late):
    room, _, one, _ = duel(max_skipped=0, unanswered_turns_max=20)
    room.run(TIMEOUT + 1 if late else 0)
    answers(one)
    room.run(S + 30 * TIMEOUT)
    assert not room.server.over
    assert turn(room) > 20


def test_a_server_without_a_bound_continues_without_answers():
    room, *_ = duel(max_skipped=0)
    room.run(400 * TIMEOUT)
    assert not room.server.over
    assert turn(room) > 390


def test_a_seat_that_never_answered_is_distinguished_from_a_late_one():
    room, _, one, _ = duel(max_skipped=3)
    answers(one)
    room.run(S)
    assert [seat.never_answered for seat in room.server.over[0].seats] == [False, True]


def test_a_bot_with_refused_answers_learns_what_was_expected():
    room, _, one, _ = duel(max_skipped=3)
    for _ in range(20):
        answers(one, intent={"x": "y"})
        room.run(TIMEOUT)
    refused, mute = room.server.over[0].seats
    assert refused.malformed >= 3
    assert mute.malformed == 0
    assert not missing(refused.failure.full_text, "no valid answers", "{'x': 'y'}", "0 to 1000000")
    assert refused.failure.advice != mute.failure.advice
    assert not missing(mute.failure.full_text, "in turn", "no answer in time")


def test_refusals_before_a_valid_answer_are_not_the_reason_of_the_failure():
    room, _, one, _ = duel(max_skipped=3)
    answers(one, intent={"x": "y"})
    room.run(TIMEOUT)
    answers(one)
    room.run(S)
    assert not room.server.over[0].seats[0].failure.is_refused


# ---- skipped turns -------------------------------------------------------------------------------------


def test_a_bot_that_misses_a_turn_learns_of_it_before_the_next_one():
    room, boss, one, two = duel()
    answers(one)
    room.run(TIMEOUT + 1)
    assert turn(room) == 2
    assert skips(one) == []
    assert two.kinds()[-2:] == ["skipped", "observation"]
    assert skips(two) == [1]
    assert boss.of("skipped") == []


def reasons(client):
    return [event["reason"] for event in client.of("skipped")]


def test_a_skip_is_sent_with_its_reason():
    room, _, one, two = duel(max_skipped=0)
    for _ in range(4):
        answers(one, intent={"x": "y"})
        room.run(TIMEOUT)
    assert reasons(one) == ["refused"] * len(skips(one))
    assert reasons(two) == ["no answer"] * len(skips(two))
    assert len(skips(one)) == len(skips(two)) >= 3


def test_a_skip_of_a_late_answer_has_the_reason_late():
    room, _, one, two = duel(max_skipped=0)
    for _ in range(4):
        answers(one)
        room.run(TIMEOUT + 1)
        answers(two, turn=turn(room) - 1)
    assert reasons(two) == ["no answer", "late", "late", "late"]


def test_a_turn_lasts_until_the_deadline_to_the_nanosecond():
    room, *_ = duel()
    room.run(TIMEOUT)
    assert turn(room) == 1
    room.run(1)
    assert turn(room) == 2


def test_a_turn_ends_when_all_have_answered():
    room, _, one, two = duel()
    room.run(3 * MS)
    answers(one)
    assert room.run().host.room.battle.turn == 1
    answers(two)
    assert room.run().host.room.battle.turn == 2


def test_no_bot_misses_turn_one_of_a_round():
    """No bot can answer before it. Here no bot answers anything: all die in turn 3 of each round."""
    room, _, one, two = duel(max_skipped=1, record=True, setup={"rounds": 3})
    room.run(S)
    assert [(e.turn, e.skipped) for e in room.record().turns] == [
        (1, ()),
        (2, (0, 1)),
        (3, (0, 1)),
        (4, ()),
        (5, (0, 1)),
        (6, (0, 1)),
        (7, ()),
        (8, (0, 1)),
        (9, (0, 1)),
    ]
    assert skips(one) == skips(two) == [1, 1, 1]
    assert one.ticks[:2] == [(1, 1), (1, 2)]


@pytest.mark.parametrize(("policy", "taken"), [("repeat", [8, 16, 24]), ("idle", [8, 8, 8])])
def test_a_miss_executes_the_last_intent_again_or_nothing(policy, taken):
    room, _, one, two = duel(on_skip=policy)
    two.answer = lambda seen: {}
    answers(one, intent=8)
    answers(two)
    seen = []
    for _ in taken:
        room.run()
        seen.append(points(one))
        room.run(TIMEOUT + 1 + 300 * MS)
    assert seen == taken


def test_a_seat_that_never_answered_does_nothing():
    room, _, one, two = duel(on_skip="repeat", max_skipped=0)
    two.answer = lambda seen: {}
    answers(two)
    room.run(5 * TIMEOUT)
    assert points(one) == 0


# ---- early, late and double ----------------------------------------------------------------------------


def test_an_answer_at_the_deadline_itself_is_in_time():
    room, _, one, two = duel()
    answers(two)
    one.post("intent", TIMEOUT)
    room.run(TIMEOUT + 1)
    assert turn(room) == 2
    assert skips(one) == []


@pytest.mark.parametrize("tps", [-1, 1, 30, 50, 999])
def test_a_late_answer_does_nothing_and_is_counted_with_how_late_it_was(tps):
    room, _, one, two = duel(tps=tps, max_skipped=0, record=True)
    two.answer, two.after_ns = (lambda seen: {}), 10 * US
    answers(two)
    thinker(room, one, lambda turn: TIMEOUT + MS if turn == 1 else 10 * US)
    while turn(room) < 5:
        room.run(TIMEOUT // 2)
    turns = room.record().turns
    assert [e.turn for e in turns if e.skipped] == [2]
    assert [e.late_ns for e in turns if e.late_ns] == [{0: MS}]
    assert {e.turn - e.intents[0] for e in turns if 0 in e.intents} == {1}
    assert room.host.room.battle.referee.skips.seats[0].late == 1
    timing = room.host.room.seat_timing[0]
    assert (timing.late_by.count, timing.late_by.max_ns, timing.answers.max_ns) == (1, MS, TIMEOUT + MS)


@pytest.mark.parametrize("tps", [-1, 1, 30, 999])
def test_every_late_answer_is_in_the_latency_table(tps):
    """It always needs one and a half timeouts: 60 answers, 60 of them late, none of them in time."""
    room, _, one, two = duel(tps=tps, max_skipped=0, record=True)
    two.answer, two.after_ns = (lambda seen: {}), 10 * US
    answers(two)
    thinker(room, one, lambda turn: TIMEOUT * 3 // 2)
    while room.host.room.seat_timing[0].answers.count < 60:
        room.run(TIMEOUT)
    timing, entries = room.host.room.seat_timing[0], room.record().turns
    assert timing.late_by.count == room.host.room.battle.referee.skips.seats[0].late == 60
    assert timing.answers.percentile_ns(1) >= TIMEOUT * 3 // 2
    assert timing.late_by.percentile_ns(1) >= TIMEOUT // 2
    assert all(e.skipped == (0,) for e in entries[1:])


def thinker(room, bot, needs_ns):
    """Let a bot think for needs_ns(turn) about the newest turn whenever it is free, from the open turn on.

    Its intents do not name the turn that they answer, but their value is its number.
    """
    thinks_of, newest = [0], [0]

    def think(number):
        thinks_of[0], newest[0] = number, 0
        if number:
            room.server.at(room.now_ns + needs_ns(number), lambda: answered(number))

    def answered(number):
        bot.post("intent", 0, intent=number)
        think(newest[0])

    def hear(seen):
        newest[0] = seen["turn"]
        if not thinks_of[0]:
            think(newest[0])

    bot.answer = hear
    think(turn(room))


def test_a_late_answer_counts_for_the_next_turn_where_the_rules_say_so():
    room, _, one, two = duel(tps=50, max_skipped=0, record=True, on_late="next")
    one.after_ns = two.after_ns = 10 * US
    two.answer = lambda seen: {}
    answers(two)
    one.post("intent", TIMEOUT + MS, intent=1)
    room.run(21 * MS)
    assert (turn(room), skips(one), points(one)) == (2, [1], 0)
    room.run(20 * MS)
    assert (turn(room), skips(one), points(one)) == (3, [1], 1)
    entry = room.record().turns[2]
    assert entry.late_ns == {0: MS}
    assert entry.skipped == ()
    assert room.host.room.battle.referee.skips.seats[0].late == 1
    timing = room.host.room.seat_timing[0]
    assert (timing.late_by.max_ns, timing.answers.max_ns) == (MS, TIMEOUT + MS)


def test_an_intent_before_the_first_turn_counts_for_nothing():
    room = Room(tps=0)
    boss, bots = room.operator(), room.bots(2)
    room.start(boss, bots)
    bots[0].say("intent", intent=8)
    boss.say("resume")
    room.run()
    assert room.host.room.battle.collecting.inbox.missing == {0, 1}
    assert points(bots[0]) == 0


NUMBERED = [
    # the turn it names, while turn 2 is open, and whether it counts
    (2, True),
    (1, False),
    (3, False),
    (0, False),
    (-7, False),
    (2**62, False),
]


@pytest.mark.parametrize(("number", "counts"), NUMBERED)
def test_an_intent_that_names_its_turn_counts_for_that_turn_alone(number, counts):
    room, _, one, two = duel()
    answers(one, two)
    room.run()
    one.say("intent", intent=1, turn=number)
    assert room.host.room.battle.collecting.inbox.missing == ({1} if counts else {0, 1})
    assert room.host.room.battle.referee.skips.seats[0].late == 0, "its deadline has not passed"


def test_a_late_numbered_intent_is_dropped_and_not_kept():
    room, _, one, two = duel(tps=50, max_skipped=0)
    two.answer = lambda seen: {}
    answers(two)
    one.post("intent", TIMEOUT + MS, intent=1, turn=1)
    room.run(41 * MS)
    assert turn(room) == 3
    assert skips(one) == [1, 2]
    assert points(one) == 0


class ShortRounds(Rounds):
    """The first round has four turns, and each later round has two."""

    def resolve(self, state, intents, streams):
        events = super().resolve(state, intents, streams)
        state.ended = state.turn >= (4 if state.round == 1 else 2)
        return events


@pytest.mark.parametrize(("number", "is_late"), [(4, True), (2, True), (5, False)])
def test_a_late_intent_may_name_a_turn_of_any_earlier_round(number, is_late):
    rules = {"protocol": GenericProtocol(ShortRounds(), "test 1"), "new_game": lambda tolerant: ShortRounds()}
    room, _, one, two = duel(setup={"rounds": 4}, max_skipped=0, **rules)
    two.answer = lambda seen: {}
    answers(two)
    while one.ticks[-1] < (3, 1):
        room.run(MS)
    one.say("intent", turn=number)
    assert room.host.room.battle.referee.skips.seats[0].late == is_late


def test_the_order_of_arrival_between_seats_changes_nothing():
    def play(order):
        room = Room(record=True)
        boss, bots = room.operator(), room.bots(4)
        room.start(boss, bots)
        for k in range(10):
            for seat in order:
                bots[seat].say("intent", intent=seat + k)
            room.run()
        return [e.digest for e in room.record().turns]

    orders = [random.Random(k).sample(range(4), 4) for k in range(8)]
    first = play([0, 1, 2, 3])
    assert len(first) == 11
    assert all(play(order) == first for order in orders)


# ---- the server's own lateness -------------------------------------------------------------------------


@pytest.mark.parametrize("alarm_first", [True, False])
@pytest.mark.parametrize("stall_ms", [0, 5, 9, 11, 20, 200])
def test_answers_that_waited_unread_during_a_stall_are_in_time(stall_ms, alarm_first):
    room, _, one, two = duel(max_skipped=1)
    room.server.alarm_first = lambda: alarm_first
    one.post("intent", 2 * MS)
    two.post("intent", TIMEOUT)
    room.server.stall(stall_ms * MS)
    room.run(TIMEOUT)
    assert turn(room) == 2
    assert skips(one) == skips(two) == []
    assert room.logged("warning") == []


@pytest.mark.parametrize("alarm_first", [True, False])
def test_a_late_loop_is_noted_once_a_turn_and_skips_only_silent_bots(alarm_first):
    room, _, one, two = duel(tps=60)
    room.server.alarm_first = lambda: alarm_first
    one.post("intent", 2 * MS)
    room.server.stall(TIMEOUT + 20 * MS)
    room.run()
    room.run(50 * MS)
    assert skips(one)[:1] != [1]
    assert skips(two)[0] == 1
    assert room.host.room.timing.late_turns == 1


def test_the_record_says_by_how_much_the_server_was_late_and_how_long_answers_took():
    room, _, one, two = duel(record=True, record_checks=True, tps=60)
    one.post("intent", 2 * MS)
    room.server.stall(TIMEOUT + 20 * MS)
    room.run()
    one.answer = lambda seen: {"turn": seen["turn"]}
    two.answer = lambda seen: one.answer(seen) if seen["turn"] % 5 else None
    answers(one, two)
    room.run(3 * S)
    turns = room.record().turns
    late = [(entry.turn, entry.server_late_ns) for entry in turns if entry.server_late_ns]
    assert [turn for turn, _ in late] == [2]
    assert late[0][1] >= 20 * MS
    codes = [entry.answered for entry in turns if entry.answered]
    assert len(codes) >= 3
    assert set(codes[1:]) == {"JJ"}  # 1 ms


def test_an_alarm_that_rings_a_little_late_marks_no_turn():
    room, _, one, _two = duel(max_skipped=0)
    room.server.alarm_late_ns = lambda: MS
    answers(one)
    room.run(S + 10 * TIMEOUT)
    assert turn(room) > 5
    assert room.host.room.timing.late_turns == 0


def test_a_breakpoint_is_not_the_servers_lateness():
    room, boss, one, _two = duel(max_skipped=0)
    boss.say("policy", seat=0, breakpoints=True)
    room.run(S)
    answers(one)
    room.run()
    assert turn(room) == 2
    boss.say("policy", seat=0, breakpoints=False)
    room.run(3 * TIMEOUT)
    assert room.host.room.timing.late_turns == 0


def test_each_seat_has_its_own_deadline_from_the_write_of_its_observation():
    """Writes take a millisecond each here: the second seat's deadline is a millisecond later."""
    room = Room(max_skipped=0, record=True)
    room.server.write_ns = lambda: MS
    boss, bots = room.operator(), room.bots(3)
    room.start(boss, bots)
    stamps = [bot.stamps_ns[-1] for bot in bots]
    assert [b - a for a, b in itertools.pairwise(stamps)] == [MS, MS]
    first = stamps[0]
    for bot, stamp in zip(bots, stamps, strict=True):
        bot.post("intent", stamp + TIMEOUT - room.now_ns + 2 * (bot is bots[1]))
    room.server.run(first + 2 * MS + TIMEOUT + 100)
    assert [e.skipped for e in room.record().turns[:2]] == [(), (1,)]
    assert room.record().turns[1].turn == 2


def test_the_last_deadline_is_that_of_the_missing_seats():
    """The seat with the latest deadline answers: the turn ends at the deadline of the one that does not."""
    room = Room(max_skipped=0)
    room.server.write_ns = lambda: 3 * MS
    boss, bots = room.operator(), room.bots(2)
    room.start(boss, bots)
    stamps = [bot.stamps_ns[-1] for bot in bots]
    answers(bots[1])
    room.server.run(stamps[0] + TIMEOUT)
    assert turn(room) == 1
    room.run(1)
    assert turn(room) == 2
    assert room.host.room.timing.late_turns == 0


@pytest.mark.parametrize("alarm_first", [True, False])
def test_a_stall_over_one_seats_deadline_alone_is_not_billed_to_it(alarm_first):
    room = Room(max_skipped=0, record=True)
    room.server.alarm_first = lambda: alarm_first
    room.server.write_ns = lambda: 4 * MS
    boss, bots = room.operator(), room.bots(2)
    room.start(boss, bots)
    stamps = [bot.stamps_ns[-1] for bot in bots]
    bots[0].post("intent", stamps[0] + TIMEOUT - MS - room.now_ns, intent=1)
    room.server.stall(stamps[0] + TIMEOUT + MS - room.now_ns)
    room.server.run(stamps[1] + TIMEOUT + 1)
    (_, entry) = room.record().turns
    assert entry.skipped == (1,)
    assert entry.intents[0] == 1


def test_server_lateness_never_skips_a_bot_in_a_long_battle():
    """The loop stalls again and again. All bots answer in time, and none is ever skipped."""
    rng = random.Random(5)
    room, _, one, two = duel(plays=True, tps=-1, record=True)
    for bot in (one, two):
        bot.answer = lambda seen: {"intent": 1}
    room.server.alarm_first = lambda: rng.random() < 0.5
    for _ in range(2000):
        one.after_ns, two.after_ns = rng.randint(0, TIMEOUT), rng.randint(0, TIMEOUT)
        room.server.step()
        if rng.random() < 0.2:
            room.server.stall(rng.randint(0, 40 * MS))
    assert len(room.record().turns) > 500
    assert all(not e.skipped for e in room.record().turns)


# ---- disqualification ----------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 3, 10, 30])
def test_max_skipped_misses_in_a_row_disqualify_and_the_seat_is_out_in_the_next_turn(most):
    room, boss, one, _two = duel(max_skipped=most, record=True, tps=-1)
    one.answer = lambda seen: {}
    answers(one)
    room.run((most + 3) * (TIMEOUT + MS))
    disqualified = [e.turn for e in room.record().turns if e.disqualified]
    assert disqualified == [most + 1]
    deaths = [f["turn"] for f in boss.of("frame") if any(e["type"] == "died" for e in f.get("events", ()))]
    assert deaths == [most + 2]
    assert room.phase == "stopped"
    (summary,) = room.server.over
    assert [s.disqualified for s in summary.seats] == [False, True]
    assert summary.seats[1].skipped == most + 1
    assert not missing(room.logged("error")[-1], "two", "disqualified", "turn")
    assert verify(room.record(), room.config.new_game(False)).ok


def test_an_answer_resets_the_count():
    room, _, one, two = duel(max_skipped=3)
    one.answer = lambda seen: {}
    two.answer = lambda seen: {"turn": seen["turn"]} if seen["turn"] % 3 == 0 else None
    answers(one)
    room.run(S)
    assert turn(room) > 60
    assert not room.host.room.battle.referee.skips.seats[1].disqualified


def test_zero_never_disqualifies():
    room, _, one, _two = duel(max_skipped=0)
    one.answer = lambda seen: {}
    answers(one)
    room.run(S)
    assert turn(room) > 80
    assert room.host.room.battle.referee.skips.seats[1].skipped > 80


# ---- programs that leave -------------------------------------------------------------------------------

POLICIES = [
    # policy, on_skip, points in the four turns after its program left, disqualified
    ("skip", "repeat", [16, 16, 16, 16], False),
    ("skip", "idle", [16, 16, 16, 16], False),
    ("official", "idle", [16, 24, 32, 40], False),
    ("official", "repeat", [16, 24, 32, 40], False),
]


@pytest.mark.parametrize(("policy", "on_skip", "taken", "out"), POLICIES)
def test_a_seat_without_its_program_acts_by_the_policy(policy, on_skip, taken, out):
    room, boss, one, two = duel(on_disconnect=policy, on_skip=on_skip, max_skipped=10)
    for _ in range(2):
        answers(one, intent=8)
        answers(two)
        room.run()
    one.leave()
    seen = []
    for _ in taken:
        seen.append(boss.last("frame")["frame"]["points"][0])
        answers(two)
        room.run()
    assert seen == taken
    assert turn(room) == 7
    assert room.host.room.battle.referee.skips.seats[0].disqualified == out


def test_dead_means_out_in_the_next_turn():
    room, boss, one, two = duel(on_disconnect="dead", max_skipped=0, record=True)
    one.leave()
    answers(two)
    room.run()
    events = boss.last("frame")["events"]
    assert [e["seat"] for e in events if e["type"] == "died"] == [0]
    assert room.record().turns[1].gone == (0,)
    assert room.phase == "stopped"
    assert two.kinds()[-1] == "result"


def test_skip_disqualifies_departed_bots_after_some_turns_and_official_never():
    for policy, out in (("skip", True), ("official", False)):
        room, _, one, two = duel(on_disconnect=policy, max_skipped=5)
        two.answer = lambda seen: {}
        one.leave()
        answers(two)
        room.run(20 * MS)
        summary = room.server.over
        assert bool(summary and summary[0].seats[0].disqualified) == out


def test_a_departed_bot_is_not_waited_for():
    room, _, one, two = duel()
    answers(two)
    one.leave()
    room.run()
    assert turn(room) == 2
    two.answer = lambda seen: {}
    answers(two)
    room.run(5 * MS)
    assert turn(room) >= 7


def test_answers_sent_before_a_bot_left_still_count():
    room, boss, one, two = duel()
    answers(one, intent=1)
    one.leave()
    answers(two)
    room.run()
    assert boss.last("frame")["frame"]["points"][0] == 1


def test_a_bot_that_comes_back_is_a_new_one_and_does_not_play():
    room, boss, one, two = duel()
    one.leave()
    back = room.bot("one")
    answers(back, two)
    room.run(LIST_GAP_NS)
    assert back.ticks == []
    assert boss.last("bots")["bots"][-1]["name"] == "one"
    assert room.host.room.battle.collecting.inbox.missing == {1}


@pytest.mark.parametrize("policy", ["skip", "dead", "official"])
def test_a_battle_whose_programs_leave_verifies(policy):
    room = Room(on_disconnect=policy, max_skipped=4, record=True)
    boss, bots = room.operator(), room.bots(4)
    for bot in bots:
        bot.answer = lambda seen: {"intent": 5}
    room.start(boss, bots, rounds=2, turns=500)
    for k, bot in enumerate(bots[:3]):
        room.run((10 + k) * MS)
        bot.leave()
    room.run(30 * S)
    assert room.server.over[0].ending == "over"
    result = verify(room.record(), room.config.new_game(False))
    assert result.ok
    assert result.turns == room.server.over[0].turns


# ---- a slow bot is named -------------------------------------------------------------------------------


def test_a_slow_bot_is_named_in_the_log_to_itself_and_to_operators():
    room = Room(max_skipped=0)
    boss, fast, slow = room.operator(), room.bot("fast"), room.bot("slow")
    fast.answer = lambda seen: {}
    slow.answer = lambda seen: {} if seen["turn"] % 5 else None
    room.start(boss, [fast, slow])
    room.run(2 * S)
    (first, *_) = [line for line in room.logged("warning") if "is slow" in line]
    assert not missing(first, "slow is slow", "10 of the last 100")
    assert slow.last("error")["message"] == first
    assert slow.last("error")["code"] == boss.last("error")["code"] == "slow"
    assert fast.of("error") == []


# ---- what was measured ---------------------------------------------------------------------------------


def test_answer_times_are_measured_from_the_write_to_the_read():
    room, _, one, two = duel(plays=True, max_skipped=0)
    one.after_ns, two.after_ns = 2 * MS, 7 * MS
    answers(one, two)
    room.run(30 * 7 * MS)
    room.clients[1].say("stop")
    fast, slow = room.server.over[0].seats
    assert abs(fast.p95_ns - 2 * MS) < 0.04 * 2 * MS
    assert abs(slow.p50_ns - 7 * MS) < 0.04 * 7 * MS
    assert slow.max_ns == 7 * MS
    assert (fast.skipped, fast.late, fast.malformed) == (0, 0, 0)


# ---- seats without a deadline ------------------------------------------------------------------------------


def untimed(*seats, plays=()):
    """Return a room with a battle in which some seats have no deadline, and its two bots."""
    room, _, bots = Room.gathered()
    for bot in plays:
        bots[bot].answer = lambda seen: {}
    setup = replace(quick_setup(), untimed=frozenset(seats))
    addresses = [RemoteAddress("127.0.0.1", 40_000 + bot.conn) for bot in bots]
    room.host.start_battle(setup, addresses, room.now_ns)
    room.run()
    return room.ready(*bots), *bots


def test_a_turn_waits_for_a_seat_without_a_deadline_until_it_answers():
    room, _, two = untimed(0, plays=[1])
    one = room.clients[2]
    room.run(50 * TIMEOUT)
    before = turn(room)
    assert (skips(one), skips(two)) == ([], [])
    answers(one)
    room.run()
    assert turn(room) == before + 1


def test_the_deadlines_of_the_others_stay():
    room, one, two = untimed(0)
    room.run(2 * TIMEOUT)
    answers(one)
    room.run()
    assert (skips(one), len(skips(two))) == ([], 1)


def test_an_invalid_answer_without_a_deadline_misses_its_turn_immediately():
    room, one, two = untimed(0, 1)
    room.run(2 * TIMEOUT)
    answers(two)
    before = turn(room)
    one.say("intent", intent="nothing of this game")
    room.run()
    assert turn(room) == before + 1
    assert (len(skips(one)), skips(two)) == (1, [])


def test_a_turn_waits_no_longer_for_a_seat_without_a_deadline_that_leaves():
    room, one, two = untimed(0, 1)
    answers(two)
    before = turn(room)
    one.leave()
    room.run()
    assert turn(room) == before + 1


# ---- turns that the server's lateness may have cost ------------------------------------------------------


def test_a_silent_bot_on_a_machine_whose_timers_are_late_loses_no_turn_by_it():
    """Every turn of it ends by a timer, which rings 6 ms late: the server is late in all of them."""
    room, _, _one, two = duel(plays=True, max_skipped=30, tps=-1)
    two.answer = lambda seen: None
    room.server.alarm_late_ns = lambda: 6 * MS
    room.run(2 * S)
    (summary,) = room.server.over
    assert summary.server_late_turns >= 30
    assert summary.late_missed_turns == 0


@pytest.mark.parametrize(("took_ns", "is_lost"), [(TIMEOUT + 6 * MS, True), (2 * TIMEOUT, False)])
def test_a_turn_that_a_bot_missed_by_less_than_the_lateness_may_have_been_lost_by_it(took_ns, is_lost):
    """The server is late by 4 ms in every turn that ends by a timer, and takes answers until then."""
    room, _, _one, two = duel(plays=True, max_skipped=0, tps=-1, record=True)
    two.after_ns = took_ns
    room.server.alarm_late_ns = lambda: 4 * MS
    room.run(50 * TIMEOUT)
    turns = room.record().turns
    assert any(1 in entry.skipped for entry in turns)
    assert bool(room.host.room.battle.referee.skips.late_misses.turns) == is_lost
