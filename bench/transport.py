"""Messages a second: a turn loop without rules on each event loop, beside a bare loop in C.

    python bench/transport.py [--bots 2,10,100] [--runs 3] [--measure 3]

Each contestant does the same: one observation to every bot, wait until all have answered, the next one.
The client of all is swarm.c. They take turns, so that what else the machine does meets all. A figure is the
median (lowest … highest) of the runs. The server's processor time hardly depends on other load.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import statistics
import sys
from collections.abc import Sequence
from typing import Any

import uvloop
from rig import BARE, Contestant, Swarm, markdown, median_of, play, serving

from turnwright.host import effects as fx
from turnwright.net.server import LiveServer

TIMEOUT_NS = 30_000_000
HEAD = ("server", "turns/s", "of the bare loop", "turn p50, µs", "server CPU a turn, µs")

TICK = (
    b'{"type":"TickEventForBot","turnNumber":1234,"roundNumber":1,"botState":{"isDroid":false,"energy":100.0,'
    b'"x":412.70513942261516,"y":288.3160498213402,"direction":205.0,"gunDirection":85.0,'
    b'"radarDirection":330.0,"radarSweep":55.0,"speed":0.0,"turnRate":5.0,"gunTurnRate":5.0,'
    b'"radarTurnRate":45.0,"gunHeat":0.0,"enemyCount":9,"isDebuggingEnabled":false},"bulletStates":[],'
    b'"events":[{"type":"ScannedBotEvent","turnNumber":1234,"scannedByBotId":1,"scannedBotId":2,'
    b'"energy":100.0,"x":126.83016473215091,"y":579.1170344201337,"direction":205.0,"speed":0.0}]}'
)
"""The message of bare.c: the state of a turning bot that sees another."""


class TurnLoop:
    """A host that plays turns without rules. See `turnwright.host.host.Host`."""

    at_breakpoint = False
    timed = ()

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.effects: list[fx.Effect] = []
        self._bots: list[int] = []
        self._watchers: list[int] = []
        self._ready = 0
        self._waiting = 0
        self._playing = False

    def take(self) -> list[fx.Effect]:
        """Return what is to be done."""
        taken, self.effects = self.effects, []
        return taken

    def connect(self, conn: int, peer_host: str, peer_port: int, now_ns: int, **of_peer: object) -> None:
        """Greet."""
        hello = {"type": "ServerHandshake", "sessionId": str(conn), "name": "bench", "gameTypes": ["custom"]}
        self._say([conn], hello)

    def receive(self, conn: int, data: bytes, now_ns: int) -> None:
        """Count an answer, or take part in the beginning."""
        if self._playing:
            self._waiting -= 1
            if self._waiting == 0:
                self.effects.append(fx.CallSettled())
        else:
            self._begin(conn, data)

    def inputs_read(self, now_ns: int) -> None:
        """Play a turn."""
        self._waiting = len(self._bots)
        self.effects.append(fx.SendTurn(self._bots, [TICK] * len(self._bots)))
        self.effects.append(fx.SetAlarm(now_ns + TIMEOUT_NS))

    def disconnect(self, conn: int, now_ns: int, farewell: object = None) -> None:
        """End with the first bot that leaves."""
        if conn in self._bots:
            self.over.set()

    def wake(self, now_ns: int) -> None:
        """A bot is slow; the bench waits for it."""

    def pending_read(self, now_ns: int) -> None:
        """Never asked for."""

    def turn_sent(self, stamps_ns: list[int]) -> None:
        """Not needed."""

    def abort(self, why: str) -> None:
        """Nothing to abort."""

    def metrics(self, now_ns: int) -> str:
        """There are none."""
        return ""

    def _say(self, conns: Sequence[int], message: dict[str, Any]) -> None:
        data = json.dumps(message, separators=(",", ":")).encode()
        self.effects.extend(fx.Send(conn, data) for conn in conns)

    def _begin(self, conn: int, data: bytes) -> None:
        kind = json.loads(data)["type"]
        if kind == "BotHandshake":
            self._bots.append(conn)
        elif kind == "BotReady":
            self._ready += 1
            if self._ready == len(self._bots):
                self._say(self._bots, {"type": "RoundStartedEvent", "roundNumber": 1})
                self._playing = True
                self.effects.append(fx.CallSettled())
        elif kind == "StartGame":
            self._say(self._watchers, {"type": "GameStartedEventForObserver", "participants": []})
            self._say(self._bots, {"type": "GameStartedEventForBot", "myId": 1})
        else:
            self._watchers.append(conn)
            self._say([conn], {"type": "BotListUpdate", "bots": []})


async def serve(port: int) -> None:
    """Serve one game."""
    host = TurnLoop()
    server = LiveServer(host, host_name="127.0.0.1", port=port)
    await server.start()
    await host.over.wait()
    await server.stop()


def contestants() -> list[Contestant]:
    """Return the server on every loop, and the bare loop."""
    python, here = shlex.quote(sys.executable), shlex.quote(__file__)
    ours = [
        Contestant(f"picows, {loop}", f"{python} {here} --serve {loop} {{port}}")
        for loop in ("uvloop", "asyncio")
    ]
    return [*ours, BARE]


def cpu_us(result: dict[str, Any]) -> float:
    """Return the server's processor time for a turn in µs, which other load on the machine hardly changes."""
    return float(result["srv_cpu"] / result["tps"] * 1e6)


def main() -> None:
    """Read the command line; serve, or measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bots", default="2,10,100")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--measure", type=float, default=3.0)
    parser.add_argument("--serve", nargs=2, metavar=("LOOP", "PORT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        loop, port = options.serve
        factory = uvloop.new_event_loop if loop == "uvloop" else asyncio.new_event_loop
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(serve(int(port)))
        return
    for bots in map(int, options.bots.split(",")):
        swarm = Swarm.of(bots, warm_s=1.0, measure_s=options.measure)
        results: dict[str, list[dict[str, Any]]] = {c.name: [] for c in contestants()}
        for contestant in contestants() * options.runs:
            with serving(contestant) as server:
                results[contestant.name].append(play(server, swarm))
        print(f"\n{bots} bots, {options.runs} runs\n")
        print(
            markdown(HEAD, [row(name, runs, results[BARE.name]) for name, runs in results.items()]),
            flush=True,
        )


def row(name: str, runs: list[dict[str, Any]], bare: list[dict[str, Any]]) -> list[str]:
    """Return one line of the table."""
    turns = statistics.median(run["tps"] for run in runs)
    limit = statistics.median(run["tps"] for run in bare)
    return [
        name,
        median_of(run["tps"] for run in runs),
        f"{turns / limit:.2f}",
        median_of(run["p50us"] for run in runs),
        median_of(map(cpu_us, runs)),
    ]


if __name__ == "__main__":
    main()
