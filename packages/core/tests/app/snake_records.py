"""Records of battles of snakes."""

from __future__ import annotations

import gzip
from pathlib import Path

from turnwright.games.snake.bots import greedy, wanderer
from turnwright.games.snake.game import SnakeGame
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.record import Footer, Header, Record, TurnRules
from turnwright.wire.record.v2 import Encoder

GAME = SnakeGame()


def play_snake(turns: int) -> Record:
    """Return the record of a battle of two snakes."""
    seats = (SeatInfo("Greedy"), SeatInfo("Wanderer"))
    battle = Battle(GAME, {"turns": turns}, seats, 7)
    entries: list[Closed] = []
    play(battle, {0: greedy, 1: wanderer}, entries.append)
    header = Header("snake", 1, 7, {"turns": turns}, seats, TurnRules(), rules_hash=GAME.rules_hash)
    return Record(header, [closed.entry for closed in entries], Footer("over", battle.turn))


def written(record: Record, path: Path) -> Path:
    encoder = Encoder(GAME.write_intent)
    lines = [encoder.encode_header(record.header), *map(encoder.encode_turn, record.turns)]
    assert record.footer is not None
    path.write_bytes(gzip.compress(b"".join([*lines, encoder.encode_footer(record.footer)])))
    return path
