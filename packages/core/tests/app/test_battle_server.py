from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from packages.core.tests.app.prepared_battle import prepared
from packages.core.tests.cli.playing import PLAYING_BOT
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.small_server import (
    BOT_SECRET,
    OPERATOR_SECRET,
    SNAKES,
    Overs,
    quick_setup,
    small_server,
    until,
)
from packages.core.tests.take_game import take_folder
from turnwright import run_battle
from turnwright.app.battle_server import LocalSpectator, play_live
from turnwright.app.options import GenericBattleOptions
from turnwright.app.results import Progress
from turnwright.kernel.rng import bot_seed
from turnwright.net import loop as loops
from turnwright.net.files.reader import read_record
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of
from turnwright.net.participants.start_bots import Operator

pytestmark = pytest.mark.process

TELLS = """
import json, os
with open(os.environ["TELL"], "w") as file:
    json.dump([open("/proc/self/cmdline").read(), dict(os.environ)], file)
"""


def test_programs_play_a_game_in_which_seats_take_turns(tmp_path: Path) -> None:
    program = {"Bot.py": "from turnwright.client import play\n\nplay(lambda observation: 2)\n"}
    bot = make_bot(tmp_path, "Bot", program)
    result = run_battle(bot, bot, game=str(take_folder(tmp_path)), turn_timeout="30s")
    assert (result.turns, [row.columns["score"] for row in result.results]) == (6, [6.0, 5.0])


HELD_UP = """
import os, time
from turnwright.client import play

turns = 0

def answer(observation):
    global turns
    turns += 1
    if turns % 4 == 0:
        time.sleep(float(os.environ["HELD_UP"]))
    return "up" if turns % 3 else "left"

play(answer)
"""


def test_a_bot_that_is_held_up_plays_the_same_patient_battle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = make_bot(tmp_path, "Bot", {"Bot.py": HELD_UP})

    def digest(held_up_s: str, patient: bool) -> tuple[str, int]:
        monkeypatch.setenv("HELD_UP", held_up_s)
        result = run_battle(bot, "Greedy", game="snake", seed=3, python=sys.executable, patient=patient)
        return result.digest, result.latency["Bot"].skipped

    assert digest("0.2", patient=True) == digest("0", patient=True) == (digest("0", True)[0], 0)
    assert digest("0.2", patient=False)[1] > 0


def test_secrets_are_in_the_environment_only_and_the_seed_is_given_to_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told.json"
    monkeypatch.setenv("TELL", str(told))
    monkeypatch.setenv("TURNWRIGHT_CONTROLLER_SECRETS", "of another server")
    monkeypatch.setenv("SERVER_SECRET", "of another server")
    bot = make_bot(tmp_path, "Bot", {"Bot.py": TELLS + PLAYING_BOT})
    options = GenericBattleOptions(
        (bot, "Greedy"), game="snake", record=tmp_path / "b.twr", python=sys.executable
    )
    progress: list[Progress] = []
    battle = prepared(options, 77)
    summary = loops.run(play_live(battle, progress.append))
    assert battle.record_files.finish() == options.record
    assert (summary.ending, summary.seed, summary.rounds) == ("over", 77, 1)

    command_line, environ = json.loads(told.read_text())
    assert environ["BOT_SEED"] == str(bot_seed(77, 0))
    assert len(environ["SERVER_SECRET"]) >= 16
    assert environ["SERVER_SECRET"] not in command_line
    assert "of another server" not in environ.values()

    record = read_record(tmp_path / "b.twr")
    assert record.header.seed == 77
    assert [seat.name for seat in record.header.seats] == ["Bot", "Greedy"]
    assert record.header.rules.opening_timeout_ns == 1_000_000_000
    assert environ["SERVER_SECRET"].encode() not in (tmp_path / "b.twr").read_bytes()
    assert progress[0].stage == "starting"


def test_bots_sit_in_the_order_in_which_they_were_named(tmp_path: Path) -> None:
    late = make_bot(tmp_path, "Late", {"Late.py": "import time; time.sleep(0.5)\n" + PLAYING_BOT})
    soon = make_bot(tmp_path, "Soon", {"Soon.py": PLAYING_BOT})
    options = GenericBattleOptions((late, "Greedy", soon), game="snake", python=sys.executable)
    battle = prepared(options, 1)
    summary = loops.run(play_live(battle, lambda progress: None))
    battle.record_files.finish()
    assert [seat.name for seat in summary.seats] == ["Late", "Greedy", "Soon"]


LAST_HANDLER = """
import json, os, sys, time
from pathlib import Path
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

try:
    with connect(os.environ["SERVER_URL"]) as socket:
        me = {"name": os.environ["BOT_NAME"], "version": os.environ["BOT_VERSION"], "role": "bot"}
        hello = {"type": "hello", "protocol": 1, "secret": os.environ["SERVER_SECRET"]}
        socket.send(json.dumps(hello | me))
        while True:
            message = json.loads(socket.recv())
            if message["type"] == "ready":
                socket.send(json.dumps({"type": "ready"}))
            elif message["type"] == "observation":
                socket.send(json.dumps({"type": "intent", "intent": "up"}))
except ConnectionClosed:
    Path("closed").touch()
time.sleep(0.4)  # its last handler, on a busy machine
Path("finished").touch()
"""


def test_a_bot_may_finish_its_last_handler_when_the_battle_is_over(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Bot", {"Bot.py": LAST_HANDLER})
    run_battle(str(bot), "Wanderer", game="snake", seed=3, python=sys.executable)
    assert (bot / "closed").exists()
    assert (bot / "finished").exists()


def test_a_local_spectator_gets_the_messages_of_observers_to_the_end() -> None:
    heard: list[bytes] = []

    async def whole() -> None:
        overs: Overs = []
        async with small_server(overs) as server:
            LocalSpectator(server, server.host, OPERATOR_SECRET, heard.append)
            operator = Operator(server, server.host)
            bots = [
                LocalBot(server.connect_local, place, BOT_SECRET, 5)
                for place in entrants_of(["Greedy", "Wanderer"], SNAKES)
            ]
            await until(lambda: len(operator.bots) == 2)
            operator.start_battle(quick_setup(2), operator.bots)
            await until(lambda: overs)
            assert not any(bot.closed for bot in bots)

    asyncio.run(whole())
    types = types_of(heard)
    assert types[:2] == ["hello", "bots"]
    assert types[types.index("ready") + 1] == "frame"
    assert types[-1] == "result"


def types_of(heard: list[bytes]) -> list[str]:
    return [json.loads(data)["type"] for data in heard]


def test_a_local_spectator_that_left_gets_nothing_further() -> None:
    heard: list[bytes] = []

    async def whole() -> None:
        async with small_server() as server:
            onlooker = LocalSpectator(server, server.host, OPERATOR_SECRET, heard.append)
            operator = Operator(server, server.host)
            await until(lambda: len(heard) == 2)
            onlooker.leave()
            LocalBot(server.connect_local, entrants_of(["Greedy"], SNAKES)[0], BOT_SECRET, 5)
            await until(lambda: operator.bots)

    asyncio.run(whole())
    assert types_of(heard) == ["hello", "bots"]
