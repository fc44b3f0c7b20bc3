"""The witness catches servers that break their promises, one broken promise at a time."""

from __future__ import annotations

import itertools

import pytest

from packages.tank.tests.simulation.clients import BABBLE
from packages.tank.tests.simulation.simulate import simulate
from turnwright.host import effects as fx
from turnwright.host.collector import AnswerCollector
from turnwright.host.host import Host
from turnwright.host.turn_output import TurnOutput
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import Inbox, SkipReason
from turnwright.kernel.pace import Pace
from turnwright.kernel.skipped_turns import SkipCounts
from turnwright.wire.faults import Fault
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode

SEEDS = 60
MS = 1_000_000


def bill_the_loops_lateness(patch):
    patch(AnswerCollector, "_arrived_ns", lambda self, seat, now_ns: now_ns)


def skip_without_draining(patch):
    is_due = AnswerCollector.is_due

    def is_due_unread(self, now_ns):
        due = is_due(self, now_ns)
        return is_due_unread(self, now_ns) if self.drain.end() else due

    patch(AnswerCollector, "is_due", is_due_unread)
    patch(
        AnswerCollector,
        "_read_pending",
        lambda self, deadline_ns, now_ns: self.drain.begin(deadline_ns, now_ns),
    )


def look_at_the_last_deadline_alone(patch):
    """A stall over one seat's deadline, but not over the last one, is billed to that seat."""

    def arrived(self, seat, now_ns):
        deadline = self.turn.deadlines_ns.get(seat, now_ns)
        last = self._battle.collecting.inbox.last_deadline_ns
        late_loop = self.drain.is_on or (last is not None and now_ns > last)
        past = now_ns > deadline and self._battle.collecting.inbox.collected_ns is None
        return deadline if past and late_loop else now_ns

    def next_deadline(self, from_ns):
        last = self.last_deadline_ns
        return last if last is not None and last >= from_ns else None

    patch(AnswerCollector, "_arrived_ns", arrived)
    patch(Inbox, "next_deadline_ns", next_deadline)


def give_more_time_than_promised(patch):
    sent_all = Inbox.sent_all
    patch(Inbox, "sent_all", lambda self, seats, ends: sent_all(self, seats, [e + 20 * MS for e in ends]))


def cut_too_early(patch):
    is_over, calls = Inbox.is_over, itertools.count()
    patch(Inbox, "is_over", lambda self, now_ns: is_over(self, now_ns) or next(calls) % 20 == 19)
    patch(Inbox, "next_deadline_ns", lambda self, from_ns: None)


def tell_who_has_left(patch):
    def tell(self, seat, data):
        self._out.append(fx.Send(self.clients[seat].conn, data))

    patch(TurnOutput, "tell", tell)


def change_effects(patch, change):
    """Change a host's effects: change(host, effect) returns the effects that replace an effect."""
    take = Host.take
    patch(Host, "take", lambda self: [e for effect in take(self) for e in change(self, effect)])


def says(effect, name):
    """Return whether an effect writes a message whose type begins with `name`."""
    return isinstance(effect, fx.Send | fx.Publish) and b'"type":"%b' % name.encode() in effect.data


def show_a_turn_twice(patch):
    change_effects(patch, lambda host, effect: [effect] * (1 + isinstance(effect, fx.SendTurn)))


def tell_the_wrong_seat_of_a_skip(patch):
    def change(host, effect):
        if not says(effect, "SkippedTurn"):
            return [effect]
        conns = [client.conn for client in host.room.clients]
        others = conns[conns.index(effect.conn) + 1 :] + conns
        return [fx.Send(others[0], effect.data)]

    change_effects(patch, change)


def tell_nobody_of_a_skip(patch):
    change_effects(patch, lambda host, effect: [] if says(effect, "SkippedTurn") else [effect])


def start_a_round_twice(patch):
    change_effects(patch, lambda host, effect: [effect] * (1 + says(effect, "RoundStarted")))


def end_a_game_twice(patch):
    change_effects(patch, lambda host, effect: [effect] * (1 + says(effect, "GameEnded")))


def end_a_game_in_silence(patch):
    change_effects(patch, lambda host, effect: [] if says(effect, "GameEnded") else [effect])


def tell_spectators_bots_messages(patch):
    def change(host, effect):
        begins = says(effect, "RoundStarted") and isinstance(effect, fx.Publish)
        return (
            [effect, fx.Publish(effect.conns, host.room.messages.skipped(1, SkipReason.NO_ANSWER))]
            if begins
            else [effect]
        )

    change_effects(patch, change)


def never_resume(patch):
    def resume(self):
        self._steps = 0

    patch(Pace, "resume", resume)


def disqualify_too_late(patch):
    note_skip = SkipCounts.note_skip

    def later(self, seat):
        self.max_skipped += 1
        out = note_skip(self, seat)
        self.max_skipped -= 1
        return out

    patch(SkipCounts, "note_skip", later)


def lose_a_turn_of_the_record(patch):
    take, calls = Host.take, itertools.count()

    def losing(self):
        effects = take(self)
        return [e for e in effects if not isinstance(e, fx.RecordTurn) or next(calls) % 50 != 7]

    patch(Host, "take", losing)


def record_other_intents(patch):
    resolve_turn, calls = Battle.resolve_turn, itertools.count()

    def resolve(self):
        closed = resolve_turn(self)
        if next(calls) % 40 == 39 and closed.entry.intents:
            closed.entry.intents.pop(next(iter(closed.entry.intents)))
        return closed

    patch(Battle, "resolve_turn", resolve)


def give_bots_the_results_of_others(patch):
    from turnwright_tank.host import royale

    true_results = royale.results_for_bots
    patch(royale, "results_for_bots", lambda results: true_results(results)[::-1])


BROKEN = [
    bill_the_loops_lateness,
    skip_without_draining,
    look_at_the_last_deadline_alone,
    give_more_time_than_promised,
    cut_too_early,
    tell_who_has_left,
    show_a_turn_twice,
    tell_the_wrong_seat_of_a_skip,
    tell_nobody_of_a_skip,
    start_a_round_twice,
    end_a_game_twice,
    end_a_game_in_silence,
    tell_spectators_bots_messages,
    never_resume,
    disqualify_too_late,
    lose_a_turn_of_the_record,
    record_other_intents,
    give_bots_the_results_of_others,
]


@pytest.mark.parametrize("broken", BROKEN, ids=[b.__name__ for b in BROKEN])
def test_a_server_that_breaks_a_promise_is_caught(monkeypatch, broken):
    broken(monkeypatch.setattr)
    with pytest.raises(AssertionError, match="--seed"):
        _ = [simulate(seed) for seed in range(SEEDS)]


def test_babble_is_malformed_or_not_allowed_for_bots():
    for data in BABBLE:
        message = decode(data)
        assert isinstance(message, Fault | m.BotReady) or type(message) not in m.MAY_SEND["bot"]
