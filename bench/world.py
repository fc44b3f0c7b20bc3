"""Measures a world full of players: times of replies, lateness of turns, memory. Can compare it with Evennia.

Half of the players use telnet, and half use WebSocket. All connect over the loopback addresses. Each player
sends two commands per second, alternately a step (answered at the end of a turn) and `say` (answered
immediately). Each creature has a mind that plans in every turn. The world has 300 places.

    beyond the turn   the time from the end of the turn until the reply to a step, by the server's clock. A
                      step that is sent in the last 10 ms of a turn belongs to the next turn
    planned           the average number of creatures that planned in a turn, while all players were there

--evennia installs Evennia from PyPI into `bench/out/evennia`. In both worlds, all players use telnet and are
in one room without creatures. They send `say`, which all others hear, and `look`. With `--players 0`, the
bench measures only this comparison.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rig import OUT, build, markdown, median_of, parser, rss_kb

from turnwright_world.app.options import TURN_MS_SLOW
from turnwright_world.net.content_files import DEMO

WIDTH, HEIGHT = 20, 15
TURN_MS = 250
SETTLE_S = 6
READY_S = 90.0
EVENNIA_PORT = 14_100
JOIN_S = 60
"""The time in which the players of a comparison must log in."""
ROWS = (
    ("players logged in", "inside", None),
    ("time to log in, s", "joined_s", None),
    ("reply to `say`, p50, ms", "social_ms", 1),
    ("reply to `say`, p99, ms", "social_ms", 2),
    ("reply to `look`, p50, ms", "go_ms", 1),
    ("reply to `look`, p99, ms", "go_ms", 2),
    ("not answered within 1 s", "unanswered_say", None),
    ("memory, MB", "memory_mb", None),
)
_MIND = '''"""Looks around, and walks now and then."""


def plan(view, random):
    if view["action"] or random.random() >= 0.02:
        return None
    return "go " + random.choice(sorted(view["place"]["exits"]))
'''
_JUMP = '''"""For the bench: jump to a place."""

from turnwright_world.rules.verbs import Act, Verb


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
    """Write the content of the world, and return its folder."""
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
def world(creatures: int, turn_ms: int = TURN_MS) -> Iterator[tuple[int, int, int]]:
    """Run a new world. Yield its process id, its port and its telnet port."""
    data = OUT / "world-bench.db"
    for path in OUT.glob("world-bench.db*"):
        path.unlink()
    words = ["world", "serve", "--port", "0", "--telnet-port", "0", "--no-open", "--seed", "1"]
    words += ["--turn", f"{turn_ms}ms", *(["--fast"] if turn_ms < TURN_MS_SLOW else [])]
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
    """Run an Evennia, and yield its folder. Install and set up Evennia if it is missing."""
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
    wanted = [mud / "server" / name for name in ("portal.pid", "server.pid")]
    until = time.monotonic() + READY_S
    while not all(path.exists() for path in wanted) and time.monotonic() < until:
        run("start")  # on a busy machine its portal starts too late, and it does not start its server
        time.sleep(1)
    time.sleep(SETTLE_S)
    try:
        yield mud
    finally:
        run("stop")


def crowd(telnet_port: int, *words: object, begun: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Play the crowd, and return its figures.

    Args:
        begun: called when all players have logged in and the warm-up is over.
    """
    argv = [str(build("crowd")), "-q", str(telnet_port), *map(str, words)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for said in process.stderr:
            if said.strip() == "measuring":
                begun()
            else:
                print(said, end="", file=sys.stderr)
        figures: dict[str, Any] = json.loads(process.stdout.read())
    return figures


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Return the ids of all processes below a process."""
    found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return found + [below for child in found for below in children(child)]


def status_of(port: int) -> dict[str, Any]:
    """Return the status of a world."""
    with urllib.request.urlopen(f"http://localhost:{port}/world.json") as answer:
        status: dict[str, Any] = json.load(answer)
    return status


def play_ours(players: int, creatures: int, seconds: float, turn_ms: int = TURN_MS) -> dict[str, Any]:
    """Measure one run of a full world, and return its figures."""
    before: dict[str, Any] = {}
    with world(creatures, turn_ms) as (pid, port, telnet_port):

        def begun() -> None:
            pids = [pid, *children(pid)]
            before.update(status_of(port), at=time.monotonic(), cpu={one: cpu_s(one) for one in pids})

        half = players // 2
        counts = ("-n", half, "-w", players - half, "-c", WIDTH * HEIGHT)
        words = ("-p", port, *counts, "-W", SETTLE_S, "-t", seconds)
        figures = crowd(telnet_port, *words, begun=begun)
        lasted_s = time.monotonic() - before["at"]
        figures["server_cores"] = (cpu_s(pid) - before["cpu"].pop(pid)) / lasted_s
        spent_s = [cpu_s(one) - before["cpu"].get(one, 0.0) for one in children(pid)]
        figures["minds_cores"] = sum(spent_s) / lasted_s
        figures["memory_mb"] = sum(rss_kb(one) for one in (pid, *children(pid))) / 1024
        figures["status"] = status = status_of(port)
    turns = status["turns"] - before["turns"]
    missed = sum(_misses(status).values()) - sum(_misses(before).values())
    figures["planned"] = creatures - missed / turns
    figures["turns"] = turns
    return figures


def _misses(status: dict[str, Any]) -> dict[str, int]:
    return {miss["reason"]: miss["count"] for miss in status["misses"]}


def play_alike(players: int, seconds: float) -> dict[str, Any]:
    """Measure one run of our world with the work of the comparison, and return its figures."""
    with world(0) as (pid, _port, telnet_port):
        return _alike((pid, *children(pid)), players, seconds, telnet_port, "-l")


def play_evennia(mud: Path, players: int, seconds: float) -> dict[str, Any]:
    """Measure one run of a running Evennia, and return its figures."""
    pids = [int((mud / "server" / name).read_text()) for name in ("portal.pid", "server.pid")]
    figures = _alike(pids, players, seconds, EVENNIA_PORT, "-e")
    time.sleep(SETTLE_S)
    return figures


def _alike(pids: Iterable[int], players: int, seconds: float, port: int, how: str) -> dict[str, Any]:
    memory_mb: list[float] = []
    words = (how, "-n", players, "-w", 0, "-J", JOIN_S, "-W", SETTLE_S / 2, "-t", seconds)
    figures = crowd(port, *words, begun=lambda: memory_mb.append(sum(map(rss_kb, pids)) / 1024))
    return {**figures, "memory_mb": memory_mb[0]}


def middle(runs: list[dict[str, Any]], key: str, at: int | None = None) -> str:
    """Return the median of a figure, with the lowest and the highest value."""
    return median_of((run[key] if at is None else run[key][at] for run in runs), 1)


def show(name: str, runs: list[dict[str, Any]]) -> None:
    """Print the figures of some runs of a full world."""
    late = [run["status"]["late_ms"] for run in runs]
    used = [run["status"]["used_ms"] for run in runs]
    print(f"\n{name}")
    print(f"  players logged in          {middle(runs, 'inside')}, closed {middle(runs, 'closed')}")
    print(f"  commands per second        {middle(runs, 'commands_per_s')}")
    print(f"  unanswered within 1 s      {middle(runs, 'unanswered_go')} + {middle(runs, 'unanswered_say')}")
    print(f"  reply to `say`, p50, p99   {middle(runs, 'social_ms', 1)}, {middle(runs, 'social_ms', 2)} ms")
    print(f"  reply to a step, p50, p99  {middle(runs, 'go_ms', 1)}, {middle(runs, 'go_ms', 2)} ms")
    print(f"  beyond the turn, p50, p99  {middle(runs, 'beyond_ms', 1)}, {middle(runs, 'beyond_ms', 2)} ms")
    print(f"  turns late, p50, p99       {middle(late, 'p50')}, {middle(late, 'p99')} ms, since the start")
    print(f"  turns take, p50, p99       {middle(used, 'p50')}, {middle(used, 'p99')} ms, in slices")
    print(f"  skipped turns              {middle([run['status'] for run in runs], 'skipped')}")
    print(f"  planned per turn           {middle(runs, 'planned')}")
    print(f"  cores of server and minds  {middle(runs, 'server_cores')}, {middle(runs, 'minds_cores')}")
    print(f"  memory, all processes      {middle(runs, 'memory_mb')} MB")
    for reason, count in _misses(runs[-1]["status"]).items():
        print(f"  plans not made, last run   {count} ({reason}), since the start")


def compare(players: int, runs: int, seconds: float) -> None:
    """Print the figures of our world and of Evennia at the same work."""
    with evennia() as mud:
        ours = [play_alike(players, seconds) for _ in range(runs)]
        theirs = [play_evennia(mud, players, seconds) for _ in range(runs)]
    rows = [
        (name, middle(ours, key, at), middle(theirs, key, at), ratio(theirs, ours, key, at))
        for name, key, at in ROWS
    ]
    print(f"\n{players} players by telnet in one room, 2 commands/s each: `say` and `look`")
    print(markdown(("", "turnwright", "Evennia", "ratio of medians"), rows))


def ratio(theirs: list[dict[str, Any]], ours: list[dict[str, Any]], key: str, at: int | None) -> str:
    """Return their median divided by ours, or "no replies"."""
    sides = [
        statistics.median(run[key] if at is None else run[key][at] for run in runs) for runs in (theirs, ours)
    ]
    return f"{sides[0] / max(sides[1], 0.1):.1f}" if min(sides) >= 0 else "no replies"


def main() -> None:
    """Measure and print."""
    words = parser(__doc__)
    words.add_argument("--players", type=int, default=1_000, help="players of the world")
    words.add_argument("--creatures", type=int, default=2_000, help="creatures of the world")
    words.add_argument("--seconds", type=float, default=20, help="measured seconds")
    words.add_argument("--runs", type=int, default=3, help="runs of each world")
    words.add_argument("--turn", type=int, default=TURN_MS, help="ms of a turn")
    words.add_argument("--evennia", action="store_true", help="also compare with Evennia")
    words.add_argument("--alike", type=int, default=30, help="players with --evennia")
    given = words.parse_args()
    OUT.mkdir(exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if given.players:
        runs = [
            play_ours(given.players, given.creatures, given.seconds, given.turn) for _ in range(given.runs)
        ]
        show(f"turnwright, {given.players} players, {given.creatures} creatures", runs)
    if given.evennia:
        compare(given.alike, given.runs, given.seconds / 2)


if __name__ == "__main__":
    main()
