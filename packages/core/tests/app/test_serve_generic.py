"""`serve` for games without a protocol: programs, operator, record, a game in a folder."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError

import pytest
from websockets.sync.client import connect

from packages.core.tests import card_game
from packages.core.tests.app.commanding import PATIENCE_S, Commanding, served
from packages.core.tests.app.served import page
from packages.core.tests.cli.playing import answer, turnwright
from packages.core.tests.waiting import wait_until
from turnwright.app.serve import BUNDLES_MAX
from turnwright.wire.generic_protocol_docs import JAVASCRIPT_CLIENT, PYTHON_CLIENT

pytestmark = pytest.mark.process


def test_the_programs_of_the_page_play_snake_and_the_record_verifies(tmp_path: Path) -> None:
    node = shutil.which("node")
    programs = [[sys.executable, "-c", PYTHON_CLIENT]]
    if node is not None:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        flags = ["--experimental-websocket"] if int(version[1:].split(".")[0]) < 22 else []
        programs.append([node, *flags, "-e", JAVASCRIPT_CLIENT])
    with served("--game", "snake", "--records", tmp_path, cwd=tmp_path) as (url, operator):
        environ = {"SERVER_URL": url, "PATH": "/usr/bin:/bin"}
        running = [subprocess.Popen(program, env=environ) for program in programs]
        try:
            operator.say("boot", ids=["house/Greedy"])
            bots = operator.bots(len(programs) + 1)
            operator.say("speed", tps=-1)
            operator.say("start", bots=bots, settings={"turns": 50, "food": 0}, turnTimeoutUs=5_000_000)
            assert operator.hear("ready")["settings"]["turns"] == 50
            rows = operator.hear("result")["rows"]
        finally:
            for process in running:
                process.kill()
                process.wait()
    assert sorted(row["name"] for row in rows)[0] == "Greedy"
    assert {row["score"] for row in rows if row["name"].startswith("Upwards")} == {9.0}, (
        "eight rows up, then out of the grid"
    )
    verified = answer("verify", tmp_path / "battle-0001.twr")
    assert verified.code == 0, verified.err


GUESSING = '''
from dataclasses import dataclass
from turnwright.kernel.game import Game, Outcome, PerSeat

@dataclass
class State:
    turn: int
    best: PerSeat[int]

class Guessing(Game[State, int]):
    """The highest number of three turns wins."""
    name = "guessing"
    def setup(self, settings, seats, streams): return State(0, [0] * len(seats))
    def asked(self, state): return range(len(state.best))
    def observe(self, state, seat): return {"turn": state.turn}
    def resolve(self, state, intents, streams):
        state.turn += 1
        for seat, number in intents.items():
            state.best[seat] = max(state.best[seat], number or 0)
        return []
    def outcome(self, state):
        return Outcome(tuple(map(float, state.best))) if state.turn == 3 else None
    def read_intent(self, data):
        if type(data) is not int: raise ValueError("give an integer")
        return data
'''


def test_a_program_that_watches_learns_no_hidden_card_before_the_end_and_a_replay_shows_it(
    tmp_path: Path,
) -> None:
    folder, records = card_game.folder(tmp_path / "cards"), tmp_path / "records"
    with served("--game", folder, "--records", records, cwd=tmp_path) as (url, operator):
        root = url.replace("ws://", "http://")
        operator.say("boot", ids=["house/Pass", "house/Pass"])
        operator.say("speed", tps=0)
        operator.say("start", bots=operator.bots(2), turnTimeoutUs=5_000_000)
        operator.hear("paused")
        with connect(url, compression=None) as watching:
            watching.recv(timeout=PATIENCE_S)
            watching.send(json.dumps({"type": "hello", "protocol": 1, "name": "spy", "role": "spectator"}))
            spy = Commanding(watching)
            seen = [spy.hear("frame")]
            for _ in range(2):
                operator.say("step")
                seen.append(spy.hear("frame"))
            wait_until(lambda: any(records.iterdir()))
            assert json.loads(page(f"{root}/records.json")) == {"records": []}
            for name in ("battle-0001.twr", "battle-0001.twr.frames"):
                with pytest.raises(HTTPError, match="404"):
                    page(f"{root}/records/{name}")
            operator.say("speed", tps=-1)
            operator.say("resume")
            operator.hear("result")
        assert [frame["frame"]["cards"] for frame in seen] == [[None, None]] * len(seen)
        assert not re.search(r"4[12]\b|dealt", json.dumps(seen))
        shown = page(f"{root}/records/battle-0001.twr.frames").decode()
        assert sorted(json.loads(shown.splitlines()[2])["frame"]["cards"]) == [41, 42]
        assert gzip.decompress(page(f"{root}/records/battle-0001.twr"))


@pytest.mark.parametrize(
    ("code", "says"), [(card_game.CARDS, "live_frame() of cards"), (card_game.OPEN, "whole state of cards")]
)
def test_the_server_prints_what_spectators_see(tmp_path: Path, code: str, says: str) -> None:
    run = turnwright("serve", "--port", 0, "--no-open", "--game", card_game.folder(tmp_path / "cards", code))
    assert run.process.stdout is not None
    lines = [run.process.stdout.readline() for _ in range(3)]
    run.process.send_signal(signal.SIGTERM)
    run.finish()
    assert lines[2].startswith("spectators see ")
    assert says in lines[2]


def test_a_game_in_a_folder_is_served_with_its_built_in_bots(tmp_path: Path) -> None:
    folder = tmp_path / "guessing"
    folder.mkdir()
    (folder / "game.py").write_text(GUESSING)
    (folder / "bots.py").write_text("BOTS = {'Low': lambda seen: 1, 'High': lambda seen: seen['turn'] + 7}\n")
    with served("--game", folder, cwd=tmp_path) as (_url, operator):
        operator.say("boot", ids=["house/Low", "house/High"])
        operator.say("start", bots=operator.bots(2), turnTimeoutUs=5_000_000)
        rows = operator.hear("result")["rows"]
    assert [(row["name"], row["score"]) for row in rows] == [("High", 9.0), ("Low", 1.0)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("        return []", "        return 1 / (state.turn - 1)"),
        ("def asked(self, state): return", "def asked(self, state): return lambda:"),
        ("def observe(self, state, seat): return", "def observe(self, state, seat): return object() or"),
        ('{"turn": state.turn}', "{1, 2}.pop"),
        ("if type(data) is not int:", 'if data["number"] < 0:'),
    ],
)
def test_a_game_whose_rules_fail_ends_its_battle_and_not_the_server(
    tmp_path: Path, right: str, wrong: str
) -> None:
    folder = tmp_path / "guessing"
    folder.mkdir()
    (folder / "game.py").write_text(GUESSING.replace(right, wrong))
    (folder / "bots.py").write_text("BOTS = {'Low': lambda seen: 1}\n")
    with served("--game", folder, cwd=tmp_path) as (url, operator):
        operator.say("boot", ids=["house/Low"])
        operator.say("start", bots=operator.bots(1), turnTimeoutUs=5_000_000)
        assert operator.hear("result", errors=["start", "intent", "void"])["ending"] == "aborted"
        with connect(url, compression=None) as another:
            assert json.loads(another.recv(timeout=PATIENCE_S))["game"] == "guessing"


@pytest.mark.long
def test_a_server_saves_a_bounded_number_of_void_battles(tmp_path: Path) -> None:
    folder = tmp_path / "guessing"
    folder.mkdir()
    (folder / "game.py").write_text(GUESSING.replace("        return []", "        return 1"))
    (folder / "bots.py").write_text("BOTS = {'Low': lambda seen: 1}\n")
    with served("--game", folder, "--tps", "-1", cwd=tmp_path) as (_url, operator):
        operator.say("boot", ids=["house/Low"])
        bots = operator.bots(1)
        for _ in range(BUNDLES_MAX + 2):
            operator.say("start", bots=bots, turnTimeoutUs=5_000_000)
            operator.hear("result", errors=["void"])
    assert len(list(tmp_path.glob("void-guessing-*"))) == BUNDLES_MAX


def test_a_place_where_no_void_battle_can_be_saved_does_not_stop_the_server(tmp_path: Path) -> None:
    folder, gone = tmp_path / "guessing", tmp_path / "gone"
    folder.mkdir()
    gone.mkdir()
    (folder / "game.py").write_text(GUESSING.replace("        return []", "        return 1"))
    (folder / "bots.py").write_text("BOTS = {'Low': lambda seen: 1}\n")
    with served("--game", folder, cwd=gone) as (_url, operator):
        operator.say("boot", ids=["house/Low"])
        bots = operator.bots(1)
        gone.rmdir()
        for _ in range(2):
            operator.say("start", bots=bots, turnTimeoutUs=5_000_000)
            assert operator.hear("result", errors=["void"])["ending"] == "aborted"


def test_options_of_the_tank_are_refused_for_another_game() -> None:
    run = answer("serve", "--game", "snake", "--games", "classic")
    assert run.code == 2
    assert "--games" in run.err
