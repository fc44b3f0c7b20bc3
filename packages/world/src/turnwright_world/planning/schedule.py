"""The schedule of a planning phase: one queue, a slot for each core.

    begin     puts all owners into one queue, least used time first, and starts the canary and first batches
    started   notes that a process has its batch, and starts the time of the first plan
    answered  ends a body's plan and starts the time of the next plan. A free slot gets the next batch
    look      checks a plan that has used its time. The plan continues, or its process is killed with a strike
    close     ends the phase. Bodies without a plan go first in the next turn

This is a state machine that gets the time as an argument. The caller carries out the returned effects in
order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from turnwright_world.planning.fair_share import FairShare, OwnerUsage, Ready
from turnwright_world.planning.limits import (
    Accept,
    Asked,
    Effect,
    Idle,
    Kill,
    PhaseReport,
    PlanRules,
    Reason,
    Run,
    Usage,
)
from turnwright_world.planning.overload import OverloadMeter, fault_of, own_us
from turnwright_world.planning.penalties import Penalties

LOOK_AGAIN_US = 2_000
"""A plan that may continue is checked again after at least this time, in µs."""
_NEW_COST_US = 5_000
_NEW_TRUSTED_COST_US = 500
"""The assumed cost of a body's first plan, in µs.

The first value is for minds of players, the second value is for minds of the world's own content.
"""
_HEADROOM = 4
"""A plan starts if the phase has time for this many times its usual cost, or for its whole limit."""


@dataclass(slots=True)
class _RunningBatch:
    """The plans that run in a slot.

    Attributes:
        account: the account of the owner, or None for the canary.
        since_ns: the start of the running plan, or None before the first plan starts.
        beyond: whether the batch exceeds the share of its owner.
        looked: (ns, CPU µs) at the last check of the running plan.
    """

    account: OwnerUsage | None
    bodies: deque[Asked]
    beyond: bool = False
    expected_us: int = 0
    since_ns: int | None = None
    look_ns: int | None = None
    looked: tuple[int, int] | None = None

    def wall_us(self, now_ns: int) -> int:
        """Return the time since the start of the plan that runs."""
        return 0 if self.since_ns is None else (now_ns - self.since_ns) // 1_000

    def charge(self, cost_us: int) -> None:
        """Charge the owner for a plan and release the time reserved for it."""
        assert self.account is not None
        part = self.expected_us // (len(self.bodies) + 1)
        self.expected_us -= part
        self.account.balance_us += part - cost_us


class PlanSchedule:
    """All phases of one world, one after the other. Callers carry out the returned effects in order."""

    def __init__(self, rules: PlanRules) -> None:
        self.rules = rules
        self.penalties = Penalties()
        self._fair_share = FairShare(self._usual_us)
        self._meter = OverloadMeter()
        self._running: dict[int, _RunningBatch] = {}
        self._report = PhaseReport(0, 0)
        self._began_ns = self._ends_ns = 0
        self.open = False

    # ---- the phase -----------------------------------------------------------------------------------------

    def begin(
        self,
        turn: int,
        bodies: Sequence[Asked],
        now_ns: int,
        deadline_ns: int,
        far: frozenset[int] = frozenset(),
    ) -> list[Effect]:
        """Begin a planning phase.

        Args:
            bodies: the bodies that plan, each once. Bodies in the same place should be next to each other.
            far: the bodies that plan after the other bodies of their owner.
        """
        assert not self.open, "close the previous phase first"
        self.open = True
        self._report = PhaseReport(turn, len(bodies))
        self._began_ns = now_ns
        self._ends_ns = min(now_ns + 1_000 * self.rules.phase_us, deadline_ns)
        self.penalties.prune(turn, len(bodies))
        sit_out: list[Effect] = []
        capacity_us = max(0, self._ends_ns - now_ns) // 1_000 * self.rules.slots
        queues = self._queues(bodies, far, sit_out)
        self._fair_share.open(turn, queues, capacity_us, self.rules.plan_us)
        self._running[0] = _RunningBatch(None, deque())
        return [Run(0, None, ()), *self._fill(now_ns), *sit_out]

    def started(self, slot: int, now_ns: int) -> None:
        """Note that the next plan of a slot begins now, and set the time of its check."""
        batch = self._running[slot]
        batch.since_ns = now_ns
        batch.looked = None
        batch.look_ns = now_ns + 1_000 * self.rules.plan_us

    def canary(self, slot: int, wall_us: int, cpu_us: int, now_ns: int) -> list[Effect]:
        """Note the end of the canary.

        Raises:
            ValueError: this slot does not run it.
        """
        if self._running[slot].account is not None:
            raise ValueError(f"slot {slot} has no canary")
        self._report.canary_late = OverloadMeter.is_late(wall_us, cpu_us)
        del self._running[slot]
        return self._fill(now_ns)

    def answered(
        self, slot: int, body: int, usage: Usage, told_us: int, now_ns: int, fault: Reason | None = None
    ) -> list[Effect]:
        """Handle a body's answer, in time or not.

        An answer that was in time but read late counts as in time. The owner pays the time that the server
        measured.

        Args:
            told_us: the plan's duration as its process reports it, used to estimate the next plan.
            fault: the reason why the answer is wrong, or None.

        Raises:
            ValueError: the slot does not wait for an answer of this body. The caller must then call `lost`.
        """
        batch = self._running[slot]
        if not batch.bodies or batch.bodies[0].id != body or batch.since_ns is None:
            raise ValueError(f"slot {slot} does not wait for an answer of {body}")
        asked = batch.bodies.popleft()
        wall_us = batch.wall_us(now_ns)
        standing = self.penalties.of(body, asked.owner, self._report.turn)
        paid_us = usage.cpu_us if usage.wait_us is None else own_us(wall_us, usage)
        batch.charge(paid_us)
        standing.balance_us -= paid_us
        cost_us = max(usage.cpu_us, min(paid_us, told_us))
        self.penalties.note_cost(standing, asked.mind, cost_us)
        standing.last_turn = self._report.turn
        effects: list[Effect] = []
        if usage.cpu_us >= self.rules.plan_us:
            effects.append(self._struck(asked, "slow", wall_us, usage))
        elif fault is not None:
            effects.append(self._idler(asked, fault, wall_us, usage))
        else:
            standing.note_success()
            self._report.accepted += 1
            effects.append(Accept(body))
        if batch.bodies:
            self.started(slot, now_ns)
            return effects
        self._free(slot)
        return effects + self._fill(now_ns)

    def batch_over(self, usage: Usage) -> None:
        """Note the usage of a process for a batch that has ended or was killed."""
        self._report.ran_us += usage.cpu_us
        self._report.wait_us += usage.wait_us or 0

    def lost(self, slot: int, usage: Usage, now_ns: int) -> list[Effect]:
        """Note that the process of a slot ended or broke the protocol.

        The body that was planning gets a strike. The other bodies of the batch wait again.
        """
        return self._stop(slot, "broken", usage, now_ns)

    # ---- limits --------------------------------------------------------------------------------------------

    def due_ns(self) -> int | None:
        """Return the time of the next check or of the phase's end, or None if no phase is open."""
        if not self.open:
            return None
        looks = [batch.look_ns for batch in self._running.values() if batch.look_ns is not None]
        return min([self._ends_ns, *looks])

    def overdue(self, now_ns: int) -> list[int]:
        """Return the slots to `look` at now."""
        return [slot for slot, b in self._running.items() if b.look_ns is not None and b.look_ns <= now_ns]

    def look(self, slot: int, usage: Usage, now_ns: int) -> list[Effect]:
        """Decide on a plan that has used its time. Without effects, the plan continues.

        Args:
            usage: the usage for this plan alone.
        """
        batch = self._running[slot]
        rules, wall_us = self.rules, batch.wall_us(now_ns)
        if batch.account is None:
            self._report.canary_late |= wall_us >= rules.plan_us
        ran_since_us = None
        if batch.looked is not None and usage.cpu_us > batch.looked[1]:
            ran_since_us = (now_ns - batch.looked[0]) // 1_000
        who = fault_of(
            wall_us,
            usage,
            rules.plan_us,
            rules.wall_us,
            ran_since_us=ran_since_us,
            canary_late=self._report.canary_late,
        )
        batch.looked = now_ns, usage.cpu_us
        if who is not None:
            return self._stop(slot, "slow" if who == "controller" else "machine", usage, now_ns)
        left_us = rules.plan_us - max(usage.cpu_us, 0 if usage.runnable else own_us(wall_us, usage))
        batch.look_ns = now_ns + 1_000 * max(LOOK_AGAIN_US, min(left_us, rules.wall_us - wall_us))
        return []

    def is_over(self, now_ns: int) -> bool:
        """Return whether the open phase has nothing left to do, so that the caller must call `close`."""
        return self.open and (not self._running or now_ns >= self._ends_ns)

    def close(self, now_ns: int, usages: Iterable[tuple[int, Usage]] = ()) -> list[Effect]:
        """End the phase. The last effect is its report.

        Args:
            usages: the usages of the slots in which a plan still runs.
        """
        assert self.open
        effects: list[Effect] = []
        self._ends_ns = min(self._ends_ns, now_ns)
        known = dict(usages)
        for slot, batch in list(self._running.items()):
            reason: Reason = "no_time" if batch.since_ns is None else "phase_ended"
            effects += self._stop(slot, reason, known.get(slot, Usage(0)), now_ns)
        effects += [self._idler(asked, "no_time") for asked in self._fair_share.close()]
        self.open = False
        report = replace(self._report, used_us=(now_ns - self._began_ns) // 1_000)
        late = report.canary_late or report.idle["machine"] > 0
        late |= OverloadMeter.is_crowded(report.wait_us, report.ran_us)
        report.overload = self._meter.note(late)
        return [*effects, report]

    # ---- inside --------------------------------------------------------------------------------------------

    def _queues(
        self, bodies: Sequence[Asked], far: frozenset[int], effects: list[Effect]
    ) -> list[tuple[str, int, int, list[Ready]]]:
        """Return bodies by owner for `FairShare.open`. Add an effect for each body that may not plan."""
        rules = self.rules
        owners: dict[str, list[Asked]] = {}
        for asked in bodies:
            owners.setdefault(asked.owner, []).append(asked)
        queues = []
        for owner, mine in owners.items():
            trusted = rules.is_trusted(owner)
            if not trusted and len(mine) > rules.seats_max:
                mine.sort()
                effects += [self._idler(asked, "quota") for asked in mine[rules.seats_max :]]
                del mine[rules.seats_max :]
            rows = [self._ready(asked, asked.id in far, effects) for asked in mine]
            ready = [row for row in rows if row is not None]
            if ready:
                queues.append((owner, rules.weights.get(owner, 1), rules.slots if trusted else 1, ready))
        return queues

    def _ready(self, asked: Asked, far: bool, effects: list[Effect]) -> Ready | None:
        """Return a body that may plan, with its state and cost. Otherwise add an effect and return None."""
        standing = self.penalties.of(asked.id, asked.owner, self._report.turn)
        standing.mind = asked.mind
        if standing.out or standing.back_turn > self._report.turn:
            effects.append(self._idler(asked, "disabled" if standing.out else "benched"))
            return None
        return Ready(asked, standing, self._usual_us(asked), far)

    def _fill(self, now_ns: int) -> list[Effect]:
        """Start the next batches while there are slots and time.

        An owner beyond its share runs only while no owner within its share runs, even if a slot stays empty.
        A slot is a process, and on a busy machine two slots may share one core.
        """
        effects: list[Effect] = []
        left_us = (self._ends_ns - now_ns) // 1_000
        if left_us <= 0:
            return effects
        for slot in range(self.rules.slots):
            while slot not in self._running:
                others_within = any(not batch.beyond for batch in self._running.values())
                account = self._fair_share.pop(within=others_within)
                if account is None:
                    return effects
                batch = self._next_batch(account, left_us)
                if batch is None:
                    continue
                self._running[slot] = batch
                home = None if self.rules.is_trusted(account.owner) else account.owner
                effects.append(Run(slot, home, tuple(batch.bodies)))
        return effects

    def _next_batch(self, account: OwnerUsage, left_us: int) -> _RunningBatch | None:
        """Take a batch with one body or several quick ones from an owner, or return None if time is short."""
        batch = _RunningBatch(account, deque(), account.beyond)
        for _ in range(len(account.waiting)):
            asked = account.waiting.popleft()
            standing = self.penalties.of(asked.id, account.owner, self._report.turn)
            cost_us = self._usual_us(asked)
            alone = standing.penalties > 0 or cost_us >= self.rules.batch_us
            if batch.bodies and (alone or batch.expected_us + cost_us > self.rules.batch_us):
                account.waiting.appendleft(asked)
                break
            need_us = self.rules.plan_us if alone else min(self.rules.plan_us, _HEADROOM * cost_us)
            if batch.expected_us + need_us > left_us:
                account.waiting.append(asked)
                continue
            batch.bodies.append(asked)
            batch.expected_us += cost_us
            if alone or len(batch.bodies) == self.rules.batch_max:
                break
        if not batch.bodies:
            return None
        self._fair_share.reserve(account, len(batch.bodies), batch.expected_us)
        return batch

    def _usual_us(self, asked: Asked) -> int:
        """Return the expected cost of a body's plan."""
        standing = self.penalties.of(asked.id, asked.owner, self._report.turn)
        unknown_us = _NEW_TRUSTED_COST_US if self.rules.is_trusted(asked.owner) else _NEW_COST_US
        return self.penalties.usual_us(standing, asked.mind, unknown_us)

    def _free(self, slot: int) -> None:
        """End a batch and release its unused reserved time."""
        batch = self._running.pop(slot)
        if batch.account is not None:
            self._fair_share.release(batch.account, batch.expected_us)

    def _stop(self, slot: int, reason: Reason, usage: Usage, now_ns: int) -> list[Effect]:
        """Kill a slot's process. The planning body does nothing, and the batch's other bodies wait again."""
        batch = self._running[slot]
        effects: list[Effect] = [Kill(slot)]
        if batch.account is not None:
            wall_us = batch.wall_us(now_ns)
            ran = batch.bodies.popleft()
            used_us = own_us(wall_us, usage)
            batch.charge(used_us)
            self.penalties.of(ran.id, ran.owner, self._report.turn).balance_us -= used_us
            batch.account.waiting.extendleft(reversed(batch.bodies))
            end = self._struck if reason in ("slow", "broken") else self._idler
            effects.append(end(ran, reason, wall_us, usage))
        self._free(slot)
        return effects + self._fill(now_ns)

    def _struck(self, asked: Asked, reason: Reason, wall_us: int, usage: Usage) -> Idle:
        standing = self.penalties.of(asked.id, asked.owner, self._report.turn)
        standing.note_cost(self.rules.plan_us)
        standing.last_turn = self._report.turn
        bench = standing.penalize(self._report.turn)
        return self._idler(asked, reason, wall_us, usage)._replace(penalties=standing.penalties, bench=bench)

    def _idler(self, asked: Asked, reason: Reason, wall_us: int = 0, usage: Usage | None = None) -> Idle:
        self._report.idle[reason] += 1
        return Idle(*asked, reason, wall_us, usage)
