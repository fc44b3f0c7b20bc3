from __future__ import annotations

import subprocess
from types import TracebackType
from typing import Any

import pytest

from turnwright.games.countdown.game import Countdown
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record
from turnwright.net.processes.hash_seeds import difference_elsewhere


class CannotLoad:
    """A process that cannot load the game."""

    running = 0
    returncode = 3

    def __init__(self, *_: object, **__: object) -> None:
        CannotLoad.running += 1

    def communicate(self, job: bytes, timeout: float) -> tuple[bytes, bytes]:
        return b"", b"No module named 'away'"

    def __enter__(self) -> CannotLoad:
        return self

    def __exit__(self, kind: type[Any] | None, error: Any, trace: TracebackType | None) -> None:
        CannotLoad.running -= 1


def test_no_process_is_left_if_the_first_one_cannot_load_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", CannotLoad)
    record = Record(Battle(Countdown(), {}, [SeatInfo("bot")], 1).header, [])
    with pytest.raises(ImportError, match="away"):
        difference_elsewhere(Countdown(), [record, record])
    assert CannotLoad.running == 0
