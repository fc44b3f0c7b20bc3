from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from packages.core.tests.messages import missing
from turnwright.errors import ParticipantStartError
from turnwright_world.client.bot import HEARD_MAX, WorldBot, run
from turnwright_world.wire.packed import unpack_message

THREAT = {"id": 3, "from": 42, "name": "rat", "kind": "bite", "at": 1_000_000, "us": 3_000_000}


def view(**besides: Any) -> dict[str, Any]:
    return {"turn": 1, "now_us": 250_000, "threats": [], "heard": [], **besides}


class Wolf(WorldBot):
    def __init__(self) -> None:
        super().__init__()
        self.others: list[str] = []

    def on_turn(self, view: dict[str, Any]) -> str | None:
        return None if view["threats"] else "north"

    def on_threat(self, threat: dict[str, Any]) -> str | None:
        return "dodge" if threat["kind"] == "bite" else None

    def on_message(self, package: str, data: dict[str, Any]) -> None:
        self.others.append(package)


def test_a_bot_sends_its_name_and_remembers_its_body() -> None:
    wolf = Wolf()
    assert wolf.hello() == [{"type": "Hello", "name": "Wolf", "changes": True}]
    assert wolf.hello("a passphrase")[0]["token"] == "a passphrase"
    assert wolf.receive("Welcome", {"body": 7}, 0) == []
    assert wolf.body == 7


def test_a_turn_is_answered_with_a_command() -> None:
    for threats, said in (([], [{"type": "Command", "text": "north"}]), ([THREAT], [])):
        wolf = Wolf()
        assert wolf.receive("Turn", view(threats=threats), 0) == []
        assert wolf.waits
        assert wolf.think() == said
        assert not wolf.waits


def test_after_a_long_thought_a_bot_gets_the_newest_view_and_all_messages() -> None:
    seen: list[dict[str, Any]] = []
    wolf = Wolf()
    wolf.on_turn = seen.append  # type: ignore[assignment, method-assign]
    for turn in range(1, 4):
        wolf.receive("Turn", view(turn=turn, heard=[{"text": turn}]), 0)
    wolf.think()
    wolf.receive("Turn", view(turn=4, heard=[{"text": 4}]), 0)
    wolf.think()
    assert [(one["turn"], [heard["text"] for heard in one["heard"]]) for one in seen] == [
        (3, [1, 2, 3]),
        (4, [4]),
    ]


def test_the_number_of_messages_heard_during_a_thought_is_bounded() -> None:
    wolf = Wolf()
    for turn in range(HEARD_MAX + 5):
        wolf.receive("Turn", view(turn=turn, heard=[turn]), 0)
    assert wolf.view["heard"] == list(range(5, HEARD_MAX + 5))


def test_a_threat_is_answered_once() -> None:
    reaction = {"type": "Combat.React", "reaction": "dodge", "id": 3}
    assert Wolf().receive("Combat.Threat.Add", dict(THREAT), 0) == [reaction]
    assert Wolf().receive("Combat.Threat.Add", {**THREAT, "kind": "fire"}, 0) == []


def test_pings_begin_with_the_body_and_stamp_reactions() -> None:
    wolf = Wolf()
    assert wolf.ping(0) == []
    wolf.receive("Welcome", {"body": 7}, 0)
    wolf.receive("Time.Segment", {"g": 0, "w": 0, "rate": 1_000_000}, 0)
    for k in range(8):
        at_us = k * 150_000
        (ping,) = wolf.ping(at_us)
        assert wolf.ping(at_us + 1) == []
        pong = {"n": ping["n"], "c": ping["c"], "r": at_us + 5_000, "s": at_us + 5_010}
        wolf.receive("Time.Pong", pong, at_us + 10_000)
    assert wolf.clock.ready
    (reaction,) = wolf.receive("Combat.Threat.Add", dict(THREAT), 2_000_000)
    assert reaction["at"] > 0


def test_other_messages_and_the_farewell_are_handed_on() -> None:
    wolf = Wolf()
    wolf.receive("Game.Text", {"text": "hello"}, 0)
    wolf.receive("Combat.Result", {"ok": True, "early_us": 0}, 0)
    wolf.receive("Goodbye", {"why": "Farewell."}, 0)
    assert (wolf.others, wolf.farewell) == (["Game.Text", "Combat.Result"], "Farewell.")


def test_a_bot_hands_minds_over_and_asks_for_them() -> None:
    wolf = Wolf()
    wolf.hand_over("def plan(view, random): return None")
    wolf.change_mind("stop", "#7")
    wolf.ask_minds()
    put, done, asked = wolf.receive("Mind.Status", {"minds": []}, 0)
    assert put == {"type": "Mind.Put", "source": "def plan(view, random): return None", "target": ""}
    assert done == {"type": "Mind.Do", "what": "stop", "target": "#7"}
    assert asked == {"type": "Mind.List"}
    assert wolf.others == ["Mind.Status"]


