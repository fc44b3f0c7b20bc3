"""Planner: runs planning phases in processes that can be killed.

async with Planner(PlanRules(), seed=7, on_plan=take) as planner:
    planner.teach("wolf", source, "minds/wolf.py")
    planner.begin(turn, bodies, view, deadline_ns)      # then take(PlanResult) once for each body
    planner.cut()                                       # at the latest when the turn ends
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import msgspec

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
from turnwright_world.planning.messages import (
    VIEW_SIZE_MAX,
    BadAnswer,
    BodyToPlan,
    PlanAnswer,
    PlanBatch,
    Source,
    frame_of,
)
from turnwright_world.planning.net.fault_log import UNFINISHED, FaultLog
from turnwright_world.planning.net.mind_check import MindChecker
from turnwright_world.planning.net.pool import PlanProcess, PlanProcesses
from turnwright_world.planning.schedule import PlanSchedule

CANARY_ROUNDS = 5_000
"""Rounds of the plan of known work: about a quarter of a millisecond."""
CANARY_US = 250
"""Time of that plan on the processor that limits are written for: one of 2020, of a server."""
MEMORY_MIB = 64
"""Memory of a process that plans, beyond Python's own."""
_CANARIES_KEPT = 240
"""Plans of known work by the quickest of which the machine's speed is judged: a minute."""
_CALIBRATIONS = 8
_CALIBRATION_NS = 1_000_000_000
_NUMBER_BITS = 48
_TIME_SLACK_NS = 1_000_000
"""By how much the clocks of a process may differ from ours, over one batch."""
_NOTHING = b"{}"
_log = logging.getLogger("turnwright")


