"""Tournaments on Ray, in a separate environment, whose workers are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import write_bot
from packages.league.tests.app.playing import results
from tests.peers.setup_peers import ray_python
from turnwright_league import run_tournament

pytestmark = [pytest.mark.peer, pytest.mark.process, pytest.mark.timeout(600)]

WORKER = "ray::turnwright-"
"""The beginning of the title of a worker of Ray that plays: the name of its task."""


@pytest.fixture
def python() -> str:
    found = ray_python()
    if found is None:
        pytest.skip("Ray is not prepared: python tests/peers/setup_peers.py")
    return str(found)


def started(python: str, folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    command = [python, "-m", "turnwright.cli", "tournament", "run", str(folder), "--game", "snake", *words]
    sources = os.pathsep.join(map(str, sorted(Path(__file__).parents[2].glob("packages/*/src"))))
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": sources, "RAY_USAGE_STATS_ENABLED": "0", **environment},
    )  # fmt: skip


def workers_below(pid: int) -> list[int]:
    """Return the processes of Ray below a process that play a battle now."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            line = (place / "stat").read_text()
            title = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        parents[int(place.name)] = int(line.rpartition(")")[2].split()[1]), title
    found = []
    for one, (_, title) in parents.items():
        above = one
        while above in parents and above != pid:
            above = parents[above][0]
        if above == pid and title.startswith(WORKER):
            found.append(one)
    return found


def test_killed_workers_change_nothing_in_the_standings(python: str, tmp_path: Path) -> None:
    folder, killed = tmp_path / "there", []
    folder.mkdir()
    process = started(python, folder, "Greedy", "Wanderer", "--battles", "60", "--on", "ray", "--json")

    def disturb() -> None:
        for least in (6, 24):
            while results(folder) < least and process.poll() is None:
                time.sleep(0.05)
            while process.poll() is None:
                if found := workers_below(process.pid):
                    os.kill(found[0], signal.SIGKILL)
                    killed.append(found[0])
                    break
                time.sleep(0.01)

    thread = threading.Thread(target=disturb)
    thread.start()
    out, err = process.communicate(timeout=500)
    thread.join()
    assert process.returncode == 0, err
    assert len(killed) == 2
    there: Any = json.loads(out)
    assert len(there["battles"]) == 60
    assert all(battle["counts"] for battle in there["battles"])
    here = run_tournament(tmp_path / "here", "Greedy", "Wanderer", game="snake", battles=60).to_data()
    assert [(b["id"], b["digest"]) for b in there["battles"]] == [
        (b["id"], b["digest"]) for b in here["battles"]
    ]
    names = ("name", "rank", "aps", "aps_low", "aps_high", "win_share", "battles")
    one, two = ([[row[name] for name in names] for row in some["standings"]] for some in (there, here))
    assert one == two


def test_a_bot_in_a_directory_plays_on_ray(python: str, tmp_path: Path) -> None:
    folder, cache = tmp_path / "bots", tmp_path / "cache"
    write_bot(folder, "Still", "from turnwright.client import play\nplay(lambda seen: 'up')\n")
    process = started(python, folder, "Greedy", "--battles", "2", "--on", "ray", "--json",
                      TURNWRIGHT_BOT_CACHE=str(cache))  # fmt: skip
    out, err = process.communicate(timeout=500)
    assert process.returncode == 0, err
    assert [battle["state"] for battle in json.loads(out)["battles"]] == ["ok", "ok"]
    assert len(list(cache.glob("*/Still/Still.py"))) == 1


def test_a_missing_ray_is_reported_in_one_line(python: str, tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    process = started(python, tmp_path / "bots", "Greedy", "Wanderer", "--on", "ray://127.0.0.1:1")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert len(err.splitlines()) == 1
    assert "does not answer" in err
