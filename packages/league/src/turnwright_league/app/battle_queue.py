"""The one queue of battles, for tournaments, comparisons and the ladder.

    next battle ──▶ a worker plays it ──▶ its result ──▶ kept, or the battle is played again

The queue gives battles to workers, and adapts to the machine how many run at the same time. Its user decides
which battle comes next and what a result means.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from turnwright.errors import TurnwrightError
from turnwright_league.app.battle_workers import BattleWorkers
from turnwright_league.app.options import JOBS_MAX
from turnwright_league.app.pool import WorkerLost
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.parallel_battles import BattlesAtOnce

ATTEMPTS_MAX = 3
"""The most times that one run plays a battle until it counts."""
TICK_S = 0.2
"""The longest wait for a result. After it, a run looks at its clock and its operator."""
_WAITING_MAX = 4 * JOBS_MAX
"""The number of battles without a suitable worker at which no further battles are chosen."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class TaskQueue(Generic[Task, Result]):
    """The running tasks of workers, and their results.

    Args:
        failed: gets the exception of a task's future, and returns a result or raises.
        bell: is set when a result arrives.
    """

    def __init__(self, failed: Callable[[Exception], Result], bell: threading.Event | None = None) -> None:
        self._failed = failed
        self.running: dict[Future[Result], Task] = {}
        self._done: deque[Future[Result]] = deque()
        self.bell = bell or threading.Event()

    def begin(self, task: Task, future: Future[Result]) -> None:
        """Add a task that a worker has begun."""
        self.running[future] = task
        future.add_done_callback(self._note)

    def _note(self, future: Future[Result]) -> None:
        self._done.append(future)
        self.bell.set()

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait for a result, for the timeout, or until another thread sets the bell."""
        self.bell.wait(timeout_s)
        self.bell.clear()

    def results(self) -> Iterator[tuple[Task, Result]]:
        """Yield each task that has finished since the last call, with its result. It does not wait."""
        while self._done:
            future = self._done.popleft()
            task = self.running.pop(future)
            try:
                result = future.result()
            except Exception as error:
                result = self._failed(error)
            yield task, result


@dataclass(slots=True, eq=False)
class QueuedBattle:
    """A battle in the queue.

    Attributes:
        names: the names of its bots, for messages.
        attempt: the number of the attempt, from 1.
        part: the path of the unfinished record, or None.
        began: see `BattlesAtOnce.begin`.
    """

    spec: BattleSpec
    names: str
    attempt: int = 1
    part: Path | None = None
    began: int = 0

    def delete_part(self) -> None:
        """Delete the unfinished record if it still exists."""
        if self.part is not None:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)


class BattleQueue:
    """The waiting and the running battles.

    Args:
        most: the most battles at the same time. While servers are late, fewer run.
        job_of: makes the job for a battle that begins.
        tell: prints a line for the operator.
    """

    def __init__(
        self,
        workers: BattleWorkers,
        most: int,
        job_of: Callable[[BattleSpec], BattleJob],
        tell: Callable[[str], None],
    ) -> None:
        self.workers = workers
        self._job_of, self._tell = job_of, tell
        self._limit = BattlesAtOnce(most)
        self._tasks: TaskQueue[QueuedBattle, JobResult] = TaskQueue(
            lambda error: JobResult("void", why=why_failed(error))
        )
        self._waiting: list[QueuedBattle] = []
        """Battles to be played again, and battles that no worker could play. They have priority over all
        others."""
        self.stuck = ""
        """Why no worker can play the remaining battles.

        It is "" if no battles remain, or if a battle is running.
        """

    @property
    def at_once(self) -> int:
        """The number of battles that workers may have now."""
        return max(1, min(self._limit.now, self.workers.capacity))

    @property
    def running(self) -> list[QueuedBattle]:
        """The running battles, oldest first."""
        return list(self._tasks.running.values())

    @property
    def bell(self) -> threading.Event:
        """The event that ends `wait`."""
        return self._tasks.bell

    def fill(self, next_battle: Callable[[], QueuedBattle | None], more: int = 0) -> bool:
        """Begin as many battles as may run, and return whether more may come. This may set `stuck`.

        Args:
            next_battle: returns a new battle, or None if there is none now.
            more: the number of battles above `at_once`.
        """
        room = self.at_once + more
        while len(self._tasks.running) < room:
            battle = self._next(next_battle)
            if battle is None:
                return False
            job = self._job_of(battle.spec)
            battle.part = None if job.record is None else Path(job.record)
            battle.began = self._limit.begin()
            self._tasks.begin(battle, self.workers.play(job))
        return True

    def _next(self, next_battle: Callable[[], QueuedBattle | None]) -> QueuedBattle | None:
        """Return the battle to begin next, or None. A battle without a suitable worker waits."""
        why = ""
        for number, battle in enumerate(self._waiting):
            if not (cannot := self.workers.cannot_play(battle.spec)):
                return self._waiting.pop(number)
            why = why or cannot
        while len(self._waiting) < _WAITING_MAX and (new := next_battle()) is not None:
            if not (cannot := self.workers.cannot_play(new.spec)):
                return new
            self._waiting.append(new)
            why = why or cannot
        if self._waiting and not self._tasks.running:
            self.stuck = f"{why}; no other can play what is left ({len(self._waiting)} battles)"
        return None

    def wait(self, timeout_s: float = TICK_S) -> None:
        """Wait until a battle is over, for the timeout, or until another thread sets `bell`."""
        self._tasks.wait(timeout_s)

    def take(self, keep: Callable[[QueuedBattle, JobResult], None]) -> None:
        """Call `keep` with each result that has arrived. Then delete a record that is still unfinished."""
        for battle, result in self._tasks.results():
            try:
                self._pace(battle, result)
                keep(battle, result)
            finally:
                battle.delete_part()

    def again(self, battle: QueuedBattle, why: str, most: int = ATTEMPTS_MAX) -> bool:
        """Play a battle again unless it counts or was played `most` times. Return whether it is played again.

        Args:
            why: the reason why the battle does not count, or "" if it counts.
        """
        if not why or battle.attempt >= most:
            return False
        self._tell(f"{battle.names}: {why}. It is played again")
        battle.attempt += 1
        self.give_back(battle)
        return True

    def give_back(self, battle: QueuedBattle) -> None:
        """Let a battle wait for another worker. This is not an attempt."""
        self._waiting.append(battle)

    def take_finished(self, keep: Callable[[QueuedBattle, JobResult], None]) -> None:
        """Call `keep` with the results of finished battles, after an error that ends the run.

        Further errors are dropped.
        """
        for future, battle in list(self._tasks.running.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                with suppress(TurnwrightError):
                    keep(battle, future.result())

    def delete_parts(self) -> None:
        """Delete the unfinished records of running battles."""
        for battle in self.running:
            battle.delete_part()

    def _pace(self, battle: QueuedBattle, result: JobResult) -> None:
        """Run fewer battles at the same time while the server is late, and more while it is not."""
        if result.kind != "played" or not self.workers.slows_down:
            return
        by = self._limit.ended(battle.began, late=result.is_late)
        if by < 0:
            self._tell(
                f"the machine is too slow for this many battles: {self._limit.now} at once from now on"
            )
        elif by > 0:
            self._tell(f"the machine is fast enough again: {self._limit.now} battles at once from now on")


def why_failed(error: Exception) -> str:
    """Return one line that says why a task has no result.

    Raises:
        TurnwrightError: the operator must see this error.
    """
    if isinstance(error, TurnwrightError):
        raise error
    if isinstance(error, WorkerLost):
        return f"its worker was lost ({error})"
    return f"internal error: {type(error).__name__}: {error}"


class Interrupts:
    """Counts Ctrl-C and SIGTERM.

    Args:
        most: the number of signals that are only counted. The next one raises KeyboardInterrupt.
    """

    def __init__(self, most: int) -> None:
        self.count = 0
        self._most = most

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Count signals instead of raising. Outside the main thread, this does nothing."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(*_: object) -> None:
            self.count += 1
            if self.count > self._most:
                raise KeyboardInterrupt

        before = [(number, signal.signal(number, note)) for number in (signal.SIGINT, signal.SIGTERM)]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)
