"""The store's thread: in order, never in the way, and a database that fails stops no player."""

from __future__ import annotations

import queue
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright_world.host.accounts import Account
from turnwright_world.net.database import FORMAT, Database, open_database
from turnwright_world.net.store import Store

FACTS = {"format": FORMAT, "turn": "1", "now_us": "0"}


class Failing(Database):
    """A database that can be told to fail, and remembers what it was given."""

    errors = (sqlite3.Error,)

    def __init__(self) -> None:
        super().__init__(None)
        self.fails: bool | Exception = False
        self.written: list[tuple[Any, ...]] = []

    def write(self, changed: Any, facts: Any, lines: Any = (), accounts: Any = (), *_: Any) -> None:
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
        assert done.acquire(timeout=60)
    return store, saved


def test_turns_are_written_in_order_and_reported(tmp_path: Path) -> None:
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


def test_a_failed_write_is_repeated_with_the_next_turn() -> None:
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


def test_during_failed_writes_the_reason_is_known_and_the_world_continues() -> None:
    database = Failing()
    store, saved = waited(database, (1, {}, True), (2, {}, True))
    assert (store.trouble, saved) == ("disk full", [1, 2])
    store.close()


def test_trouble_with_writing_is_reported_once_and_so_is_its_end() -> None:
    database, told, troubles = Slow(), queue.Queue[int](), list[str | None]()
    store = Store(database, told.put, 0.05, on_trouble=troubles.append)
    for turn in (1, 2):
        store.turn(turn, {}, {}, None)
        assert told.get(timeout=60) == turn
    database.may_answer.set()
    store.turn(3, {}, {}, None)
    while told.get(timeout=60) != 3:
        pass
    store.close()
    assert not missing(troubles[0], "database", "0.05 s")
    assert troubles[1:] == [None]


class Slow(Failing):
    """A database that blocks until it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()

    def write(self, changed: Any, facts: Any, lines: Any = (), accounts: Any = (), *_: Any) -> None:
        assert self.may_answer.wait(60)
        super().write(changed, facts, lines, accounts)


def test_a_silent_database_stops_no_player_and_gets_everything_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    database, told = Slow(), queue.Queue[int]()
    store = Store(database, told.put, 0.05)
    for turn in (1, 2, 3):
        store.turn(turn, {("creature", turn): b"a"}, {"turn": str(turn)}, b"line")
        assert told.get(timeout=60) == turn
        assert not missing(store.trouble, "database", "0.05 s")
    assert database.written == []
    database.may_answer.set()
    store.turn(4, {("creature", 1): None}, {"turn": "4"}, b"line")
    while told.get(timeout=60) != 4:
        pass
    store.close()
    assert store.trouble is None
    *written, closed = database.written
    assert closed == ("closed",)
    assert [line for _, _, lines, _ in written for line in lines] == [
        (turn, b"line") for turn in (1, 2, 3, 4)
    ]
    assert written[0][0] == {("creature", 1): b"a"}
    assert {key: image for changed, *_ in written for key, image in changed.items()} == {
        ("creature", 1): None,
        ("creature", 2): b"a",
        ("creature", 3): b"a",
    }
    said = [record.levelname for record in caplog.records]
    assert said == ["ERROR", "WARNING"]


def test_a_write_that_fails_after_a_long_time_is_repeated_with_the_next_turn() -> None:
    database, told = Slow(), queue.Queue[int]()
    store = Store(database, told.put, 0.05)
    database.fails = True
    store.turn(1, {("creature", 1): b"a", ("creature", 2): b"a"}, {"turn": "1"}, b"line")
    assert told.get(timeout=60) == 1
    database.may_answer.set()
    assert told.get(timeout=60) == 1
    assert store.trouble == "disk full"
    database.fails = False
    store.turn(2, {("creature", 1): b"b"}, {"turn": "2"}, b"line")
    assert told.get(timeout=60) == 2
    store.close()
    changed = {("creature", 1): b"b", ("creature", 2): b"a"}
    assert database.written == [(changed, {"turn": "2"}, [(1, b"line"), (2, b"line")], []), ("closed",)]


def test_a_slow_answer_in_time_is_waited_for() -> None:
    database, told = Slow(), queue.Queue[int]()
    store = Store(database, told.put, 5.0)
    store.turn(1, {}, {"turn": "1"}, b"line")
    with pytest.raises(queue.Empty):
        told.get(timeout=0.2)
    database.may_answer.set()
    assert told.get(timeout=60) == 1
    store.close()
    assert told.empty()


def test_the_reason_is_one_line_whatever_the_database_says() -> None:
    said = "the server is gone\n\tIs it running?\n"
    store, _ = waited(Failing(), (1, {}, sqlite3.OperationalError(said)))
    assert store.trouble == " ".join(said.split())
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


def test_a_failed_write_is_repeated_at_the_end() -> None:
    database = Failing()
    store, _ = waited(database, (1, {("creature", 1): b"a"}, True))
    database.fails = False
    store.close()
    assert database.written == [
        ({("creature", 1): b"a"}, {"turn": "1"}, [(1, b"line")], []),
        ("closed",),
    ]
