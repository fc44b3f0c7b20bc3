"""A world in a database: whole or not at all, in a file and in PostgreSQL."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages.core.tests.net.postgres import Postgres
from turnwright.errors import SetupError
from turnwright_world.host.accounts import Account
from turnwright_world.host.minds.player_mind import PlayerMind
from turnwright_world.net.database import FORMAT, JOURNAL_TURNS, MEMORY, Database, open_database

FACTS = {"format": FORMAT, "turn": "3", "now_us": "750000"}


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with Postgres() as server:
        yield server.url


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "world.db")
    url: str = request.getfixturevalue("postgres_url")
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS meta, entities, journal, accounts, origins, minds")
    return url


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    opened = open_database(where)
    assert opened.load() is None
    yield opened
    opened.close()


def test_a_written_world_is_loaded_again(database: Database, where: str) -> None:
    database.write(
        {("creature", 1): b"one", ("place", "yard"): b"yard"}, FACTS, [(3, b"{}")], [Account("Anna", "h")]
    )
    database.write({("creature", 1): b"two"}, {"turn": "4"}, [(4, b"{}")], [Account("anna", "h2", 1)])
    database.close()
    again = open_database(where)
    kept = again.load()
    assert kept is not None
    assert kept.facts == {**FACTS, "turn": "4"}
    assert sorted(kept.images) == [("creature", b"two"), ("place", b"yard")]
    assert kept.accounts == [Account("Anna", "h2", 1)]
    assert again.journal() == [(3, b"{}"), (4, b"{}")]
    again.close()


def test_the_origin_of_an_accounts_last_login_is_saved(database: Database) -> None:
    database.write({}, FACTS, accounts=[Account("Anna", "h", 1, "0e"), Account("Bert", "h", 2)])
    database.write({}, {"turn": "4"}, accounts=[Account("Anna", "h", 1, "0f")])
    kept = database.load()
    assert kept is not None
    assert sorted(kept.accounts, key=lambda one: one.name) == [
        Account("Anna", "h", 1, "0f"),
        Account("Bert", "h", 2),
    ]


def test_settings_of_an_account_are_saved(database: Database) -> None:
    database.load()
    database.write({}, FACTS, accounts=[Account("Anna", "h", brief=True), Account("Bert", "h")])
    kept = database.load()
    assert kept is not None
    assert {account.name: account.brief for account in kept.accounts} == {"Anna": True, "Bert": False}
    database.write({}, {"turn": "4"}, accounts=[Account("Anna", "h")])
    kept = database.load()
    assert kept is not None
    assert not any(account.brief for account in kept.accounts)


def test_removed_entities_are_deleted(database: Database) -> None:
    database.write({("creature", 1): b"one", ("creature", 2): b"two"}, FACTS)
    database.write({("creature", 1): None, ("creature", 9): None}, {"turn": "4"})
    kept = database.load()
    assert kept is not None
    assert kept.images == [("creature", b"two")]


def test_a_turn_is_written_whole_or_not_at_all(database: Database) -> None:
    database.write({("creature", 1): b"one"}, FACTS)
    with pytest.raises(database.errors):
        database.write({("creature", 1): b"two"}, {"turn": "4"}, [(4, object())])  # type: ignore[list-item]
    kept = database.load()
    assert kept is not None
    assert (kept.images, kept.facts["turn"]) == ([("creature", b"one")], "3")


def test_the_journal_does_not_grow_for_ever(database: Database) -> None:
    lines = [(turn, b"") for turn in range(1, JOURNAL_TURNS + 1_001)]
    database.write({}, FACTS, lines)
    assert len(database.journal()) == JOURNAL_TURNS


def test_a_second_server_is_refused(database: Database, where: str) -> None:
    database.write({}, FACTS)
    with pytest.raises(SetupError, match="another server"):
        open_database(where)


def test_data_of_another_format_is_not_opened(database: Database) -> None:
    database.write({}, {**FACTS, "format": "99"})
    with pytest.raises(SetupError, match="format '99'"):
        database.load()


def test_a_missing_fact_is_reported_by_its_name(database: Database) -> None:
    database.write({}, {**FACTS, "turn": "x"})
    kept = database.load()
    assert kept is not None
    with pytest.raises(SetupError, match="no good 'turn': 'x'"):
        kept.number("turn")


def test_a_file_that_is_not_a_database_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear all, " * 500)
    with pytest.raises(SetupError, match="is not a world"):
        open_database(file)
    with pytest.raises(SetupError, match="is a directory"):
        open_database(tmp_path)
    with pytest.raises(SetupError, match="can be written"):
        open_database(tmp_path / "no" / "world.db")
    with pytest.raises(SetupError, match=r"mysql.* file, .*postgresql"):
        open_database("mysql://x/y")


def test_a_missing_database_server_is_reported_in_one_line() -> None:
    pytest.importorskip("psycopg", reason="the extra [postgres] is not installed")
    with pytest.raises(SetupError, match="does not answer") as caught:
        open_database("postgresql://tw:geheim@127.0.0.1:1/none")
    assert "\n" not in str(caught.value)
    assert "geheim" not in str(caught.value)


DIES_IN_THE_MIDDLE = """
import os, sys
from turnwright_world.net.database import open_database

