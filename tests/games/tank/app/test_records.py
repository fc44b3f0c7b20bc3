"""Records of tanks are verified by the rules that are quicker for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright import run_battle
from turnwright.app.verify import verify_file
from turnwright.games.tank.app import records
from turnwright.games.tank.backends import compile as compiled
from turnwright.net.files.reader import read_record


@pytest.mark.skipif(not compiled.available(), reason="Numba is not installed")
def test_records_are_verified_compiled_where_that_is_loaded_or_pays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = tmp_path / "good.twr"
    run_battle("Spinner", "Rammer", rounds=2, seed=3, record=good, max_inactivity_turns=1)
    record, loaded = read_record(good), False
    monkeypatch.setattr(compiled, "is_loaded", lambda program=None: loaded)
    assert records.RECORDS.rules(record).speed == "python"
    monkeypatch.setattr(records, "PATIENCE_US", 0)
    monkeypatch.setattr(compiled, "is_cached", lambda program=None: False)
    assert records.RECORDS.rules(record).speed == "python", "it is not worth compiling"
    monkeypatch.setattr(compiled, "is_cached", lambda program=None: True)
    assert records.RECORDS.rules(record).speed == "numba"
    assert verify_file(good).to_data()["ok"]
    monkeypatch.undo()
    compiled.load()
    assert records.RECORDS.rules(record).speed == "numba"
