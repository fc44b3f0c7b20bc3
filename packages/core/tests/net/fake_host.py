"""A host with the behaviour that a test gives it, which records what it receives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from turnwright.host import effects as fx


class FakeHost:
    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.effects: list[fx.Effect] = []
        self.on: dict[str, Callable[..., None]] = {}
        self.at_breakpoint = False
        self.timed: list[int] = []
        self.room = SimpleNamespace(clients=[])

    def do(self, *effects: fx.Effect) -> None:
        self.effects.extend(effects)

    def told(self, name: str) -> list[tuple[Any, ...]]:
        return [call[1:] for call in self.calls if call[0] == name]

    def take_output(self, seat: int, text: str, is_error: bool) -> None:
        self._note("take_output", seat, text, is_error)

    def _note(self, name: str, *arguments: Any) -> None:
        self.calls.append((name, *arguments))
        if name in self.on:
            self.on[name](*arguments)

    def connect(
        self,
        conn: int,
        peer_host: str,
        peer_port: int,
        now_ns: int,
        listener: str = "",
        *,
        bots_only: bool = False,
    ) -> None:
        self._note("connect", conn, peer_host, peer_port, now_ns, listener)

    def receive(self, conn: int, data: bytes, now_ns: int) -> None:
        self._note("receive", conn, data, now_ns)

    def disconnect(self, conn: int, now_ns: int, farewell: object) -> None:
        self._note("disconnect", conn, now_ns)

    def wake(self, now_ns: int) -> None:
        self._note("wake", now_ns)

    def inputs_read(self, now_ns: int) -> None:
        self._note("inputs_read", now_ns)

    def pending_read(self, now_ns: int) -> None:
        self._note("pending_read", now_ns)

    def turn_sent(self, stamps_ns: list[int]) -> None:
        self._note("turn_sent", stamps_ns)

    def round_trips(self, trips_ns: Mapping[int, int]) -> None:
        self._note("round_trips", trips_ns)

    def abort(self, why: str) -> None:
        self._note("abort", why)

    def metrics(self, now_ns: int) -> str:
        self._note("metrics", now_ns)
        return "turns 1\n"

    def take(self) -> list[fx.Effect]:
        taken, self.effects = self.effects, []
        return taken
