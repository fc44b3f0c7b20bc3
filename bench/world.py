"""A world full of players: what replies take, how late turns are, memory; and Evennia beside it.

    python bench/world.py [--players N] [--creatures N] [--seconds S] [--runs N] [--evennia [--players N]]

Half of the players come by telnet, half by WebSocket (`gmcp.`), all on the loopback address, played by
`crowd.c`: two commands a second each, in turn one that takes its turn (walking, in 300 places) and one that
is answered at once (saying something to those who are there). In each place live creatures whose mind is
asked every turn. `beyond` is what a reply to a step took beyond the end of its turn, whose time the client
knows from the server's clock; what is sent in the last 10 ms of a turn belongs to the next one.

--evennia: the same crowd, telnet only, at an Evennia from PyPI, which is installed into `bench/out/evennia`:
`say` beside `say`, `look` in place of a step, as Evennia answers all at once and has no turns; in one room.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rig import HERE, OUT, rss_kb

from turnwright.net.content_files import DEMO

WIDTH, HEIGHT = 20, 15
SETTLE_S = 6
READY_S = 60.0
EVENNIA_PORT = 14_100
_MIND = '''"""Looks around, and walks now and then."""


def plan(view, random):
    if view["action"] or random.random() >= 0.02:
        return None
    return "go " + random.choice(sorted(view["place"]["exits"]))
'''
_JUMP = '''"""For the bench: jump to a place."""

from turnwright.games.world.verbs import Act, Verb


class Jump(Verb):
    name = "jump"
    help = "jump PLACE"

    def finish(self, act: Act) -> None:
        act.move(act.actor, act.text.strip())
'''
_EVENNIA = """
TELNET_PORTS, TELNET_INTERFACES = [14100], ["127.0.0.1"]
WEBSERVER_PORTS, WEBSOCKET_CLIENT_PORT, AMP_PORT = [(14101, 14102)], 14103, 14106
GUEST_ENABLED, GUEST_LIST = True, [f"Guest{n}" for n in range(2000)]
MAX_CONNECTION_RATE, MAX_COMMAND_RATE, IDLE_TIMEOUT = 1000, 100000, -1
LOGIN_THROTTLE_LIMIT = CREATION_THROTTLE_LIMIT = 100000
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""


def content(creatures: int) -> Path:
    """Write the plain on which the bench is played; return its folder."""
    folder = OUT / "world-content"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DEMO / "verbs", folder / "verbs", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "minds").mkdir()
    (folder / "minds" / "sheep.py").write_text(_MIND)
    (folder / "verbs" / "jumping.py").write_text(_JUMP)
    rows = ['[settings]\nstart = "p0"\nhome = "p0"\nwelcome = "A bench."\n[kind.person]\nname = "traveller"']
    rows.append('[kind.sheep]\nname = "sheep"\nmind = "sheep"')
    places = WIDTH * HEIGHT
    for k in range(places):
        x, y = k % WIDTH, k // WIDTH
        ways = {"east": (x + 1, y), "west": (x - 1, y), "south": (x, y + 1), "north": (x, y - 1)}
        exits = ", ".join(f'{way} = "p{v % HEIGHT * WIDTH + u % WIDTH}"' for way, (u, v) in ways.items())
        rows.append(
            f'[place.p{k}]\nname = "Place {k}"\narea = "plain"\ntext = "Plain."\nexits = {{ {exits} }}'
        )
        if count := creatures // places + (k < creatures % places):
            rows.append(f'[[spawn]]\nkind = "sheep"\nplace = "p{k}"\ncount = {count}')
    (folder / "bench.toml").write_text("\n".join(rows) + "\n")
    return folder


@contextmanager
def world(creatures: int) -> Iterator[tuple[int, int, int]]:
    """Run a world; yield its process id, its port and its telnet port."""
    data = OUT / "world-bench.db"
    for path in OUT.glob("world-bench.db*"):
        path.unlink()
    words = ["world", "demo", "--port", "0", "--telnet-port", "0", "--no-open", "--seed", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "turnwright.cli", *words, "--content", content(creatures), "--data", data],
        stdout=subprocess.PIPE,
        stderr=(OUT / "world.log").open("w"),
        text=True,
    )
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline() for _ in range(3)]
        yield process.pid, int(lines[2].split()[1].rpartition(":")[2]), int(lines[1].split()[-1])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def evennia() -> Iterator[Path]:
    """Run an Evennia; yield its folder. It is installed and set up when it is not there yet."""
    home, mud = OUT / "evennia", OUT / "evennia" / "mud"
    python = home / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "evennia"], check=True)
    names = {"USERNAME": "admin", "PASSWORD": "adm1nadm1n", "EMAIL": "a@example.org"}
    environ = {**os.environ, **{f"EVENNIA_SUPERUSER_{name}": value for name, value in names.items()}}
    environ["PATH"] = f"{python.parent}{os.pathsep}{environ['PATH']}"

    def run(*words: str, cwd: Path = mud) -> None:
        subprocess.run(["evennia", *words], cwd=cwd, env=environ, check=False, stdout=subprocess.DEVNULL)

    if not mud.exists():
        run("--init", "mud", cwd=home)
        with (mud / "server" / "conf" / "settings.py").open("a") as settings:
            settings.write(_EVENNIA)
        run("migrate")
    run("start")
    time.sleep(SETTLE_S)
    try:
        yield mud
    finally:
        run("stop")


