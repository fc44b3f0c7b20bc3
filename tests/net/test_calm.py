from __future__ import annotations

import gc

from turnwright.net.calm import Calm


def test_the_collector_is_away_while_a_battle_runs_and_itself_again_after_it() -> None:
    before = gc.get_threshold()
    calm = Calm()
    calm.begin()
    calm.begin()
    try:
        assert calm.on
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0]
    finally:
        calm.end()
    calm.end()
    assert not calm.on
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before


def test_what_somebody_else_froze_stays_frozen() -> None:
    gc.freeze()
    try:
        calm = Calm()
        calm.begin()
        calm.end()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
