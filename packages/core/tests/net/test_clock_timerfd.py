from __future__ import annotations

import select
import time

import pytest

from turnwright.net import clock as timerfd

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not timerfd.supported(), reason="no timer file descriptors here"),
]


def test_a_timer_rings_once_at_its_instant_and_becomes_readable() -> None:
    timer = timerfd.create()
    try:
        assert not timerfd.rings(timer)
        at_ns = time.monotonic_ns() + 2_000_000
        timerfd.set_alarm(timer, at_ns)
        assert not timerfd.rings(timer)
        assert select.select([timer], [], [], 2)[0] == [timer]
        assert time.monotonic_ns() >= at_ns
        assert timerfd.rings(timer)
        assert not timerfd.rings(timer)
    finally:
        timerfd.close(timer)


def test_a_past_instant_rings_immediately_and_another_setting_silences_it() -> None:
    timer = timerfd.create()
    try:
        timerfd.set_alarm(timer, 1)
        assert select.select([timer], [], [], 2)[0] == [timer]
        timerfd.set_alarm(timer, time.monotonic_ns() + 10**12)
        assert not timerfd.rings(timer)
    finally:
        timerfd.close(timer)


def test_an_alarm_on_an_invalid_descriptor_raises_os_error() -> None:
    with pytest.raises(OSError):
        timerfd.set_alarm(-1, 1)
