"""Fair sharing of planning time between owners.

Each owner has a balance in µs. Each turn grants every owner with plans an equal part of the machine's time,
times the owner's weight. The balance pays for the owner's plans. Unused time stays for up to BANK_TURNS
turns, and debts fade by 2 % per turn. The next plan goes to the owner that will have used least after the
plan. For an owner that got no plan in the turn before, the cost of this plan does not count. So quick plans
do not wait for slow plans, and every slow plan gets its turn.

The bodies of one owner share the owner's time in the same way (`in_order`). Each body has an equal part, and
bodies with enough time for their next plan go first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from turnwright_world.planning.limits import Asked
from turnwright_world.planning.penalties import PenaltyState

BANK_TURNS = 5
"""An owner keeps at most the unused time of this number of turns."""
_FADE_PER_MILLE = 20
_FADED_AFTER = 400
_KEPT_MAX = 4_096


@dataclass(slots=True)
class OwnerUsage:
    """The usage of one owner of minds.

    Attributes:
        weight: its share of the time, compared with the weights of other owners.
        parallel: how many of its batches may run at the same time.
        balance_us: its planning time that is left, or a debt below 0.
        waiting: its bodies that still wait in this turn.
        running, served: the number of its running batches, and of its plans that began in this turn.
        first: whether its bodies waited in the last turn, and none of them planned.
        next_us: the expected cost of its next plan.
    """

    owner: str
    weight: int
    parallel: int
    balance_us: int = 0
    granted_turn: int = 0
    waiting: deque[Asked] = field(default_factory=deque)
    running: int = 0
    served: int = 0
    first: bool = False
    queued: bool = False
    next_us: int = 0

    @property
    def key(self) -> tuple[int, bool]:
        """The order in the queue: the owner with the smallest key goes first."""
        next_us = 0 if self.first else self.next_us
        return (next_us - self.balance_us) // self.weight, not self.first

    @property
    def beyond(self) -> bool:
        """Whether the next plan costs more than the owner's balance."""
        return self.key[0] > 0


class FairShare:
    """All owners, and the queue of waiting owners.

    Args:
        cost_us: returns the expected cost of a body's next plan.
    """

    def __init__(self, cost_us: Callable[[Asked], int] = lambda asked: 0) -> None:
        self._cost = cost_us
        self._accounts: dict[str, OwnerUsage] = {}
        self._heap: list[tuple[tuple[int, bool], int, OwnerUsage]] = []
        self._pushed = 0

    def __len__(self) -> int:
        """Return the number of owners with a balance."""
        return len(self._accounts)

    def open(
        self,
        turn: int,
        queues: Sequence[tuple[str, int, int, Sequence[Ready]]],
        capacity_us: int,
        plan_us: int,
    ) -> None:
        """Begin to share the time of a turn.

        Args:
            queues: (owner, weight, parallel, bodies).
            capacity_us: the time for all owners together.
            plan_us: the longest time of a plan.
        """
        total = sum(weight for _, weight, _, _ in queues)
        self._heap.clear()
        for owner, weight, parallel, ready in queues:
            account = self._accounts.get(owner)
            if account is None:
                account = self._accounts[owner] = OwnerUsage(owner, weight, parallel, granted_turn=turn - 1)
            account.weight, account.parallel = weight, parallel
            grant_us = capacity_us * weight // total
            account.waiting.extend(in_order(ready, turn, grant_us, plan_us))
            account.served = account.running = 0
            account.queued = False
            _grant(account, turn, grant_us)
            self.push(account)
        if len(self._accounts) > _KEPT_MAX:
            self._forget(turn)

    def push(self, account: OwnerUsage) -> None:
        """Add an owner to the queue if it has a body that may run."""
        if account.waiting and account.running < account.parallel and not account.queued:
            account.next_us = self._cost(account.waiting[0])
            account.queued = True
            self._pushed += 1
            heappush(self._heap, (account.key, self._pushed, account))

    def pop(self, *, within: bool = False) -> OwnerUsage | None:
        """Remove the next owner from the queue and return it, or return None if no owner may run.

        Args:
            within: return only an owner that is within its share.
        """
        while self._heap:
            key, _, account = self._heap[0]
            if within and account.beyond and account.key <= key:
                return None
            heappop(self._heap)
            account.queued = False
            if account.key <= key:
                return account
            self.push(account)
        return None

    def reserve(self, account: OwnerUsage, plans: int, expected_us: int) -> None:
        """Take from the owner's balance the time that a batch of `plans` plans is expected to need."""
        account.running += 1
        account.served += plans
        account.balance_us -= expected_us
        self.push(account)

    def release(self, account: OwnerUsage, unused_us: int) -> None:
        """Give the owner back the reserved time that an ended batch did not use."""
        account.running -= 1
        account.balance_us += unused_us
        self.push(account)

    def close(self) -> list[Asked]:
        """End the turn, and return the bodies that did not get to plan."""
        self._heap.clear()
        hungry: list[Asked] = []
        for account in self._accounts.values():
            account.first = bool(account.waiting) and not account.served
            hungry += account.waiting
            account.waiting.clear()
        return hungry

    def _forget(self, turn: int) -> None:
        kept = {o: a for o, a in self._accounts.items() if turn - a.granted_turn < _FADED_AFTER}
        self._accounts = kept


def _grant(account: OwnerUsage, turn: int, grant_us: int) -> None:
    """Grant an owner its part of a turn, and reduce its debt for each turn since the last grant."""
    missed = min(turn - account.granted_turn, _FADED_AFTER)
    account.granted_turn = turn
    if account.balance_us < 0:
        for _ in range(missed):
            account.balance_us -= account.balance_us * _FADE_PER_MILLE // 1000
    account.balance_us = min(account.balance_us + grant_us, BANK_TURNS * grant_us)


class Ready(NamedTuple):
    """A body that waits to plan.

    Attributes:
        cost_us: the expected cost of its next plan.
        far: whether it plans last, because no player is near.
    """

    asked: Asked
    standing: PenaltyState
    cost_us: int
    far: bool = False


def in_order(ready: Sequence[Ready], turn: int, grant_us: int, plan_us: int) -> list[Asked]:
    """Grant time to the bodies of one owner, and return them in the order in which they plan.

    Each body's balance gets an equal part of `grant_us` per turn since its last grant. A body whose saved
    time pays for its next plan comes first. These bodies are in the order of their last plans. The other
    bodies follow, in the order of their missing time. After all of them come the `far` bodies. A body saves
    at most the larger of two times: the parts of BANK_TURNS turns, or a plan of `plan_us` and one part. No
    body owes more than one such plan. Any body may use time that the others do not need.

    Args:
        grant_us: the time for all these bodies in this turn.
    """
    part_us = grant_us // max(1, len(ready))
    most_us = max(BANK_TURNS * part_us, plan_us + part_us)
    for row in ready:
        standing = row.standing
        missed = turn - standing.granted_turn if standing.granted_turn >= 0 else 1
        balance_us = max(-plan_us, standing.balance_us) + part_us * max(0, missed)
        standing.balance_us = min(balance_us, most_us)
        standing.granted_turn = turn
    return [row.asked for row in sorted(ready, key=_place)]


def _place(row: Ready) -> tuple[bool, bool, int]:
    lacks_us = row.cost_us - row.standing.balance_us
    return (row.far, True, lacks_us) if lacks_us > 0 else (row.far, False, row.standing.last_turn)
