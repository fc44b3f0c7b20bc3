"""The rules compiled from C; its sources lie in the folder c.

Built with the package where there is a C compiler, else missing: see `extension`.
"""

from collections.abc import Sequence
from typing import Any

RULES_HASH: str
"""The hash of the rules that were translated: `extension.hash_of_sources`."""

C_HASH: str
"""The hash of the C files from which it was built: `extension.hash_of_c`."""

class Turn:
    """The stages of a turn over the tables of one battle.

    The tables are writable buffers of whole rows; they cannot be resized while it lives.
    Raises: ValueError for a buffer that is none of whole rows.
    """

    def __init__(
        self,
        arena: Any,
        tanks: Any,
        bullets: Any,
        events: Any,
        contacts: Any,
        duels: Any,
        duel_of: Any,
        cells: Any,
        chain: Any,
        /,
    ) -> None: ...
    def step(self, first: int, /) -> int:
        """Run the stages from number `first` on.

        Returns 0 or more: done; +1 the round is over, +2 a tank died. Below 0: -(16 * stage + table) - 1:
        that table is too short for that stage; call a Turn with a longer one again from there.
        """

    def snapshot(self) -> bytes:
        """Return the canonical bytes of all that decides the future: arena, tanks, bullets, duels."""

class ObservationWriter:
    """A writer of observations; it keeps its room between turns.

    text, steps, forms: of `observation_forms`. droid, hears: by seat, whether it is a droid,
    whether it gets events of deaths. Raises: ValueError for forms that do not fit.
    """

    def __init__(
        self,
        text: bytes,
        steps: Sequence[int],
        forms: Sequence[int],
        droid: Sequence[bool],
        hears: Sequence[bool],
        /,
    ) -> None: ...
    def write(self, turn: Turn, seats: Sequence[int], /) -> list[bytes]:
        """Return the observation of each of these seats as JSON.

        Raises: ValueError for an event that names a bullet that is not there.
        """

def float_bytes(number: float, /) -> bytes:
    """Return the shortest decimal that reads back as the same float, as msgspec writes it."""
