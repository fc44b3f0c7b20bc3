from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from turnwright.net.gc_pause import GcPause, gc_paused


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """Unfreeze all objects for the test. Afterwards turn the collector on and freeze them again."""
    gc.unfreeze()
    yield
    gc.enable()
    gc.freeze()


def test_the_collector_is_away_while_a_battle_runs_and_itself_again_after_it() -> None:
    before = gc.get_threshold()
    gc_pause = GcPause()
    gc_pause.begin()
    gc_pause.begin()
    try:
        assert gc_pause.on
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0]
    finally:
        gc_pause.end()
    gc_pause.end()
    assert not gc_pause.on
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before


def test_objects_frozen_by_other_code_stay_frozen() -> None:
    gc.freeze()
    try:
        gc_pause = GcPause()
        gc_pause.begin()
        gc_pause.end()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_the_collector_is_held_off_and_comes_back():
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_comes_back_after_an_error():
    with pytest.raises(KeyError), gc_paused():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()
