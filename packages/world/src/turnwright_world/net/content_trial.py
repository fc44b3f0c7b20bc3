"""Loads content in a separate process as a trial, before the server loads it.

A verb file can run for ever, end its process, or block the interpreter in one call into C. The trial keeps
such files out of the server. After TRIAL_S the trial process is killed, with all processes that it has
started.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

from turnwright.errors import SetupError
from turnwright.net.portability import IS_LINUX
from turnwright.net.processes import guard
from turnwright_world.content.read import read_content

TRIAL_S = 10.0
MEMORY_BYTES = 2 << 30
_NICE = 5
"""The trial runs with low priority, so that turns get the processor first."""
_FRAME = re.compile(r'^  File "(verbs/[^"]+)", line (\d+)', re.MULTILINE)
_FINE = {"problem": None}


def why_not(files: Mapping[str, str], trial_s: float = TRIAL_S) -> str | None:
    """Return why content cannot be loaded, or None if it can be loaded.

    This blocks until the trial process has ended, for at most `trial_s` + TRIAL_S seconds.

    Args:
        files: texts by name.
    """
    with tempfile.TemporaryFile() as texts, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as log:
        texts.write(json.dumps(dict(files)).encode())
        texts.seek(0)
        is_late = False
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(trial_s)],
            stdin=texts,
            stdout=said,
            stderr=log,
            start_new_session=True,
        )
        try:
            process.wait(trial_s + TRIAL_S)
        except subprocess.TimeoutExpired:
            is_late = True
        finally:
            _kill(process)
            process.wait()
        is_late = is_late or process.returncode == -guard.KILL
        return _verdict(_read(said), _read(log), process.returncode, trial_s, is_late)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started. Without process groups, end only the process itself."""
    if IS_LINUX:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(1 << 20).decode("utf-8", "replace")


def _verdict(said: str, log: str, code: int, trial_s: float, is_late: bool) -> str | None:
    """Return the mistake that the process found, or how the process failed, or None.

    Args:
        said: the output of the process: one line for each verb file that it began to load, and its answer in
            the last line.
    """
    *begun, last = said.splitlines() or [""]
    if last.startswith("{"):
        problem = json.loads(last)["problem"]
        return None if problem is None else str(problem)
    where = last or (begun[-1] if begun else "the content")
    if (frame := _FRAME.search(log)) is not None:
        where = f"{frame[1]}:{frame[2]}"
    if is_late or "Timeout (" in log:
        return (
            f"{where}: it was not loaded within {trial_s:g} s; a file that is loaded defines verbs, and ends"
        )
    ends = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return f"{where}: it ends the process while it is loaded ({ends}); take that out"


def main() -> None:
    """Load the content from stdin, print why it cannot be loaded, and end the process."""
    files = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    if IS_LINUX:  # other systems have no limit on its memory
        import resource

        os.nice(_NICE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    faulthandler.enable()
    faulthandler.dump_traceback_later(float(sys.argv[1]), exit=True)

    def began(event: str, arguments: tuple[object, ...]) -> None:
        name = getattr(arguments[0], "co_filename", "") if event == "exec" else ""
        if name.startswith("verbs/"):
            print(name, file=answer, flush=True)

    sys.addaudithook(began)
    outcome: dict[str, str | None] = dict(_FINE)
    try:
        read_content(files)
    except SetupError as error:
        outcome["problem"] = str(error)
    print(json.dumps(outcome), file=answer, flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
