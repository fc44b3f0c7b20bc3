"""Rules that fail make a battle void or skip a stage, and the server continues."""

from __future__ import annotations

import pytest

from packages.core.tests.host.support import MS, TIMEOUT, Room, S, duel
from packages.core.tests.rounds import Rounds
from turnwright.errors import SetupError, VoidBattleError
from turnwright.kernel.replay import replay
from turnwright.kernel.verify import verify

BAD_TURN = 5
METHODS = ["resolve", "asked", "awaited", "opening", "observe", "frame", "outcome", "snapshot", "faults"]
IN_RESOLVING = {"resolve", "outcome", "snapshot", "faults"}


def failing(method):
    """Return rules of which one method raises in turn BAD_TURN."""

    class Failing(Rounds):
        pass

    def fail(self, state, *args):
        if state.turn == BAD_TURN - (method == "resolve"):
            raise ZeroDivisionError(f"{method} by zero")
        return getattr(Rounds, method)(self, state, *args)

    setattr(Failing, method, fail)
    return lambda tolerant: Failing()


@pytest.mark.parametrize("method", METHODS)
def test_a_battle_whose_rules_fail_is_void_and_the_next_one_plays(method):
    room, boss, one, two = duel(plays=True, new_game=failing(method), record=True)
    room.run(20 * MS)
    assert room.phase == "stopped"
    (summary,) = room.server.over
    assert summary.ending == "void"
    assert summary.rows == ()
    assert f"{method} by zero" in summary.why
    assert "ZeroDivisionError" in summary.traceback
    assert "test_room_faults" in summary.traceback
    assert boss.kinds()[-1] == "result"
    assert any("is void" in line for line in room.logged("error"))
    assert room.host.room.battles_over == {"over": 0, "aborted": 0, "void": 1}
    room.start(boss, [one.hush(), two.hush()])
    room.run(2 * MS)
    assert room.phase == "running"
    assert one.ticks[:2] == [(1, 1), (1, 2)]


@pytest.mark.parametrize("method", sorted(IN_RESOLVING))
def test_the_record_of_a_void_battle_fails_again_in_the_same_turn(method):
    rules = failing(method)
    room, _, one, two = duel(plays=True, new_game=rules, record=True)
    one.answer = two.answer = lambda seen: {"intent": seen["turn"]}
    room.run(20 * MS)
    (summary,) = room.server.over
    record = room.record()
    assert summary.void_entry == record.turns[-1]
    assert (record.turns[-1].turn, record.turns[-1].digest) == (BAD_TURN, "")
    assert record.footer.ending == "void"
    again = replay(record, rules(False))
    assert [next(again)[0].turn for _ in range(BAD_TURN - 1)] == [1, 2, 3, 4]
    with pytest.raises(VoidBattleError, match=f"{method} by zero"):
        next(again)
    assert verify(record, rules(False)).ok


def test_without_records_the_summary_alone_holds_the_turn_that_failed():
    room, _, one, two = duel(plays=True, new_game=failing("resolve"), seed=11)
    one.answer = two.answer = lambda seen: {"intent": seen["turn"]}
    room.run(20 * MS)
    (summary,) = room.server.over
    assert (summary.seed, summary.void_entry.turn) == (11, BAD_TURN)
    assert summary.void_entry.intents[0] == BAD_TURN - 1


def test_a_host_that_fails_to_show_the_end_still_stops():
    class Failing(Rounds):
        def outcome(self, state):
            if state.ended:
                raise RuntimeError("no outcome")

    room = Room(new_game=lambda tolerant: Failing())
    boss, bot = room.operator(), room.bot()
    room.start(boss, [bot])
    assert room.server.over[0].ending == "void"
    assert room.phase == "stopped"


# ---- what does not count as a failure of the rules -----------------------------------------------------


def test_unplayable_settings_abort_a_battle_and_do_not_void_it():
    why = "the compiled rules are not here"

    def refuse(tolerant):
        raise SetupError(why)

    room = Room(new_game=refuse)
    boss, bots = room.operator(), room.bots(2)
    room.start(boss, bots)
    assert room.server.over[0].ending == "aborted"
    assert room.server.over[0].why == why


def test_a_void_battle_keeps_its_measurements():
    room, _, _one, two = duel(plays=True, new_game=failing("resolve"))
    two.answer = lambda seen: None if seen["turn"] == 2 else {"turn": seen["turn"]}
    room.run(3 * TIMEOUT + S)
    (summary,) = room.server.over
    assert [s.skipped for s in summary.seats] == [0, 1]
    assert summary.turns == BAD_TURN
