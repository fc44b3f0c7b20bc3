"""A world begins, and resumes where it was saved."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from packages.core.tests.messages import missing, naming
from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle
from turnwright_world.example import yard
from turnwright_world.game import WorldGame
from turnwright_world.intent import GateEvent, WorldIntent
from turnwright_world.net.database import MEMORY, Database, open_database
from turnwright_world.net.open_world import open_world
from turnwright_world.rules.verbs import Rules


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "world.db")
    yield opened
    opened.close()


def play(battle: Battle, turns: int) -> list[str]:
    """Let Anna join and dig; return the digests."""
    digests = []
    for _ in range(turns):
        opened = battle.open_turn()
        world = battle.state.world
        if not world.creatures:
            battle.collecting.submit(
                0, WorldIntent(gate=(GateEvent("join", None, "Anna", {"owner": "guest:x"}),)), 0, opened.turn
            )
        for body in world.creatures:
            battle.collecting.submit(body, WorldIntent("dig"), 0, opened.turn)
        battle.end_collecting(0)
        digests.append(battle.close_turn().entry.digest)
    return digests


def keep(database: Database, battle: Battle) -> None:
    world = battle.state.world
    database.write(battle.state.take_changed(), {"turn": str(world.turn), "now_us": str(world.now_us)})


def test_a_new_world_and_its_seed_are_written_immediately(database: Database) -> None:
    opened = open_world(WorldGame(), database, seed=11)
    kept = database.load()
    assert kept is not None
    assert (kept.facts["seed"], kept.facts["turn"], opened.kept_turn) == ("11", "0", None)
    assert bytes.fromhex(kept.facts["salt"]) == opened.salt
    assert {kind for kind, _ in kept.images} == {"place", "rest"}


def test_a_saved_world_resumes_as_if_it_had_never_stopped(database: Database) -> None:
    first = open_world(WorldGame(), database, seed=11).battle
    play(first, 3)
    keep(database, first)
    again = open_world(WorldGame(), database)
    assert again.kept_turn == 3
    assert again.reload is None
    assert again.battle.state.take_changed() == {}
    assert play(again.battle, 12) == play(first, 12)


def test_a_record_of_a_world_that_was_kept_can_be_played_again(database: Database) -> None:
    first = open_world(WorldGame(), database, seed=11).battle
    play(first, 3)
    keep(database, first)
    battle = open_world(WorldGame(), database, keep_checks=True).battle
    digests = play(battle, 5)
    header = battle.header
    replayed = Battle(WorldGame(), header.setup, header.seats, header.seed, header.rules)
    assert play(replayed, 5) == digests


def test_changed_content_is_reported_and_counts_from_the_first_turn(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = yard(), yard()
    old.content_hash, new.content_hash = "old", "new"
    open_world(WorldGame(old), database, seed=11)
    again = open_world(WorldGame(new), database)
    assert again.reload == "new"
    assert naming(caplog.text, "content old", "content new")


def test_data_that_does_not_fit_together_is_refused_in_one_line(database: Database) -> None:
    open_world(WorldGame(), database, seed=11)
    database.write({("place", "yard"): b"\xc1"}, {})
    with pytest.raises(SetupError, match="cannot be used"):
        open_world(WorldGame(), database)


@pytest.mark.parametrize(
    "columns", ["key TEXT, text TEXT", "name TEXT, value TEXT"], ids=["unreadable", "unwritable"]
)
def test_a_database_of_another_program_is_refused_in_one_line(tmp_path: Path, columns: str) -> None:
    file = tmp_path / "notes.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute(f"CREATE TABLE meta ({columns})")
    database = open_database(file)
    with pytest.raises(SetupError) as error:
        open_world(WorldGame(), database)
    database.close()
    assert not missing(str(error.value), "--data", "another database")
    assert "\n" not in str(error.value)


def test_a_world_in_memory_is_new_each_time() -> None:
    one, other = (open_world(WorldGame(), open_database(MEMORY)) for _ in range(2))
    one.database.close()
    other.database.close()
    assert one.battle.header.seed != other.battle.header.seed
    assert one.salt != other.salt


def test_the_old_content_is_looked_up_and_counts_until_the_new_one_does(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = yard(), yard()
    old.content_hash, new.content_hash = "old", "new"
    open_world(WorldGame(old), database, seed=11)
    asked: list[str] = []

    def find(content: str) -> Rules:
        asked.append(content)
        return old

    game = WorldGame(new)
    again = open_world(game, database, find=find)
    assert (asked, again.reload, caplog.text) == (["old"], "new", "")
    assert again.battle.state.rules is old