class Minds(dict):
    def values(self):
        os._exit(9)

database = open_database(sys.argv[1])
facts = {name: value for name, value in database.load().facts.items()}
database.write({("creature", 1): b"two", ("creature", 2): b"new"}, {**facts, "turn": "4"}, minds=Minds())
"""


@pytest.mark.process
def test_a_file_survives_a_process_that_dies_in_the_middle_of_a_write(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    database = open_database(path)
    database.load()
    database.write({("creature", 1): b"one"}, FACTS)
    database.close()
    assert subprocess.run([sys.executable, "-c", DIES_IN_THE_MIDDLE, str(path)], timeout=60).returncode == 9
    again = open_database(path)
    kept = again.load()
    again.close()
    assert kept is not None
    assert (kept.facts, kept.images) == (FACTS, [("creature", b"one")])


def test_a_lost_connection_is_reopened(postgres_url: str) -> None:
    import psycopg

    database = open_database(postgres_url)
    database.load()
    database.write({("creature", 1): b"one"}, FACTS)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with pytest.raises(database.errors):
        database.write({("creature", 1): b"two"}, {"turn": "4"})
    database.write({("creature", 1): b"two"}, {"turn": "4"})
    kept = database.load()
    assert kept is not None
    assert kept.facts["turn"] == "4"
    with pytest.raises(SetupError, match="another server"):
        open_database(postgres_url)
    database.close()


def test_a_world_that_another_server_has_played_meanwhile_is_not_written_over(postgres_url: str) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP TABLE IF EXISTS meta, entities, journal, accounts, origins, minds")
    first = open_database(postgres_url)
    first.load()
    first.write({("creature", 1): b"has the ring", ("creature", 2): b""}, {**FACTS, "turn": "3"})
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with pytest.raises(first.errors):
        first.write({}, {"turn": "4"})
    second = open_database(postgres_url)
    second.load()
    second.write({("creature", 1): b"", ("creature", 2): b"has the ring"}, {"turn": "4"})
    second.close()
    for _ in range(2):
        with pytest.raises(first.errors, match="another server"):
            first.write({("creature", 3): b"has the ring"}, {"turn": "5"})
    first.close()
    third = open_database(postgres_url)
    kept = third.load()
    third.close()
    assert kept is not None
    assert sorted(kept.images) == [("creature", b""), ("creature", b"has the ring")]


def test_a_world_survives_a_reader_on_another_server(postgres_url: str) -> None:
    import psycopg

    first = open_database(postgres_url)
    first.load()
    first.write({}, FACTS)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with pytest.raises(first.errors):
        first.write({}, {"turn": "4"})
    second = open_database(postgres_url)
    second.load()
    second.close()
    first.write({}, {"turn": "4"})
    first.close()


def test_a_new_file_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    database = open_database(path)
    database.load()
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    database.close()
    assert "world.db" in modes
    assert set(modes.values()) == {0o600}


def test_minds_of_players_are_saved_replaced_stopped_and_deleted(database: Database, where: str) -> None:
    first, second = (
        PlayerMind("account:kim", 7, "def plan(view, random):\n    return 'é'\n"),
        PlayerMind("a", 7, "x"),
    )
    database.write({}, FACTS, minds={("account:kim", 7): first, ("a", 7): second, ("account:kim", 9): first})
    stopped = PlayerMind("account:kim", 7, "other", on=False)
    database.write({}, {}, minds={("account:kim", 7): stopped, ("account:kim", 9): None})
    database.close()
    again = open_database(where)
    kept = again.load()
    again.close()
    assert kept is not None
    assert kept.minds == [second, stopped]


def test_a_world_in_memory_lasts_only_for_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        database = open_database(MEMORY)
        assert database.load() is None
        database.write({("place", "yard"): b"image"}, FACTS)
        kept = database.load()
        assert kept is not None
        assert (kept.number("turn"), kept.images) == (3, [("place", b"image")])
        database.close()
    assert not list(tmp_path.iterdir())
