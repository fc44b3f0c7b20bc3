"""The JSON Schemas of the protocols: fresh, in the package, and true of the messages of whole battles."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import websockets
from schemas import SCHEMAS

from packages.core.tests.host import support
from packages.tank.tests.host import royale_rooms
from packages.world.tests.net.demo_server import Demo
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.host.accounts import SALT_BYTES, hash_passphrase
from turnwright_world.host.accounts import Account
from turnwright_world.wire.messages import MindFor, MindPut, PackageSpec, React
from turnwright_world.wire.server_messages import SERVER_PACKAGES

jsonschema = pytest.importorskip("jsonschema")

BY_NAME = {path.name.partition(".")[0]: json.loads(text) for path, text in SCHEMAS.items()}
PHRASE = "three green apples"
TURNS_NS = 40 * support.TIMEOUT


def check(name: str, side: str, message: Any) -> None:
    """Assert that a message is valid for one side of a protocol."""
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
    """Play a battle to its end, with a pause and a change of speed; return its clients."""
    bots = [room.bot(f"bot {k}") for k in range(2)]
    boss = room.operator(**room.usual_operator)
    bots[0].answer = lambda seen: {}
    room.start(boss, bots)
    room.run(TURNS_NS)
    return [*bots, boss, *more]


def test_the_messages_of_a_tank_battle_are_as_the_schemas_say() -> None:
    room = royale_rooms.Room(max_skipped=3)
    seen = set()
    watchers = [room.spectator(), room.spectator(turnwright=1, history=1)]
    for client in clients_of(room, *watchers):
        for message in client.heard:
            check("royale", "Server", message)
            seen.add(message["type"])
    assert seen >= {"TickEventForBot", "SkippedTurnEvent", "BotListUpdate", "TickEventForObserver", "History"}


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


def test_messages_of_programs_to_a_world_have_a_schema() -> None:
    validator = side_of_the_world("Client")
    validator.validate({"Mind.Do": {"what": "stop"}, "Core.Size": {"columns": 80, "rows": 24}})
    assert not validator.is_valid({"Mind.Do": {"what": "jump"}})
    validator.validate({"Hello": {"name": "Wolf", "changes": True}, "Watch": {}, "Command": {"text": "look"}})
    validator.validate({"Operate": {"secret": "open sesame", "do": "speed", "value": 0.5}})
    assert not validator.is_valid({"No.Package": {}})


def side_of_the_world(side: str) -> Any:
    """Return a function that checks messages of a side of the world, as {package: data}."""
    whole = BY_NAME["world"]
    return jsonschema.Draft202012Validator({**whole["$defs"][side], "$defs": whole["$defs"]})


def check_of_the_world(package: str, data: Any) -> None:
    """Assert that a message of a world is as the schema says, without other fields."""
    side_of_the_world("Server").validate({package: data})
    known = [set(fields_of_kind(kind)) for kind in SERVER_PACKAGES if kind.name == package]
    assert any(set(data or ()) <= names for names in known), package


def fields_of_kind(package: PackageSpec) -> tuple[str, ...]:
    names: tuple[str, ...] = package.data.__struct_encode_fields__
    return names


def test_all_that_a_world_says_to_programs_is_as_the_schema_says() -> None:
    kim = Account("Kim", hash_passphrase(PHRASE, bytes(SALT_BYTES)))
    world = VirtualWorld.of(accounts=[kim], secret=PHRASE)
    for conn, kind in enumerate(("telnet", "packed", "gmcp"), 1):
        world.enter(conn, ("Anna", "Bert", "Carl")[conn - 1], client_kind=kind)
        world.host.terminal(conn, packages=True)
    for conn, (package, data) in enumerate(
        (
            ("Hello", {"name": "Wolf"}),
            ("Hello", {"name": "Kim", "token": PHRASE, "changes": True}),
            ("Watch", {"what": ""}),
        ),
        4,
    ):
        world.connect(conn, client_kind="program")
        world.send(conn, package, data)
    world.run_ms(600)
    world.send(6, "Operate", {"secret": PHRASE, "do": "speed", "value": 1.5})
    world.send(5, "Mind.Put", MindPut("def plan(view, random): return 'dig'"))
    world.run_ms(600)
    world.send(5, "Mind.Put", MindPut("def plan(:"))
    world.send(5, "Mind.Show", MindFor())
    world.send(5, "Mind.Show", MindFor("nobody"))
    session = world.host.sessions.of(5)
    assert session is not None
    assert session.body is not None
    world.host.minds.planned(3, session.body, session.owner, "error", "boom", "printed")
    world.send(5, "Mind.List", None)
    for turn in range(30):
        world.type(1, "hit kim", "chat ho", "go in" if turn == 20 else "look")
        world.send(4, "Command", {"text": "hit bert"})
        world.send(5, "Combat.React", React("dodge" if turn % 2 else "nonsense"))
        world.run_ms(300)
    seen = {package for said in world.packages.values() for package, _ in said}
    assert seen >= {package.name for package in SERVER_PACKAGES} - OF_CONNECTIONS
    for said in world.packages.values():
        for package, data in said:
            check_of_the_world(package, data)


OF_CONNECTIONS = {"Time.Pong", "Core.Ping", "Core.Secret", "Goodbye"}
"""Packages that connections send by themselves."""


@pytest.mark.process
def test_the_bytes_of_a_running_world_are_as_the_schema_says(tmp_path: Path) -> None:
    async def main() -> set[str]:
        seen = set()
        with Demo("--data", tmp_path / "world.db", "--turn", "100ms") as demo:
            async with demo.browser() as page, websockets.connect(demo.url, max_queue=None) as program:
                await program.send(json.dumps({"type": "Hello", "name": "Wolf"}))
                await program.send(json.dumps({"type": "Time.Ping", "n": 1, "c": 2}))
                await page.send(b"Ann\r\n")
                await page.send("Core.Ping")
                while not seen >= {"Turn", "Time.Pong", "Room.Info", "Core.Ping"}:
                    message = json.loads(await asyncio.wait_for(program.recv(), 60))
                    seen.add(package := message.pop("type"))
                    check_of_the_world(package, message)
                    if isinstance(said := await asyncio.wait_for(page.recv(), 60), str):
                        package, _, text = said.partition(" ")
                        seen.add(package)
                        check_of_the_world(package, json.loads(text or "{}"))
                await program.send(json.dumps({"type": "Command", "text": "quit"}))
                while "Goodbye" not in seen:
                    message = json.loads(await asyncio.wait_for(program.recv(), 60))
                    seen.add(package := message.pop("type"))
                    check_of_the_world(package, message)
        return seen

    assert len(asyncio.run(main())) > 8
