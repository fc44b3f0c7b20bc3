"""A class of thirty laptops: a teacher, students, their usual mistakes, and the results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from packages.core.tests.app.served import Served, page
from packages.core.tests.messages import missing
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.setup import custom

pytestmark = [pytest.mark.process, pytest.mark.long]
WAIT_S = 240.0
PROGRAM = Path(__file__).with_name("laptops.py")
GROUPS = [[f"Student{group}x{place}" for place in range(9)] for group in range(3)]
SINGLE = ["Leaver", "Sleeper", "Latecomer"]
TURN_TIMEOUT_US = 4_000_000


class ClassServer:
    """The server of a class, the output on its teacher's terminal, and the teacher."""

    def __init__(self, *words: object) -> None:
        self.served = Served("--lan", "--host", "127.0.0.1", "--speed", "interpreted", *words)
        assert self.served.run.process.stdout is not None
        shown = [self.served.run.process.stdout.readline().strip() for _ in range(4)]
        self.get, self.word, self.secret = (line.partition(": ")[2] for line in shown[:3])
        self.notice = shown[3]
        self.origin = self.get.removesuffix("/get")

    def stop(self) -> None:
        self.served.run.process.kill()
        self.served.run.process.wait()


class Teacher:
    """An operator who presses the buttons of the page."""

    def __init__(self, server: ClassServer, socket: ClientConnection) -> None:
        self._socket = socket
        self.bots: list[dict[str, Any]] = []
        hello = self.hear("ServerHandshake")
        self.say(
            "ControllerHandshake",
            sessionId=hello["sessionId"],
            name="teacher",
            version="1",
            secret=server.secret,
        )

    def say(self, kind: str, **more: Any) -> None:
        self._socket.send(json.dumps({"type": kind, **more}))

    def hear(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(WAIT_S))
            if message["type"] == "BotListUpdate":
                self.bots = message["bots"]
            if message["type"] == kind:
                return message

    def wait_for(self, count: int) -> list[str]:
        while len(self.bots) != count:
            self.hear("BotListUpdate")
        return sorted(bot["name"] for bot in self.bots)

    def start(self) -> dict[str, Any]:
        setup = custom()
        setup.number_of_rounds, setup.max_inactivity_turns, setup.turn_timeout = 1, 1, TURN_TIMEOUT_US
        setup.ready_timeout = 60_000_000
        addresses = [{"host": bot["host"], "port": bot["port"]} for bot in self.bots]
        self.say("StartGame", gameSetup=json.loads(encode(setup)), botAddresses=addresses)
        return self.hear("GameStartedEventForObserver")


@pytest.fixture
def server() -> Iterator[ClassServer]:
    server = ClassServer("--tps=-1", "--max-skipped", "2", "--max-silence", "0s")
    yield server
    server.stop()


@pytest.fixture
def laptop(tmp_path: Path, server: ClassServer) -> Path:
    """The Python of a laptop that has followed step 1 of the page: a bare one, and no other network."""
    made = [sys.executable, "-m", "venv", "--without-pip", tmp_path / "laptop"]
    subprocess.run(made, check=True, timeout=WAIT_S)
    python = tmp_path / "laptop" / "bin" / "python"
    line = next(line for line in page(server.get).decode().splitlines() if "python3 -m pip" in line)
    words = line.partition("python3 -m pip ")[2].removesuffix("</pre>").split()
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run([*pip, *words, "--no-index", "--quiet"], check=True, timeout=WAIT_S)
    return python


@pytest.fixture
def start(laptop: Path, tmp_path: Path) -> Iterator[Any]:
    """Starts a program on a laptop: start(words, environ) → the process."""
    with ExitStack() as stack:

        def begin(*words: object, **environ: str) -> subprocess.Popen[str]:
            ours = ("SERVER_", "PYTHON")
            clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
            process = stack.enter_context(
                subprocess.Popen(
                    [laptop, *map(str, words)],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    cwd=tmp_path,
                    env={**clean, **environ},
                )
            )
            stack.callback(process.kill)
            stack.callback(process.send_signal, signal.SIGCONT)
            return process

        yield begin


def bot_file(server: ClassServer, folder: Path, name: str) -> Path:
    """Follow step 2 of the page."""
    path = folder / f"{name}.py"
    path.write_bytes(page(f"{server.get}/bot?name={name}&word={server.word}"))
    return path


