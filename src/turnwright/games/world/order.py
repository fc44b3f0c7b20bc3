"""Who acts first: the most reaction, worked out anew each turn; equals in an order drawn from the seed.

Source: document 004, order for acting.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.games.world.entities import Creature
from turnwright.games.world.rules import Rules
from turnwright.kernel.streams import Streams

__all__ = ["acting_order"]


def acting_order(bodies: Iterable[Creature], rules: Rules, streams: Streams, turn: int) -> list[int]:
    """Return the ids of bodies in the order in which they act in this turn."""
    stream = streams.stream("order", turn)
    by_id = sorted(bodies, key=lambda body: body.id)
    return [number for *_, number in sorted((-rules.reaction(b), stream.bits64(), b.id) for b in by_id)]
