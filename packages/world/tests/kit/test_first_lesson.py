"""The first lesson: every new player has it once."""

from __future__ import annotations

import msgspec
import pytest

from packages.core.tests.messages import missing
from packages.world.tests.demo.playing import Demo, demo
from turnwright_world.intent import GATE, GateEvent, WorldIntent
from turnwright_world.kit.birth_and_death import end_life
from turnwright_world.kit.companions import why_not_tame
from turnwright_world.kit.first_lesson import LESSON, LESSONS_MAX, plan_lesson
from turnwright_world.kit.safe_return import PUPIL
from turnwright_world.planning.messages import BodyToPlan, Source
from turnwright_world.planning.net.minds import Minds
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.verbs import Act

QUARTER_MINUTE = 60
TURNS_MAX = 480


def teachers(played: Demo) -> list[Creature]:
    return [body for body in played.world.creatures.values() if PUPIL in body.data]


def handle(played: Demo, body: Creature) -> Act:
    return Act(played.world, played.content.rules, played.battle.streams, body, ("test", 0))


def wait_for(played: Demo, state: str) -> int:
    """Return how many turns it takes until the player's lesson has come to a state."""
    for turn in range(TURNS_MAX):
        if played.body.data[LESSON] == state:
            return turn
        played.wait(1)
    raise AssertionError(f"{state}: never, but {played.body.data[LESSON]}")


def test_each_of_several_newcomers_is_attacked_by_its_own_goose() -> None:
    played = Demo()
    for name in ("Bert", "Cleo"):
        played.turn({GATE: WorldIntent(gate=(GateEvent("join", None, name, {"driver": "player"}),))})
    players = [body for body in played.world.creatures.values() if body.driver == "player"]
    struck: dict[int, int] = {}
    for _ in range(2 * QUARTER_MINUTE):
        played.wait(1)
        struck |= {body.id: threat.source for body in players for threat in body.threats}
    assert set(struck) == {body.id for body in players}
    assert len(set(struck.values())) == len(players)
    assert {body.data[LESSON] for body in players} == {"done"}


def test_others_see_nothing_of_a_lesson_except_the_words_of_its_creature() -> None:
    played = Demo()
    played.turn({GATE: WorldIntent(gate=(GateEvent("join", None, "Bert", {"driver": "player"}),))})
    bert = next(body for body in played.world.creatures.values() if body.name == "Bert")
    texts: list[str] = []
    for _ in range(2 * QUARTER_MINUTE):
        played.wait(1)
        texts += [str(message.get("text", "")) for message in played.heard]
    assert bert.data[LESSON] == "done"
    assert any("Bert" in text for text in texts), "the goose hisses at him"
    assert not [text for text in texts if "threatens" in text or "strikes at" in text]


def test_a_goose_that_is_killed_by_its_pupil_is_the_end_of_the_lesson_and_no_other_comes() -> None:
    played = Demo()
    wait_for(played, "here")
    (goose,) = teachers(played)
    played.do("attack goose")
    for _ in range(QUARTER_MINUTE):
        played.wait(1)
    assert goose.id not in played.world.creatures
    assert played.body.data[LESSON] == "done"
    assert played.body.data["xp"] == 8
    played.wait(2 * QUARTER_MINUTE)
    assert teachers(played) == []


def test_only_the_newcomer_can_attack_its_goose() -> None:
    played = Demo(minds=False)
    wait_for(played, "here")
    (goose,) = teachers(played)
    played.turn({GATE: WorldIntent(gate=(GateEvent("join", None, "Bert", {"driver": "player"}),))})
    bert = next(body for body in played.world.creatures.values() if body.name == "Bert")
    played.turn({bert.id: WorldIntent("attack", f"#{goose.id}")})
    assert bert.action is None
    played.do_one(f"attack #{goose.id}")
    assert played.body.action is not None


def test_a_newcomer_who_walks_away_has_the_lesson_after_returning() -> None:
    played = Demo()
    wait_for(played, "here")
    played.walk("in")
    played.wait(10)
    assert (played.body.data[LESSON], teachers(played)) == ("due", [])
    played.walk("out")
    wait_for(played, "done")


def test_a_goose_whose_pupil_has_gone_does_not_stay() -> None:
    played = Demo()
    wait_for(played, "here")
    played.turn({GATE: WorldIntent(gate=(GateEvent("leave", played.me, "", {"keep": True}),))})
    for _ in range(10):
        played.turn()
    assert teachers(played) == []


