"""The chapters of the reference for authors, in order."""

from __future__ import annotations

from authors import Part
from turnwright.app.serve import serve
from turnwright.client import play as play_function
from turnwright.game_package import GamePackage
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Game, Outcome, RoundProgress, SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.replay import replay
from turnwright.kernel.rng import Stream, Streams
from turnwright.kernel.verify import verify
from turnwright.testing.check_game import check_game
from turnwright_world.client.bot import WorldBot

_GAME = (
    ("To write", ("setup", "asked", "observe", "resolve", "outcome", "read_intent")),
    (
        "With defaults: turns and rounds",
        ("awaited", "round_progress", "opening", "merge", "default_intent", "retire", "reinstate", "faults"),
    ),
    ("With defaults: for spectators", ("frame", "live_frame", "scores", "round_scores")),
    (
        "With defaults: records and tests",
        ("tables", "snapshot", "save", "restore", "write_intent", "random_intent"),
    ),
    ("For learners", ("observation_space", "action_space", "encode", "decode", "rewards")),
)

_WORLD_BOT = (
    ("To write", ("on_turn", "on_threat", "on_message")),
    ("To call", ("command", "react", "hand_over", "change_mind", "ask_minds")),
)

CHAPTERS: tuple[tuple[str, tuple[Part, ...]], ...] = (
    (
        "A game",
        (
            Part(Game, _GAME),
            Part(SeatInfo),
            Part(Outcome),
            Part(RoundProgress),
            Part(Streams),
            Part(Stream),
            Part(check_game),
        ),
    ),
    ("The parts of a game", (Part(GamePackage),)),
    ("Programs that play", (Part(play_function), Part(WorldBot, _WORLD_BOT))),
    ("The engine", (Part(Battle, methods=False), Part(play), Part(replay), Part(verify), Part(serve))),
)
