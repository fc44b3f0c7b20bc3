"""The JSON Schemas of the protocols: fresh, in the package, and true of the messages of whole battles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from schemas import SCHEMAS

from tests.games.tank.host import royale_rooms
from tests.host import support

jsonschema = pytest.importorskip("jsonschema")

BY_NAME = {path.name.partition(".")[0]: json.loads(text) for path, text in SCHEMAS.items()}
TURNS_NS = 40 * support.TIMEOUT


def check(name: str, side: str, message: Any) -> None:
    """Assert that a message is one of a side of a protocol."""
    whole = BY_NAME[name]
    kinds = [whole["$defs"][ref["$ref"].rpartition("/")[2]] for ref in whole["$defs"][side]["anyOf"]]
    kind = [one for one in kinds if message["type"] in one["properties"]["type"]["enum"]]
    assert len(kind) == 1, message["type"]
    jsonschema.Draft202012Validator({**kind[0], "$defs": whole["$defs"]}).validate(message)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_fresh_and_a_schema(path: Any) -> None:
    assert path.read_text(encoding="utf-8") == SCHEMAS[path], "run `make schemas`"
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMAS[path]))


def clients_of(room: Any, *more: Any) -> list[Any]:
    """Return who takes part in a battle that was played to its end, with a pause and a change of speed."""
    bots = [room.bot(f"bot {k}") for k in range(2)]
    boss = room.operator(**room.usual_operator)
    bots[0].answer = lambda seen: {}
    room.start(boss, bots)
    room.run(TURNS_NS)
    return [*bots, boss, *more]


def test_the_messages_of_a_tank_battle_are_as_the_schemas_say() -> None:
    room = royale_rooms.Room(max_skipped=3)
    seen = {"royale": set[str](), "stream": set[str]()}
    watchers = [room.spectator(), room.spectator(turnwright=1, frames=1)]
    for client in clients_of(room, *watchers):
        for message in client.heard:
            name = (
                "stream"
                if message["type"] in ("Keyframe", "Delta", "BotPolicies", "BotFailures")
                else "royale"
            )
            check(name, "Server", message)
            seen[name].add(message["type"])
    assert seen["royale"] >= {"TickEventForBot", "SkippedTurnEvent", "BotListUpdate", "TickEventForObserver"}
    assert seen["stream"] >= {"Keyframe", "Delta"}


def test_the_messages_of_a_battle_in_the_generic_protocol_are_as_the_schema_says() -> None:
    room = support.Room(max_skipped=3)
    seen = set()
    for client in clients_of(room, room.spectator()):
        for message in client.heard:
            check("generic", "Server", message)
            seen.add(message["type"])
    assert seen >= {"hello", "ready", "observation", "skipped", "frame"}


@pytest.mark.parametrize("wrong", [{"turnNumber": "one"}, {}, {"turnNumber": 1, "reason": 5}])
def test_a_message_that_is_wrong_is_found(wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        check("royale", "Server", {"type": "SkippedTurnEvent", **wrong})


def test_what_programs_send_to_a_world_has_a_schema() -> None:
    validator = jsonschema.Draft202012Validator(BY_NAME["world"])
    validator.validate({"Mind.Do": {"what": "stop"}, "Core.Size": {"columns": 80, "rows": 24}})
    assert not validator.is_valid({"Mind.Do": {"what": "jump"}})
    assert not validator.is_valid({"No.Package": {}})
