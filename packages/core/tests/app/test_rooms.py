"""Many rooms on one port, in separate processes."""

from __future__ import annotations

import asyncio
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from packages.core.tests.cli.playing import turnwright
from packages.core.tests.messages import missing, says
from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.waiting import wait_until
from turnwright.app.options import ROOM_MEMORY_MIB_MIN, ServeOptions
from turnwright.app.rooms import SILENT_END_S, RoomSetup, serve_rooms, wait_for_end
from turnwright.errors import SetupError

PATIENCE_S = 60.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"room_memory_mib_max": ROOM_MEMORY_MIB_MIN - 1}, "--max-room-memory is 63MiB: give 64MiB or more"),
        ({"bots_max": 0}, "--max-bots.* 0.*1 or more"),
    ],
)
def test_options_that_a_room_cannot_have_are_refused_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words) as caught:
        ServeOptions(**given)
    assert "\n" not in str(caught.value)


def room(name: str, game: str = "snake", **options: Any) -> RoomSetup:
    return RoomSetup(name, game, ServeOptions(port=0, **options))


@pytest.mark.parametrize(
    ("rooms", "words"),
    [
        ([room("Duel")], "--rooms has the name Duel: .*up to 32 letters a-z"),
        ([room("a/b")], "--rooms has the name a/b: "),
        ([room("a"), room("b"), room("a")], "--rooms.*twice"),
        ([room(f"t{n}") for n in range(101)], "--rooms.* 101 .*at most 100"),
        ([room("a"), room("b", "chess")], "room b: .*'chess'"),
        ([room("a", settings=(("size", 5),))], "room a: .*snake.*'size'.*width"),
    ],
)
def test_an_impossible_room_is_refused_in_one_line_before_any_begins(
    rooms: list[RoomSetup], words: str
) -> None:
    with pytest.raises(SetupError, match=words) as caught:
        serve_rooms(ServeOptions(port=0), rooms, lambda url, page: pytest.fail("it listens"))
    assert "\n" not in str(caught.value)


