"""Records of battles of tanks, as files."""

from __future__ import annotations

from pathlib import Path

from tests.wire.record.shown_battles import Told
from turnwright.games.tank.game import TankGame
from turnwright.net.files.writer import LineFiles
from turnwright.wire.record.v2 import Encoder

__all__ = ["write_record"]


def write_record(told: Told, path: Path) -> Path:
    """Write a record as the server does."""
    encoder = Encoder(TankGame("python").write_intent)
    archive = LineFiles(lambda battle: path)
    archive.open(1, encoder.encode_header(told.record.header))
    for entry in told.record.turns:
        archive.turn(1, encoder.encode_turn(entry))
    if told.record.footer is None:
        archive.abandon()
    else:
        archive.close(1, encoder.encode_footer(told.record.footer))
    return path
