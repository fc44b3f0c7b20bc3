"""`serve` for tanks: its protocol, its options and its built-in bots."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.served import Join, Served, joining
from packages.core.tests.cli.playing import answer
from packages.core.tests.messages import missing
from packages.core.tests.net.bot_directories import make_bot
from packages.tank.tests.bot_programs import SPINNING_BOT
from turnwright.errors import SetupError
from turnwright_tank.app.options import TankServeOptions
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.setup import custom


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"game_types": ("chess",)}, ("'chess'", "classic")),
        ({"game_types": ()}, ("game type",)),
    ],
)
def test_an_impossible_server_is_refused_in_one_line(given: dict[str, Any], wanted: tuple[str, ...]) -> None:
    with pytest.raises(SetupError) as caught:
        TankServeOptions(**given)
    assert not missing(str(caught.value), *wanted)
    assert "\n" not in str(caught.value)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served("--records", tmp_path / "records", "--tps=-1") as server:
        yield server


@pytest.fixture
def join() -> Iterator[Join]:
    me = {"name": "n", "version": "1", "authors": ["a"]}
    with joining(lambda heard, kind: {"type": kind, "sessionId": heard["sessionId"], **me}) as join:
        yield join


@pytest.mark.process
def test_clients_of_the_protocol_are_served_and_its_end_is_clean(served: Served, join: Join) -> None:
    client, hello = join(served.url, "ObserverHandshake")
    assert (hello["variant"], hello["version"].split(".")[0]) == ("Tank Royale", "1")
    assert json.loads(client.recv())["type"] == "BotListUpdate"
    run = served.stop()
    assert (run.code, run.out) == (0, "")
    assert "Traceback" not in run.err


@pytest.mark.process
def test_each_battle_leaves_a_record_that_verifies(served: Served, tmp_path: Path, join: Join) -> None:
    environ = {"SERVER_URL": served.url, "BOT_SEED": "1"}
    bots = [
        subprocess.Popen(
            [sys.executable, "-m", "turnwright_tank.bots.house", name],
            env={**os.environ, **environ},
            stderr=subprocess.DEVNULL,
        )
        for name in ("Spinner", "Duck")
    ]
    try:
        operator, _ = join(served.url, "ControllerHandshake")
        while len(listed := json.loads(operator.recv())["bots"]) < 2:
            pass
        setup = custom()
        setup.number_of_rounds, setup.max_inactivity_turns = 1, 1
        game = {"gameSetup": json.loads(encode(setup)), "type": "StartGame"}
        game["botAddresses"] = [{"host": bot["host"], "port": bot["port"]} for bot in listed]
        for _ in range(2):
            operator.send(json.dumps(game))
            while json.loads(operator.recv())["type"] != "GameEndedEventForObserver":
                pass
        run = served.stop()
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()
    assert run.code == 0
    paths = sorted((tmp_path / "records").iterdir())
    assert [path.name for path in paths] == ["battle-0001.twr", "battle-0002.twr"]
    assert answer("verify", *paths).code == 0
    assert run.err.count(" over: ") == 2


@pytest.mark.process
@pytest.mark.parametrize("secrets", [{}, {"TURNWRIGHT_BOT_SECRETS": "bots-only"}])
def test_an_operator_starts_bots_plays_them_and_they_end_with_the_server(
    secrets: dict[str, str], tmp_path: Path, join: Join
) -> None:
    make_bot(tmp_path, "Own", {"Own.py": SPINNING_BOT})
    server = Served("--bots", tmp_path, "--tps=-1", "--python", sys.executable, environ=secrets)
    operator, _ = join(server.url, "ControllerHandshake", turnwright=1)

    def heard(kind: str) -> dict[str, Any]:
        while (message := json.loads(operator.recv(timeout=60)))["type"] != kind:
            assert message["type"] != "ErrorReply" or message["code"] == "slow", message
        return dict(message)

    operator.send('{"type":"ListDirectories"}')
    entries = {entry["name"]: entry["id"] for entry in heard("Directories")["entries"]}
    operator.send(json.dumps({"type": "BootBots", "ids": [entries["Own"], entries["Duck"]]}))
    while len(listed := heard("BotListUpdate")["bots"]) < 2:
        pass
    setup = custom()
    setup.number_of_rounds, setup.max_inactivity_turns = 1, 1
    addresses = [{"host": bot["host"], "port": bot["port"]} for bot in listed]
    game = {"type": "StartGame", "gameSetup": json.loads(encode(setup)), "botAddresses": addresses}
    operator.send(json.dumps(game))
    results = heard("GameEndedEventForObserver")["results"]
    assert {row["name"] for row in results} == {"Own", "Duck"}
    run = server.stop()
    assert run.code == 0
    assert not missing(run.err, "started", "Own 1.0", "operator")
    assert run.nothing_left()
