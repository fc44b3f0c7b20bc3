"""A whole server on a virtual clock: hosts, bots, operators and a bad network, all from one seed.

Nothing real is opened and no real time passes. A failure prints its seed, and the same seed repeats it.

    report = simulate(seed)        raises AssertionError naming the seed when a promise is broken
    python -m packages.tank.tests.simulation.simulate --seed 17
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from packages.core.tests.simulation.virtual_server import START_NS, Played, Said, VirtualServer
from packages.tank.tests.simulation.clients import Bot, Habits, Message, Operator, Peer
from packages.tank.tests.simulation.invariants import Witness
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.kernel.record import TurnRules
from turnwright_tank.game import TankGame
from turnwright_tank.host.royale import RoyaleProtocol
from turnwright_tank.rules.rows import Rows
from turnwright_tank.rules.stages import STAGES, Stages
from turnwright_tank.structs import Frame
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.setup import preset

MS = 1_000_000
S = 1_000_000_000
_PORTS = 40_000
_WATCHER, _OPERATOR = 1, 2


@dataclass(frozen=True, slots=True)
class Weather:
    """Quality of the network and the machine. Times in ns; chances from 0 to 1 for each message or round."""

    delay_ns: tuple[int, int] = (50_000, 4 * MS)
    spike_chance: float = 0.02
    spike_ns: int = 60 * MS
    write_ns: tuple[int, int] = (500, 20_000)
    slow_write_chance: float = 0.04
    slow_write_ns: int = 3 * MS
    alarm_late_ns: tuple[int, int] = (0, 300_000)
    stall_chance: float = 0.01
    stall_ns: tuple[int, int] = (100_000, 60 * MS)


@dataclass(slots=True)
class Report:
    """Counts of what happened on a simulated server.

    Attributes:
        endings: how its games ended, in order. The other fields are sums.
    """

    seed: int
    endings: list[str] = field(default_factory=list)
    turns: int = 0
    skipped: int = 0
    late: int = 0
    left: int = 0
    disqualified: int = 0
    faults: int = 0
    virtual_ns: int = 0


class Simulation:
    """One server in bad weather, with one or two games; see `simulate`.

    Args:
        limit_ns: the virtual time in which all of it must be over.
    """

    def __init__(self, seed: int, weather: Weather | None = None, limit_ns: int = 600 * S) -> None:
        self.seed = seed
        self.rng = rng = random.Random(f"simulation/{seed}")
        self.weather = weather or Weather()
        self.limit_ns = limit_ns
        self.config = self._config()
        self.server = VirtualServer(
            Host(self.config),
            on_said=self._said,
            on_closed=self._closed,
            on_over=self._over,
            write_ns=self._write_ns,
            alarm_late_ns=lambda: rng.randint(*self.weather.alarm_late_ns),
            alarm_first=lambda: rng.random() < 0.5,
        )
        again = f"seed {seed} (python -m packages.tank.tests.simulation.simulate --seed {seed})"
        self.witness = Witness(again, _WATCHER)
        self.server.on_late, self.server.on_left = self.witness.late, self.witness.left
        self.peers: dict[int, Peer] = {}
        self.report = Report(seed)
        self.games_left = rng.choice((1, 1, 1, 2))
        self._turns_max = rng.randint(100, 250)
        self._fifo_ns: dict[tuple[int, str], int] = {}

    def _config(self) -> HostConfig:
        rng = self.rng
        clumsy = rng.random() < 0.1
        stages = _clumsy_stages(rng.randint(2, 30)) if clumsy else STAGES
        return HostConfig(
            new_game=lambda tolerant: TankGame(
                speed="interpreted", on_error="continue" if tolerant else "raise", stages=stages
            ),
            protocol=RoyaleProtocol(),
            random_bytes=rng.randbytes,
            tps=rng.choice((-1, -1, 0, 30, 60, 999, 1000)),
            rules=TurnRules(
                on_late=rng.choice(("drop", "drop", "next")),
                on_skip=rng.choice(("repeat", "idle")),
                max_skipped=rng.choice((0, 3, 30)),
                on_disconnect=rng.choice(("skip", "dead", "official")),
            ),
            opening_timeout_us=rng.choice((None, None, 50_000)),
            on_rules_error_continue=clumsy,
            record=True,
            record_checks=self.seed % 2 == 0,
        )

    # ---- the whole of it ---------------------------------------------------------------------------------

    def run(self) -> Report:
        """Play to the end, check every promise, and return the counts."""
        server, rng = self.server, self.rng
        bots = rng.randint(2, 5)
        self._join(Peer, _WATCHER)
        self._join(Operator, _OPERATOR)
        for conn in range(3, 3 + bots):
            self._join(Bot, conn)
        server.at(START_NS + 200 * MS, lambda: self._start(START_NS + 200 * MS))
        while self.games_left:
            if rng.random() < self.weather.stall_chance:
                self._stall(rng.randint(*self.weather.stall_ns))
            going = server.step()
            assert going, f"{self.witness.name}: the server waits for nothing"
            assert server.now_ns < self.limit_ns, f"{self.witness.name}: no end after {self.limit_ns / S} s"
        self.report.virtual_ns = server.now_ns
        return self.report

    def _stall(self, duration_ns: int) -> None:
        self.server.stall(duration_ns)
        self.witness.late(self.server.now_ns, duration_ns)

    def _write_ns(self) -> int:
        if self.rng.random() >= self.weather.slow_write_chance:
            return self.rng.randint(*self.weather.write_ns)
        slow_ns = self.weather.slow_write_ns
        self.witness.late(self.server.now_ns + slow_ns, slow_ns)
        return slow_ns

    def _join(self, kind: type[Peer], conn: int) -> None:
        """Let a client connect now."""
        rng = random.Random(f"{self.seed}/{conn}")
        peer = kind(conn, rng, lambda message, at_ns: self._to_server(conn, message, at_ns))
        peer.later = self.server.at
        if conn > _OPERATOR:
            peer.leave = lambda at_ns: self._leave(conn, at_ns)
        if rng.random() < 0.1:
            peer.habits = Habits(is_silent=0.3, leaves=0.01, babbles=0.1)
        self.peers[conn] = peer
        self.witness.connected(conn)
        self.server.connect(conn)

    def _start(self, at_ns: int) -> None:
        """Ask for a game with all connected bots. Without bots, end the simulation."""
        bots = [c for c in self.server.open if self.peers[c].role == "bot"]
        message = {
            "type": "StartGame",
            "gameSetup": msgspec.to_builtins(self._setup()),
            "botAddresses": [{"host": "127.0.0.1", "port": _PORTS + conn} for conn in sorted(bots)],
            "debugMode": self.rng.random() < 0.05,
        }
        if bots:
            self._to_server(_OPERATOR, message, at_ns)
        else:
            self.games_left = 0

    def _setup(self) -> m.GameSetup:
        """Return settings that make a battle short: a small arena, guns that cool fast."""
        rng = self.rng
        return msgspec.structs.replace(
            preset("custom"),
            arena_width=rng.randint(120, 400),
            arena_height=rng.randint(150, 400),
            number_of_rounds=rng.choice((1, 1, 1, 2)),
            gun_cooling_rate=rng.choice((1, 2, 3)),
            max_inactivity_turns=rng.randint(1, 10),
            turn_timeout=rng.choice((3_000, 10_000, 30_000, 30_000)),
            ready_timeout=200_000,
            min_number_of_participants=rng.randint(1, 2),
        )

    def _over(self, played: Played) -> None:
        """Check a game that is over, and start the next one if there is one."""
        assert played.summary is not None
        assert played.summary.ending != "void", f"{self.witness.name}: {played.summary.traceback}"
        self.report.endings.append(played.summary.ending)
        if played.record is not None and played.record.footer is not None:
            rules = self.config.new_game(self.config.on_rules_error_continue)
            self.witness.check(self.witness.games[-1], played, self.config, rules)
            self._count(played)
        self.games_left -= 1
        if self.games_left:
            later_ns = self.server.now_ns + 100 * MS
            self.server.at(later_ns, lambda: self._start(later_ns))

    def _count(self, played: Played) -> None:
        assert played.record is not None
        report, turns = self.report, played.record.turns
        report.turns += len(turns)
        report.skipped += sum(len(e.skipped) for e in turns)
        report.late += sum(len(e.late_ns) for e in turns)
        report.left += sum(len(e.gone) for e in turns)
        report.disqualified += sum(len(e.disqualified) for e in turns)
        report.faults += sum(len(e.faults) for e in turns)

    # ---- the network -------------------------------------------------------------------------------------

    def _travel(self, conn: int, way: str, at_ns: int) -> int:
        """Return when a message sent at `at_ns` arrives. Messages of one connection stay in order."""
        weather, rng = self.weather, self.rng
        spike = rng.random() < weather.spike_chance
        when_ns = at_ns + (weather.spike_ns if spike else rng.randint(*weather.delay_ns))
        when_ns = max(when_ns, self._fifo_ns.get((conn, way), 0))
        self._fifo_ns[conn, way] = when_ns
        return when_ns

    def _said(self, said: Said) -> None:
        """Bring a message of the server to a client."""
        message = self.witness.said(said)
        peer = self.peers[said.conn]
        if said.conn == _WATCHER:
            self._watch(message)
        when_ns = self._travel(said.conn, "down", said.at_ns)
        self.server.at(when_ns, lambda: self._hear(peer, message, when_ns))

    def _hear(self, peer: Peer, message: Any, at_ns: int) -> None:
        if (peer.conn, "left") not in self._fifo_ns:
            peer.hear(message, at_ns)

    def _to_server(self, conn: int, message: Message | bytes, at_ns: int) -> None:
        """Bring a message of a client to the server's socket."""
        if (conn, "left") not in self._fifo_ns:
            when_ns = self._travel(conn, "up", at_ns)
            data = message if isinstance(message, bytes) else msgspec.json.encode(message)
            self.witness.arrived(conn, data, when_ns)
            self.server.arrive(conn, data, when_ns)

    def _leave(self, conn: int, at_ns: int) -> None:
        """End a connection, as its client."""
        if (conn, "left") not in self._fifo_ns:
            self.server.arrive(conn, None, self._travel(conn, "up", at_ns))
            self._fifo_ns[conn, "left"] = at_ns

    def _closed(self, conn: int, code: int, reason: str) -> None:
        """End a connection, as the server."""
        self._leave(conn, self.server.now_ns)

    # ---- the watcher -------------------------------------------------------------------------------------

    def _watch(self, message: Any) -> None:
        """Let spectators come late, and the operator lose patience with a long game."""
        turns = len(self.witness.games[-1].turns) if self.witness.games else 0
        if self.rng.random() < 0.004 and len(self.peers) < 12:
            kind = self.rng.choice((Peer, Operator, Bot))
            conn = len(self.peers) + 1
            at_ns = self.server.now_ns
            self.server.at(at_ns, lambda: self._join(kind, conn) if conn not in self.peers else None)
        if turns == self._turns_max and isinstance(message, Frame):
            self._to_server(_OPERATOR, {"type": "StopGame"}, self.server.now_ns)


def _clumsy_stages(turn: int) -> Stages:
    """Return the rules with one stage that fails in one turn of each round."""
    name, true_stage = STAGES[turn % len(STAGES)]

    def stage(world: Rows) -> int:
        if world.arena.turn == turn:
            raise ArithmeticError(f"{name} in turn {turn}")
        return true_stage(world)

    return tuple((n, stage if n == name else s) for n, s in STAGES)


def simulate(seed: int, weather: Weather | None = None) -> Report:
    """Play a server from a seed and check every promise; `invariants` lists the promises.

    Raises:
        AssertionError: naming the seed and the command that repeats it.
    """
    return Simulation(seed, weather).run()


def main(arguments: Sequence[str] | None = None) -> None:
    """Play one seed, or `--count` seeds from it on, and print the report of each."""
    parser = argparse.ArgumentParser(
        prog="python -m packages.tank.tests.simulation.simulate", description=__doc__
    )
    parser.add_argument("--seed", type=int, required=True, help="the seed to play")
    parser.add_argument("--count", type=int, default=1, help="how many seeds to play from that one on")
    chosen = parser.parse_args(arguments)
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        print(simulate(seed))


if __name__ == "__main__":
    main()
