from __future__ import annotations

import gc

import pytest

from turnwright.net.gc_pause import gc_paused


@pytest.fixture(autouse=True)
def _as_it_was():
    yield
    gc.enable()


def test_the_collector_is_held_off_and_comes_back():
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_comes_back_after_an_error():
    with pytest.raises(KeyError), gc_paused():
        raise KeyError
    assert gc.isenabled()


def test_one_that_was_off_stays_off():
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()
