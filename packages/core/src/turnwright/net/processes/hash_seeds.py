"""Replays battles in processes with other hash seeds.

As a program, this module reads a battle, replays it, and prints where the replay differs.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout

from turnwright import catalog
from turnwright.errors import TurnwrightError
from turnwright.kernel.game import Game
from turnwright.kernel.record import Record
from turnwright.kernel.verify import verify

REPLAY_S_MAX = 300.0
"""The longest time for the replay of one battle, in seconds."""
_HASH_SEED = "PYTHONHASHSEED"
_NOT_LOADED = 3


def difference_elsewhere(game: Game, records: Sequence[Record]) -> str:
    """Replay each record in a separate process with another hash seed. Return the first difference.

    This is the place where a replay differs from its record, or the reason why the replay failed. Return ""
    if all replays match. The call waits up to REPLAY_S_MAX seconds for each process.

    Raises:
        ImportError: the other process cannot load the game, e.g. because its class is defined inside a
            function.
    """
    name = catalog.given_as(game)
    rules = game if name is None else None
    try:
        jobs = [pickle.dumps((name, pickle.dumps((rules, record)))) for record in records]
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ImportError(str(error)) from error
    seeds = [str(seed) for seed in range(1, len(jobs) + 2) if str(seed) != os.environ.get(_HASH_SEED)]
    with ExitStack() as stack:  # ends a process that gets no job, and waits for every process
        running = [stack.enter_context(_started(seed)) for seed, _ in zip(seeds, jobs, strict=False)]
        found = [_result(child, job) for child, job in zip(running, jobs, strict=True)]
    return next(filter(None, found), "")


def _started(seed: str) -> subprocess.Popen[bytes]:
    environ = {**os.environ, _HASH_SEED: seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    argv = (sys.executable, "-P", "-m", "turnwright.net.processes.hash_seeds")
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, env=environ, stdin=pipe, stdout=pipe, stderr=pipe)


def _result(child: subprocess.Popen[bytes], job: bytes) -> str:
    try:
        out, err = child.communicate(job, timeout=REPLAY_S_MAX)
    except subprocess.TimeoutExpired:
        child.kill()
        return f"it took longer than {REPLAY_S_MAX:g} s"
    if child.returncode == 0:
        return out.decode()
    last = (err.decode("utf-8", "replace").splitlines() or ["it was ended"])[-1]
    if child.returncode == _NOT_LOADED:
        raise ImportError(last)
    return last


def _replay() -> str:
    """Replay the battle that stdin contains. Return where the replay differs."""
    name, job = pickle.load(sys.stdin.buffer)
    try:
        found = None if name is None else catalog.load(name)  # loading makes a folder a package
        rules, record = pickle.loads(job)
    except (ImportError, AttributeError, TurnwrightError) as error:
        print(error, file=sys.stderr)
        sys.exit(_NOT_LOADED)
    mismatch = verify(record, rules if found is None else found).mismatch
    return "" if mismatch is None else f"it differs in turn {mismatch.turn}{_named(mismatch.fields)}"


def _named(fields: Sequence[str]) -> str:
    return f", in {', '.join(fields)}" if fields else ""


if __name__ == "__main__":
    with redirect_stdout(sys.stderr):
        said = _replay()
    sys.stdout.write(said)
