"""A battle of tanks can write a recording of the messages of spectators in addition to its record."""

from __future__ import annotations

import gzip
from pathlib import Path

from turnwright.app.game.playable import find_game
from turnwright.net.files.battle_record import BattleRecord
from turnwright_tank.game import TankGame


def test_a_recording_is_written_to_the_requested_path(tmp_path: Path) -> None:
    path = tmp_path / "x.battle.gz"
    one = BattleRecord(TankGame("interpreted"), None, path, find_game("tank").records.writer(path))
    assert one.shown is not None
    one.shown.take(b'{"type":"GameStartedEventForObserver"}')
    one.shown.take(b'{"type":"GameAbortedEvent"}')
    assert one.finish() is None
    assert one.recorded == tmp_path / "x.battle.gz"
    assert len(gzip.decompress(one.recorded.read_bytes()).splitlines()) == 2


def test_a_recording_without_an_end_is_not_reported_as_complete(tmp_path: Path) -> None:
    path = tmp_path / "x.battle.gz"
    one = BattleRecord(TankGame("interpreted"), None, path, find_game("tank").records.writer(path))
    assert one.shown is not None
    one.shown.take(b'{"type":"GameStartedEventForObserver"}')
    one.finish()
    assert one.recorded is None
    assert (tmp_path / "x.battle.gz").stat().st_size > 0
