"""Snake and the tank in packages with other names, like third-party games with all their parts."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.house.source import SRC

PACKAGE = """
from turnwright.game_package import GamePackage

GAME = GamePackage(
    rules=".game:SnakeGame",
    bots=".bots:BOTS",
    protocol=".parts:AdderProtocol",
    options=".parts:AdderOptions",
    results=".parts:AdderResults",
    commands={"adder": (".parts", "count the adders", "battles")},
    display=".parts:AdderDisplay",
    view="view.js",
    spaces=".envs.spaces:SnakeSpaces",
    environments={"Adder-v0": {"seats": 2, "settings": {"width": 9}, "opponents": ["Greedy"]}},
)
"""
PARTS = '''
import sys
from dataclasses import dataclass
from turnwright.app.game.results import GameResults
from turnwright.app.option_fields import option
from turnwright.app.options import GenericBattleOptions
from turnwright.cli.parser import CommandSpec
from turnwright.cli.terminal import LiveDisplay
from turnwright.host.generic_protocol import GenericProtocol

@dataclass(frozen=True, kw_only=True)
class AdderOptions(GenericBattleOptions):
    """The settings of a battle of adders."""

    food: int = option(3, "pieces of food (default: {default})", metavar="N", group="game")

    def game_settings(self):
        return {**super().game_settings(), "food": self.food}

class AdderProtocol(GenericProtocol):
    """The generic protocol, whose server names itself otherwise."""

    said = []  # by bots and pages, to all servers

    def __init__(self, rules, options):
        super().__init__(rules, "adder 1", {} if options is None else options.game_settings())

    def decode(self, data, notes):
        self.said.append(data)
        return super().decode(data, notes)

class AdderResults(GameResults):
    def headings(self, rows):
        return {**super().headings(rows), "score": "Length"}

class AdderDisplay(LiveDisplay):
    def __init__(self, stream):
        super().__init__(stream)
        print("adders in characters", file=stream)

    def take(self, message):
        pass

def run(given):
    print("adders: 2")
    return 0

COMMAND = CommandSpec(run, "Counts the adders.", ())
'''


def copied_game(game: str, name: str, site: Path) -> Path:
    """Copy one of our games, under a new name, into a folder for packages, and return the copy."""
    package = site / name
    shutil.copytree(SRC / "games" / game, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in package.rglob("*.py"):
        text = file.read_text(encoding="utf-8").replace(f"turnwright.games.{game}", name)
        file.write_text(text.replace(f'= "{game}"', f'= "{name}"'), encoding="utf-8")
    return package


def install(name: str, site: Path) -> None:
    """Write the metadata by which an interpreter finds an installed package with a game."""
    install_points(site, name, "turnwright.games", **{name: f"{name}:GAME"})


def install_points(site: Path, name: str, group: str, **points: str) -> None:
    """Write the metadata by which an interpreter finds an installed package's entry points of a group."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[{group}]", *(f"{point} = {place}" for point, place in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
