"""The timeline: everything at its own microsecond, however often one looks in between."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.worlds import DT, STREAMS, a_world, rules_with
from turnwright_world.intent import ReactionInput, WorldIntent
from turnwright_world.rules.timeline import TIMERS_MAX, Timeline


def logging_rules(log, **changes):
    return rules_with(
        timers={"ring": lambda act, payload: log.append((act.world.reached_us, payload["n"]))}, **changes
    )


def test_timers_come_in_order_of_time_then_of_number():
    world, log = a_world(), []
    for n, due in enumerate((900, 100, 900, DT, DT + 1)):
        world.at(due, "ring", who=1, n=n)
    world.commit()
    for _ in Timeline(world, logging_rules(log), STREAMS).finish({}):
        pass
    assert log == [(100, 1), (900, 0), (900, 2), (DT, 3)]
    assert world.reached_us == DT


def test_a_cancelled_timer_does_not_come_and_one_without_a_body_does_nothing():
    world, log = a_world(), []
    world.remove(world.at(100, "ring", who=1, n=0))
    world.at(200, "ring", who=77, n=1)
    world.at(300, "unknown", who=1, n=2)
    for _ in Timeline(world, logging_rules(log), STREAMS).finish({}):
        pass
    assert log == []
    assert world.timers == {}


def test_a_timer_that_fails_is_undone_over_and_noted():
    world, log = a_world(), []
    world.at(100, "boom", who=1, n=0)
    world.at(100, "ring", who=1, n=1)

    def boom(act, payload):
        act.touch(act.actor)
        act.actor.health = 1
        raise ValueError("boom")

    rules = logging_rules(log)
    rules.timers = {**rules.timers, "boom": boom}
    for _ in Timeline(world, rules, STREAMS).finish({}):
        pass
    assert log == [(100, 1)]
    assert world.creatures[1].health == 100
    assert [trouble.what for trouble in world.outbox.troubles] == ["timer boom"]


def test_a_timer_that_was_undone_does_not_lend_its_time_to_the_next_one():
    world, log = a_world(), []

    def failing():
        world.at(100, "ring", who=1, n=0)
        raise RuntimeError("on purpose")

    world.attempt("it", failing)
    world.at(200, "ring", who=1, n=1)
    world.commit()
    for _ in Timeline(world, logging_rules(log), STREAMS).finish({}):
        pass
    assert log == [(200, 1)]


def test_timers_without_end_do_not_stop_the_turn():
    world = a_world()
    world.at(100, "again", who=1)
    rules = rules_with(timers={"again": lambda act, payload: act.at(0, "again", who=1)})
    for _ in Timeline(world, rules, STREAMS).finish({}):
        pass
    assert world.outbox.timers == TIMERS_MAX
    assert len(world.timers) == 1


def test_looking_in_between_plays_up_to_there_and_never_to_the_end():
    world, log = a_world(), []
    for n, due in enumerate((100, 200, DT)):
        world.at(due, "ring", who=1, n=n)
    timeline = Timeline(world, logging_rules(log), STREAMS)
    timeline.advance(150, {})
    assert (log, world.reached_us) == ([(100, 0)], 150)
    timeline.advance(120, {})
    timeline.advance(9 * DT, {})
    assert (log, world.reached_us) == ([(100, 0), (200, 1)], DT - 1)
    for _ in timeline.finish({}):
        pass
    assert len(log) == 3


def test_a_press_counts_once_and_one_from_the_past_is_refused():
    world, rules = a_world(), rules_with()
    world.now_us = world.reached_us = 1_000
    intents = {
        1: WorldIntent(
            presses=(
                ReactionInput(900, "parry"),
                ReactionInput(2_000, "parry"),
                ReactionInput(9 * DT, "dodge"),
            )
        )
    }
    timeline = Timeline(world, rules, STREAMS)
    timeline.advance(5_000, intents)
    for _ in timeline.finish(intents):
        pass
    told = [(message["at"], message["why"]) for _, message in world.outbox.told]
    assert [at for at, _ in told] == [2_000, 9 * DT, 900]
    reasons = [("nothing", "parry"), ("nothing", "dodge"), ("too late",)]
    assert [missing(why, *words) for (_, why), words in zip(told, reasons, strict=True)] == [[], [], []]
    assert world.reached_us == 1_000 + DT
