"""A whole server on a virtual clock: hosts, bots, an operator and a bad network, all from one seed.

Nothing real is opened and no real time passes. A failure prints its seed, and the same seed repeats it.

    report = simulate(seed)        raises AssertionError naming the seed when a promise is broken
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from turnwright.games.tank.game import TankGame
from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.replay import verify
from turnwright.wire.royale.setup import preset

__all__ = ["Report", "Simulation", "Weather", "simulate"]

MS = 1_000_000
S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad the network and the machine are. Delays in ns; chances from 0 to 1 for each message or turn."""

    delay_ns: tuple[int, int] = (50_000, 8 * MS)
    spike_chance: float = 0.02
    spike_ns: int = 80 * MS
    loss_chance: float = 0.03
    double_chance: float = 0.03
    disconnect_chance: float = 0.001
    loop_late_ns: tuple[int, int] = (0, 300_000)
    stall_chance: float = 0.002
    stall_ns: int = 40 * MS
    meddling_chance: float = 0.01


@dataclass(slots=True)
class Report:
    """What a simulated battle came to."""

    seed: int
    ending: str = ""
    turns: int = 0
    skipped: int = 0
    late: int = 0
    left: int = 0
    disqualified: int = 0
    virtual_ns: int = 0


@dataclass(slots=True)
class _Peer:
    conn: int
    role: str
    name: str
    rng: random.Random
    gone: bool = False
    last_turn: tuple[int, int] = (0, 0)
    free_at_ns: int = 0
    session: str = ""
    seen: list[tuple[int, int]] = field(default_factory=list)


