"""Makes a batch of battles at the requested speed."""

from __future__ import annotations

import logging
from functools import cache

from turnwright_learn.tank.batch import Batch, BatchSettings, CompiledBatch, InterpretedBatch
from turnwright_tank.backends import extension
from turnwright_tank.seats import check_seats
from turnwright_tank.settings import read_settings

_log = logging.getLogger("turnwright")


def new_batch(common: BatchSettings, speed: str = "auto") -> Batch:
    """Return a batch. With "auto" it is compiled if the rules are.

    If "auto" has to interpret the rules, the log gives the reason once.

    Args:
        speed: "auto", "compiled" or "interpreted".

    Raises:
        SetupError: the speed is not available, or the settings are impossible.
    """
    check_seats(read_settings(common.settings), common.seats)
    why = extension.why_missing() if speed == "auto" else ""
    if why:
        _tell(why)
    if why or speed == "interpreted":
        return InterpretedBatch(common)
    return CompiledBatch(common)


@cache
def _tell(why: str) -> None:
    _log.warning("battles are interpreted, some hundred times slower than compiled: %s", why)
