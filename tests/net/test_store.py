"""The store's thread: in order, never in the way, and a database that fails stops nobody."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from turnwright.host.world.accounts import Account
from turnwright.net.store import Store
from turnwright.net.store_sql import FORMAT, Database, open_database

FACTS = {"format": FORMAT, "turn": "1", "now_us": "0"}


class Failing(Database):
    """A database that can be told to fail, and remembers what it was given."""

    errors = (sqlite3.Error,)

    def __init__(self) -> None:
        super().__init__(None)
        self.fails: bool | Exception = False
        self.written: list[tuple[Any, ...]] = []

    def write(self, changed: Any, facts: Any, lines: Any = (), accounts: Any = ()) -> None:
        if isinstance(self.fails, Exception):
            raise self.fails
        if self.fails:
            raise sqlite3.OperationalError("disk full")
        self.written.append((dict(changed), dict(facts), list(lines), list(accounts)))

    def close(self) -> None:
        self.written.append(("closed",))


def waited(database: Failing, *turns: Any) -> tuple[Store, list[int]]:
    saved: list[int] = []
    done = threading.Semaphore(0)

    def on_saved(turn: int) -> None:
        saved.append(turn)
        done.release()

    store = Store(database, on_saved)
    for turn, changed, fails in turns:
        database.fails = fails
        store.turn(turn, changed, {"turn": str(turn)}, b"line")
        assert done.acquire(timeout=10)
    return store, saved


def test_turns_are_written_in_order_and_told(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    database = open_database(path)
    database.load()
    saved: list[int] = []
    store = Store(database, saved.append)
    store.turn(1, {("creature", 1): b"one"}, FACTS, b"{}")
    store.account(Account("Anna", "hash", 1))
    store.turn(2, {("creature", 1): None}, {"turn": "2"}, None)
    store.close()
    assert saved == [1, 2]
    kept = open_database(path).load()
    assert kept is not None
    assert (kept.facts["turn"], kept.images, len(kept.accounts)) == ("2", [], 1)


def test_what_could_not_be_written_goes_with_the_next_turn_that_can() -> None:
    database = Failing()
    store, saved = waited(
        database,
        (1, {("creature", 1): b"a"}, False),
        (2, {("creature", 2): b"b"}, True),
        (3, {("creature", 1): None}, False),
    )
    store.close()
    assert saved == [1, 2, 3]
    assert store.trouble is None
    assert database.written[1][0] == {("creature", 2): b"b", ("creature", 1): None}
    assert database.written[1][2] == [(2, b"line"), (3, b"line")]
    assert database.written[-1] == ("closed",)


def test_while_nothing_can_be_written_the_reason_is_known_and_the_world_goes_on() -> None:
    database = Failing()
    store, saved = waited(database, (1, {}, True), (2, {}, True))
    assert (store.trouble, saved) == ("disk full", [1, 2])
    store.close()


def test_the_reason_is_one_line_whatever_the_database_says() -> None:
    said = sqlite3.OperationalError("the server is gone\n\tIs it running?\n")
    store, _ = waited(Failing(), (1, {}, said))
    assert store.trouble == "the server is gone Is it running?"
    store.close()


def test_a_mistake_of_ours_does_not_end_the_thread_and_is_logged_with_where_it_was(
    caplog: pytest.LogCaptureFixture,
) -> None:
    database = Failing()
    store, saved = waited(
        database, (1, {("creature", 1): b"a"}, OverflowError("too big")), (2, {("creature", 2): b"b"}, False)
    )
    store.close()
    assert saved == [1, 2]
    assert database.written[0][0] == {("creature", 1): b"a", ("creature", 2): b"b"}
    assert "Traceback" in caplog.text


def test_what_could_not_be_written_is_tried_once_more_at_the_end() -> None:
    database = Failing()
    store, _ = waited(database, (1, {("creature", 1): b"a"}, True))
    database.fails = False
    store.close()
    assert database.written == [
        ({("creature", 1): b"a"}, {"turn": "1"}, [(1, b"line")], []),
        ("closed",),
    ]
