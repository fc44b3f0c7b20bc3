"""Recordings of Tank Royale are shown on the tank's page, whatever their names."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from packages.core.tests.messages import says
from turnwright.app.replay import Viewable, look_at
from turnwright.errors import RecordError


def put(path: Path, *lines: bytes) -> Path:
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_a_recording_of_tank_royale_is_shown_whole_or_cut_off(tmp_path: Path) -> None:
    aborted = b'{"type":"GameAbortedEvent"}\n'
    whole = put(tmp_path / "x.battle.gz", aborted)
    shown = look_at(whole)
    assert shown == Viewable(whole, "royale", whole.stat().st_size, truncated=False, game=shown.game)
    assert shown.game.name == "tank"
    plain = tmp_path / "x.battle"
    plain.write_bytes(aborted)
    assert look_at(plain).kind == "royale"
    cut = tmp_path / "cut.battle.gz"
    cut.write_bytes(gzip.compress(aborted * 1_000, mtime=0)[:-9])
    assert look_at(cut).truncated


def test_other_json_lines_hold_no_battle(tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        look_at(put(tmp_path / "x.twr", b'{"a": 1}\n'))
    assert says(str(caught.value), "no turn … battle")
