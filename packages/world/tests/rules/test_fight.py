"""Blows and reactions in the world: each threat ends once, at its microsecond, however long turns are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.core.tests.messages import missing
from packages.world.tests.worlds import DT, STREAMS, Play, a_world, rules_with
from turnwright_world.intent import ReactionInput, WorldIntent
from turnwright_world.rules.entities import Creature, pack
from turnwright_world.rules.fight import drop_threats, insert_threat, land, react
from turnwright_world.rules.joining import LEAD_GAME_US_MAX
from turnwright_world.rules.state import World
from turnwright_world.rules.threats import REACTIONS, Reaction, Scale, ThreatPolicy
from turnwright_world.rules.timeline import Timeline
from turnwright_world.rules.verbs import Act, Rules

WINDOW = 3_000_000


def fight(**policy: Any) -> tuple[World, Rules, Creature, Creature]:
    """Return a world in which two creatures get every report."""
    world, rules = a_world(), rules_with(threats=ThreatPolicy(**policy), timers={"strike": strike})
    ann, bob = world.creatures[1], world.creatures[2]
    world.touch(bob)
    bob.driver = "program"
    return world, rules, ann, bob


def strike(act: Act, payload: dict[str, Any]) -> None:
    """A timer: a body strikes another at an exact time."""
    target = act.world.creatures[payload["whom"]]
    insert_threat(act.world, act.rules, act.actor, target, payload["kind"], payload["base"], payload["us"])


def told(world: World, body: int, kind: str) -> list[dict[str, Any]]:
    return [message for number, message in world.outbox.told if number == body and message["kind"] == kind]


def ends(world: World, body: int) -> list[tuple[int, str, int]]:
    """Return the threats of a body that are over: (id, why, damage)."""
    gone = [message["threat"] for message in told(world, body, "threat") if message["op"] == "gone"]
    return [(threat["id"], threat["why"], threat["damage"]) for threat in gone]


def play(
    world: World, rules: Rules, until_us: int, presses: dict[int, list[ReactionInput]] | None = None
) -> None:
    """Play turn after turn to a time, as resolve does, each press in the turn in which it counts."""
    while world.now_us < until_us:
        end = world.now_us + world.dt_us
        intents = {
            body: WorldIntent(presses=tuple(p for p in all_of_it if world.now_us < p.at_us <= end))
            for body, all_of_it in (presses or {}).items()
        }
        world.outbox.timers = 0
        for _ in Timeline(world, rules, STREAMS).finish(intents):
            pass
        world.now_us = world.reached_us


# ---- insertion -----------------------------------------------------------------------------------------


def test_an_attack_is_announced_once_with_all_data_of_its_ring() -> None:
    world, rules, ann, bob = fight()
    world.reached_us = 5_000
    threat = insert_threat(world, rules, bob, ann, "bite", 10)
    assert threat is not None
    assert (threat.inserted_us, threat.window_us, threat.lands_us) == (5_000, WINDOW, 5_000 + WINDOW)
    shown = {"id": 1, "from": 2, "name": "bob", "kind": "bite", "damage": 10, "at": 5_000, "us": WINDOW}
    assert told(world, 1, "threat") == [{"kind": "threat", "op": "add", "threat": shown}]


def test_ids_count_up_and_are_never_used_again() -> None:
    world, rules, ann, bob = fight()
    for wanted in range(1, 6):
        threat = insert_threat(world, rules, bob, ann, "bite", 1)
        assert threat is not None
        assert threat.id == wanted
        land(world, rules, ann, threat)


def test_the_lead_of_a_client_lengthens_windows_that_are_too_short_for_it() -> None:
    it = Play(rules_with(threats=ThreatPolicy(window=Scale(500_000))))
    it.gate("line", 1, lead_us=100_000)
    it.gate("line", 2, lead_us=10**9)
    it.do(1, "hit", "bob")
    it.do(2, "hit", "ann")
    assert [it.world.creatures[n].threats[0].window_us for n in (1, 2)] == [600_000, 6 * LEAD_GAME_US_MAX]


def test_the_dead_and_absent_cannot_be_attacked() -> None:
    world, rules, ann, bob = fight()
    ann.died_us = 5
    assert insert_threat(world, rules, bob, ann, "bite", 1) is None
    ann.died_us = None
    world.move(ann, "")
    assert insert_threat(world, rules, bob, ann, "bite", 1) is None
    assert (world.timers, world.outbox.told) == ({}, [])


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_when_the_queue_is_full_the_oldest_lands_immediately(count: int) -> None:
    world, rules, ann, bob = fight(places=Scale(3))
    for n in range(count):
        world.reached_us = n
        insert_threat(world, rules, bob, ann, "bite", 10, WINDOW - 1_000 * n)
    kept = list(range(max(1, count - 2), count + 1))
    assert [t.id for t in ann.threats] == kept
    assert ends(world, 1) == [(n, "overflow", 10) for n in range(1, kept[0])]
    assert ann.health == 100 - 10 * (kept[0] - 1)
    assert len(told(world, 1, "threat")) == count + kept[0] - 1


def test_a_queue_that_refuses_takes_only_as_many_as_it_holds() -> None:
    world, rules, ann, bob = fight(places=Scale(2), overflow="refuse")
    given_in = [insert_threat(world, rules, bob, ann, "bite", 10) for _ in range(3)]
    assert [threat is None for threat in given_in] == [False, False, True]
    assert ends(world, 1) == []


def test_a_queue_that_shrank_lands_its_surplus_at_the_next_attack() -> None:
    world, rules, ann, bob = fight(places=Scale(3, "focus", 1, least=1))
    for _ in range(3):
        insert_threat(world, rules, bob, ann, "bite", 1)
    ann.attributes = {"focus": -2}
    insert_threat(world, rules, bob, ann, "bite", 1)
    assert [t.id for t in ann.threats] == [4]
    assert [why for _, why, _ in ends(world, 1)] == ["overflow"] * 3


# ---- landing -------------------------------------------------------------------------------------------


def test_damage_has_two_phases_the_attacker_counts_first_and_the_defender_last() -> None:
    world, rules, ann, bob = fight()
    bob.attributes = {"might": 100}
    insert_threat(world, rules, bob, ann, "bite", 10)
    bob.attributes = {"might": -100}
    ann.attributes = {"vigour": 100}
    play(world, rules, WINDOW)
    assert ends(world, 1) == [(1, "landed", 10)]
    assert told(world, 2, "blow") == [{"kind": "blow", "to": 1, "name": "ann", "why": "landed", "damage": 10}]


def test_an_attack_lands_even_if_the_attacker_is_gone() -> None:
    world, rules, ann, bob = fight()
    insert_threat(world, rules, bob, ann, "bite", 10)
    world.remove(bob)
    play(world, rules, WINDOW)
    assert (ends(world, 1), ann.health) == ([(1, "landed", 10)], 90)


@pytest.mark.parametrize("first", [1, 2])
def test_two_bodies_may_kill_each_other_in_the_same_microsecond(first: int) -> None:
    world, rules, ann, bob = fight()
    bodies = (ann, bob) if first == 1 else (bob, ann)
    insert_threat(world, rules, bodies[0], bodies[1], "bite", 500, 1_234_567)
    insert_threat(world, rules, bodies[1], bodies[0], "bite", 500, 1_234_567)
    deaths: list[tuple[int, int | None]] = []
    rules.on_death = lambda act: deaths.append((act.actor.id, act.actor.died_us))
    play(world, rules, 2_000_000)
    assert deaths == [(1, 1_234_567), (2, 1_234_567)]


def test_an_attack_of_a_body_that_died_a_microsecond_before_still_lands() -> None:
    world, rules, ann, bob = fight()
    insert_threat(world, rules, ann, bob, "bite", 500, 1_234_566)
    insert_threat(world, rules, bob, ann, "bite", 500, 1_234_567)
    rules.on_death = lambda act: None
    play(world, rules, 2_000_000)
    assert (bob.died_us, ann.died_us) == (1_234_566, 1_234_567)


def test_a_dead_body_has_no_threats_and_the_end_of_each_is_sent() -> None:
    world, rules, ann, bob = fight()
    rules.on_death = lambda act: None
    for us in (100, 200, 300):
        insert_threat(world, rules, bob, ann, "bite", 500, us)
    play(world, rules, 1_000)
    assert ends(world, 1) == [(1, "landed", 500), (2, "died", 0), (3, "died", 0)]
    assert ann.threats == []


def test_a_body_that_leaves_loses_its_threats() -> None:
    it = Play(rules_with())
    it.do(2, "hit", "ann")
    it.gate("leave", 1, keep=True)
    assert it.world.creatures[1].threats == []
    assert [m["why"] for m in it.heard(2) if m["kind"] == "blow"] == ["left"]


def test_dropped_threats_end_in_the_order_in_which_they_would_have_landed() -> None:
    world, rules, ann, bob = fight()
    for us in (300, 100, 200):
        insert_threat(world, rules, bob, ann, "bite", 1, us)
    drop_threats(world, ann, "died")
    assert [number for number, _, _ in ends(world, 1)] == [2, 3, 1]


def test_ten_thousand_timers_send_nothing_until_each_landing_once() -> None:
    world, rules, ann, _ = fight(places=None)
    bodies = [Creature(k, "person", "one", "yard", health=10**9, driver="program") for k in range(10, 210)]
    for body in bodies:
        world.add(body)
    for k in range(10_000):
        insert_threat(world, rules, ann, bodies[k % 200], "bite", 1, WINDOW + k % 700)
    world.settle()
    world.outbox.told.clear()
    visited = world.kept.visited
    play(world, rules, WINDOW - DT)
    assert (world.outbox.told, world.kept.visited) == ([], visited)
    play(world, rules, WINDOW + DT)
    landed = [(body.id, n) for body in bodies for n, why, _ in ends(world, body.id) if why == "landed"]
    assert len(landed) == len(set(landed)) == 10_000
    assert len(told(world, 1, "blow")) == len(world.outbox.told) - 10_000 == 10_000


# ---- reacting ------------------------------------------------------------------------------------------


def test_a_reaction_takes_threats_out_costs_and_locks() -> None:
    world, rules, ann, bob = fight()
    for kind in ("bite", "fire", "blow"):
        insert_threat(world, rules, bob, ann, kind, 10)
    world.reached_us = 400
    assert react(world, rules, ann, ReactionInput(400, "dodge")) is None
    assert (ann.threats, ann.stamina, ann.locked_until_us) == ([], 70, 1_500_400)
    assert ends(world, 1) == [(1, "dodged", 0), (2, "dodged", 0), (3, "dodged", 0)]
    answer = {"kind": "react", "ok": True, "why": "dodged", "at": 400, "taken": [1, 2, 3]}
    assert told(world, 1, "react") == [answer]


@pytest.mark.parametrize(
    ("reaction", "change", "why"),
    [
        ("hop", {}, "no such reaction"),
        ("dodge", {"died_us": 5}, "dead"),
        ("dodge", {"locked_until_us": 401}, "not recovered"),
        ("dodge", {"stamina": 29}, "too tired"),
        ("dodge", {"threats": []}, "nothing to dodge"),
        ("ward", {"threats": []}, "nothing to ward"),
    ],
)
def test_an_impossible_reaction_is_refused_without_cost_with_the_whole_queue(reaction, change, why) -> None:
    world, rules, ann, bob = fight()
    for us in (2_000_000, 1_900_000):
        insert_threat(world, rules, bob, ann, "bite", 10, us)
    world.reached_us = 400
    for name, value in change.items():
        setattr(ann, name, value)
    before = pack(ann)
    refusal = react(world, rules, ann, ReactionInput(400, reaction))
    assert not missing(refusal, why)
    assert pack(ann) == before
    (answer,) = told(world, 1, "react")
    assert (answer["ok"], answer["why"]) == (False, refusal)
    assert [threat["id"] for threat in answer["threats"]] == ([] if "threats" in change else [2, 1])


@pytest.mark.parametrize(
    ("reaction", "left_us", "stamina"),
    [("ward", 100_000, 85), ("deflect", 600_001, 90), ("deflect", 600_000, 90)],
)
def test_a_reaction_that_meets_no_threat_still_has_its_cost(
    reaction: str, left_us: int, stamina: int
) -> None:
    world, rules, ann, bob = fight()
    insert_threat(world, rules, bob, ann, "bite", 10, 2_000_000)
    world.reached_us = 2_000_000 - left_us
    refused = react(world, rules, ann, ReactionInput(world.reached_us, reaction))
    met = reaction == "deflect" and left_us == 600_000
    assert (refused is None) == met
    assert (len(ann.threats), ann.stamina) == (0 if met else 1, stamina)
    assert ann.locked_until_us == world.reached_us + 500_000
    (answer,) = told(world, 1, "react")
    assert answer["ok"] == met


@pytest.mark.parametrize(("at", "stamina"), [(400, 30), (401, 31)])
def test_at_the_edge_of_lockout_and_cost_it_may(at: int, stamina: int) -> None:
    world, rules, ann, bob = fight()
    insert_threat(world, rules, bob, ann, "bite", 10)
    ann.locked_until_us, ann.stamina, world.reached_us = 400, stamina, at
    assert react(world, rules, ann, ReactionInput(at, "dodge")) is None


def test_a_reaction_for_a_threat_that_is_gone_takes_no_other_one() -> None:
    world, rules, ann, bob = fight()
    for kind in ("fire", "fire", "bite"):
        insert_threat(world, rules, bob, ann, kind, 10)
    world.reached_us = 1
    assert not missing(react(world, rules, ann, ReactionInput(1, "ward", threat=9)), "no such threat", "ward")
    assert ann.stamina == 100
    assert not missing(react(world, rules, ann, ReactionInput(1, "ward", threat=3)), "nothing", "ward")
    assert ann.stamina == 85
    world.reached_us = ann.locked_until_us
    assert react(world, rules, ann, ReactionInput(world.reached_us, "ward", threat=2)) is None
    assert ends(world, 1) == [(2, "warded", 0)]


@pytest.mark.parametrize(
    ("band_us", "wanted"), [(None, [1, 2]), (10**9, [1, 2]), (500_000, [1]), (499_999, []), (0, [])]
)
def test_a_band_takes_the_threats_in_it_and_has_a_cost_even_without_any(band_us, wanted) -> None:
    world, rules, ann, bob = fight()
    for us in (500_000, 600_000, 600_001):
        insert_threat(world, rules, bob, ann, "bite", 10, us)
    assert (react(world, rules, ann, ReactionInput(0, "deflect", band_us=band_us)) is None) == bool(wanted)
    assert [number for number, _, _ in ends(world, 1)] == wanted
    assert ann.stamina == 90


def test_a_counter_returns_half_as_its_own_threat() -> None:
    world, rules, ann, bob = fight()
    bob.attributes = {"might": 50}
    ann.attributes = {"might": 100}
    insert_threat(world, rules, bob, ann, "bite", 20)
    world.reached_us = 100
    react(world, rules, ann, ReactionInput(100, "counter"))
    (back,) = bob.threats
    assert (back.source, back.damage, back.inserted_us) == (1, 30, 100)  # half of 30, by ann's might
    assert ends(world, 1) == [(1, "countered", 0)]


def test_a_counter_may_take_a_band_and_the_attacker_may_be_gone() -> None:
    every = Reaction("riposte", "band", 5, band_us=10**6, returned=100, why="returned")
    world, rules, ann, bob = fight(reactions={**REACTIONS, "riposte": every})
    wolf = Creature(9, "wolf", "wolf", "yard")
    world.add(wolf)
    for source in (bob, wolf):
        insert_threat(world, rules, source, ann, "bite", 20, 10**6)
    world.remove(wolf)
    react(world, rules, ann, ReactionInput(0, "riposte"))
    assert [why for _, why, _ in ends(world, 1)] == ["returned", "returned"]
    assert [t.damage for t in bob.threats] == [20]


@pytest.mark.parametrize(("early_us", "health"), [(-1, 90), (0, 100), (1, 100)])
def test_a_press_in_the_microsecond_of_the_landing_is_in_time_and_one_later_is_not(early_us, health) -> None:
    world, rules, ann, bob = fight()
    insert_threat(world, rules, bob, ann, "bite", 10, 1_420_000)
    play(world, rules, 2_000_000, {1: [ReactionInput(1_420_000 - early_us, "parry")]})
    assert ann.health == health


# ---- exact, whatever the length of a turn --------------------------------------------------------------

_TIMES = st.integers(1, 4_000_000) | st.sampled_from(
    [1, 49_999, 50_000, 250_000, 250_001, 1_000_000, 2_000_000]
)
_STRIKE = st.fixed_dictionaries(
    {
        "at": _TIMES,
        "who": st.integers(1, 3),
        "whom": st.integers(1, 3),
        "kind": st.sampled_from(["bite", "fire"]),
        "base": st.integers(0, 60),
        "us": st.none() | st.sampled_from([1, 50_000, 500_000, 1_000_000]) | st.integers(1, 2_000_000),
    }
)
_PRESS = st.tuples(
    st.integers(1, 3),
    _TIMES,
    st.sampled_from([*REACTIONS, "hop"]),
    st.none() | st.integers(1, 5),
    st.none() | st.integers(0, 600_000),
)
SCRIPTS = st.tuples(st.lists(_STRIKE, max_size=12), st.lists(_PRESS, max_size=10))
END = 12_000_000


def outcome(script: tuple[list[Any], list[Any]], dt_us: int, looks: tuple[int, ...] = ()) -> Any:
    """Play a script with turns of this length, looking in between at some times; return all there was."""
    strikes, presses = script
    world, rules, _, _ = fight(places=Scale(2), window=Scale(1_000_000))
    world.dt_us = dt_us
    world.add(Creature(3, "person", "cat", "yard", driver="program"))
    for one in strikes:
        world.at(**{"due_us": one["at"], "name": "strike", **{k: v for k, v in one.items() if k != "at"}})
    world.commit()
    pressed: dict[int, list[ReactionInput]] = {1: [], 2: [], 3: []}
    for body, at_us, reaction, threat, band_us in presses:
        pressed[body].append(ReactionInput(at_us, reaction, threat, band_us))
    for look_us in sorted(looks):
        play(world, rules, look_us // dt_us * dt_us, pressed)
        seen = {
            b: WorldIntent(presses=tuple(p for p in ps if world.now_us < p.at_us))
            for b, ps in pressed.items()
        }
        Timeline(world, rules, STREAMS).advance(look_us, seen)
    play(world, rules, END, pressed)
    return world.outbox.told, [world.creatures[number] for number in sorted(world.creatures)]


@settings(max_examples=150, deadline=None)
@given(SCRIPTS, st.lists(st.integers(1, END), max_size=4))
def test_the_outcome_does_not_depend_on_the_length_of_turns_or_on_looks(script, looks) -> None:
    wanted = outcome(script, DT)
    assert outcome(script, 50_000) == wanted
    assert outcome(script, 1_000_000) == wanted
    assert outcome(script, DT, tuple(looks)) == wanted


@settings(max_examples=150, deadline=None)
@given(SCRIPTS)
def test_every_threat_is_announced_once_and_ends_once_at_its_time_or_before(script) -> None:
    messages, _ = outcome(script, DT)
    begun: dict[tuple[int, int], dict[str, Any]] = {}
    ended: dict[tuple[int, int], dict[str, Any]] = {}
    for body, message in messages:
        if message["kind"] == "threat":
            threat = message["threat"]
            book = begun if message["op"] == "add" else ended
            assert (body, threat["id"]) not in book
            book[body, threat["id"]] = threat
    assert begun.keys() == ended.keys()
    for key, threat in ended.items():
        lands_us = begun[key]["at"] + begun[key]["us"]
        assert threat["at"] == lands_us if threat["why"] == "landed" else threat["at"] <= lands_us
        assert threat["damage"] == 0 or threat["why"] in ("landed", "overflow")
    blows = sum(message["kind"] == "blow" for _, message in messages)
    others = sum(1 for key, threat in ended.items() if threat["from"] != key[0])
    assert blows == others


@settings(max_examples=100, deadline=None)
@given(SCRIPTS)
def test_only_landings_reduce_health(script) -> None:
    strikes, presses = script
    scratches = [{**one, "base": one["base"] % 6} for one in strikes]  # who dies would stand up again, whole
    messages, bodies = outcome((scratches, presses), DT)
    lost = {body.id: 100 - body.health for body in bodies}
    for body, message in messages:
        if message["kind"] == "threat" and message["op"] == "gone":
            lost[body] -= message["threat"]["damage"]
    assert set(lost.values()) == {0}
