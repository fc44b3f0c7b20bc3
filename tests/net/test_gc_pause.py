from __future__ import annotations

import gc

from turnwright.net.gc_pause import GcPause


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


def test_what_somebody_else_froze_stays_frozen() -> None:
    gc.freeze()
    try:
        gc_pause = GcPause()
        gc_pause.begin()
        gc_pause.end()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
