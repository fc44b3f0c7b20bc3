"""Makes things once for all processes of a test run, in the first process that asks."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def shared_folder(paths: pytest.TempPathFactory, config: pytest.Config) -> Path:
    """Return a folder of all processes of this run."""
    base = paths.getbasetemp()
    return base.parent if hasattr(config, "workerinput") else base


@contextmanager
def one_at_a_time(shared: Path, what: str) -> Iterator[None]:
    """Let one process at a time look whether something exists, and make it if it does not."""
    with (shared / f"{what}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
