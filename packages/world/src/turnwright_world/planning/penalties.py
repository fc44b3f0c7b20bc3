"""Penalties for minds: suspensions of 1, 2, 4 … 256 turns, then without end."""

from __future__ import annotations

from dataclasses import dataclass

BENCH_MAX = 256
"""The longest suspension, in turns. The next strike suspends the mind until its owner acts."""
CALM_PLANS = 100
"""This number of plans in time, one after the other, removes one strike."""
_KEPT_MIN = 1_000
_MINDS_MAX = 10_000


@dataclass(slots=True)
class PenaltyState:
    """The penalties of one mind.

    Attributes:
        penalties: the number of its strikes.
        back_turn: the first turn in which it may plan again.
        out: whether it is suspended until its owner acts.
        calm: the number of its plans in time since its last fault, or since a strike was removed.
        cost_us: the usual cost of its plans, or None before the first plan.
        last_turn: the turn of its last plan.
        balance_us: its balance of planning time as of granted_turn (see `fair_share`).
    """

    owner: str
    penalties: int = 0
    back_turn: int = 0
    out: bool = False
    calm: int = 0
    cost_us: int | None = None
    last_turn: int = -1
    asked_turn: int = 0
    mind: str = ""
    balance_us: int = 0
    granted_turn: int = -1

    def penalize(self, turn: int) -> int:
        """Count a fault, and return the length of the suspension in turns, or -1 if it has no end."""
        self.calm = 0
        self.penalties += 1
        bench = 1 << (self.penalties - 1)
        if bench > BENCH_MAX:
            self.out = True
            return -1
        self.back_turn = turn + 1 + bench
        return bench

    def begin_anew(self) -> None:
        """Remove all strikes, and forget the usual cost of its plans."""
        self.penalties, self.back_turn, self.out, self.calm, self.cost_us = 0, 0, False, 0, None

    def note_success(self) -> None:
        """Count a plan in time. CALM_PLANS of them, one after the other, remove one strike."""
        self.calm += 1
        if self.calm >= CALM_PLANS:
            self.calm, self.penalties = 0, max(0, self.penalties - 1)

    def note_cost(self, cost_us: int) -> None:
        """Update the usual cost of a plan. It rises immediately and falls slowly."""
        known = self.cost_us or 0
        self.cost_us = max(cost_us, (7 * known + cost_us) // 8)


class Penalties:
    """The penalties of all bodies that plan."""

    def __init__(self) -> None:
        self._standings: dict[int, PenaltyState] = {}
        self._minds: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        """Return the number of bodies with a state."""
        return len(self._standings)

    def of(self, body: int, owner: str, turn: int) -> PenaltyState:
        """Return a body's state. A body that is new or has a new owner gets a state without strikes."""
        found = self._standings.get(body)
        if found is None or found.owner != owner:
            found = self._standings[body] = PenaltyState(owner)
        found.asked_turn = turn
        return found

    def usual_us(self, standing: PenaltyState, mind: str, unknown_us: int) -> int:
        """Return the expected cost of a body's next plan, in µs.

        It comes from plans of this body, or of its owner's bodies with this mind. Without any, it is
        `unknown_us`.
        """
        if standing.cost_us is not None:
            return max(1, standing.cost_us)
        return max(1, self._minds.get((standing.owner, mind), unknown_us))

    def note_cost(self, standing: PenaltyState, mind: str, cost_us: int) -> None:
        """Update the usual cost of a body's plans, and of its mind's plans, with the cost of one plan."""
        standing.note_cost(cost_us)
        if len(self._minds) > _MINDS_MAX:
            self._minds.clear()
        known = self._minds.get((standing.owner, mind), 0)
        self._minds[standing.owner, mind] = max(cost_us, (7 * known + cost_us) // 8)

    def pardon_body(self, body: int) -> None:
        """Remove all strikes of one body, because its owner has given it a mind."""
        if body in self._standings:
            self._standings[body].begin_anew()

    def new_mind(self, mind: str) -> None:
        """Forget the faults of a mind whose program has changed, for all its bodies."""
        for standing in self._standings.values():
            if standing.mind == mind:
                standing.begin_anew()
        self._minds = {key: cost_us for key, cost_us in self._minds.items() if key[1] != mind}

    def prune(self, turn: int, asked: int) -> None:
        """Forget bodies that have not been asked for long, if there are many.

        So memory is bounded by the number of bodies that plan.
        """
        if len(self._standings) > 2 * asked + _KEPT_MIN:
            oldest = turn - 2 * BENCH_MAX
            self._standings = {b: s for b, s in self._standings.items() if s.asked_turn >= oldest}
