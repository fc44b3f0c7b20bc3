"""The page of the bot library has every name, and the page for Robocode authors names only existing ones."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import turnwright_tank.bots
from turnwright_tank.bots import Bot
from turnwright_tank.bots.bot import Handlers
from turnwright_tank.bots.docs import METHODS, SETTINGS, render

ROOT = Path(__file__).parents[4]
COMING = ROOT / "packages/tank/docs/coming-from-robocode.md"
TYPED_BOT = """
from turnwright_tank.bots import Bot, Observation, ScannedBotEvent, aim_ahead, normalize


class Typed(Bot):
    def on_tick(self, observation: Observation) -> None:
        self.turn_rate = 5
        self.target_speed = self.info.arena_width / 100

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        aim = aim_ahead(self.me.x, self.me.y, event, 2, self.info.arena_width, self.info.arena_height)
        self.gun_turn_rate = normalize(aim - self.me.gun_direction)
        self.fire(min(2, event.energy))
"""
WRONG_LINES = {
    'self.turn_rate = "fast"': "str",
    "self.me.energi": "energi",
    "event.distance": "distance",
    'self.fire("hard")': "fire",
}


def public(names: object) -> set[str]:
    return {name for name in dir(names) if not name.startswith("_")}


def test_every_name_of_the_library_is_on_its_page() -> None:
    page = render()
    assert [name for name in turnwright_tank.bots.__all__ if not re.search(rf"\b{name}\b", page)] == []
    for name in sorted(public(Bot())):
        assert re.search(rf"`(?:self\.)?{name}\b", page), name


def test_each_method_of_a_bot_is_in_one_group() -> None:
    grouped = [name for names in METHODS.values() for name in names]
    own = {name for name, member in inspect.getmembers(Bot, inspect.isroutine) if not name.startswith("_")}
    handlers = {name for name in vars(Handlers) if name.startswith("on_")}
    assert sorted(grouped) == sorted(own - handlers)


def test_the_initial_values_of_settings_are_true() -> None:
    bot = Bot()
    for name, (_, start) in SETTINGS.items():
        assert str(getattr(bot, name)) in (start, "0.0"), name


def test_our_names_in_the_table_of_official_names_exist() -> None:
    rows = re.findall(r"^\| `[^|]* \| ([^|]*) \|", COMING.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 40
    bot = Bot()
    known = public(bot) | set(turnwright_tank.bots.__all__)
    for row in rows:
        for code in re.findall(r"`([^`]*)`", row):
            names = re.findall(r"\bself\.(\w+)", code) or [code.partition("(")[0].rpartition(".")[2]]
            assert set(names) <= known | {"me", "observation"}, code
            for field in re.findall(r"\bself\.me\.(\w+)", code):
                assert hasattr(turnwright_tank.bots.TankState, field), field
            for field in re.findall(r"\bself\.info\.(\w+)", code):
                assert hasattr(bot.info, field), field
            for field in re.findall(r"\bself\.observation\.(\w+)", code):
                assert hasattr(turnwright_tank.bots.Observation, field), field


def check_types(path: Path) -> subprocess.CompletedProcess[str]:
    words = ["-m", "mypy", "--strict", "--config-file=", str(path)]
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=path.parent)


@pytest.mark.process
@pytest.mark.long
def test_a_bot_is_checked_against_the_types_of_the_library(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(TYPED_BOT, encoding="utf-8")
    right = check_types(bot)
    assert right.returncode == 0, right.stdout
    bot.write_text(TYPED_BOT + "".join(f"        {line}\n" for line in WRONG_LINES), encoding="utf-8")
    wrong = check_types(bot)
    assert wrong.stdout.count("error:") == len(WRONG_LINES), wrong.stdout
    for word in WRONG_LINES.values():
        assert word in wrong.stdout
