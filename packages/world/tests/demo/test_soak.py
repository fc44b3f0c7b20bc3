"""Two thousand turns with minds: the same every time, verified from the record, and nothing fails."""

from __future__ import annotations

from random import Random

import pytest

from packages.world.tests.demo.playing import Demo, demo, intent_of
from turnwright.kernel.verify import verify
from turnwright_world.game import WorldGame
from turnwright_world.intent import ReactionInput, WorldIntent

TURNS = 2_000
LINES = [
    "get all",
    "drop bread",
    "attack wolf",
    "attack rat",
    "attack boar",
    "attack deer",
    "attack robber",
    "attack guard",
    "flee",
    "rest",
    "stop",
    "chop",
    "dig",
    "fish",
    "pick",
    "talk guard",
    "list",
    "buy bread",
    "sell pelt",
    "eat bread",
    "score",
    "quests",
    "open south",
    "shout hello",
    "emote nods",
    "consider wolf",
    "train might",
    "light lamp",
    "give 1 to guard",
    "nonsense",
]
REACTIONS = ("dodge", "parry", "ward", "deflect", "counter")


def soak(seed: int, turns: int) -> Demo:
    """Play a player who wanders, fights, reacts and types at random."""
    random, played = Random(seed), Demo(seed)
    for _ in range(turns):
        line = ""
        if played.body.action is None or random.random() < 0.05:
            ways = list(played.view()["place"]["exits"])
            line = random.choice(ways) if random.random() < 0.3 else random.choice(LINES)
        presses: tuple[ReactionInput, ...] = ()
        if played.body.threats and random.random() < 0.5:
            at_us = played.world.now_us + 1 + random.randrange(249_999)
            presses = (ReactionInput(at_us, random.choice(REACTIONS)),)
        played.turn({played.me: intent_of(line, presses) if line else WorldIntent(presses=presses)})
        played.kinds.update(f"{m['kind']} {m.get('why', m.get('op', ''))}" for m in played.heard)
    return played


@pytest.mark.long
def test_two_thousand_turns_are_the_same_twice_and_the_record_agrees() -> None:
    first, second = soak(12, TURNS), soak(12, TURNS)
    digests = [entry.digest for entry in first.entries]
    assert len(set(digests)) == len(digests)
    assert digests == [entry.digest for entry in second.entries]
    assert first.troubles == []
    assert first.kinds >= {"threat add", "threat gone", "blow landed", "react dodged", "react parried"}
    assert verify(first.record, WorldGame(demo().rules)).ok


def test_a_record_of_minds_is_verified_without_them() -> None:
    played = soak(5, 300)
    assert played.troubles == []
    verified = verify(played.record, WorldGame(demo().rules))
    assert verified.ok, verified


def test_another_seed_is_another_story() -> None:
    assert soak(1, 60).entries[-1].digest != soak(2, 60).entries[-1].digest


def test_an_idle_world_touches_nothing() -> None:
    played = Demo(minds=False)
    played.body.data["lesson"] = "done"
    played.wait(20)
    visited, timers = played.world.kept.visited, len(played.world.timers)
    played.wait(200)
    assert played.world.kept.visited - visited == 0
    assert timers == 0


def test_no_verb_or_timer_of_the_demo_changes_anything_unannounced() -> None:
    """A change without a touch would be neither kept nor undone nor in the digest."""
    random, played = Random(3), Demo(3)
    for _ in range(150):
        played.turn({played.me: intent_of(random.choice(LINES))})
        assert played.world.untouched_changes() == []
