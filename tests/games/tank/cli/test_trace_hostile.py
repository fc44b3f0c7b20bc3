"""Recordings of strangers with impossible numbers: told or refused, never an internal error."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import msgspec
import pytest

from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.wire.recording.from_record import messages_of
from turnwright.net.files.reader import read_record

KEYS = (
    "energy",
    "x",
    "y",
    "direction",
    "gunDirection",
    "speed",
    "gunHeat",
    "power",
    "damage",
    "turnNumber",
    "roundNumber",
    "id",
    "bulletId",
    "victimId",
    "totalScore",
    "firstPlaces",
    "arenaWidth",
    "arenaHeight",
    "turnTimeout",
    "numberOfRounds",
    "maxInactivityTurns",
)


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("hostile") / "x.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return [msgspec.json.encode(one) for one in messages_of(read_record(path), TankGame("interpreted"))]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", [b"1e999", b"-5", b"0", b"1e308"])
def test_impossible_numbers_are_told_or_refused(
    messages: list[bytes], tmp_path: Path, key: str, value: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    pattern = re.compile(rb'"' + key.encode() + rb'":-?[0-9.e+-]+')
    changed = b'"' + key.encode() + b'":' + value
    path = tmp_path / "x.battle.gz"
    lines = [pattern.sub(changed, line) if k % 3 == 0 else line for k, line in enumerate(messages)]
    path.write_bytes(gzip.compress(b"\n".join(lines), 1))
    for words in (
        ["trace"],
        ["trace", "--format", "jsonl"],
        ["replay", "--text", "--once", "--turn", "1.30"],
    ):
        assert main([words[0], str(path), *words[1:]]) in (0, 2), capsys.readouterr().err