def test_a_class_plays_from_the_first_line_to_the_results(
    server: ClassServer, start: Any, tmp_path: Path
) -> None:
    files = {name: bot_file(server, tmp_path, name) for name in [*SINGLE, "Wrong"]}
    with connect(server.served.url, proxy=None, max_size=1 << 24, compression=None) as socket:
        teacher = Teacher(server, socket)
        groups = [start(PROGRAM, server.origin, server.word, *names) for names in GROUPS]
        leaver, sleeper = start(files["Leaver"]), start(files["Sleeper"])

        # the usual mistakes, each with a line that says what to do
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{server.get}/bot?name=Wrong&word=guess", timeout=WAIT_S)
        assert refused.value.code == 403
        for given, words in [
            ({"SERVER_SECRET": "guess"}, ("join word is wrong", "SERVER_SECRET")),
            ({"SERVER_SECRET": " "}, ("join word is wrong", "SERVER_SECRET")),
            ({"SERVER_URL": "ws://127.0.0.1:1"}, ("no server at ws://127.0.0.1:1", "network")),
        ]:
            process = start(files["Wrong"], **given)
            said = process.communicate(timeout=WAIT_S)[1]
            assert process.returncode == 3, said
            assert not missing(said.splitlines()[-1], "Wrong", *words)
        files["Wrong"].write_text(
            files["Wrong"].read_text().replace("self.turn_rate = 3", "self.turn_rate = = 3")
        )
        process = start(files["Wrong"])
        assert not missing(process.communicate(timeout=WAIT_S)[1], "SyntaxError", "self.turn_rate = = 3")
        everyone = sorted([*chain(*GROUPS), "Leaver", "Sleeper"])
        assert teacher.wait_for(29) == everyone
        process = start(files["Leaver"])
        said = process.communicate(timeout=WAIT_S)[1]
        assert process.returncode == 3
        assert not missing(said.splitlines()[-1], "Leaver", "already", "another name")
        latecomer = start(files["Latecomer"])
        assert teacher.wait_for(30) == sorted([*everyone, "Latecomer"])

        # the lesson: a battle, a pause, one that leaves, one that sleeps, and all of it again
        assert len(teacher.start()["participants"]) == 30
        teacher.say("PauseGame")
        teacher.hear("GamePausedEventForObserver")
        leaver.kill()
        sleeper.send_signal(signal.SIGSTOP)
        teacher.say("ResumeGame")
        teacher.hear("GameResumedEventForObserver")
        teacher.say("StopGame")
        teacher.hear("GameAbortedEvent")
        sleeper.send_signal(signal.SIGCONT)
        teacher.wait_for(29)
        assert len(teacher.start()["participants"]) == 29
        sleeper.send_signal(signal.SIGSTOP)
        results = teacher.hear("GameEndedEventForObserver")["results"]
        sleeper.send_signal(signal.SIGCONT)
        assert sorted(row["name"] for row in results) == sorted({*everyone, "Latecomer"} - {"Leaver"})
        assert {bot["name"] for bot in teacher.bots} == {*everyone, "Latecomer"} - {"Leaver"}

    run = server.served.stop()
    assert run.code == 0
    assert "Traceback" not in run.err
    assert server.secret not in run.err + run.out
    for process, names in zip(groups, GROUPS, strict=True):
        out, err = process.communicate(timeout=WAIT_S)
        assert (process.returncode, err) == (0, "")
        ended = {line.split()[0] for line in out.splitlines() if " ended " in line}
        closed = {line.split()[0] for line in out.splitlines() if line.endswith(" code 1001")}
        assert ended == closed == set(names)
    assert latecomer.wait(WAIT_S) == 0


def test_a_class_behind_one_address_is_not_refused(tmp_path: Path) -> None:
    """Thirty laptops that share an address, each with a bot and the connections of a browser."""
    server = ClassServer("--trusted-proxy", "127.0.0.1")
    try:
        with ExitStack() as stack:
            for _ in range(30 * 7):
                joined = connect(
                    server.served.url,
                    proxy=None,
                    additional_headers={"X-Forwarded-For": "192.168.1.1"},
                    open_timeout=WAIT_S,
                )
                stack.enter_context(joined)
                assert json.loads(joined.recv(WAIT_S))["type"] == "ServerHandshake"
    finally:
        server.stop()


def test_a_client_without_a_secret_can_watch_but_not_command() -> None:
    server = ClassServer()
    try:
        for kind, code in (("ObserverHandshake", None), ("ControllerHandshake", 1008)):
            with connect(server.served.url, proxy=None) as socket:
                session = json.loads(socket.recv(WAIT_S))["sessionId"]
                socket.send(json.dumps({"type": kind, "sessionId": session, "name": "n", "version": "1"}))
                if code is None:
                    assert json.loads(socket.recv(WAIT_S))["type"] == "BotListUpdate"
                else:
                    with pytest.raises(Exception, match="Invalid secret"):
                        socket.recv(WAIT_S)
    finally:
        server.stop()
