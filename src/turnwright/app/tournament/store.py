"""The results of a tournament in SQLite or PostgreSQL; each battle counts once.

    meta      name, value                       the format, and what every run of the tournament keeps
    entries   id, data, origin, seats, state, joined
    battles   id, counts, data                  one row a battle; `data` is a PlayedBattle as JSON

A battle that counts is never replaced: to add it again does nothing. One that is void or suspect gives way to
the same battle played again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnwright.errors import SetupError
from turnwright.tournament.entries import TournamentEntry
from turnwright.tournament.played_battle import PlayedBattle

__all__ = ["STORE_FORMAT", "EntryState", "KeptBattle", "KeptEntry", "ResultStore", "open_store"]

STORE_FORMAT = "1"
"""Of the tables; a store of another format is not opened."""

EntryState = Literal["plays", "changed", "gone", "removed"]
"""plays: it gets battles. changed: its sources are others now, under another id. gone: its directory is no
longer there. removed: by an operator; it is not in the standings either."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS entries (id TEXT PRIMARY KEY, data TEXT NOT NULL, origin TEXT NOT NULL,"
    " seats BIGINT NOT NULL, state TEXT NOT NULL, joined BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS battles (id TEXT PRIMARY KEY, counts BIGINT NOT NULL, data TEXT NOT NULL)",
)
_PUT_META = "INSERT INTO meta VALUES ({p}, {p}) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_PUT_ENTRY = (
    "INSERT INTO entries VALUES ({p}, {p}, {p}, {p}, {p}, {p})"
    " ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, state = excluded.state"
)
_PUT_BATTLE = (
    "INSERT INTO battles VALUES ({p}, {p}, {p}) ON CONFLICT (id) DO UPDATE"
    " SET counts = excluded.counts, data = excluded.data WHERE battles.counts = 0"
)
_LOCK = 0x7475726F
"""The advisory lock of a tournament in PostgreSQL."""
_CONNECT_S = 5
_NO_TABLE = (
    "no such table",
    'relation "meta" does not exist',
    'column "name" does not exist',
    "no such column",
)
_FULL = ("disk is full", "disk I/O error", "No space left")


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """An entry as the store has it; see `folder.TournamentBot`.

    joined: its place in the order of joining.
    """

    entry: TournamentEntry
    origin: str
    seats: int
    state: EntryState
    joined: int


@dataclass(frozen=True, slots=True)
class KeptBattle:
    """A row of the table of battles.

    id: its key. battle: None where `data` is none; then `error` says why.
    """

    id: str
    battle: PlayedBattle | None
    error: str = ""


