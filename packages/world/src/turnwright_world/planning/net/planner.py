"""Planner: runs planning phases in processes that can be killed.

async with Planner(PlanRules(), seed=7, on_plan=take) as planner:
    planner.teach("wolf", source, "minds/wolf.py")
    planner.begin(turn, bodies, view, deadline_ns)      # then take(PlanResult) once for each body
    planner.cut()                                       # at the latest when the turn ends
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from turnwright.kernel.rng import Streams
from turnwright.net import clock
from turnwright_world.intent import SOURCE_SIZE_MAX
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
from turnwright_world.planning.messages import BadAnswer, PlanAnswer, PlanBatch, Source, frame_of
from turnwright_world.planning.net.fault_log import UNFINISHED, FaultLog
from turnwright_world.planning.net.mind_check import MindChecker
from turnwright_world.planning.net.phase import PlanPhase, PlanResult, View
from turnwright_world.planning.net.pool import PlanProcess, PlanProcesses
from turnwright_world.planning.schedule import PlanSchedule

CANARY_ROUNDS = 5_000
"""The canary's rounds of work, which take about a quarter of a millisecond."""
CANARY_US = 250
"""The canary's time on the reference processor, in µs.

All time limits refer to this processor, a server's processor of 2020.
"""
MEMORY_MIB = 64
"""The memory of a planning process in addition to Python's own."""
_CANARIES_KEPT = 240
"""The quickest of this number of canaries gives the machine's speed. These canaries cover about a minute."""
_CALIBRATIONS = 8
_CALIBRATION_NS = 1_000_000_000
_NUMBER_BITS = 48
_TIME_SLACK_NS = 1_000_000
"""The allowed difference between a process's clock and the server's, over one batch."""


