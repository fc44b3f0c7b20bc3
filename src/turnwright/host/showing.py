"""What a resolved turn looks like, in bytes: an observation for each seat, one frame for all who watch."""

from __future__ import annotations

from collections.abc import Sequence, Set

from turnwright.host.config import HostConfig
from turnwright.host.latency import TurnTiming
from turnwright.host.voice import Voice
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Seat
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.ticks import NO_EVENTS, tick_encoder

__all__ = ["Showing"]


class Showing:
    """Encodes a turn once for everybody, and times it. battle: the one that runs; timing: its times."""

    def __init__(self, config: HostConfig, voice: Voice, battle: Battle, timing: TurnTiming) -> None:
        self._watch = config.stopwatch
        self._voice = voice
        self._battle = battle
        self._timing = timing
        self._frame: bytes | None = None
        self._encode_ticks = tick_encoder(battle)

    def new_turn(self) -> None:
        """Forget the turn before."""
        self._frame = None

    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return which of `seats` are told of the turn, and what; a seat that died only if it has events."""
        started = self._watch()
        state = self._battle.state
        order = [seat for seat in seats if seat in listening]
        datas = self._encode_ticks(order)
        if len(order) > len(state.alive):
            both = zip(order, datas, strict=True)
            told = [(s, d) for s, d in both if s in state.alive or not d.endswith(NO_EVENTS)]
            order, datas = [s for s, _ in told], [d for _, d in told]
        self._timing.phases["events"].add(self._watch() - started)
        return order, datas

    def frame(self) -> bytes:
        """Return what spectators see of the turn."""
        if self._frame is None:
            self._frame = encode(self._battle.game.frame(self._battle.state))
        return self._frame

    def so_far(self) -> list[bytes]:
        """Return what a late spectator is told of the round: its start, the newest turn, perhaps its end."""
        state = self._battle.state
        if not state.turn_number:
            return []
        told = [encode(m.RoundStartedEvent(round_number=state.round_number)), self.frame()]
        return [*told, encode(self._voice.round_over(state))] if state.round_over else told

    def show(self, role: m.Role) -> None:
        """Show the turn to those who watch in this role."""
        if self._voice.spectators(role):
            started = self._watch()
            self._voice.show(self.frame(), role)
            self._timing.phases["observers"].add(self._watch() - started)
