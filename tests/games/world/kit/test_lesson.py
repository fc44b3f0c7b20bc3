"""The first lesson: it happens to everybody, once."""

from __future__ import annotations

from tests.games.world.demo.playing import Demo
from turnwright.games.world.intent import GATE, GateEvent, WorldIntent
from turnwright.games.world.kit.lesson import LESSON, LESSONS_MAX
from turnwright.games.world.kit.peace import PUPIL
from turnwright.games.world.rules.entities import Creature

QUARTER_MINUTE = 60
TURNS_MAX = 480


def teachers(played: Demo) -> list[Creature]:
    return [body for body in played.world.creatures.values() if PUPIL in body.data]


def wait_for(played: Demo, state: str) -> int:
    """Return how many turns it takes until the player's lesson has come to a state."""
    for turn in range(TURNS_MAX):
        if played.body.data[LESSON] == state:
            return turn
        played.wait(1)
    raise AssertionError(f"{state}: never, but {played.body.data[LESSON]}")


def test_each_of_several_newcomers_is_attacked_by_a_goose_of_its_own() -> None:
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


def test_nobody_else_can_strike_a_newcomers_goose() -> None:
    played = Demo(minds=False)
    wait_for(played, "here")
    (goose,) = teachers(played)
    played.turn({GATE: WorldIntent(gate=(GateEvent("join", None, "Bert", {"driver": "player"}),))})
    bert = next(body for body in played.world.creatures.values() if body.name == "Bert")
    played.turn({bert.id: WorldIntent("attack", f"#{goose.id}")})
    assert bert.action is None
    played.do_one(f"attack #{goose.id}")
    assert played.body.action is not None


def test_who_walks_away_has_the_lesson_after_coming_back() -> None:
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


def test_of_many_newcomers_in_one_place_the_last_wait_for_their_turn() -> None:
    played = Demo(minds=False)
    for k in range(LESSONS_MAX + 1):
        event = GateEvent("join", None, f"Bert{chr(97 + k)}", {"driver": "player"})
        played.turn({GATE: WorldIntent(gate=(event,))})
    played.wait(20)
    assert len(teachers(played)) == LESSONS_MAX
