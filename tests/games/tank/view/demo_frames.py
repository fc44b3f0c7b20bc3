"""Play house bots in this process and print what a spectator saw, as JSON.

    python tests/games/tank/view/demo_frames.py Ace Tracker Spinner --rounds 2 > frames.json

For the demo page and the benchmark of the viewer. The output is {"battle": BattleInfo, "frames": [Frame]} in
the shapes of games/tank/view/model.js; what is not set is absent. `--plain` takes all colours away,
`--teams N` puts the bots into N teams by turns, `--debug` gives the first bot debug graphics.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from contextlib import suppress
from typing import Any

import msgspec

from turnwright.games.tank.bots.house import HOUSE
from turnwright.games.tank.bots.identity import GameInfo
from turnwright.games.tank.bots.player import Player, as_player
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.wire.royale.results import results_for_observers
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.record import TurnRules

_COLORS = ("bodyColor", "turretColor", "radarColor", "bulletColor", "scanColor", "tracksColor", "gunColor")


def drawing(width: int, height: int, state: dict[str, Any]) -> str:
    """Return debug graphics about one tank: where it is, a circle, a line and a text."""
    x, y = state["x"], state["y"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5000 5000">'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="120" fill="none" stroke="#00FFAA" stroke-width="2"/>'
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{width / 2}" y2="{height / 2}" stroke="#FF66CC"/>'
        f'<rect x="{width / 2 - 8}" y="{height / 2 - 8}" width="16" height="16" fill="#FF66CC"/>'
        f'<text x="{x + 40:.1f}" y="{y + 40:.1f}" fill="#00FFAA">danger 0.42</text></svg>'
    )


class EnoughError(Exception):
    """As many frames as were asked for have been taken down."""


class Camera:
    """Takes down every frame of a battle."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.frames: list[dict[str, Any]] = []

    def publish(self, battle: Battle) -> None:
        """Take one frame down."""
        state = battle.state
        frame = msgspec.to_builtins(battle.game.frame(state))
        frame["index"] = len(self.frames)
        if state.round_over:
            frame["roundResults"] = msgspec.to_builtins(results_for_observers(state.results))
        for bot in frame["botStates"]:
            if self.options.plain:
                for key in _COLORS:
                    bot.pop(key, None)
            if self.options.debug and bot["id"] == 1:
                bot["isDebuggingEnabled"] = True
                bot["debugGraphics"] = drawing(self.options.width, self.options.height, bot)
        self.frames.append(frame)
        if len(self.frames) == self.options.frames:
            raise EnoughError


def _told(players: list[Player], options: argparse.Namespace) -> None:
    for seat, player in enumerate(players):
        player.game_started(
            GameInfo(
                my_id=seat + 1,
                arena_width=options.width,
                arena_height=options.height,
                number_of_rounds=options.rounds,
            )
        )
        player.round_started(1)


def film(options: argparse.Namespace) -> dict[str, Any]:
    """Play the battle that the options ask for and return what was seen."""
    names = list(itertools.islice(itertools.cycle(options.bots), options.count or len(options.bots)))
    teams = [seat % options.teams + 1 if options.teams else None for seat in range(len(names))]
    infos = [
        SeatInfo(name, "1.0", team, {"team_name": f"Team {team}", "team_version": "1.0"} if team else {})
        for name, team in zip(names, teams, strict=True)
    ]
    setup = {
        "arena_width": options.width,
        "arena_height": options.height,
        "number_of_rounds": options.rounds,
    }
    battle = Battle(TankGame("interpreted"), setup, infos, options.seed, TurnRules())
    players = [as_player(HOUSE[name], seed=options.seed) for name in names]
    _told(players, options)
    camera = Camera(options)
    with suppress(EnoughError):
        play(battle, {seat: player.step for seat, player in enumerate(players)}, publish=camera.publish)
    seats = [
        {
            "id": seat + 1,
            "name": name,
            "version": "1.0",
            "teamId": team,
            "teamName": f"Team {team}" if team else None,
            "isDroid": False,
            "authors": ["The turnwright authors"],
            "platform": "Python",
        }
        for seat, (name, team) in enumerate(zip(names, teams, strict=True))
    ]
    info = {
        "gameType": "melee",
        "width": options.width,
        "height": options.height,
        "rounds": options.rounds,
        "turnTimeoutUs": 30_000,
        "seed": str(options.seed),
        "seats": seats,
        "results": msgspec.to_builtins(results_for_observers(battle.state.results)),
    }
    return {"battle": info, "frames": camera.frames}


def main() -> None:
    """Print a battle."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs="+", choices=list(HOUSE))
    parser.add_argument("--count", type=int, default=0, help="tanks in all; the bots are repeated")
    parser.add_argument("--width", type=int, default=800)
    parser.add_argument("--height", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument(
        "--frames", type=int, default=0, help="stop after so many turns in all (0: at the end)"
    )
    parser.add_argument("--teams", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--debug", action="store_true")
    sys.stdout.buffer.write(msgspec.json.encode(film(parser.parse_args())))


if __name__ == "__main__":
    main()
