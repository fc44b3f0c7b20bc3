"""Actions: begun, carried on, finished, interrupted at each turn; one that fails is undone and over."""

from __future__ import annotations

from typing import Any

import pytest

from packages.core.tests.messages import naming
from packages.world.tests.worlds import Play, rules_with, unpacked
from turnwright_world.intent import COMMAND_CHARS_MAX, WorldIntent
from turnwright_world.rules.actions import MEMORY_BYTES_MAX
from turnwright_world.rules.verbs import Verb

STOP = WorldIntent(stop=True)


class Steps(Verb):
    """Reports each of its steps, and remembers how many there were."""

    name = "steps"

    def turns(self, act):
        return int(act.text or 1)

    def note(self, act, step):
        act.touch(act.actor)
        act.data["n"] = act.data.get("n", 0) + 1
        act.actor.data.setdefault("log", []).append(f"{step}{act.data['n']}")

    def begin(self, act):
        self.note(act, "begin")

    def each_turn(self, act):
        self.note(act, "go")

    def finish(self, act):
        self.note(act, "end")

    def interrupted(self, act):
        self.note(act, "cut")


class Boom(Steps):
    """Fails in a step: boom STEP."""

    name = "boom"

    def turns(self, act):
        return 3

    def note(self, act, step):
        super().note(act, step)
        act.say(step)
        if step == act.text:
            raise RuntimeError(step)


def log_of(play, body=1):
    return play.world.creatures[body].data.get("log", [])


@pytest.mark.parametrize(
    ("turns", "log"),
    [
        (1, ["begin1", "end2"]),
        (2, ["begin1", "end2"]),
        (4, ["begin1", "go2", "go3", "end4"]),
        (-3, ["begin1", "end2"]),
    ],
)
def test_an_action_lasts_its_turns(turns, log):
    play = Play(rules_with(Steps()))
    play.do(1, "steps", str(turns))
    for k in range(2, max(1, turns) + 1):
        assert play.battle.observe(1)["action"] == {"verb": "steps", "ends_turn": max(1, turns)}
        assert len(log_of(play)) == k - 1
        play.turn()
    assert log_of(play) == log
    assert play.world.creatures[1].action is None
    play.turn()
    assert log_of(play) == log


@pytest.mark.parametrize("after", range(1, 5))
def test_an_action_can_be_interrupted_at_each_turn(after):
    play = Play(rules_with(Steps()))
    play.do(1, "steps", "6")
    for _ in range(after - 1):
        play.turn()
    play.turn({1: STOP})
    assert log_of(play)[-1] == f"cut{after + 1}"
    assert play.heard(1) == [{"kind": "stopped", "verb": "steps"}]
    assert play.world.creatures[1].action is None


def test_stop_answers_once_even_when_nothing_runs():
    play = Play(rules_with(Steps()))
    play.turn({1: STOP})
    assert play.heard(1) == [{"kind": "stopped", "verb": ""}]


def test_a_command_typed_after_a_stop_is_done_in_the_same_turn():
    play = Play(rules_with(Steps()))
    play.do(1, "steps", "6")
    play.turn({1: WorldIntent("say", "ha", stop=True)})
    assert play.heard(1) == [{"kind": "stopped", "verb": "steps"}, {"kind": "text", "text": "You say: ha"}]


def test_a_command_for_a_busy_body_is_refused_and_not_lost_in_silence():
    play = Play(rules_with(Steps()))
    play.do(1, "steps", "3")
    play.do(1, "say", "ha")
    assert play.heard(1) == [{"kind": "refused", "verb": "say", "text": "You are busy: steps."}]


@pytest.mark.parametrize(
    ("step", "turn", "kept"), [("begin", 0, []), ("go", 1, ["begin1"]), ("end", 2, ["begin1", "go2"])]
)
def test_a_step_that_fails_is_undone_and_the_action_over(step, turn, kept):
    play = Play(rules_with(Boom()))
    closed = play.do(1, "boom", step)
    for _ in range(turn):
        closed = play.turn()
    assert closed.entry.faults == ((f"ann (1): boom {step}", "RuntimeError"),)
    assert log_of(play) == kept
    assert play.heard(1) == [{"kind": "failed", "verb": "boom"}]
    assert play.world.creatures[1].action is None
    assert play.turn().entry.faults == ()


def test_an_interruption_that_fails_still_ends_the_action():
    play = Play(rules_with(Boom()))
    play.do(1, "boom", "cut")
    play.turn({1: STOP})
    assert play.world.creatures[1].action is None
    assert log_of(play) == ["begin1"]


def test_others_continue_when_one_fails():
    play = Play(rules_with(Boom(), Steps()))
    play.turn({1: WorldIntent("boom", "begin"), 2: WorldIntent("steps", "1")})
    assert (log_of(play, 1), log_of(play, 2)) == ([], ["begin1", "end2"])


def test_another_body_can_interrupt_and_the_order_decides_when():
    class Push(Verb):
        name = "push"

        def finish(self, act):
            act.interrupt(act.find_creature(act.text))

    for reaction, done in ((99, ["begin1", "cut2"]), (-99, ["begin1", "go2", "cut3"])):
        play = Play(rules_with(Steps(), Push()))
        play.do(1, "steps", "5")
        play.world.touch(play.world.creatures[2])
        play.world.creatures[2].attributes["reaction"] = reaction
        play.do(2, "push", "ann")
        play.turn()
        assert log_of(play) == done


