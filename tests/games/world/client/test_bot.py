from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from tests.messages import missing
from turnwright.errors import ParticipantStartError
from turnwright.games.world.client.bot import WorldBot, run

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


def test_it_says_its_name_and_takes_its_body() -> None:
    wolf = Wolf()
    assert wolf.hello() == [{"type": "Hello", "name": "Wolf", "changes": True}]
    assert wolf.hello("a passphrase")[0]["token"] == "a passphrase"
    assert wolf.receive("Welcome", {"body": 7}, 0) == []
    assert wolf.body == 7


def test_a_turn_is_answered_with_a_command() -> None:
    assert Wolf().receive("Turn", view(), 0) == [{"type": "Command", "text": "north"}]
    assert Wolf().receive("Turn", view(threats=[THREAT]), 0) == []


def test_a_threat_is_answered_once() -> None:
    reaction = {"type": "Combat.React", "reaction": "dodge", "id": 3}
    assert Wolf().receive("Combat.Threat.Add", dict(THREAT), 0) == [reaction]
    assert Wolf().receive("Turn", view(threats=[THREAT]), 0) == []
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


def test_it_hands_minds_over_and_asks_for_them() -> None:
    wolf = Wolf()
    wolf.hand_over("def plan(view, random): return None")
    wolf.change_mind("stop", "#7")
    wolf.ask_minds()
    put, done, asked = wolf.receive("Mind.Status", {"minds": []}, 0)
    assert put == {"type": "Mind.Put", "source": "def plan(view, random): return None", "target": ""}
    assert done == {"type": "Mind.Do", "what": "stop", "target": "#7"}
    assert asked == {"type": "Mind.List"}
    assert wolf.others == ["Mind.Status"]


def test_it_puts_together_what_has_changed_and_keeps_threats_from_their_messages() -> None:
    wolf = Wolf()
    wolf.receive("Turn", view(heard=[{"kind": "text"}], here=[1]), 0)
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
def test_only_who_is_asked_for_a_passphrase_is_told_where_to_give_it(asked: bool) -> None:
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
