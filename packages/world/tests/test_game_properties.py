"""Invariants of random plays of a world: joins, leaves, stops, faults."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.world.tests.worlds import DT, Play, lively_intent, rules_with
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record
from turnwright.kernel.verify import verify
from turnwright_world.game import WorldGame
from turnwright_world.intent import GATE, GateEvent, ReactionInput, WorldIntent
from turnwright_world.rules.entities import Item, Place
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act, Rules, Verb

few = settings(max_examples=40, deadline=None)


class Havoc(Verb):
    """Changes a bit of everything, and then fails now and then."""

    name = "havoc"

    def turns(self, act: Act) -> int:
        return 1 + act.random.below(3)

    def begin(self, act: Act) -> None:
        self.wreck(act)

    def each_turn(self, act: Act) -> None:
        self.wreck(act)

    def finish(self, act: Act) -> None:
        self.wreck(act)

    def interrupted(self, act: Act) -> None:
        self.wreck(act)

    def wreck(self, act: Act) -> None:
        world, chance = act.world, act.random
        act.touch(act.actor)
        act.actor.health -= chance.below(30)
        act.actor.data["n"] = act.actor.data.get("n", 0) + 1
        for other in act.here()[:2]:
            act.touch(other)
            other.health -= chance.below(20)
            act.interrupt(other)
        stone = Item(world.new_id(), "stone", "stone")
        world.add(stone)
        act.touch(act.place)
        act.place.items.append(stone.id)
        act.at(chance.below(3 * DT), "shake", who=act.actor.id)
        act.stimulus("sound", 1.0, "{name} rumbles.")
        act.event("death", who=0)
        if chance.below(3) == 0:
            act.move(act.actor, act.world.places[act.actor.place].exits.get("in", "yard"))
            raise RuntimeError("havoc")


def shake(act: Act, payload: dict[str, Any]) -> None:
    act.touch(act.actor)
    act.actor.stamina = act.random.below(100)
    if act.random.below(3) == 0:
        raise RuntimeError("shake")


def havoc_rules() -> Rules:
    return rules_with(Havoc(), timers={"shake": shake})


def some_events(chance: random.Random, play: Play) -> tuple[GateEvent, ...]:
    """Return events that may come through the gate, also for bodies that do not exist."""
    body = chance.choice([*play.world.creatures, 99])
    return tuple(
        chance.choice(
            (
                GateEvent("join", None, f"guest {chance.randrange(9)}", {"token": "t"}),
                GateEvent("join", None, "wolf", {"kind": "wolf", "driver": "mind", "mind": "wolf"}),
                GateEvent("join", body, "", {"driver": "player"}),
                GateEvent("leave", body, "", {"keep": chance.random() < 0.7}),
                GateEvent("linkdead", body, "", {"turns": chance.randrange(4)}),
                GateEvent("back", body),
                GateEvent("drive", body, "", {"driver": chance.choice(("mind", "program", "none", "ghost"))}),
            )
        )
        for _ in range(chance.choice((0, 0, 1, 1, 3)))
    )


def some_turn(chance: random.Random, play: Play) -> dict[int, WorldIntent]:
    """Return the intents of one turn."""
    world, intents = play.world, {}
    for seat in play.game.asked(play.battle.state):
        if chance.random() < 0.3:
            continue
        intent = lively_intent(chance)
        if chance.random() < 0.3:
            intent = msgspec.structs.replace(intent, verb="havoc", memory={"turn": world.turn})
        shifted = [
            msgspec.structs.replace(p, at_us=p.at_us % (2 * DT) + world.now_us - DT // 4)
            for p in intent.presses
        ]
        intents[seat] = msgspec.structs.replace(intent, presses=tuple(sorted(shifted, key=lambda p: p.at_us)))
    intents[GATE] = WorldIntent(gate=some_events(chance, play))
    return intents


def lively_play(seed: int, turns: int) -> Play:
    play, chance = Play(havoc_rules(), ("ann", "bob", "cy"), seed=seed, keep_checks=True), random.Random(seed)
    for _ in range(turns):
        play.turn(some_turn(chance, play))
    return play


@few
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_every_turn_comes_out_again_from_its_record(seed, turns):
    play = lively_play(seed, turns)
    game = WorldGame(havoc_rules())
    for entry in play.entries:
        for intent in entry.intents.values():
            data = msgspec.json.decode(msgspec.json.encode(game.write_intent(intent)))
            assert game.read_intent(data) == intent
    assert play.world.untouched_changes() == []
    found = verify(Record(play.battle.header, play.entries), game)
    assert (found.turns, found.mismatch) == (turns, None)


def test_such_plays_have_faults_deaths_joins_and_leaves():
    plays = [lively_play(seed, 40) for seed in range(5)]
    faults = {what.split(":")[0].split()[0] for play in plays for e in play.entries for what, _ in e.faults}
    assert {"gate", "timer"} <= faults
    assert any("havoc" in what for play in plays for entry in play.entries for what, _ in entry.faults)
    assert all(play.world.facts.next_id > 10 for play in plays)
    assert any(body.place == "" for play in plays for body in play.world.creatures.values())


@few
@given(st.integers(0, 10**6), st.lists(st.lists(st.integers(0, DT + 9), max_size=6), max_size=25))
def test_looking_inside_a_turn_at_any_moments_changes_nothing(seed, moments):
    """One world is played ahead at moments of each turn, the other is not: same states, same messages."""
    ahead, plain = (
        Play(havoc_rules(), ("ann", "bob"), seed=seed),
        Play(havoc_rules(), ("ann", "bob"), seed=seed),
    )
    chance = random.Random(seed)
    for inside in moments:
        begin_us = ahead.world.now_us
        ahead.battle.open_turn()
        for at_us in inside:
            press_us = ahead.game.press_time(ahead.battle.state, begin_us + at_us - chance.randrange(DT))
            press = ReactionInput(press_us, chance.choice(("parry", "dodge", "counter")))
            body = chance.choice((1, 2))
            ahead.battle.collecting.submit(body, WorldIntent(presses=(press,)), 0, ahead.battle.turn + 1)
            if chance.random() < 0.8:
                state, streams = ahead.battle.state, ahead.battle.streams
                ahead.game.advance(state, streams, begin_us + at_us, ahead.battle.collecting.inbox.answers)
        for body, verb in ((1, chance.choice(("hit", "", "havoc"))), (2, chance.choice(("hit", "dig", "")))):
            ahead.battle.collecting.submit(body, WorldIntent(verb, "n"), 0, ahead.battle.turn + 1)
        ahead.battle.end_collecting(0)
        closed = ahead.battle.close_turn()
        again = plain.turn(closed.entry.intents)
        assert again.entry.digest == closed.entry.digest
        assert plain.battle.state.heard == ahead.battle.state.heard
        assert again.entry.faults == closed.entry.faults


@few
@given(st.integers(0, 10**6), st.integers(0, 30))
def test_a_restored_world_continues_from_any_turn_as_it_would_have(seed, turns):
    play = lively_play(seed, turns)
    saved = play.battle.save() if turns else None
    again = Battle(WorldGame(havoc_rules()), {"open": True}, play.battle.header.seats, seed)
    if saved is not None:
        again.restore(saved)
    again.state.world.commit()
    assert again.state.world.pack() == play.world.pack()
    chance = random.Random(seed + 1)
    for _ in range(15):
        entry = play.turn(some_turn(chance, play)).entry
        assert again.replay_turn(entry).entry.digest == entry.digest
        assert again.state.heard == play.battle.state.heard
        assert again.game.asked(again.state) == play.game.asked(play.battle.state)


# ---- all or nothing ------------------------------------------------------------------------------------


def change_field(world: World, chance: random.Random) -> None:
    """Change one field of one entity to something that it was not."""
    key, _ = chance.choice(list(world.images()))
    entity: Any = world.find(key)
    name = chance.choice(
        [n for n in entity.__struct_fields__ if n not in ("id", "place", "driver", "left_from")]
    )
    value = getattr(entity, name)
    if isinstance(value, bool):
        changed: Any = not value
    elif isinstance(value, int):
        changed = value + chance.choice((-1, 1, 1_000))
    elif isinstance(value, str):
        changed = value + "x"
    elif isinstance(value, dict):
        changed = {**value, f"k{len(value)}": "y" if name == "exits" else 7}
    elif isinstance(value, list):
        changed = None if name in ("threats", "items") else [*value, "z"]
    else:
        changed = 5 if name in ("linkdead_since", "died_us") else None
    if changed is None:
        return
    world.touch(entity)
    setattr(entity, name, changed)


@few
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_the_digest_differs_whenever_an_entity_differs(seed, changes):
    world, chance = lively_play(seed, 12).world, random.Random(seed)
    seen = {world.sums(): world.pack()}
    for _ in range(changes):
        change_field(world, chance)
        world.settle()
        packed = world.pack()
        assert seen.setdefault(world.sums(), packed) == packed
        assert len(set(seen.values())) == len(seen)
    assert len(seen) > 1 or changes < 8


STEPS: list[Callable[[World, random.Random], object]] = [
    change_field,
    lambda world, chance: world.add(Item(world.new_id(), "stone", "stone")),
    lambda world, chance: world.add(Place(f"place {chance.random()}", "P", "")),
    lambda world, chance: world.at(chance.randrange(9 * DT), "shake", who=1),
    lambda world, chance: world.items and world.remove(chance.choice(list(world.items.values()))),
    lambda world, chance: world.timers and world.remove(chance.choice(list(world.timers.values()))),
    lambda world, chance: world.remove(chance.choice(list(world.creatures.values()))),
    lambda world, chance: world.move(
        chance.choice(list(world.creatures.values())), chance.choice(("yard", "shed"))
    ),
    lambda world, chance: world.tell(chance.choice(list(world.creatures.values())), {"kind": "text"}),
]


@few
@given(st.integers(0, 10**6), st.lists(st.sampled_from(range(len(STEPS))), max_size=12))
def test_whatever_a_step_did_before_it_failed_nothing_of_it_is_left(seed, steps):
    """One play has a step that fails, the other has not: they continue alike, in every bit."""
    one, two = lively_play(seed, 8), lively_play(seed, 8)
    chance = random.Random(seed)

    def failing() -> None:
        for number in steps:
            if one.world.creatures:
                STEPS[number](one.world, chance)
        raise RuntimeError("on purpose")

    assert not one.world.attempt("it", failing)
    assert one.world.pack() == two.world.pack()
    one.world.outbox.troubles.clear()
    again = random.Random(seed + 1)
    for _ in range(10):
        intents = some_turn(again, two)
        assert one.turn(intents).entry == two.turn(intents).entry
        assert one.game.asked(one.battle.state) == two.game.asked(two.battle.state)
        assert one.battle.state.heard == two.battle.state.heard


# ---- idle entities -------------------------------------------------------------------------------------


def crowded(idle: int) -> Rules:
    rules = rules_with()
    build = rules.build

    def more(world: World, rules: Rules) -> None:
        build(world, rules)
        for number in range(idle // 100):
            world.add(Place(f"far {number}", "Far", "", area="far"))
        for number in range(idle):
            rules.new_creature(world, "wolf", f"far {number // 100}")
            world.add(Item(world.new_id(), "stone", "stone"))

    rules.build = more
    return rules


def calls_of(step: Callable[[], object]) -> int:
    """Return how many functions, also built-in ones, a step calls."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        step()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("verb", ["", "say", "go"])