class PlanResult(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a body's plan.

    Attributes:
        command: the command as a player would type it, or None if the body does nothing.
        reason: why it did not plan, or None.
        text: one line for its owner, or "" if all is well.
        printed: what its program printed.
        wall_us, cpu_us: the time that it took.
        memory: what its mind remembers now, as JSON, or None for what it remembered before.
    """

    turn: int
    body: int
    owner: str
    mind: str
    command: str | None
    reason: Reason | None = None
    text: str = ""
    printed: str = ""
    wall_us: int = 0
    cpu_us: int = 0
    memory: bytes | None = None


@dataclass(slots=True)
class _Busy:
    """A process with a batch.

    Attributes:
        number: the number of the batch, handed over at since_ns.
        left: answers to come.
        begun, mark: its usage when the batch began, and when the plan did that runs now.
    """

    process: PlanProcess
    number: int
    since_ns: int
    left: int
    begun: Usage
    mark: Usage


class Planner:
    """Lets bodies plan, turn after turn. The callbacks may not raise exceptions.

    Args:
        seed: the seed of the world, so that plans can be repeated.
        on_plan: called once for each body that was asked, at once with its plan or the reason why it has
            none.
        on_report: called when a phase is over.
    """

    def __init__(
        self,
        rules: PlanRules,
        *,
        seed: int,
        on_plan: Callable[[PlanResult], None],
        on_report: Callable[[PhaseReport], None] = lambda report: None,
        memory_mib: int = MEMORY_MIB,
    ) -> None:
        self.schedule = PlanSchedule(rules)
        self.processes = PlanProcesses(rules.slots + 1, memory_mib, self._read, self._spare_came)
        self.checker = MindChecker(self.processes)
        self._streams = Streams(seed)
        self._stream_of = self._streams.family("plan", 0)
        self._on_plan = on_plan
        self._on_report = on_report
        self._sources: dict[str, tuple[int, Source]] = {}
        self._remembered: dict[int, bytes] = {}
        """By body, the memory that went with its plan of this phase."""
        self._busy: dict[int, _Busy] = {}
        self._slots: dict[PlanProcess, int] = {}
        self._waiting: dict[int, Run] = {}
        self._asked: dict[int, Asked] = {}
        self._answers: dict[int, PlanAnswer] = {}
        self._view: Callable[[int], tuple[Any, Any]] = lambda body: (None, None)
        self._turn = 0
        self._canaries_us: deque[int] = deque(maxlen=_CANARIES_KEPT)
        self._faults = FaultLog()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await self.processes.start()
        self._alarm = clock.create_alarm(self._loop, self._wake)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._faults.flush(clock.now_ns(), last=True)
        self._alarm.close()
        self.checker.close()
        await self.processes.close()

    @property
    def sealed(self) -> bool:
        """Whether players' own programs can run here.

        Without it only the world's content plans.
        """
        return self.processes.sealed

    @property
    def slowness(self) -> float:
        """Time of a plan on this machine, relative to a usual processor, or 1 before it is known.

        It is that of the quickest of the last plans of known work. A busy moment, or a mind that runs at the
        same time, does not change it.
        """
        return max(1, min(self._canaries_us)) / CANARY_US if self._canaries_us else 1.0

    @property
    def busy(self) -> list[PlanProcess]:
        """The processes that have a batch now."""
        return list(self._slots)

    async def calibrate(self) -> None:
        """Run the plan of known work a few times, before any mind plans."""
        for _ in range(_CALIBRATIONS):
            self.begin(self._turn, (), lambda body: (None, None), clock.now_ns() + _CALIBRATION_NS)
            while self.schedule.open:
                await asyncio.sleep(0.001)

    # ---- minds ----------------------------------------------------------------------

    def teach(self, name: str, text: str, file: str) -> None:
        """Give a mind's source, or another version of it.

        Bodies with this mind plan again.

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
        """Forget a mind of an owner's, and what its process holds of it."""
        self._sources.pop(name, None)
        self.processes.retire(owner)

    def pardon_body(self, body: int) -> None:
        """A body has got another controller: nothing is held against it any more."""
        self.schedule.penalties.pardon_body(body)

    def pardon(self, owner: str) -> int:
        """An owner has acted: let its bodies plan again; return how many come back."""
        return self.schedule.penalties.pardon(owner)

    # ---- the phase -----------------------------------------------------------------------------------------

    def begin(
        self,
        turn: int,
        bodies: Iterable[tuple[int, str, str]],
        view: Callable[[int], tuple[Any, Any]],
        deadline_ns: int,
        far: frozenset[int] = frozenset(),
    ) -> None:
        """Let bodies plan until `deadline_ns`.

        view(id): what a body perceives, a dict of plain data or its JSON in two parts (see `PackedView` of
        the world), and what its mind remembers, JSON values; called when its turn comes.

        Args:
            bodies: (id, owner, name of the mind), each once.
            far: who goes last.
        """
        self.cut()
        self._turn, self._view = turn, view
        self._stream_of = self._streams.family("plan", turn)
        self._asked = {body[0]: Asked(*body) for body in bodies}
        self._remembered.clear()
        able = list(self._asked.values())
        if not self.sealed:
            able = [asked for asked in able if self.schedule.rules.is_trusted(asked.owner)]
        refused = self._asked.keys() - {asked.id for asked in able}
        now_ns = clock.now_ns()
        self._apply(self.schedule.begin(turn, able, now_ns, deadline_ns, far))
        self._apply([Idle(*self._asked[body], "refused") for body in sorted(refused)])
        self._alarm.set(self.schedule.due_ns())

    def cut(self) -> None:
        """End the phase, if one is open: what has come counts, what still runs is killed."""
        if self.schedule.open:
            self._read_all()
        if self.schedule.open:
            usages = [(slot, self._used(busy)) for slot, busy in self._busy.items()]
            self._apply(self.schedule.close(clock.now_ns(), usages))
            self._alarm.set(None)

    # ---- doing what was decided ----------------------------------------------------------------------------

    def _apply(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Accept):
                self._accept(effect.body)
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
        """Hand a batch to a process, or leave it waiting for one."""
        process = self.processes.take(run.home)
        if process is None:
            return
        del self._waiting[run.slot]
        number = secrets.randbits(_NUMBER_BITS)
        if run.bodies:
            batch = self._batch(process, run.bodies, number)
        else:
            batch = PlanBatch((), (), CANARY_ROUNDS, number=number)
        usage = process.usage()
        self._busy[run.slot] = _Busy(process, number, clock.now_ns(), len(run.bodies) or 1, usage, usage)
        self._slots[process] = run.slot
        process.send(frame_of(batch), self._loop)
        self.schedule.started(run.slot, clock.now_ns())

    def _start_waiting(self) -> None:
        """Hand over the batches that waited, as far as processes are free."""
        for run in list(self._waiting.values()):
            self._start(run)

    def _batch(self, process: PlanProcess, bodies: Iterable[Asked], number: int) -> PlanBatch:
        """Return what a process gets: of what several bodies see it has one."""
        shared: dict[bytes, int] = {}
        rows = tuple([self._body(asked, shared) for asked in bodies])
        return PlanBatch(self._news_for(process, bodies), rows, 0, tuple(map(msgspec.Raw, shared)), number)

    def _news_for(self, process: PlanProcess, bodies: Iterable[Asked]) -> tuple[Source, ...]:
        news = []
        for name in {asked.mind: None for asked in bodies}:
            version, source = self._sources.get(name, (0, None))
            if source is not None and process.known.get(name) != version:
                process.known[name] = version
                news.append(source)
        return tuple(news)

    def _body(self, asked: Asked, shared: dict[bytes, int]) -> BodyToPlan:
        seen, remembered = self._view(asked.id)
        own, common, mine = seen if isinstance(seen, tuple) else (msgspec.json.encode(seen), b"", -1)
        if len(own) + len(common) > VIEW_SIZE_MAX:
            size = len(own) + len(common)
            _log.warning("the view of body %d has %d bytes: it plans without", asked.id, size)
            own, common, mine = b"{}", b"", -1
        place = shared.setdefault(common, len(shared)) if common else -1
        memory = msgspec.json.encode(remembered) if remembered else _NOTHING
        self._remembered[asked.id] = memory
        return BodyToPlan(
            asked.id,
            asked.mind,
            self._stream_of(asked.id).bits64(),
            msgspec.Raw(own),
            msgspec.Raw(memory),
            place,
            mine,
        )

    def _kill(self, slot: int) -> None:
        self._waiting.pop(slot, None)
        busy = self._busy.pop(slot, None)
        if busy is not None:
            self.schedule.batch_over(_difference(busy.process.usage(), busy.begun))
            del self._slots[busy.process]
            self.processes.kill(busy.process)

    def _accept(self, body: int) -> None:
        answer, asked = self._answers.pop(body), self._asked[body]
        memory = bytes(answer.memory)
        cpu_us, wall_us = answer.cpu_ns // 1_000, answer.wall_ns // 1_000
        self._on_plan(
            PlanResult(
                self._turn,
                *asked,
                answer.command,
                None,
                "",
                answer.printed,
                wall_us,
                cpu_us,
                memory=None if _is_same(memory, self._remembered.get(body, _NOTHING)) else memory,
            )
        )

    def _tell(self, idle: Idle) -> None:
        """Hand on that a body does nothing, and why; of the faults of a turn the first few are logged."""
        answer = self._answers.pop(idle.body, None)
        text = answer.error if idle.reason == "error" and answer is not None else idle.text
        cpu_us = idle.usage.cpu_us if idle.usage is not None else 0
        if idle.reason == "error" or idle.reason in UNFINISHED:
            self._faults.note(self._turn, idle, text)
        printed = answer.printed if answer is not None else ""
        asked = (idle.body, idle.owner, idle.mind)
        self._on_plan(PlanResult(self._turn, *asked, None, idle.reason, text, printed, idle.wall_us, cpu_us))

    # ---- what happens --------------------------------------------------------------------------------------

    def _read(self, process: PlanProcess) -> None:
        """Something has come from a process, or it has ended."""
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
        if answers is None or (answers and process not in self._slots):
            self._lose(process)
            return
        for answer in answers:
            if not self._take(process, answer):
                return

    def _take(self, process: PlanProcess, answer: PlanAnswer) -> bool:
        """Take one answer; False when the process is not heard any more."""
        slot = self._slots.get(process)
        if slot is None:
            self._lose(process)
            return False
        busy = self._busy[slot]
        now_ns = clock.now_ns()
        try:
            _check(busy, answer, now_ns)
            if answer.id < 0:
                if process.home is not None:
                    raise ValueError
                cpu_us = answer.cpu_ns // 1_000
                effects = self.schedule.canary(slot, answer.wall_ns // 1_000, cpu_us, now_ns)
                self._canaries_us.append(cpu_us)
            else:
                usage = self._usage_of(busy, answer)
                self._answers[answer.id] = answer
                told_us = answer.wall_ns // 1_000
                fault: Reason | None = "error" if answer.error else None
                effects = self.schedule.answered(slot, answer.id, usage, told_us, now_ns, fault)
        except ValueError:
            self._answers.pop(answer.id, None)
            self._lose(process)
            return False
        busy.left -= 1
        if busy.left == 0:
            self.schedule.batch_over(_difference(process.usage(), busy.begun))
            del self._busy[slot], self._slots[process]
            self.processes.give_back(process)
            self._start_waiting()
        self._apply(effects)
        return True

    def _usage_of(self, busy: _Busy, answer: PlanAnswer) -> Usage:
        """Return what a plan used: as the system counts it, for trusted ones as their process says."""
        if busy.process.home is None:
            told_us = min(answer.cpu_ns // 1_000, 1_000_000)
            busy.mark = Usage(busy.mark.cpu_us + told_us, busy.mark.wait_us)
            return Usage(told_us)
        now, then = busy.process.usage(), busy.mark
        busy.mark = now
        return _difference(now, then)

    def _used(self, busy: _Busy) -> Usage:
        """Return what a process has used since its mark."""
        used = _difference(busy.process.usage(), busy.mark)
        return Usage(used.cpu_us, used.wait_us, busy.process.runnable())

    def _lose(self, process: PlanProcess) -> None:
        """A process has ended or speaks nonsense."""
        slot = self._slots.get(process)
        if slot is None:
            self.processes.kill(process)
            return
        self._apply(self.schedule.lost(slot, self._used(self._busy[slot]), clock.now_ns()))

    def _read_all(self) -> None:
        """Read what has already come: our own lateness is not billed to a mind."""
        for process in list(self._slots):
            if process in self._slots:
                self._hear(process)

    def _wake(self) -> None:
        """A plan has had its time, or the phase is over."""
        self._read_all()
        now_ns = clock.now_ns()
        for slot in self.schedule.overdue(now_ns) if self.schedule.open else ():
            if slot in self._busy:
                self._apply(self.schedule.look(slot, self._used(self._busy[slot]), now_ns))
        self._settle()

    def _spare_came(self) -> None:
        self.checker.spare_came()
        self._start_waiting()
        self._settle()

    def _settle(self) -> None:
        """End the phase if all results are known. Otherwise set an alarm for what is due next."""
        if self.schedule.is_over(clock.now_ns()):
            self._read_all()
            usages = [(slot, self._used(busy)) for slot, busy in self._busy.items()]
            self._apply(self.schedule.close(clock.now_ns(), usages))
        self._alarm.set(self.schedule.due_ns())


def _check(busy: _Busy, answer: PlanAnswer, now_ns: int) -> None:
    """Check an answer of a process.

    Raises:
        ValueError: the answer is to another batch, or has an impossible time.
    """
    if answer.batch != busy.number:
        raise ValueError("it answers another batch")
    took_ns, since_ns = max(answer.wall_ns, answer.cpu_ns), now_ns - busy.since_ns
    if took_ns > since_ns + _TIME_SLACK_NS:
        raise ValueError(
            f"it reports {took_ns // 1000} µs of computing, {since_ns // 1000} µs after it was asked"
        )


def _difference(now: Usage, then: Usage) -> Usage:
    if now.wait_us is None or then.wait_us is None:
        return Usage(max(0, now.cpu_us - then.cpu_us))
    return Usage(max(0, now.cpu_us - then.cpu_us), now.wait_us - then.wait_us)


def _is_same(one: bytes, two: bytes) -> bool:
    """Return whether two texts hold the same JSON values."""
    return one == two or bool(msgspec.json.decode(one) == msgspec.json.decode(two))
