"""A record names the sources of every seat, also those of built-in bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from turnwright import catalog, run_battle
from turnwright.net.files.reader import read_record
from turnwright.net.participants.source_hash import source_hash


def recorded(path: Path, *bots: str, game: str = "snake", **options: object) -> list[str | None]:
    run_battle(*bots, game=game, record=path, seed=1, **options)
    return [
        seat.source_hash
        for seat in read_record(path, rules=None if game is None else catalog.load(game)).header.seats
    ]


@pytest.mark.process
def test_built_in_bots_have_the_same_hash_in_process_and_on_a_server(tmp_path: Path) -> None:
    alone = recorded(tmp_path / "a.twr", "Greedy", "Wanderer")
    served = recorded(tmp_path / "b.twr", "Greedy", "Wanderer", turn_timeout="5s")
    assert None not in alone
    assert alone == served


@pytest.mark.process
def test_a_directory_and_a_built_in_bot_each_have_their_hash(tmp_path: Path) -> None:
    game, mine = dice_game(tmp_path / "dice"), write_bot(tmp_path, "Mine")
    found = recorded(tmp_path / "a.twr", str(mine), "Low", game=game)
    assert found[0] == source_hash(mine)
    assert found[1] not in (None, found[0])


def test_a_function_of_this_process_has_no_hash(tmp_path: Path) -> None:
    run_battle(lambda seen: "left", "Greedy", game="snake", record=tmp_path / "a.twr", seed=1)
    seats = read_record(tmp_path / "a.twr").header.seats
    assert seats[0].source_hash is None
    assert seats[1].source_hash is not None
