"""Only the owner of a failed bot sees its error and prints. They are in no record."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.league.tests.app.ladder.zips import CRASHES
from turnwright_league.app.worker import BattleJob, play_job
from turnwright_league.tournament.battle_spec import BattleSpec

pytestmark = pytest.mark.process

SECRETS = b"swordfish", b"no luck"
SLOW = """\
import time
from turnwright.client import play

def bid(observation):
    time.sleep(0.05)
    return 1

play(bid)
"""


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("keep", [False, True])
def test_errors_and_prints_are_in_the_spectators_record_only_if_they_are_public(
    tmp_path: Path, public: bool, keep: bool
) -> None:
    bot, record = write_bot(tmp_path, "Talker", CRASHES.decode()), tmp_path / "x.twr"
    spec = BattleSpec("dice", 1, '{"settings":{"turns":20},"turn_timeout_us":400000}', ("1", "2"), 1)
    bots = {"1": str(bot), "2": str(write_bot(tmp_path, "Slow", SLOW))}
    job = BattleJob(
        spec, dice_game(tmp_path / "dice"), bots, record=str(record), keep=keep, errors_public=public
    )
    result = play_job(job)
    assert result.failures["1"].error.startswith("ZeroDivisionError: no luck")
    assert any("swordfish" in line for line in result.printed["1"])  # its owner's
    recorded = gzip.decompress(record.read_bytes())
    assert b"crashed" in recorded or b"left" in recorded
    assert [secret in recorded for secret in SECRETS] == [public, public]
