"""Random scenarios for two servers: what the one answers, the other must answer too.

    python -m packages.tank.tests.conformance.scatter --theirs 'COMMAND … {port} {tps} {args}'

`theirs` starts the official server (secrets csec and bsec); ours is `turnwright serve`. A seed makes the
scenario: arena, tanks at given places, teams and droids, wild intents with values in and out of range.
Exit code 1 when an answer differs; --keep DIR writes those scenarios as folders like the ones in scenarios/.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packages.tank.tests.conformance.compare import differences
from packages.tank.tests.conformance.player import Message, Run
from packages.tank.tests.conformance.serving import SERVE, play_on

TURN_TIMEOUT_US = 1_000_000
LOCKS = (
    "ArenaWidth",
    "ArenaHeight",
    "MinNumberOfParticipants",
    "MaxNumberOfParticipants",
    "NumberOfRounds",
    "GunCoolingRate",
    "MaxInactivityTurns",
    "TurnTimeout",
    "ReadyTimeout",
)
APART = 60
NAMES = "ABCDE"
EQUAL, DIFFERENT = "equal", "different"
ONE_OF_SEVERAL = "equal to one of several answers of theirs"
UNSTABLE = "not answered the same twice by theirs"
KINDS = (EQUAL, ONE_OF_SEVERAL, UNSTABLE, DIFFERENT)
TRIES = 5
"""Answers that their server may give: its order within a turn is random."""


def make_scenario(seed: int) -> Message:
    """Return the scenario of a seed."""
    rng = random.Random(seed)
    width, height = rng.randint(300, 1200), rng.randint(300, 1000)
    count = rng.choice((2, 2, 2, 3, 3, 4, 5))
    to_the_end = rng.random() < 0.5
    rounds = rng.choice((1, 2, 3)) if to_the_end else 1
    brawl = rng.random() < 0.5
    turns = rng.randint(60, 400)
    setup: Message = {
        "gameType": "custom",
        "arenaWidth": width,
        "arenaHeight": height,
        "minNumberOfParticipants": 1,
        "numberOfRounds": rounds,
        "gunCoolingRate": rng.choice((0.1, 0.1, 0.3, 0.9)),
        "maxInactivityTurns": 30 if to_the_end else rng.choice((60, 150, 450)),
        "turnTimeout": TURN_TIMEOUT_US,
        "readyTimeout": 5_000_000,
        "defaultTurnsPerSecond": 30,
        **{f"is{name}Locked": False for name in LOCKS},
    }
    places = _places(rng, width, height, count)
    if brawl:
        places = [_facing(rng, place, places[0 if index else 1]) for index, place in enumerate(places)]
    teams = _teams(rng, count)
    bots = [
        _bot(rng, name, place, team, turns, brawl)
        for name, place, team in zip(NAMES, places, teams, strict=False)
    ]
    stop = {"when": {"type": "TickEventForObserver", "turn": [turns, None]}, "send": {"type": "StopGame"}}
    return {
        "name": f"seed_{seed}",
        "server": {"tps": -1, "args": ["-i"]},
        "setup": setup,
        "bots": bots,
        "timeoutS": 120,
        **({} if to_the_end else {"controller": [stop], "compareTurns": turns - 2}),
    }


def _places(rng: random.Random, width: int, height: int, count: int) -> list[Message]:
    """Return places well apart, on whole and half numbers, some at the walls."""
    places: list[Message] = []
    while len(places) < count:
        x = rng.choice((18, width - 18, rng.uniform(20, width - 20), rng.randint(20, width - 20)))
        y = rng.choice((18, height - 18, rng.uniform(20, height - 20), rng.randint(20, height - 20)))
        if all(abs(x - p["x"]) > APART or abs(y - p["y"]) > APART for p in places):
            direction = rng.choice((0, 90, 180, 270, 45, rng.uniform(0, 360)))
            places.append({"x": x, "y": y, "direction": direction})
    return places


def _facing(rng: random.Random, place: Message, other: Message) -> Message:
    """Return a place that looks nearly at another tank; exactly would make bullets meet by the last digit."""
    angle = math.degrees(math.atan2(other["y"] - place["y"], other["x"] - place["x"]))
    return {**place, "direction": (angle + rng.uniform(-3, 3)) % 360}


def _teams(rng: random.Random, count: int) -> list[Message]:
    """Return, for each tank, its team's part of the handshake; mostly none."""
    if count < 3 or rng.random() < 0.7:
        return [{} for _ in range(count)]
    team = {"teamId": 1, "teamName": "Reds", "teamVersion": "1.0"}
    return [
        {**team, "isDroid": index > 0 and rng.random() < 0.5} if index < 2 else {} for index in range(count)
    ]


