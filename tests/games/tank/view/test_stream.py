"""The browser reads the same numbers of the stream as Python; run by Node."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.games.tank.wire.stream.battles import frames, random_standings, random_times, roster
from tests.viewer.node import NODE, environment, why_no_node
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.games.tank.wire.royale.setup import GAME_TYPES, preset
from turnwright.games.tank.wire.stream.messages import Delta, Keyframe
from turnwright.games.tank.wire.stream.read import FrameReader, Turn
from turnwright.games.tank.wire.stream.write import FrameWriter

HERE = Path(__file__).parent
BATTLES = ((21, 1, 60), (22, 2, 300), (23, 3, 200), (24, 5, 200), (25, 12, 80), (26, 40, 30), (27, 100, 12))
decode = msgspec.json.Decoder(Keyframe | Delta).decode

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(why_no_node() is not None, reason=str(why_no_node())),
]


def told(turn: Turn) -> dict[str, Any]:
    times = {
        bot: {
            "skipped": t.skipped,
            "lateUs": t.late_us,
            "answerUs": t.answer_us,
            "rttUs": t.rtt_us,
            "status": t.status.name.lower(),
        }
        for bot, t in turn.times.items()
    }
    frame = msgspec.to_builtins(turn.frame)
    for state in frame["botStates"]:
        del state["sessionId"]  # it is of no use to the page
    standings = {
        bot: {"points": s.points, "teamPoints": s.team_points, "place": s.place, "missed": s.missed}
        for bot, s in turn.standings.items()
    }
    told = {"number": turn.number, "frame": frame, "times": times, "lagUs": turn.lag_us}
    return {**told, "standings": standings}


def battle(seed: int, tanks: int, turns: int) -> dict[str, Any]:
    """One battle: each message, sometimes a keyframe for somebody who comes late, and what Python reads."""
    chance, writer, who = random.Random(seed), FrameWriter(tanks), roster(tanks)
    reader = FrameReader(who)
    steps = []
    for number, frame in enumerate(frames(seed, tanks, turns), 1):
        reached = random_standings(chance, tanks)
        message = encode(writer.write(number, frame, random_times(chance, tanks), reached))
        turn = reader.read(decode(message))
        assert turn is not None
        whole = encode(writer.key()).decode() if chance.random() < 0.1 else None
        steps.append({"message": message.decode(), "keyframe": whole, "turn": told(turn)})
    seats = [
        {"id": bot, "name": one.name, "version": one.version, "isDroid": one.is_droid, "teamId": 1}
        for bot, one in who.items()
    ]
    return {"name": f"battle {seed}", "seats": seats, "steps": steps}


def run(file: str, **variables: str) -> None:
    done = subprocess.run(
        [str(NODE), "--test", "--test-reporter=tap", str(HERE / file)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(**variables),
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-1_000:]
    assert "# skipped 0" in done.stdout


def test_random_battles_are_read_alike_in_the_browser(tmp_path: Path) -> None:
    path = tmp_path / "battles.json"
    path.write_bytes(msgspec.json.encode([battle(*each) for each in BATTLES]))
    run("stream.test.js", STREAM_BATTLES=str(path))


def test_the_presets_of_the_page_are_those_of_the_server(tmp_path: Path) -> None:
    path = tmp_path / "presets.json"
    path.write_bytes(msgspec.json.encode({name: preset(name) for name in GAME_TYPES}))
    run("live/presets.test.js", PRESETS=str(path))