class Rooms:
    """A running `turnwright serve --rooms`."""

    def __init__(self, *words: object) -> None:
        self.run = turnwright("serve", "--game", "snake", "--port", 0, "--no-open", *words)
        assert self.run.process.stdout is not None
        line = self.run.process.stdout.readline()
        found = re.fullmatch(r"turnwright serves on ws://\S+:(\d+)\n", line)
        assert found is not None, line + self.run.finish().err
        self.port = int(found[1])

    def get(self, path: str) -> str:
        with urlopen(f"http://localhost:{self.port}{path}", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def states(self) -> dict[str, Any]:
        rows = json.loads(self.get("/rooms.json"))["rooms"]
        return {row["name"]: row for row in rows}

    def are(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until the states of the rooms satisfy a condition; return them."""
        end = time.monotonic() + PATIENCE_S
        while not condition(states := self.states()):
            assert time.monotonic() < end, states
            time.sleep(0.05)
        return states

    def processes(self) -> list[int]:
        children = Path(f"/proc/{self.run.process.pid}/task/{self.run.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]


@contextmanager
def running(*words: object) -> Iterator[Rooms]:
    rooms = Rooms(*words)
    try:
        yield rooms
    finally:
        rooms.run.process.kill()
        rooms.run.process.wait()


@pytest.fixture
def two() -> Iterator[Rooms]:
    with running("--rooms", "duel,melee") as rooms:
        yield rooms


@pytest.fixture
def mixed() -> Iterator[Rooms]:
    with running("--rooms", "duel,melee=countdown") as rooms:
        yield rooms


def all_on(states: dict[str, Any]) -> bool:
    return all(row["state"] == "on" for row in states.values())


@contextmanager
def bot(url: str, name: str) -> Iterator[ClientConnection]:
    """Yield a connection of a bot, introduced."""
    with connect(url, proxy=None) as client:
        client.send(json.dumps({"type": "hello", "protocol": 1, "name": name, "role": "bot"}))
        yield client


@pytest.mark.process
def test_bots_go_to_the_room_of_their_path_or_else_to_the_first(two: Rooms) -> None:
    two.are(all_on)
    here = f"ws://localhost:{two.port}"
    with bot(here, "a"), bot(f"{here}/t/melee", "b"), bot(f"{here}/t/melee/", "c"):
        states = two.are(lambda rows: rows["melee"].get("bots") == 2 and rows["duel"].get("bots") == 1)
        assert states["duel"]["url"] == "/t/duel/"
    assert "<title>" in two.get("/t/melee/")
    assert '<a href="/t/melee/">' in two.get("/")
    assert "turnwright_turns_total" in two.get("/t/melee/metrics")
    two.run.process.send_signal(signal.SIGTERM)
    run = two.run.finish()
    assert (run.code, "Traceback" in run.err) == (0, False)


CLASS = """
[duel]
game = "countdown"

[school]
game = "snake"
tps = -1
max-bots = 2
settings = { width = 12, height = 9, turns = 40 }
"""


@pytest.mark.process
def test_rooms_of_two_games_play_simultaneously_each_at_its_own_pace(tmp_path: Path) -> None:
    (tmp_path / "class.toml").write_text(CLASS)
    with running("--rooms", tmp_path / "class.toml") as rooms:
        states = rooms.are(all_on)
        assert [row["game"] for row in states.values()] == ["countdown", "snake"]
        here = f"ws://localhost:{rooms.port}/t"
        with bot(f"{here}/duel", "a"), commanding(f"{here}/duel") as paused:
            paused.send(json.dumps({"type": "speed", "tps": 0}))
            assert play_snake(f"{here}/school") == {"width": 12, "height": 9, "turns": 40}
            states = rooms.are(lambda rows: rows["school"].get("turns") and rows["duel"].get("bots") == 1)
        assert (states["duel"]["tps"], states["duel"]["turns"]) == (0, 0)
        assert (states["school"]["tps"], states["school"]["bots"]) == (-1, 2)


@contextmanager
def commanding(url: str) -> Iterator[ClientConnection]:
    """Yield a connection of an operator."""
    with connect(url, proxy=None) as client:
        client.send(json.dumps({"type": "hello", "protocol": 1, "name": "n", "role": "operator"}))
        yield client


def play_snake(url: str) -> dict[str, int]:
    """Play a battle of two built-in bots in a room for two, and return its main settings."""
    with connect(url, proxy=None) as operator:
        operator.send(json.dumps({"type": "hello", "protocol": 1, "name": "n", "role": "operator"}))
        operator.send(json.dumps({"type": "boot", "ids": ["house/Greedy", "house/Wanderer"]}))
        bots: list[dict[str, Any]] = []
        while len(bots) < 2:
            bots = next_of(operator, "bots")["bots"]
        with connect(url, proxy=None) as third:
            third.send(json.dumps({"type": "hello", "protocol": 1, "name": "late", "role": "bot"}))
            with pytest.raises(ConnectionClosed, match="room for 2 bots"):
                next_of(third, "bots")
        chosen = [{"host": one["host"], "port": one["port"]} for one in bots]
        operator.send(json.dumps({"type": "start", "bots": chosen}))
        settings = next_of(operator, "ready")["settings"]
        assert len(next_of(operator, "result")["rows"]) == 2
        return {key: settings[key] for key in ("width", "height", "turns")}


def next_of(client: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while (message := json.loads(client.recv(timeout=PATIENCE_S)))["type"] != kind:
        assert message["type"] != "error", message
    return dict(message)


@pytest.mark.process
@pytest.mark.long
def test_a_killed_room_affects_no_other_and_is_restarted(mixed: Rooms) -> None:
    mixed.are(all_on)
    first, second = sorted(mixed.processes())
    here = f"ws://localhost:{mixed.port}"
    with bot(here, "a") as staying:
        mixed.are(lambda rows: rows["duel"].get("bots") == 1)
        os.kill(second, signal.SIGKILL)
        mixed.are(lambda rows: rows["melee"]["state"] == "down")
        with pytest.raises(HTTPError) as caught:
            mixed.get("/t/melee/")
        assert caught.value.code == 503
        mixed.are(all_on)
        assert first in mixed.processes()
        assert len(mixed.processes()) == 2
        assert mixed.states()["duel"]["bots"] == 1
        staying.ping().wait(PATIENCE_S)
    mixed.run.process.send_signal(signal.SIGTERM)
    run = mixed.run.finish()
    assert says(run.err, "room melee … SIGKILL")


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(("limit_mib", "code"), [(64, -signal.SIGKILL), (1_000, 0)])
def test_a_room_that_holds_more_memory_than_it_may_is_ended(
    limit_mib: int, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    held = "import time; held = bytearray(range(256)) * (200 << 12); time.sleep(1 if len(held) else 0)"
    with subprocess.Popen([sys.executable, "-c", held]) as process:
        asyncio.run(wait_for_end(process, "greedy", limit_mib))
    assert process.returncode == code
    assert ("room greedy" in caplog.text) == bool(code)


@pytest.mark.process
@pytest.mark.parametrize(("silent_s", "ended"), [(SILENT_END_S, False), (SILENT_END_S + 1, True)])
def test_a_room_that_reports_nothing_for_too_long_is_ended(silent_s: float, ended: bool) -> None:
    wait = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", wait], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        if not ended:
            process.stdin.close()
        why = asyncio.run(wait_for_end(process, "stuck", 1_000, lambda: silent_s))
    assert process.returncode == (-signal.SIGKILL if ended else 0)
    assert bool(why) == ended
    assert not ended or not missing(why, "60 s", "ended")


BROKEN = {
    "raises": "raise RuntimeError('no \\x1b[31m load')",
    "exits": "import os; os._exit(9)",
    "prints": "while True: print('spam \\x1b[31m' * 100, flush=True)",
}


@pytest.mark.process
@pytest.mark.long
def test_a_game_that_fails_to_load_affects_no_other_room_and_its_reason_is_shown(tmp_path: Path) -> None:
    for name, code in BROKEN.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.py").write_text(code)
    names = ",".join(f"{name}={tmp_path / name}" for name in BROKEN)
    with running("--rooms", f"good=snake,{names}") as rooms:
        states = rooms.are(
            lambda rows: (
                rows["good"]["state"] == "on"
                and "cannot be loaded" in rows["raises"].get("wrong", "")
                and "exit code 9" in rows["exits"].get("wrong", "")
            )
        )
        path = tmp_path / "raises" / "game.py"
        said = rf"{path} cannot be loaded: RuntimeError: no \x1b[31m load (game.py, line 1)"
        assert states["raises"]["wrong"] == said
        assert states["prints"]["state"] == "starting"
        assert said in html.unescape(rooms.get("/"))
        assert play_snake_alone(f"ws://localhost:{rooms.port}/t/good")
        path.write_text(SNAKE)
        states = rooms.are(lambda rows: rows["raises"]["state"] == "on")
        assert states["raises"]["wrong"].startswith("restarted ")
        rooms.run.process.send_signal(signal.SIGTERM)
        run = rooms.run.finish()
    assert run.code == 0
    assert "spam" not in run.out
    assert all(line.isprintable() for line in run.err.splitlines())
    assert says(run.err, "WARNING room prints … spam")
    assert "ERROR room raises: " in run.err
    assert len(run.err) < 300_000


SNAKE = """\
from turnwright.games.snake.game import SnakeGame

class Mine(SnakeGame):
    name = "mine"
"""


def play_snake_alone(url: str) -> bool:
    """Play a battle of one built-in bot, and return whether it has results."""
    with connect(url, proxy=None) as operator:
        operator.send(json.dumps({"type": "hello", "protocol": 1, "name": "n", "role": "operator"}))
        operator.send(json.dumps({"type": "speed", "tps": -1}))
        operator.send(json.dumps({"type": "boot", "ids": ["house/Wanderer"]}))
        while not (bots := next_of(operator, "bots")["bots"]):
            pass
        chosen = [{"host": one["host"], "port": one["port"]} for one in bots]
        operator.send(json.dumps({"type": "start", "bots": chosen, "settings": {"turns": 30}}))
        return bool(next_of(operator, "result")["rows"])


@pytest.mark.process
@pytest.mark.long
def test_nothing_outlives_a_front_that_is_killed(two: Rooms) -> None:
    two.are(all_on)
    left = two.processes()
    two.run.process.kill()
    two.run.process.wait()
    wait_until(lambda: not any(is_alive(pid) for pid in left))