class ResultStore:
    """The part that both databases share.

    connection: of DB-API 2.0; errors: what its calls raise. All methods raise SetupError, in one line,
    when the database cannot do what is asked.
    """

    place = "?"
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, connection: Any, where: str) -> None:
        self._connection = connection
        self.where = where

    def begin(self) -> None:
        """Create what is missing, and check the format.

        In a database of another format nothing changes.
        """
        if self._is_new():
            for table in _TABLES:
                self._write(table)
            if "format" not in self.meta():
                self.put_meta("format", STORE_FORMAT)
        self.check_format()

    def _is_new(self) -> bool:
        """Return whether its tables may be created. Raises: SetupError."""
        return True

    def check_format(self) -> None:
        """Check that this version of turnwright reads it."""
        try:
            found = self.meta().get("format")
        except SetupError as error:
            if any(words in str(error) for words in _NO_TABLE):
                raise SetupError(
                    f"{self.where} holds no results of a tournament: give another --store, or a folder in"
                    " which `turnwright tournament run` has played"
                ) from None
            raise
        if found != STORE_FORMAT:
            raise SetupError(
                f"{self.where} has results of format {found!r}; this turnwright reads {STORE_FORMAT!r}: use"
                " the version of turnwright that wrote it, or another folder"
            )

    def meta(self) -> dict[str, str]:
        """Return what every run of the tournament keeps, by name."""
        return dict(self._read("SELECT name, value FROM meta"))

    def put_meta(self, name: str, value: str) -> None:
        """Keep a value."""
        self._write(_PUT_META, (name, value))

    def entries(self) -> list[KeptEntry]:
        """Return all entries, in the order in which they joined."""
        rows = self._read("SELECT data, origin, seats, state, joined FROM entries ORDER BY joined, id")
        return [KeptEntry(msgspec.json.decode(data, type=TournamentEntry), *rest) for data, *rest in rows]

    def put_entry(self, kept: KeptEntry) -> None:
        """Keep an entry, or its new origin and state."""
        entry = kept.entry
        data = msgspec.json.encode(entry).decode()
        self._write(_PUT_ENTRY, (entry.id, data, kept.origin, kept.seats, kept.state, kept.joined))

    def add(self, battle: PlayedBattle) -> None:
        """Add a battle in one insert; of one that counts already nothing changes."""
        data = msgspec.json.encode(battle).decode()
        self._write(_PUT_BATTLE, (battle.id, int(battle.counts), data))

    def rows(self) -> Iterator[KeptBattle]:
        """Yield all battles as they are kept, in order of their ids."""
        for number, data in self._read("SELECT id, data FROM battles ORDER BY id"):
            try:
                yield KeptBattle(number, msgspec.json.decode(data, type=PlayedBattle))
            except (msgspec.MsgspecError, ValueError) as error:
                yield KeptBattle(number, None, str(error))

    def battles(self) -> list[PlayedBattle]:
        """Return all battles that can be read and whose specification is that of their id."""
        return [row.battle for row in self.rows() if row.battle is not None and row.battle.id == row.id]

    def close(self) -> None:
        """Let go; a second call does nothing."""
        with suppress(*self.errors):
            self._connection.close()

    def _read(self, sql: str) -> list[Any]:
        try:
            rows = self._connection.execute(sql).fetchall()
            self._connection.commit()
        except self.errors as error:
            raise self._error(error) from None
        return list(rows)

    def _write(self, sql: str, values: Sequence[Any] = ()) -> None:
        try:
            self._connection.execute(sql.replace("{p}", self.place), values)
            self._connection.commit()
        except self.errors as error:
            with suppress(*self.errors):
                self._connection.rollback()
            raise self._error(error) from None

    def _error(self, error: Exception) -> SetupError:
        why = " ".join(str(error).split())[:200]
        if any(words in why for words in _FULL):
            return SetupError(f"{self.where} cannot be written ({why}): make room; no result is lost")
        return SetupError(f"{self.where} cannot be used: {why}")


class SqliteStore(ResultStore):
    """Results in a file. new: it is created where there is none."""

    def __init__(self, path: Path, *, new: bool) -> None:
        if path.is_dir():
            raise SetupError(f"--store {path} is a directory: give the name of a file")
        if not new and not path.is_file():
            raise SetupError(f"there are no results in {path}: `turnwright tournament run` plays some")
        try:
            connection = sqlite3.connect(path, timeout=10.0, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            why = "this file holds no results" if "not a database" in str(error) else str(error)
            raise SetupError(f"{path} cannot be opened: {why}: give another name") from None
        super().__init__(connection, str(path))

    def _is_new(self) -> bool:
        """Return whether its tables are missing, or not all of them were created."""
        tables = {name for (name,) in self._read("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return tables <= {"meta", "entries", "battles"} and not ("meta" in tables and "format" in self.meta())


class PostgresStore(ResultStore):
    """Results in a PostgreSQL server. locked: no other run may have it."""

    place = "%s"

    def __init__(self, url: str, *, locked: bool) -> None:
        try:
            import psycopg
        except ImportError:
            raise SetupError(
                "results in PostgreSQL need the extra [postgres]: pip install 'turnwright[postgres]'"
            ) from None
        self.errors = (psycopg.Error,)
        where = url.rpartition("@")[2] or "the database"
        try:
            connection = psycopg.connect(url, connect_timeout=_CONNECT_S)
            free = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)) if locked else None
            row = free.fetchone() if free is not None else (True,)
            connection.commit()
        except psycopg.Error as error:
            why = " ".join(str(error).split())[:200]
            raise SetupError(f"the database does not answer: {why}; check --store and the server") from None
        if row is None or not row[0]:
            connection.close()
            raise SetupError(f"another run plays the tournament in {where}: wait for it, or stop it")
        super().__init__(connection, where)


def open_store(where: str | Path, *, writing: bool) -> ResultStore:
    """Return the store in a file or at a postgresql:// URL.

    writing: for a run; it is created if need be. Raises: SetupError.
    """
    text = str(where)
    store: ResultStore
    if text.startswith(("postgresql://", "postgres://")):
        store = PostgresStore(text, locked=writing)
    elif "://" in text:
        raise SetupError(f"--store {text.split(':')[0]}://…: give the name of a file, or postgresql://…")
    else:
        store = SqliteStore(Path(where), new=writing)
    try:
        if writing:
            store.begin()
        else:
            store.check_format()
    except SetupError:
        store.close()
        raise
    return store
