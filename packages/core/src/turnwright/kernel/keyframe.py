"""A keyframe: a battle between two turns, from which a replay can start."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from turnwright.kernel.game import Seat

_GAME_AT = b',"game":'


@dataclass(frozen=True, slots=True)
class BattleKeyframe:
    """The battle after the turn `turn`, for replays. It does not contain observations and answers that are on
    their way.

    Attributes:
        ledger: the counts of skipped turns (see `SkipCounts.to_data`).
        gone: the seats whose participants have left, in order.
        debugged: the seats that operators debug, in order.
        game: the game's state (see `Game.save`).
    """

    turn: int
    ledger: Sequence[Sequence[int]]
    gone: Sequence[Seat]
    debugged: tuple[Seat, ...]
    game: bytes

    def encode(self) -> bytes:
        """Return the keyframe as JSON on one line."""
        head: dict[str, object] = {"turn": self.turn, "ledger": self.ledger, "gone": self.gone}
        if self.debugged:
            head["debugged"] = self.debugged
        return json.dumps(head, separators=(",", ":"))[:-1].encode() + _GAME_AT + self.game + b"}"

    @staticmethod
    def decode(data: bytes, seats: int, *, open_ended: bool) -> BattleKeyframe:
        """Return the keyframe in `data`, a result of `encode`.

        The ledger and the game's state are not checked.

        Args:
            open_ended: whether seats that are not in the header may have left.

        Raises:
            LookupError, TypeError, ValueError, RecursionError: the line is invalid.
        """
        head, _, rest = data.partition(_GAME_AT)
        known = json.loads(head + b"}")
        turn, gone, debugged = known["turn"], set(known["gone"]), set(known.get("debugged", ()))
        if type(turn) is not int or turn < 1:
            raise ValueError(f"its turn is {turn!r}")
        if not (open_ended or gone <= set(range(seats))):
            raise ValueError(f"seats {sorted(gone)} left")
        if not debugged <= set(range(seats)):
            raise ValueError(f"seats {sorted(debugged)} are debugged")
        return BattleKeyframe(turn, known["ledger"], sorted(gone), tuple(sorted(debugged)), rest[:-1])
