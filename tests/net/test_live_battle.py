from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.playing import SPINNING_BOT
from tests.net.bot_directories import make_bot
from turnwright.games.tank.game import TankGame
from turnwright.net import loops
from turnwright.net.contestants import places_of
from turnwright.net.live_battle import LiveBattle, play_live
from turnwright.net.records import read_record
from turnwright.net.spool import Spool
from turnwright.options import BattleOptions
from turnwright.results import Progress

pytestmark = pytest.mark.process

TELLS = """
import json, os
with open(os.environ["TELL"], "w") as file:
    json.dump([open("/proc/self/cmdline").read(), dict(os.environ)], file)
"""


def test_secrets_are_in_the_environment_only_and_the_seed_is_given_to_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told.json"
    monkeypatch.setenv("TELL", str(told))
    monkeypatch.setenv("TURNWRIGHT_CONTROLLER_SECRETS", "of another server")
    monkeypatch.setenv("SERVER_SECRET", "of another server")
    bot = make_bot(tmp_path, "Bot", {"Bot.py": TELLS + SPINNING_BOT})
    options = BattleOptions((bot, "Duck"), rounds=1, record=tmp_path / "b.twr", python=sys.executable)
    spool = Spool(TankGame("python"), options.record)
    progress: list[Progress] = []
    battle = LiveBattle(options, places_of(options.bots, options.python), 77, spool)
    summary = loops.run(play_live(battle, progress.append))
    assert spool.finish() == options.record
    assert (summary.ending, summary.seed, summary.rounds) == ("over", 77, 1)

    command_line, environ = json.loads(told.read_text())
    assert environ["BOT_SEED"] == "77"
    assert len(environ["SERVER_SECRET"]) >= 16
    assert environ["SERVER_SECRET"] not in command_line
    assert "of another server" not in environ.values()

    record = read_record(tmp_path / "b.twr")
    assert record.header.seed == 77
    assert [seat.name for seat in record.header.seats] == ["Bot", "Duck"]
    assert record.header.rules.opening_timeout_ns == 1_000_000_000
    assert environ["SERVER_SECRET"].encode() not in (tmp_path / "b.twr").read_bytes()
    assert progress[0].stage == "starting"


def test_bots_sit_in_the_order_in_which_they_were_named(tmp_path: Path) -> None:
    late = make_bot(tmp_path, "Late", {"Late.py": "import time; time.sleep(0.5)\n" + SPINNING_BOT})
    soon = make_bot(tmp_path, "Soon", {"Soon.py": SPINNING_BOT})
    options = BattleOptions((late, "Duck", soon), rounds=1, python=sys.executable)
    spool = Spool(TankGame("python"), None)
    battle = LiveBattle(options, places_of(options.bots, options.python), 1, spool)
    summary = loops.run(play_live(battle, lambda progress: None))
    spool.finish()
    assert [seat.name for seat in summary.seats] == ["Late", "Duck", "Soon"]