def test_only_a_bounded_number_of_newcomers_has_the_lesson_simultaneously() -> None:
    played = Demo(minds=False)
    for k in range(LESSONS_MAX + 1):
        event = GateEvent("join", None, f"Bert{chr(97 + k)}", {"driver": "player"})
        played.turn({GATE: WorldIntent(gate=(event,))})
    played.wait(20)
    assert len(teachers(played)) == LESSONS_MAX


@pytest.mark.parametrize("owner", ["account:anna", "account:bert", "guest:1"])
def test_the_creature_of_a_lesson_cannot_be_tamed(owner: str) -> None:
    played = Demo(minds=False)
    wait_for(played, "here")
    (goose,) = teachers(played)
    played.body.owner = owner
    goose.tags.append("tameable")
    assert not missing(
        why_not_tame(handle(played, played.body), goose), goose.name, "lesson", "cannot be tamed"
    )


def test_the_death_of_a_creature_without_a_pupil_ends_no_lesson() -> None:
    played = Demo(minds=False)
    zero = Creature(0, "person", "Zed", "temple", driver="program", data={LESSON: "due"})
    rules = played.content.rules
    rat = rules.new_creature(played.world, "person", "square")
    played.world.add(zero)
    played.world.commit()
    rat.died_us = played.world.reached_us
    end_life(handle(played, rat))
    assert zero.data[LESSON] == "due"


@pytest.mark.parametrize("outcomes", [[], [{"kind": "blow", "why": "landed"}]])
def test_a_goose_without_a_pupil_leaves_body_zero_alone(outcomes: list[dict[str, str]]) -> None:
    minds = Minds()
    minds.learn(Source("goose", "minds/goose.py", demo().minds["goose"]))
    memory = msgspec.Raw(b"null")
    zero = {"id": 0, "name": "Zed", "linkdead": False}
    for turn in range(60):
        heard = outcomes if turn == 0 else []
        view = {"memory": {}, "heard": heard, "action": None, "threats": [], "here": [zero]}
        body = BodyToPlan(1, "goose", turn, msgspec.Raw(msgspec.json.encode(view)), memory)
        answer = minds.ask(body)
        memory = answer.memory
        assert "#0" not in (answer.command or "")
        assert "Zed" not in (answer.command or "")


def test_a_lesson_that_waits_has_one_timer_however_often_its_pupil_arrives() -> None:
    played = Demo(minds=False)
    for _ in range(20):
        played.body.linkdead_since = played.world.turn
        played.wait(16)
        plan_lesson(handle(played, played.body))
        played.world.commit()
    assert sum(timer.name == "lesson" for timer in played.world.timers.values()) == 1
    played.body.linkdead_since = None
    wait_for(played, "here")


def wait_for_blow(played: Demo) -> Creature:
    """Wait until a goose has struck at the player; return the goose."""
    wait_for(played, "here")
    (goose,) = teachers(played)
    for _ in range(TURNS_MAX):
        if played.body.threats:
            return goose
        played.wait(1)
    raise AssertionError("the goose strikes nobody")


def test_a_goose_stays_while_its_blow_is_on_its_way_wherever_its_pupil_goes() -> None:
    played = Demo()
    goose = wait_for_blow(played)
    played.do_one("go in")
    while played.body.threats:
        assert goose.id in played.world.creatures
        played.wait(1)
    assert [m["threat"]["name"] for m in played.heard if m.get("op") == "gone"] == [goose.name]
    played.wait(10)
    assert (played.body.data[LESSON], teachers(played)) == ("done", [])


def test_a_goose_stays_while_its_pupils_blow_is_on_its_way() -> None:
    played = Demo(minds=False)
    wait_for(played, "here")
    (goose,) = teachers(played)
    played.do_one("attack goose")
    while not goose.threats:
        played.wait(1)
    played.do_one("stop")
    played.do_one("go in")
    while goose.threats:
        assert goose.id in played.world.creatures
        played.wait(1)
    assert [m["name"] for m in played.heard if m["kind"] == "blow"] == [goose.name]
    played.wait(10)
    assert teachers(played) == []


def test_the_blow_of_a_goose_that_was_killed_meanwhile_has_its_name() -> None:
    played = Demo()
    goose = wait_for_blow(played)
    played.world.touch(goose)
    goose.health = 0
    played.world.commit()
    gone = []
    for _ in range(40):
        played.wait(1)
        gone += [m["threat"]["name"] for m in played.heard if m.get("op") == "gone"]
    assert gone == [goose.name]
    assert goose.id not in played.world.creatures
