"""Answers to /analysis: the analysis of a battle, made by a separate process.

    /analysis          the battle that is running here or ran last, as far as it is recorded
    /analysis/NAME     a record that this server offers

The body is the output of `turnwright trace RECORD --format json --no-events`. Only one such command runs at a
time, with a low priority, so no turn waits for it. The answer about a running battle may be slightly
old. The frames of a record are made in the same way.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import EXIT_MISMATCH, EXIT_OK, RecordError
from turnwright.net.clock import now_ns
from turnwright.net.http.request import HttpResponse, text
from turnwright.net.portability import lower_priority

ANALYSIS_S_MAX = 600.0
"""The longest time of one analysis, in seconds."""
KEPT_MAX = 8
"""The number of analyses that are kept. An analysis is used again if its record has not changed."""
REST_TIMES = 4
"""The pause before a running battle is analysed again, as a multiple of the duration of the last analysis."""
REST_NS_MIN = 1_000_000_000
"""The shortest such pause, in ns."""
OnStart = Callable[[subprocess.Popen[bytes]], None]
"""Called with the process that computes an answer, so that the caller can end the process."""
_OPTIONS = ("--format", "json", "--no-events")
_NICENESS = 10
"""The priority of an analysis. On a machine whose processors are all busy, 19 would get almost no time."""
_ERROR_LETTERS_MAX = 500


@dataclass(frozen=True, slots=True)
class _Known:
    """An analysis of a file.

    Attributes:
        mark: the size of the file, and the time of its last change, when it was analysed.
        took_ns, done_ns: how long the analysis took, and the time at which it was done.
    """

    mark: tuple[int, int]
    body: bytes
    took_ns: int
    done_ns: int


class AnalysisProcess:
    """Analyses records, one at a time, for threads that request it. Call `close` at the end.

    Args:
        live: returns the record of the battle that is running or ran last. None means that there is none yet.
        admits: returns whether a secret is valid for spectators. It gets None if the caller has sent no
            secret.
        work: makes the answer for a record, and reports the process that it starts. It raises RecordError if
            there is no answer.
        kept_max: the number of answers that are kept.
    """

    def __init__(
        self,
        live: Callable[[], Path | None] = lambda: None,
        admits: Callable[[str | None], bool] = lambda _: True,
        work: Callable[[Path, OnStart], bytes] | None = None,
        kept_max: int = KEPT_MAX,
    ) -> None:
        self._work = analysis_of if work is None else work
        self._kept_max = kept_max
        self._live = live
        self._admits = admits
        self._known: dict[Path, _Known] = {}
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether an analysis is running."""
        return self._lock.locked()

    @property
    def whole(self) -> bool:
        """Whether the newest analysis covers the whole record of the live battle."""
        path = self._live()
        known = None if path is None else self._known.get(path)
        return path is not None and known is not None and known.mark == _mark(path)

    def of_live(self, secret: str | None) -> HttpResponse:
        """Return the analysis of the live battle for a caller that gives this secret.

        The call may take minutes. If the secret is wrong, the status is 401. Otherwise the answer is the same
        as from `of_file`.
        """
        if not self._admits(secret):
            return text(401, "this server needs a secret: send it as Bearer token")
        path = self._live()
        if path is None:
            return text(202, "no battle has been played here yet: ask again", Retry_After="1")
        return self.of_file(path)

    def of_file(self, path: Path) -> HttpResponse:
        """Return the analysis of a record, as JSON with the status 200. The call may take minutes.

        If the record has grown since its last analysis, the answer may still be that one. Status 202 means
        that the analysis is not ready, or another one is running. The caller must ask again.
        Status 422 means that the record cannot be analysed.
        """
        mark, known = _mark(path), self._known.get(path)
        if mark is None:
            return text(202, "there is no record of a battle yet: ask again", Retry_After="1")
        if known is not None and (known.mark == mark or not _is_due(known)):
            return _answer(known)
        if not self._lock.acquire(blocking=False):
            if known is not None:
                return _answer(known)
            return text(202, "an analysis is under way: ask again", Retry_After="1")
        try:
            started = now_ns()
            body = self._work(path, self._started)
            self._keep(path, _Known(mark, body, now_ns() - started, now_ns()))
        except RecordError as error:
            return text(422, str(error))
        finally:
            self._child = None
            self._lock.release()
        return _answer(self._known[path])

    def close(self) -> None:
        """End the running analysis. An analysis that begins after this call is ended at once."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()

    def _started(self, child: subprocess.Popen[bytes]) -> None:
        lower_priority(child.pid, _NICENESS)
        self._child = child
        if self._closed:
            child.kill()

    def _keep(self, path: Path, known: _Known) -> None:
        self._known.pop(path, None)
        self._known[path] = known
        while len(self._known) > self._kept_max:
            del self._known[next(iter(self._known))]


def analysis_of(path: Path, on_start: OnStart = lambda _: None, command: str = "trace") -> bytes:
    """Return the analysis of a record as JSON. Another process computes it.

    Args:
        on_start: called with the process.
        command: the game's command that analyses records.

    Raises:
        RecordError: the record cannot be analysed.
    """
    argv = (sys.executable, "-P", "-m", "turnwright.cli", *command.split(), *_OPTIONS, "--", str(path))
    return output_of(argv, "the analysis", on_start)


def output_of(argv: Sequence[str], what: str, on_start: OnStart) -> bytes:
    """Run one of our programs, and return its output.

    Args:
        what: the work of the program, for error messages.
        on_start: called with its process.

    Raises:
        RecordError: the program fails, prints nothing, or takes longer than ANALYSIS_S_MAX. In the first two
            cases, the message is the start of the last line of its stderr, without "turnwright: ", or says
            that the program was ended.
    """
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        on_start(child)
        try:
            body, said = child.communicate(timeout=ANALYSIS_S_MAX)
        except subprocess.TimeoutExpired:
            child.kill()
            raise RecordError(f"{what} took longer than {ANALYSIS_S_MAX:g} s") from None
    if child.returncode not in (EXIT_OK, EXIT_MISMATCH) or not body:
        lines = said.decode("utf-8", "replace").splitlines() or [f"{what} was ended"]
        raise RecordError(lines[-1].removeprefix("turnwright: ")[:_ERROR_LETTERS_MAX])
    return body


def _answer(known: _Known) -> HttpResponse:
    return HttpResponse(200, known.body, "application/json")


def _is_due(known: _Known) -> bool:
    return now_ns() - known.done_ns >= max(REST_NS_MIN, REST_TIMES * known.took_ns)


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if status.st_size else None
