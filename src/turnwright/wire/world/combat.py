"""What a client may say in a fight, checked: Combat.React.

{"reaction": "dodge"}                                plain: it counts when it arrives
{"reaction": "parry", "at": 81500000, "id": 3}       stamped by a client with a clock, for one threat
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from turnwright.wire.world.clock import Micros

__all__ = ["React"]


class React(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reaction. at: game time for which it is meant, µs; id: the threat it is meant for.

    band: it shall take what lands within so long, µs; None: as long as the reaction can.
    """

    reaction: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
    at: Micros | None = None
    id: Micros | None = None
    band: Micros | None = None
