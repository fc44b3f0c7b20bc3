"""The observations of a turn as bytes, at the best speed that is at hand: the same bytes at both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from turnwright.games.tank import compiled
from turnwright.games.tank.state import TankState
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Seat
from turnwright.wire.royale.codec import encode

__all__ = ["NO_EVENTS", "EncodeTicks", "encode_ticks", "tick_encoder"]

EncodeTicks = Callable[[Sequence[Seat]], list[bytes]]
"""Returns for each of these seats what it sees of the turn just resolved, encoded."""

NO_EVENTS = b'"events":[]}'
"""How an observation ends that tells of nothing."""


def encode_ticks(battle: Battle, seats: Sequence[Seat]) -> list[bytes]:
    """Return what each of these seats sees of the turn just resolved, encoded."""
    return [encode(battle.observe(seat)) for seat in seats]


def tick_encoder(battle: Battle) -> EncodeTicks:
    """Return what encodes the turns of a battle: compiled, when the rules are and the writer is loaded.

    Nothing is compiled or loaded here: that takes seconds, and is for whoever starts the server.
    """
    state = battle.state
    return _TankTicks(battle, state) if isinstance(state, TankState) else partial(encode_ticks, battle)


class _TankTicks:
    """Encodes the turns of a tank battle, which may go over to the compiled rules when a round begins."""

    def __init__(self, battle: Battle, state: TankState) -> None:
        self._battle = battle
        self._state = state
        self._tables = state.tables
        self.encode = self._best()

    def __call__(self, seats: Sequence[Seat]) -> list[bytes]:
        if self._state.tables is not self._tables:
            self._tables = self._state.tables
            self.encode = self._best()
        return self.encode(seats)

    def _best(self) -> EncodeTicks:
        if compiled.is_loaded():
            from turnwright.wire.royale import fast_ticks

            if fast_ticks.is_loaded() and fast_ticks.can_write(self._state):
                return partial(fast_ticks.TickWriter(self._state).write, self._state)
        return partial(encode_ticks, self._battle)