@dataclass(slots=True)
class Batch:
    """A batch that a process works on.

    Attributes:
        number: a random number that identifies the batch.
        since_ns: when the process received the batch.
        left: the number of missing answers.
        begun, mark: the usage of the process when the batch began, and when the running plan began.
    """

    process: PlanProcess
    slot: int
    number: int
    since_ns: int
    left: int
    begun: Usage
    mark: Usage

    def is_possible(self, answer: PlanAnswer, now_ns: int) -> bool:
        """Return whether an answer belongs to this batch and reports no more time than the batch has run."""
        took_ns = max(answer.wall_ns, answer.cpu_ns)
        return answer.batch == self.number and took_ns <= now_ns - self.since_ns + _TIME_SLACK_NS

    def usage_of(self, answer: PlanAnswer) -> Usage:
        """Return a plan's usage as the system counts it. For trusted minds, use their process's report.

        This also begins the usage of the next plan.
        """
        if self.process.home is None:
            told_us = min(answer.cpu_ns // 1_000, 1_000_000)
            self.mark = Usage(self.mark.cpu_us + told_us, self.mark.wait_us)
            return Usage(told_us)
        now, then = self.process.usage(), self.mark
        self.mark = now
        return now.since(then)

    def used(self) -> Usage:
        """Return the usage of the running plan."""
        return self.process.usage().since(self.mark)._replace(runnable=self.process.runnable())


class Planner:
    """Lets bodies plan, turn after turn. The callbacks may not raise exceptions.

    Args:
        seed: the seed of the world, so that plans can be repeated.
        on_plan: called once for each body that was asked, with its plan or the reason why the plan is
            missing.
        on_report: called when a phase is over.

    Attributes:
        batches: the current batch of each process.
    """

    def __init__(
        self,
        rules: PlanRules,
        *,
        seed: int,
        on_plan: Callable[[PlanResult], None],
        on_report: Callable[[PhaseReport], None] = lambda report: None,
    ) -> None:
        self.schedule = PlanSchedule(rules)
        self.processes = PlanProcesses(rules.slots + 1, MEMORY_MIB, self._read, self._spare_came)
        self.checker = MindChecker(self.processes)
        self._streams = Streams(seed)
        self._on_plan = on_plan
        self._on_report = on_report
        self._sources: dict[str, tuple[int, Source]] = {}
        self._phase = PlanPhase(0, (), _sees_nothing, self._streams.family("plan", 0))
        self._running: dict[int, Batch] = {}
        """The running batches, by slot."""
        self.batches: dict[PlanProcess, Batch] = {}
        self._waiting: dict[int, Run] = {}
        self._canaries_us: deque[int] = deque(maxlen=_CANARIES_KEPT)
        self._faults = FaultLog()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._alarm = clock.create_alarm(self._loop, self._wake)
        await self.processes.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._faults.flush(clock.now_ns(), last=True)
        self._alarm.close()
        self.checker.close()
        await self.processes.close()

    @property
    def slowness(self) -> float:
        """Time of a plan on this machine relative to the reference processor, or 1 before it is known.

        The quickest of the last canaries gives the value, so a busy moment or a mind that runs at the same
        time does not change it.
        """
        return max(1, min(self._canaries_us)) / CANARY_US if self._canaries_us else 1.0

    async def calibrate(self) -> None:
        """Run the canary a few times, before any mind plans."""
        for _ in range(_CALIBRATIONS):
            self.begin(self._phase.turn, (), _sees_nothing, clock.now_ns() + _CALIBRATION_NS)
            while self.schedule.open:
                await asyncio.sleep(0.001)

    # ---- minds ----------------------------------------------------------------------

    def teach(self, name: str, text: str, file: str) -> None:
        """Load a new or changed source of a mind. After a change, its suspended bodies may plan again.

        Raises:
            ValueError: the source is too long.
        """
        if len(text.encode()) > SOURCE_SIZE_MAX:
            raise ValueError(f"{file} has {len(text.encode())} bytes; a mind has at most {SOURCE_SIZE_MAX}")
        version, known = self._sources.get(name, (0, None))
        self._sources[name] = (version + 1, Source(name, file, text))
        if known is not None and known.text != text:
            self.schedule.penalties.new_mind(name)

    def forget(self, name: str, owner: str) -> None:
        """Forget a mind of an owner, and end the owner's process if no plan runs in it."""
        self._sources.pop(name, None)
        self.processes.retire(owner)

    # ---- the phase -----------------------------------------------------------------------------------------

    def begin(
        self,
        turn: int,
        bodies: Iterable[tuple[int, str, str]],
        view: View,
        deadline_ns: int,
        far: frozenset[int] = frozenset(),
    ) -> None:
        """Let bodies plan until `deadline_ns`. A phase that is still open is cut first.

        Args:
            bodies: (id, owner, name of the mind), each once.
            view: called for a body when its plan begins.
            far: the bodies that plan last.
        """
        self.cut()
        self._phase = PlanPhase(turn, bodies, view, self._streams.family("plan", turn))
        able = list(self._phase.asked.values())
        if not self.processes.sealed:
            able = [asked for asked in able if self.schedule.rules.is_trusted(asked.owner)]
        refused = self._phase.asked.keys() - {asked.id for asked in able}
        now_ns = clock.now_ns()
        self._apply(self.schedule.begin(turn, able, now_ns, deadline_ns, far))
        self._apply([Idle(*self._phase.asked[body], "refused") for body in sorted(refused)])
        self._alarm.set(self.schedule.due_ns())

    def cut(self) -> None:
        """End the open phase, if any. Answers that have come count, and running plans are killed."""
        if self.schedule.open:
            self._close()
            self._alarm.set(None)

    def _close(self) -> None:
        self._read_all()
        usages = [(slot, batch.used()) for slot, batch in self._running.items()]
        self._apply(self.schedule.close(clock.now_ns(), usages))

    # ---- carrying out decisions
    # -----------------------------------------------------------------------------

    def _apply(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Accept):
                self._on_plan(self._phase.accepted(effect.body))
            elif isinstance(effect, Run):
                self._waiting[effect.slot] = effect
                self._start(effect)
            elif isinstance(effect, Kill):
                self._kill(effect.slot)
            elif isinstance(effect, Idle):
                self._tell(effect)
            else:
                self._faults.flush(clock.now_ns())
                self._on_report(effect)

    def _start(self, run: Run) -> None:
        """Give a batch to a process, or let the batch wait for a process."""
        process = self.processes.take(run.home)
        if process is None:
            return
        del self._waiting[run.slot]
        number = secrets.randbits(_NUMBER_BITS)
        rows, shared = self._phase.rows(run.bodies)
        rounds = 0 if rows else CANARY_ROUNDS
        request = PlanBatch(self._news_for(process, run.bodies), rows, rounds, shared, number)
        usage = process.usage()
        batch = Batch(process, run.slot, number, clock.now_ns(), len(rows) or 1, usage, usage)
        self._running[run.slot] = self.batches[process] = batch
        process.send(frame_of(request), self._loop)
        self.schedule.started(run.slot, clock.now_ns())

    def _start_waiting(self) -> None:
        """Give waiting batches to free processes."""
        for run in list(self._waiting.values()):
            self._start(run)

    def _news_for(self, process: PlanProcess, bodies: Iterable[Asked]) -> tuple[Source, ...]:
        news = []
        for name in {asked.mind: None for asked in bodies}:
            version, source = self._sources.get(name, (0, None))
            if source is not None and process.known.get(name) != version:
                process.known[name] = version
                news.append(source)
        return tuple(news)

    def _kill(self, slot: int) -> None:
        self._waiting.pop(slot, None)
        batch = self._running.get(slot)
        if batch is not None:
            self._end(batch)
            self.processes.kill(batch.process)

    def _end(self, batch: Batch) -> None:
        self.schedule.batch_over(batch.process.usage().since(batch.begun))
        del self._running[batch.slot], self.batches[batch.process]

    def _tell(self, idle: Idle) -> None:
        """Report that a body does nothing, and why. Faults are logged, at limited rates."""
        result = self._phase.idle(idle)
        if idle.reason == "error" or idle.reason in UNFINISHED:
            self._faults.note(result.turn, idle, result.text)
        self._on_plan(result)

    # ---- events
    # ---------------------------------------------------------------------------------------------

    def _read(self, process: PlanProcess) -> None:
        """Handle output of a process, or its end."""
        self._hear(process)
        self._settle()

    def _hear(self, process: PlanProcess) -> None:
        if self.checker.runs(process):
            self.checker.hear(process)
            return
        data = process.receive()
        if data == b"" or process.ended:
            return
        try:
            answers = process.reader.feed(data) if data is not None else None
        except BadAnswer:
            answers = None
        if answers is None or (answers and process not in self.batches):
            self._lose(process)
            return
        for answer in answers:
            if not self._take(process, answer):
                return

    def _take(self, process: PlanProcess, answer: PlanAnswer) -> bool:
        """Handle one answer. Return False if the process is no longer read."""
        batch = self.batches.get(process)
        if batch is None:
            self._lose(process)
            return False
        now_ns = clock.now_ns()
        answers = self._phase.answers
        try:
            if not batch.is_possible(answer, now_ns) or (answer.id < 0 and process.home is not None):
                raise ValueError
            if answer.id < 0:
                cpu_us = answer.cpu_ns // 1_000
                effects = self.schedule.canary(batch.slot, answer.wall_ns // 1_000, cpu_us, now_ns)
                self._canaries_us.append(cpu_us)
            else:
                usage = batch.usage_of(answer)
                answers[answer.id] = answer
                told_us = answer.wall_ns // 1_000
                fault: Reason | None = "error" if answer.error else None
                effects = self.schedule.answered(batch.slot, answer.id, usage, told_us, now_ns, fault)
        except ValueError:
            answers.pop(answer.id, None)
            self._lose(process)
            return False
        batch.left -= 1
        if batch.left == 0:
            self._end(batch)
            self.processes.give_back(process)
            self._start_waiting()
        self._apply(effects)
        return True

    def _lose(self, process: PlanProcess) -> None:
        """Handle a process that has ended or sent invalid data."""
        batch = self.batches.get(process)
        if batch is None:
            self.processes.kill(process)
        else:
            self._apply(self.schedule.lost(batch.slot, batch.used(), clock.now_ns()))

    def _read_all(self) -> None:
        """Read all waiting answers, so that no mind pays for the server's lateness."""
        for process in list(self.batches):
            if process in self.batches:
                self._hear(process)

    def _wake(self) -> None:
        """Handle a plan that has used its time, or the end of the phase."""
        self._read_all()
        now_ns = clock.now_ns()
        for slot in self.schedule.overdue(now_ns) if self.schedule.open else ():
            if slot in self._running:
                self._apply(self.schedule.look(slot, self._running[slot].used(), now_ns))
        self._settle()

    def _spare_came(self) -> None:
        self.checker.spare_came()
        self._start_waiting()
        self._settle()

    def _settle(self) -> None:
        """End the phase if all results are known. Otherwise set a timer for the next check."""
        if self.schedule.is_over(clock.now_ns()):
            self._close()
        self._alarm.set(self.schedule.due_ns())


def _sees_nothing(body: int) -> tuple[None, None]:
    return None, None