class Simulation:
    """One battle of `bots` bots in bad weather; see `simulate`."""

    def __init__(self, seed: int, weather: Weather | None = None, limit_ns: int = 600 * S) -> None:
        self.seed = seed
        self.rng = random.Random(f"simulation/{seed}")
        self.weather = weather or Weather()
        self.limit_ns = limit_ns
        self.now_ns = S
        rng = self.rng
        self.config = HostConfig(
            new_game=lambda tolerant: TankGame(backend="python", on_error="continue" if tolerant else "raise"),
            random_bytes=rng.randbytes,
            tps=rng.choice((-1, -1, 30, 60, 999, 1000)),
            on_skip=rng.choice(("repeat", "idle")),
            max_skipped=rng.choice((0, 3, 30)),
            on_disconnect=rng.choice(("skip", "dead", "official")),
            record=True,
        )
        self.host = Host(self.config)
        self.peers: dict[int, _Peer] = {}
        self.record: Record | None = None
        self.summary: BattleSummary | None = None
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._sequence = 0
        self._alarm = 0
        self._fifo_ns: dict[int, int] = {}

    # ---- the world ---------------------------------------------------------------------------------------

    def at(self, when_ns: int, action: Callable[[], None]) -> None:
        """Do something at a virtual time; equal times in order of asking."""
        self._sequence += 1
        heapq.heappush(self._events, (max(when_ns, self.now_ns), self._sequence, action))

    def run(self) -> Report:
        """Play to the end and check every promise."""
        bots = self.rng.randint(2, 5)
        for conn in range(1, bots + 2):
            role = "controller" if conn == bots + 1 else "bot"
            peer = _Peer(conn, role, f"{role} {conn}", random.Random(f"{self.seed}/{conn}"))
            self.peers[conn] = peer
            self.host.connect(conn, "127.0.0.1", 40_000 + conn, self.now_ns)
            self._work()
        self.at(self.now_ns + 200 * MS, self._start)
        while self.summary is None and self._events:
            when_ns, _, action = heapq.heappop(self._events)
            self.now_ns = max(self.now_ns, when_ns)
            assert self.now_ns < self.limit_ns, f"seed {self.seed}: no end after {self.limit_ns / S} s"
            if self.rng.random() < self.weather.stall_chance:
                self.now_ns += self.weather.stall_ns
            action()
            self._work()
        assert self.summary is not None, f"seed {self.seed}: the server waits for nothing"
        return self._check()

    def _start(self) -> None:
        setup = preset("custom")
        setup.number_of_rounds = self.rng.randint(1, 2)
        setup.max_inactivity_turns = 20
        setup.turn_timeout = self.rng.choice((5_000, 30_000))
        setup.ready_timeout = 1_000_000
        setup.min_number_of_participants = 1
        bots = [p for p in self.peers.values() if p.role == "bot" and not p.gone]
        message = {
            "type": "StartGame",
            "gameSetup": msgspec.to_builtins(setup),
            "botAddresses": [{"host": "127.0.0.1", "port": 40_000 + p.conn} for p in bots],
        }
        controller = max(self.peers)
        self._deliver(controller, message, self.now_ns)

    def _work(self) -> None:
        """Carry out effects until there are none."""
        while effects := self.host.take():
            for effect in effects:
                self._carry_out(effect)

    def _carry_out(self, effect: fx.Effect) -> None:
        if isinstance(effect, fx.Send):
            self._arrive(effect.conn, effect.data)
        elif isinstance(effect, fx.SendTurn):
            self._send_turn(effect)
        elif isinstance(effect, fx.Publish):
            for conn in effect.conns:
                self._arrive(conn, effect.data)
        elif isinstance(effect, fx.Wake):
            self._set_alarm(effect.at_ns)
        elif isinstance(effect, fx.Soon):
            self.at(self.now_ns, lambda: self.host.settled(self.now_ns))
        elif isinstance(effect, fx.Drain):
            self.at(self.now_ns, lambda: self.at(self.now_ns, lambda: self.host.drained(self.now_ns)))
        elif isinstance(effect, fx.Close):
            self._leave(self.peers[effect.conn])
        elif isinstance(effect, fx.RecordOpen):
            self.record = Record(effect.header)
        elif isinstance(effect, fx.RecordTurn):
            assert self.record is not None
            self.record.turns.append(effect.entry)
        elif isinstance(effect, fx.RecordClose):
            assert self.record is not None
            self.record.footer = effect.footer
        elif isinstance(effect, fx.BattleOver):
            self.summary = effect.summary

    def _send_turn(self, effect: fx.SendTurn) -> None:
        stamps = []
        for conn, data in zip(effect.conns, effect.datas, strict=True):
            self.now_ns += self.rng.randint(500, 20_000)
            stamps.append(self.now_ns)
            self._arrive(conn, data)
        self.host.observed(stamps)

    def _set_alarm(self, at_ns: int | None) -> None:
        self._alarm += 1
        mine = self._alarm
        if at_ns is None:
            return
        late_ns = self.rng.randint(*self.weather.loop_late_ns)

        def ring() -> None:
            if mine == self._alarm:
                self.host.wake(self.now_ns)

        self.at(at_ns + late_ns, ring)

    # ---- the network -------------------------------------------------------------------------------------

    def _delay_ns(self) -> int:
        spike = self.rng.random() < self.weather.spike_chance
        return self.weather.spike_ns if spike else self.rng.randint(*self.weather.delay_ns)

    def _arrive(self, conn: int, data: bytes) -> None:
        """Bring a message of the server to a client, later, in order."""
        peer = self.peers[conn]
        when_ns = max(self.now_ns + self._delay_ns() // 2, self._fifo_ns.get(-conn, 0))
        self._fifo_ns[-conn] = when_ns
        self.at(when_ns, lambda: None if peer.gone else self._heard(peer, msgspec.json.decode(data)))

    def _deliver(self, conn: int, message: dict[str, Any], when_ns: int) -> None:
        """Bring a message of a client to the server, later; messages of one client stay in order."""
        peer = self.peers[conn]
        arrival_ns = max(when_ns + self._delay_ns() // 2, self._fifo_ns.get(conn, 0))
        self._fifo_ns[conn] = arrival_ns
        data = msgspec.json.encode(message)
        self.at(arrival_ns, lambda: None if peer.gone else self.host.receive(conn, data, self.now_ns))

    def _leave(self, peer: _Peer) -> None:
        if not peer.gone:
            peer.gone = True
            self.host.disconnect(peer.conn, self.now_ns)

    # ---- the clients -------------------------------------------------------------------------------------

    def _heard(self, peer: _Peer, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "ServerHandshake":
            peer.session = message["sessionId"]
            hello = "BotHandshake" if peer.role == "bot" else "ControllerHandshake"
            fields = {"sessionId": peer.session, "name": peer.name, "version": "1", "authors": ["sim"]}
            self._deliver(peer.conn, {"type": hello, **fields}, self.now_ns)
        elif kind == "GameStartedEventForBot":
            if peer.rng.random() < 0.98:
                self._deliver(peer.conn, {"type": "BotReady"}, self.now_ns)
        elif kind == "TickEventForBot":
            self._think(peer, message)
        elif kind == "GamePausedEventForObserver":
            self._end_pause(peer)
        elif kind == "TickEventForObserver" and peer.rng.random() < self.weather.meddling_chance:
            self._meddle(peer)

    def _think(self, peer: _Peer, tick: dict[str, Any]) -> None:
        now = (tick["roundNumber"], tick["turnNumber"])
        assert now > peer.last_turn, f"seed {self.seed}: {peer.name} got turn {now} after {peer.last_turn}"
        peer.last_turn = now
        rng, weather = peer.rng, self.weather
        if rng.random() < weather.disconnect_chance:
            self._leave(peer)
            return
        if rng.random() < weather.loss_chance:
            return
        peer.free_at_ns = max(self.now_ns, peer.free_at_ns) + rng.randint(10_000, 2 * MS)
        for _ in range(2 if rng.random() < weather.double_chance else 1):
            self._deliver(peer.conn, self._intent(rng, now[1]), peer.free_at_ns)

    def _intent(self, rng: random.Random, turn: int) -> dict[str, Any]:
        intent = {
            "type": "BotIntent",
            "turnRate": rng.uniform(-12, 12),
            "gunTurnRate": rng.uniform(-22, 22),
            "radarTurnRate": rng.choice((45, -45, 0)),
            "targetSpeed": rng.uniform(-9, 9),
            "firepower": rng.choice((0, 0.5, 3)),
        }
        if rng.random() < 0.1:
            intent["turnNumber"] = turn
        return intent

    def _meddle(self, peer: _Peer) -> None:
        """An operator plays with every button."""
        rng = peer.rng
        what = rng.choice(("PauseGame", "ChangeTps", "NextTurn", "ResumeGame", "EnableDebugMode", "StartGame"))
        message: dict[str, Any] = {"type": what}
        if what == "ChangeTps":
            message["tps"] = rng.choice((-1, 0, 30, 500, 5000))
        self._deliver(peer.conn, message, self.now_ns)
        for k in range(rng.randint(0, 3)):
            self._deliver(peer.conn, {"type": "NextTurn"}, self.now_ns + k * MS)

    def _end_pause(self, peer: _Peer) -> None:
        for kind in ("DisableDebugMode", "ResumeGame"):
            self._deliver(peer.conn, {"type": kind}, self.now_ns + 30 * MS)

    # ---- the promises ------------------------------------------------------------------------------------

    def _check(self) -> Report:
        summary, record = self.summary, self.record
        assert summary is not None
        report = Report(self.seed, summary.ending, summary.turns, virtual_ns=self.now_ns)
        assert summary.ending != "void", f"seed {self.seed}: {summary.traceback}"
        if record is None:
            return report
        assert [e.turn for e in record.turns] == list(range(1, len(record.turns) + 1)), f"seed {self.seed}"
        assert record.footer is not None, f"seed {self.seed}: the record has no end"
        result = verify(record, TankGame(backend="python"))
        assert result.ok, f"seed {self.seed}: {result.mismatch}"
        assert result.turns == summary.turns, f"seed {self.seed}"
        self._count(report, record.turns)
        return report

    def _count(self, report: Report, turns: list[TurnEntry]) -> None:
        report.skipped = sum(len(e.skipped) for e in turns)
        report.late = sum(len(e.late_ns) for e in turns)
        report.left = sum(len(e.gone) for e in turns)
        report.disqualified = sum(len(e.disqualified) for e in turns)


def simulate(seed: int, weather: Weather | None = None) -> Report:
    """Play one battle from a seed and check every promise.

    Raises: AssertionError, naming the seed, when turn numbers do not go up by one, a participant gets a turn
    twice, the battle does not end within its limit, or its record does not verify.
    """
    return Simulation(seed, weather).run()