def test_ten_thousand_idle_entities_cost_a_turn_nothing(verb):
    """The same calls are made with them as without them: a count, not a time."""
    counts = []
    for idle in (0, 100, 10_000):
        play = Play(crowded(idle), keep_checks=True)
        intents = {1: WorldIntent(verb, "in")}
        play.turn({1: WorldIntent("say", "x")})
        before = play.world.kept.visited
        counts.append((calls_of(lambda: play.turn(intents)), play.world.kept.visited - before))  # noqa: B023
        assert len(play.world.creatures) == 2 + idle
        assert len(play.game.awaited(play.battle.state)) == 0
    assert counts[0] == counts[1] == counts[2]
    assert counts[0][1] == (verb != "")


def test_an_action_costs_the_same_among_sleepers():
    lonely, crowd = Play(crowded(0)), Play(crowded(10_000))
    for play in (lonely, crowd):
        play.do(1, "dig")
    assert calls_of(lambda: lonely.turn()) == calls_of(lambda: crowd.turn())


def test_an_empty_open_world_costs_next_to_nothing():
    battle = Battle(WorldGame(crowded(10_000)), {"open": True}, [SeatInfo("gate")], 1)

    def turn() -> None:
        battle.open_turn()
        battle.end_collecting(0)
        battle.close_turn()

    turn()
    assert calls_of(turn) < 250
