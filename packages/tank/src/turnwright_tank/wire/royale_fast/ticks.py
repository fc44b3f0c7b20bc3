"""All observations of a turn as bytes, in one compiled call.

The bytes are the same as if `encode` encoded the result of `observe`. `encode` itself handles turns with rare
content: team messages, a won round, debug graphics, and start directions outside [0, 360).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Seat
from turnwright_tank import observe
from turnwright_tank.backends import extension
from turnwright_tank.backends.compiled import CompiledRows
from turnwright_tank.state import TankBattleState
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale_fast.observation_forms import FORMS, STEPS, TEXT


class TickWriter:
    """Writes the observations of one battle with compiled tables. Its buffer is reused between turns."""

    def __init__(self, state: TankBattleState) -> None:
        assert isinstance(state.tables, CompiledRows)
        hears = [bool(info.options.get("hears_deaths", True)) for info in state.lineup.seats]
        writer = extension.load().ObservationWriter(TEXT, STEPS, FORMS, state.lineup.droids, hears)
        self._write = writer.write
        self._tables = state.tables

    def write(self, state: TankBattleState, seats: Sequence[Seat]) -> list[bytes]:
        """Return the encoded observation of each of these seats."""
        if state.output.messages or state.winners or state.debugging or state.lineup.odd_directions:
            return [encode(observe.observe(state, seat)) for seat in seats]
        found: list[bytes] = self._write(self._tables.turn, seats)
        return found


# ---- encoding with or without the compiled rules: the same bytes -------------------------------------------


EncodeTicks = Callable[[Sequence[Seat]], list[bytes]]
"""Returns the encoded observation of each of these seats."""

NO_EVENTS = b'"events":[]}'
"""The end of an observation without events."""


def encode_ticks(battle: Battle, seats: Sequence[Seat]) -> list[bytes]:
    """Return the encoded observation of the last turn for each of these seats."""
    return [encode(battle.observe(seat)) for seat in seats]


def tick_encoder(battle: Battle) -> EncodeTicks:
    """Return the function that encodes the turns of a battle. It is compiled if the rules are compiled."""
    state = battle.state
    if isinstance(state, TankBattleState) and isinstance(state.tables, CompiledRows):
        return partial(TickWriter(state).write, state)
    return partial(encode_ticks, battle)