def test_a_bot_merges_changes_and_takes_threats_from_their_messages() -> None:
    wolf = Wolf()
    wolf.receive("Turn", view(heard=[{"kind": "text"}], here=[1]), 0)
    wolf.think()
    wolf.receive("Combat.Threat.Add", THREAT, 0)
    wolf.receive("Combat.Threat.Add", {**THREAT, "id": 4, "us": 1_000}, 0)
    assert [one["id"] for one in wolf.view["threats"]] == [4, 3]
    wolf.receive("Turn", {"turn": 2, "now_us": 500_000}, 0)
    assert (wolf.view["turn"], wolf.view["heard"], wolf.view["here"]) == (2, [], [1])
    wolf.receive("Combat.Threat.Gone", {"id": 4, "why": "landed", "damage": 3}, 0)
    assert wolf.view["threats"] == [THREAT]
    assert wolf.others == ["Combat.Threat.Gone"]
    wolf.receive("Combat.Result", {"ok": False, "why": "too late", "threats": []}, 0)
    assert wolf.view["threats"] == []


@contextmanager
def refusing(*messages: dict[str, Any]) -> Iterator[str]:
    """Run a server that answers with these messages and closes; yield its address."""

    def answer(connection: ServerConnection) -> None:
        connection.recv()
        for message in messages:
            connection.send(json.dumps(message))

    with serve(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.process
@pytest.mark.parametrize("asked", [True, False])
def test_advice_about_a_passphrase_is_given_only_if_the_server_asked_for_one(asked: bool) -> None:
    why = "That is not the passphrase." if asked else "Wolf is here already. Take another name."
    secret = [{"type": "Core.Secret", "on": True}, {"type": "Core.Secret", "on": False}] if asked else []
    with (
        refusing(*secret, {"type": "Goodbye", "why": why}) as url,
        pytest.raises(ParticipantStartError) as told,
    ):
        run(Wolf(), url)
    assert not missing(str(told.value), url, "Wolf", why.rstrip("."))
    advice = missing(str(told.value), "SERVER_SECRET", "another name (name") == []
    assert advice is asked


@contextmanager
def turning(every_s: float) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Run a world that sends turns regularly and a threat in turn 5; yield its address and what it heard.

    heard: the type of a message of the bot, and the newest turn when it came.
    """
    heard: list[tuple[str, int]] = []

    def answer(connection: ServerConnection) -> None:
        connection.recv()
        connection.send(json.dumps({"type": "Welcome", "body": 7}))
        turn, done = [0], threading.Event()

        def listen() -> None:
            for data in connection:
                assert isinstance(data, bytes)
                heard.append((unpack_message(data)[0], turn[0]))
                if sum(kind == "Command" for kind, _ in heard) == 3:
                    done.set()

        threading.Thread(target=listen, daemon=True).start()
        while not done.wait(every_s):
            turn[0] += 1
            connection.send(json.dumps({"type": "Turn", **view(turn=turn[0])}))
            if turn[0] == 5:
                connection.send(json.dumps({"type": "Combat.Threat.Add", **THREAT}))

    with serve(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}", heard
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.process
def test_a_bot_that_thinks_for_many_turns_sees_the_newest_and_reacts_meanwhile() -> None:
    saw: list[int] = []

    class Thinker(Wolf):
        def on_turn(self, view: dict[str, Any]) -> str | None:
            saw.append(view["turn"])
            newest = view["turn"] + 20
            while self.view["turn"] < newest:  # twenty turns of thought
                time.sleep(0.001)
            return "north"

    with turning(0.005) as (url, heard):
        run(Thinker(), url)
    commands = [turn for kind, turn in heard if kind == "Command"]
    assert len(saw) >= 3
    for one, after in pairwise(saw):
        assert after >= one + 20, "turns that came during a thought are not given one by one"
    for seen, said in zip(saw, commands, strict=False):
        assert said >= seen + 20
    (reacted,) = [turn for kind, turn in heard if kind == "Combat.React"]
    assert reacted < commands[0], "a reaction does not wait for the thought"


@pytest.mark.process
def test_an_exception_in_on_turn_ends_the_program() -> None:
    class Broken(Wolf):
        def on_turn(self, view: dict[str, Any]) -> str | None:
            raise ValueError("no way out")

    with turning(0.005) as (url, _), pytest.raises(ValueError, match="no way out"):
        run(Broken(), url)