def crowd(telnet_port: int, *words: object) -> dict[str, Any]:
    """Play the crowd; return its figures."""
    if not (OUT / "crowd").exists() or (OUT / "crowd").stat().st_mtime < (HERE / "crowd.c").stat().st_mtime:
        subprocess.run(["cc", "-O2", "-o", OUT / "crowd", HERE / "crowd.c"], check=True)
    argv = [str(OUT / "crowd"), "-q", str(telnet_port), *map(str, words)]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used, s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Return the processes below a process."""
    found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return found + [below for child in found for below in children(child)]


def play_ours(players: int, creatures: int, seconds: float) -> dict[str, Any]:
    """Measure one run of a world."""
    with world(creatures) as (pid, port, telnet_port):
        half = players // 2
        began, used = time.monotonic(), cpu_s(pid)
        words = (
            "-p",
            port,
            "-n",
            half,
            "-w",
            players - half,
            "-W",
            SETTLE_S,
            "-t",
            seconds,
            "-c",
            WIDTH * HEIGHT,
        )
        figures = crowd(telnet_port, *words)
        figures["server_cores"] = (cpu_s(pid) - used) / (time.monotonic() - began)
        figures["memory_mb"] = sum(rss_kb(one) for one in (pid, *children(pid))) / 1024
        with urllib.request.urlopen(f"http://localhost:{port}/world.json") as answer:
            figures["status"] = json.load(answer)
    return figures


def play_evennia(players: int, seconds: float) -> dict[str, Any]:
    """Measure one run of Evennia."""
    with evennia() as mud:
        figures = crowd(EVENNIA_PORT, "-e", "-n", players, "-w", 0, "-W", SETTLE_S, "-t", seconds)
        pids = [int((mud / "server" / name).read_text()) for name in ("portal.pid", "server.pid")]
        figures["memory_mb"] = sum(map(rss_kb, pids)) / 1024
    return figures


def middle(runs: list[dict[str, Any]], key: str, at: int | None = None) -> str:
    """Return the median of a figure, and its least and greatest."""
    values = [run[key] if at is None else run[key][at] for run in runs]
    return f"{statistics.median(values):.1f} ({min(values):.1f} … {max(values):.1f})"


def show(name: str, runs: list[dict[str, Any]]) -> None:
    """Print the figures of some runs."""
    print(f"\n{name}")
    print(f"  players inside             {middle(runs, 'inside')}, closed {middle(runs, 'closed')}")
    print(f"  commands a second          {middle(runs, 'commands_per_s')}")
    print(f"  unanswered within 1 s      {middle(runs, 'unanswered_go')} + {middle(runs, 'unanswered_say')}")
    print(f"  a social reply, p50, p99   {middle(runs, 'social_ms', 1)}, {middle(runs, 'social_ms', 2)} ms")
    print(f"  another reply, p50, p99    {middle(runs, 'go_ms', 1)}, {middle(runs, 'go_ms', 2)} ms")
    print(f"  memory, all processes      {middle(runs, 'memory_mb')} MB")
    if "status" in runs[0]:
        print(
            f"  beyond the turn, p50, p99  {middle(runs, 'beyond_ms', 1)}, {middle(runs, 'beyond_ms', 2)} ms"
        )
        late = [run["status"]["late_ms"] for run in runs]
        print(
            f"  turns late, p50, p99       {middle(late, 'p50')}, {middle(late, 'p99')} ms, since the start"
        )
        used = [run["status"]["used_ms"] for run in runs]
        print(f"  turns take, p50, p99       {middle(used, 'p50')}, {middle(used, 'p99')} ms")
        print(f"  turns left out             {middle([run['status'] for run in runs], 'skipped')}")
        print(f"  cores of the server        {middle(runs, 'server_cores')}")
        for miss in runs[-1]["status"]["misses"]:
            print(f"  plans not made, last run   {miss['count']} ({miss['reason']})")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--creatures", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--evennia", action="store_true")
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    ours = [play_ours(given.players, given.creatures, given.seconds) for _ in range(given.runs)]
    show(f"turnwright, {given.players} players, {given.creatures} creatures", ours)
    if given.evennia:
        theirs = [play_evennia(given.players, given.seconds) for _ in range(given.runs)]
        show(f"Evennia, {given.players} players by telnet, no creatures", theirs)
        ratio = statistics.median(run["memory_mb"] for run in theirs) / statistics.median(
            run["memory_mb"] for run in ours
        )
        print(f"\nmemory, Evennia to turnwright: {ratio:.2f}")


if __name__ == "__main__":
    main()
