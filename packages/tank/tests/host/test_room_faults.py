"""A stage of the rules that fails is skipped if the option asks for it. Otherwise the battle is void."""

from __future__ import annotations

import pytest

from packages.tank.tests.host.royale_rooms import MS, Room, duel
from turnwright.kernel.verify import verify
from turnwright_tank.game import TankGame
from turnwright_tank.rules.stages import STAGES


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
        speed="interpreted", on_error="continue" if tolerant else "raise", stages=stages
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
def test_the_battle_continues_whichever_stage_fails_repeatedly(name):
    rules = tolerant_rules(clumsy(name, {t for t in range(2, 500) if t * 7919 % 3}))
    room = Room(new_game=rules, record=True, on_rules_error_continue=True)
    boss, bots = room.operator(turnwright=1), room.bots(4)
    for bot in bots:
        bot.answer = fighter
    room.start(boss, bots, arenaWidth=200, arenaHeight=200, gunCoolingRate=2.0, numberOfRounds=2)
    room.run(100 * MS)
    boss.say("StopGame")
    assert room.server.over[0].ending in ("over", "aborted")
    assert sum(bool(e.faults) for e in room.record().turns) > 20
    assert verify(room.record(), rules(True)).ok


def test_the_same_failure_ends_a_battle_that_may_not_continue():
    room, *_ = duel(plays=True, new_game=tolerant_rules(clumsy("scan", {3})))
    room.run(30 * MS)
    assert room.server.over[0].ending == "void"


def test_a_replay_without_the_failure_does_not_verify():
    rules = tolerant_rules(clumsy("scan", {3}))
    room, boss, *_ = duel(plays=True, new_game=rules, record=True, on_rules_error_continue=True)
    room.run(30 * MS)
    boss.say("StopGame")
    result = verify(room.record(), TankGame(speed="interpreted"))
    assert (result.ok, result.mismatch.turn) == (False, 3)
