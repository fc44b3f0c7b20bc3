"""The rules compiled from C; its sources lie in the folder c.

Built with the package where there is a C compiler, else missing: see `extension`.
"""

from collections.abc import Sequence
from typing import Any

from turnwright_tank.intent import IntentNumbers, TankIntent

RULES_HASH: str
"""The hash of the rules that were translated: `extension.hash_of_sources`."""

BOTS_HASH: str
"""The hash of the bots that were translated: `extension.hash_of_bots`."""

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

class IntentReader:
    """A reader of intents that say numbers and switches only, one for the seats of a battle.

    kind: the class of intents, whose first ten fields are five numbers and five switches. names: of these
    fields on the wire. places: of the five numbers among those of a row. defaults: of a row.
    """

    def __init__(
        self,
        kind: type[TankIntent],
        names: Sequence[str],
        places: Sequence[int],
        defaults: IntentNumbers,
        seats: int,
        /,
    ) -> None: ...
    def read(self, seat: int, data: bytes, /) -> TankIntent | None:
        """Return the intent in a message; None: the message has more in it, or it is no intent.

        It is the object of the seat's last call, where both intents are the same.
        Raises: ValueError for a seat that is not there.
        """

    def store(self, turn: Turn, intents: dict[int, TankIntent], /) -> list[int]:
        """Store intents in the rows of their seats, and return the seats whose intents were not read here."""

class Batch:
    """Battles of one round that step together; see `turnwright_learn.tank.batch`.

    arena, tank: bytes of a whole row, as all battles begin. teams: the lowest seat of each seat's team.
    learners, observed: seats, from the first, that end a battle when all have died, and that get
    observations. cell: side of a cell of start positions. outputs: writable buffers, aligned to 8:
    observations and finals (float32), rewards and terms (float64), terminated, truncated, alive and used
    (bytes), keys (uint64), players, lots and draws (bytes): of the next beginnings.
    Raises: ValueError for what does not fit, MemoryError.
    """

    def __init__(
        self,
        arena: bytes,
        tank: bytes,
        teams: Sequence[int],
        battles: int,
        learners: int,
        observed: int,
        max_turns: int,
        frame_skip: int,
        cell: int,
        threads: int,
        score_weight: float,
        damage_weight: float,
        survival_weight: float,
        outputs: tuple[Any, ...],
        /,
    ) -> None: ...
    def reset(self, which: Any, /) -> None:
        """Begin battles anew with their keys: those flagged in a buffer of bytes, or all (None)."""

    def step(self, actions: Any, autoreset: int, /) -> None:
        """Take a step of all battles. actions: float32, five a seat.

        autoreset: 0 in the next step, 1 in the same, 2 never. Raises: ValueError for a number that is not
        finite; then nothing has changed.
        """

    def snapshot(self, battle: int, /) -> bytes:
        """Return the canonical bytes of a battle, as `Turn.snapshot`."""

    def memory(self) -> int:
        """Return how many bytes the battles take, without the outputs."""

def float_bytes(number: float, /) -> bytes:
    """Return the shortest decimal that reads back as the same float, as msgspec writes it."""