@pytest.mark.parametrize(("length", "fine"), [(COMMAND_CHARS_MAX, True), (COMMAND_CHARS_MAX + 1, False)])
def test_a_command_has_a_largest_length(length, fine):
    play = Play()
    play.do(1, "say", "x" * length)
    assert (play.heard(1)[0]["kind"] == "text") == fine
    play.do(1, "x" * length)
    assert len(play.heard(1)[0]["verb"]) <= COMMAND_CHARS_MAX


def test_check_is_asked_when_it_is_executed():
    play = Play()
    play.turn({1: WorldIntent("hit", "bob"), 2: WorldIntent("go", "in")})
    assert bool(naming(play.texts(1), "no bob")) != (play.world.creatures[2].threats != [])


class Carve(Steps):
    """Carves something: while there is wood in the yard."""

    name = "carve"

    def turns(self, act):
        return 3

    def check(self, act):
        return None if act.world.places["yard"].data.get("wood", 0) else "There is no wood."


class Burn(Verb):
    """Takes the wood away."""

    name = "burn"

    def finish(self, act):
        act.touch(act.place)
        act.place.data["wood"] = 0


@pytest.mark.parametrize(
    ("burnt", "log"), [(None, ["begin1", "go2", "end3"]), (2, ["begin1", "go2", "cut3"]), (1, [])]
)
def test_a_long_action_is_checked_again_before_it_finishes(burnt, log):
    play = Play(rules_with(Carve(), Burn()))
    play.world.touch(play.world.places["yard"])
    play.world.places["yard"].data["wood"] = 1
    if burnt == 1:
        play.do(2, "burn")
    play.do(1, "carve")
    play.turn({2: WorldIntent("burn" if burnt == 2 else "")})
    play.turn()
    assert log_of(play) == log
    assert play.world.creatures[1].action is None
    refused = {"kind": "refused", "verb": "carve", "text": "There is no wood."}
    assert play.heard(1) == ([refused] if burnt == 2 else [])


class Twice(Verb):
    """Counts how often it is checked."""

    name, asked = "twice", 0

    def check(self, act):
        self.asked += 1

    def turns(self, act):
        return int(act.text)


@pytest.mark.parametrize(("turns", "asked"), [(1, 1), (2, 2), (5, 2)])
def test_an_action_of_one_turn_is_checked_once_and_a_longer_one_twice(turns, asked):
    verb = Twice()
    play = Play(rules_with(verb))
    play.do(1, "twice", str(turns))
    for _ in range(turns + 1):
        play.turn()
    assert verb.asked == asked


def test_a_check_that_does_not_say_why_not_is_a_mistake():
    class Odd(Verb):
        name = "odd"

        def check(self, act):
            return 5

    play = Play(rules_with(Odd()))
    assert play.do(1, "odd").entry.faults == (("ann (1): odd", "TypeError"),)


def test_minds_remember_within_bounds_and_others_do_not():
    rules = rules_with()
    play = Play(rules)
    wolf = rules.new_creature(play.world, "wolf", "yard").id
    play.turn()
    fits = {"x": "y" * (MEMORY_BYTES_MAX - 8)}
    play.turn({wolf: WorldIntent(memory=fits), 1: WorldIntent(memory={"a": 1})})
    assert (play.world.creatures[wolf].memory, play.world.creatures[1].memory) == (fits, {})
    closed = play.turn({wolf: WorldIntent(memory={"x": "y" * (MEMORY_BYTES_MAX - 7)})})
    assert play.world.creatures[wolf].memory == fits
    assert closed.entry.faults[0][1] == "ValueError"


def last_of(play: Play, body: int) -> list[dict[str, Any]]:
    """Return the last actions that a body's mind gets, in both ways of asking it."""
    seen = play.battle.observe(body)
    packed, _ = play.game.observe_packed(play.battle.state, body)
    assert unpacked(packed) == seen
    return seen.get("last", "nothing")


def test_a_mind_sees_its_last_actions_and_how_they_ended():
    rules = rules_with(Steps(), Boom())
    play = Play(rules)
    wolf = rules.new_creature(play.world, "wolf", "yard").id
    play.turn()
    assert last_of(play, wolf) == []
    play.do(wolf, "steps", "1")
    play.do(wolf, "nonsense")
    play.do(wolf, "steps", "3")
    assert [deed["ended"] for deed in last_of(play, wolf)] == ["done", "refused"], (
        "one that runs has not ended"
    )
    play.turn({wolf: STOP})
    play.do(wolf, "boom", "begin")
    turn = play.world.turn
    deeds = last_of(play, wolf)
    assert "nonsense" in deeds[1]["why"]
    assert deeds == [
        {"turn": turn - 4, "verb": "steps", "text": "1", "ended": "done"},
        {
            "turn": turn - 3,
            "verb": "nonsense",
            "text": "",
            "ended": "refused",
            "why": deeds[1]["why"],
        },
        {"turn": turn - 1, "verb": "steps", "text": "3", "ended": "stopped"},
        {"turn": turn, "verb": "boom", "text": "begin", "ended": "failed"},
    ]
    play.do(wolf, "steps", "2")
    play.turn()
    assert [deed["verb"] for deed in last_of(play, wolf)] == ["nonsense", "steps", "boom", "steps"]
    play.do(1, "steps", "1")
    assert last_of(play, 1) == "nothing", "who is no mind has its own memory"


def test_a_failed_action_is_reported_as_failed():
    rules = rules_with(Boom())
    play = Play(rules)
    wolf = rules.new_creature(play.world, "wolf", "yard").id
    play.do(wolf, "boom", "end")
    play.turn()
    play.turn()
    assert [deed["ended"] for deed in last_of(play, wolf)] == ["failed"]