def _bot(rng: random.Random, name: str, place: Message, team: Message, turns: int, brawl: bool) -> Message:
    """Return a bot with a script for all turns.

    Args:
        brawl: mostly stand or ram, and fire straight ahead.
    """
    script: list[Message] = []
    turn = 1
    while turn < turns:
        last = turn + rng.choice((0, 0, 3, 10, 30))
        intent = _attack(rng) if brawl and rng.random() < 0.8 else _intent(rng)
        script.append({"turns": [turn, last], "intent": intent})
        turn = last + 1
    return {"name": name, "handshake": {"initialPosition": place, **team}, "script": script}


def _attack(rng: random.Random) -> Message:
    return {"firepower": rng.choice((3, 2, 1)), "targetSpeed": rng.choice((0, 0, 2, 8)), "radarTurnRate": 45}


def _intent(rng: random.Random) -> Message:
    fields: dict[str, Any] = {
        "turnRate": rng.choice((0, 10, -10, 5, rng.uniform(-15, 15))),
        "gunTurnRate": rng.choice((0, 20, -20, rng.uniform(-30, 30))),
        "radarTurnRate": rng.choice((0, 45, -45, rng.uniform(-60, 60))),
        "targetSpeed": rng.choice((8, -8, 0, 4, rng.uniform(-10, 10))),
        "firepower": rng.choice((0, 0.05, 0.1, 1, 3, 5, rng.uniform(0, 3.2))),
        "adjustGunForBodyTurn": rng.random() < 0.5,
        "adjustRadarForBodyTurn": rng.random() < 0.5,
        "adjustRadarForGunTurn": rng.random() < 0.5,
        "rescan": rng.random() < 0.2,
        "fireAssist": rng.random() < 0.5,
    }
    return {key: value for key, value in fields.items() if rng.random() < 0.7}


def _keep(folder: Path, scenario: Message, theirs: Run) -> None:
    """Write a scenario and what the official server answered as a folder like those in scenarios/."""
    official = folder / scenario["name"] / "official"
    official.mkdir(parents=True, exist_ok=True)
    (official.parent / "scenario.json").write_text(json.dumps(scenario, indent=1), encoding="utf-8")
    meta = {"finished": theirs.finished, "ids": theirs.ids}
    (official / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    for client, messages in theirs.received.items():
        with gzip.open(official / f"{client}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps({"dir": "in", "msg": message}) + "\n" for message in messages)


def main() -> int:
    """Play the seeds on both servers and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--theirs", required=True)
    parser.add_argument("--ours", default=SERVE)
    parser.add_argument("--seeds", default="1:20", help="first:last, both included")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(":"))
    seeds = range(first, last + 1)
    with TemporaryDirectory() as logs:
        results = [_try(seed, options.theirs, options.ours, Path(logs), options.keep) for seed in seeds]
    print(", ".join(f"{results.count(kind)} {kind}" for kind in KINDS))
    return 1 if DIFFERENT in results else 0


def _try(seed: int, theirs: str, ours: str, logs: Path, keep: Path | None) -> str:
    """Play one seed on both; where they differ, see whether their server answers it the same twice."""
    scenario = make_scenario(seed)
    first = play_on(theirs, scenario, logs / "theirs.log")
    mine = play_on(ours, scenario, logs / "ours.log")
    found = differences(scenario, first, mine)
    result = DIFFERENT if found else EQUAL
    for _ in range(TRIES - 1 if found else 0):
        another = play_on(theirs, scenario, logs / "theirs.log")
        if not differences(scenario, another, mine):
            result = ONE_OF_SEVERAL
            break
        if differences(scenario, first, another):
            result = UNSTABLE
    turns = sum(m["type"] == "TickEventForObserver" for m in first.received["observer"])
    print(f"seed {seed}: {len(scenario['bots'])} tanks, {turns} turns: {result}", flush=True)
    if result in (UNSTABLE, DIFFERENT):
        print("".join(f"    {line:.300}\n" for line in found[:4]), end="", flush=True)
    if result == DIFFERENT and keep:
        _keep(keep, scenario, first)
    return result


if __name__ == "__main__":
    sys.exit(main())
