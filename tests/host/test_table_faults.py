"""When the rules fail: the battle is void, or the stage is skipped; the server and the next game go on."""

from __future__ import annotations

import pytest

from tests.host.support import MS, TIMEOUT, Room, S, duel
from turnwright.errors import SetupError, VoidBattleError
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.rules.stages import STAGES
from turnwright.kernel.replay import replay
from turnwright.kernel.verify import verify

BAD_TURN = 5
METHODS = ["resolve", "asked", "awaited", "opening", "observe", "frame", "outcome", "snapshot", "faults"]
IN_RESOLVING = {"resolve", "outcome", "snapshot", "faults"}


def failing(method):
    """Return rules of which one method raises in turn BAD_TURN."""

    class Failing(TankGame):
        pass

    def fail(self, state, *args):
        if state.turn_number == BAD_TURN - (method == "resolve"):
            raise ZeroDivisionError(f"{method} by zero")
        return getattr(TankGame, method)(self, state, *args)

    setattr(Failing, method, fail)
    return lambda tolerant: Failing(backend="python")


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
    assert "test_table_faults" in summary.traceback
    assert boss.kinds()[-1] == "GameAbortedEvent"
    assert any("is void" in line for line in room.logged("error"))
    assert room.table.battles_over == {"over": 0, "aborted": 0, "void": 1}
    room.start(boss, [one.hush(), two.hush()])
    room.run(2 * MS)
    assert room.phase == "running"
    assert one.ticks[:2] == [(1, 1), (1, 2)]


@pytest.mark.parametrize("method", sorted(IN_RESOLVING))
def test_the_record_of_a_void_battle_fails_again_in_the_same_turn(method):
    rules = failing(method)
    room, _, one, two = duel(plays=True, new_game=rules, record=True)
    one.answer = two.answer = lambda tick: {"turnRate": tick["turnNumber"]}
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
    one.answer = two.answer = lambda tick: {"turnRate": tick["turnNumber"]}
    room.run(20 * MS)
    (summary,) = room.server.over
    assert (summary.seed, summary.void_entry.turn) == (11, BAD_TURN)
    assert summary.void_entry.intents[0].turn_rate == BAD_TURN - 1


def test_a_host_that_fails_in_showing_the_end_stands_all_the_same():
    class Failing(TankGame):
        def outcome(self, state):
            if state.game_over:
                raise RuntimeError("no outcome")

    room = Room(new_game=lambda tolerant: Failing(backend="python"))
    boss, bot = room.controller(turnwright=1), room.bot()
    room.start(boss, [bot])
    assert room.server.over[0].ending == "void"
    assert room.phase == "stopped"


# ---- going on ------------------------------------------------------------------------------------------


def clumsy(name, turns):
    """Return the stages, of which `name` raises in these turns of a round."""
    (true_stage,) = [stage for stage_name, stage in STAGES if stage_name == name]

    def stage(world):
        if world.arena.turn in turns:
            raise OverflowError(f"{name} in turn {world.arena.turn}")
        return true_stage(world)

    return tuple((n, stage if n == name else s) for n, s in STAGES)


def tolerant_rules(stages):
    return lambda tolerant: TankGame(
        backend="python", on_error="continue" if tolerant else "raise", stages=stages
    )


def fighter(tick):
    return {"targetSpeed": 8, "turnRate": 5, "gunTurnRate": 9, "firepower": 1}


@pytest.mark.parametrize("name", ["execute intents", "scan", "find bullet hits", "die", "end round"])
def test_a_failing_stage_is_skipped_noted_and_skipped_again_on_replay(name):
    rules = tolerant_rules(clumsy(name, {3, 7}))
    room, boss, one, two = duel(
        plays=True, new_game=rules, record=True, record_checks=True, on_rules_error_continue=True
    )
    one.answer = two.answer = fighter
    room.run(30 * MS)
    assert room.phase == "running"
    assert boss.ticks[-1][1] > 25
    boss.say("StopGame")
    record = room.record()
    noted = {e.turn: e.faults for e in record.turns if e.faults}
    assert sorted(noted) == [3, 7]
    assert all(stage == name and "OverflowError" in text for ((stage, text),) in noted.values())
    assert sum(f"stage {name} failed" in line for line in room.logged("error")) == 2
    assert record.header.tolerant
    assert verify(record, rules(True)).ok


@pytest.mark.parametrize("name", [name for name, _ in STAGES])
def test_whichever_stage_fails_again_and_again_the_battle_goes_on(name):
    rules = tolerant_rules(clumsy(name, {t for t in range(2, 500) if t * 7919 % 3}))
    room = Room(new_game=rules, record=True, on_rules_error_continue=True)
    boss, bots = room.controller(turnwright=1), room.bots(4)
    for bot in bots:
        bot.answer = fighter
    room.start(boss, bots, arenaWidth=200, arenaHeight=200, gunCoolingRate=2.0, numberOfRounds=2)
    room.run(100 * MS)
    boss.say("StopGame")
    assert room.server.over[0].ending in ("over", "aborted")
    assert sum(bool(e.faults) for e in room.record().turns) > 20
    assert verify(room.record(), rules(True)).ok


def test_the_same_failure_ends_the_battle_where_it_is_not_told_to_go_on():
    room, *_ = duel(plays=True, new_game=tolerant_rules(clumsy("scan", {3})))
    room.run(30 * MS)
    assert room.server.over[0].ending == "void"


def test_a_replay_without_the_failure_is_told_apart():
    rules = tolerant_rules(clumsy("scan", {3}))
    room, boss, *_ = duel(plays=True, new_game=rules, record=True, on_rules_error_continue=True)
    room.run(30 * MS)
    boss.say("StopGame")
    result = verify(room.record(), TankGame(backend="python"))
    assert (result.ok, result.mismatch.turn) == (False, 3)


# ---- what is no failure of the rules -------------------------------------------------------------------


def test_settings_that_cannot_be_played_are_no_void_battle():
    why = "the compiled rules are not here"

    def refuse(tolerant):
        raise SetupError(why)

    room = Room(new_game=refuse)
    boss, bots = room.controller(turnwright=1), room.bots(2)
    room.start(boss, bots)
    assert room.server.over[0].ending == "aborted"
    assert room.server.over[0].why == why


def test_a_void_battle_keeps_what_was_measured():
    room, _, _one, two = duel(plays=True, new_game=failing("resolve"))
    two.answer = lambda tick: None if tick["turnNumber"] == 2 else {"turnNumber": tick["turnNumber"]}
    room.run(3 * TIMEOUT + S)
    (summary,) = room.server.over
    assert [s.skipped for s in summary.seats] == [0, 1]
    assert summary.turns == BAD_TURN
