"""Makes things once for all processes of a test run, in the first process that asks."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def shared_folder(paths: pytest.TempPathFactory, config: pytest.Config) -> Path:
    """Return a folder that all processes of this run share."""
    base = paths.getbasetemp()
    return base.parent if hasattr(config, "workerinput") else base


@contextmanager
def one_at_a_time(shared: Path, what: str) -> Iterator[None]:
    """Wait for the lock `what` in a shared folder, and hold it, so that only one process makes something."""
    with (shared / f"{what}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
