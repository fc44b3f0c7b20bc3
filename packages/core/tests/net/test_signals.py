from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from turnwright.net.signals import terminable


def test_sigterm_is_an_interruption_and_its_handler_is_restored() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), terminable():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_in_another_thread_nothing_changes() -> None:
    def inside() -> object:
        with terminable():
            return signal.getsignal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(inside).result(10) is before
