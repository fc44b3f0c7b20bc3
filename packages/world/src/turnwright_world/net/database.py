"""The world's database: SQLite or PostgreSQL, with one transaction per turn.

    meta      name, value         facts about the world, and turn and game time of the last transaction
    entities  kind, id, data      each entity, packed; a turn writes only the changed entities
    journal   turn, line          all intents of the last JOURNAL_TURNS turns, as JSON
    accounts  folded, name, hashed, body
    origins   folded, origin      a hash of the address of the account's last login
    settings  folded, brief       settings of an account; brief 1: without descriptions of places
    minds     owner, body, source, state      minds that players submitted; state: on or stopped

After a kill the database has the state after the last turn or after the turn before it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwright.errors import SetupError
from turnwright.host.accounts import fold
from turnwright_world.host.accounts import Account
from turnwright_world.host.minds.player_mind import PlayerMind

FORMAT = "1"
"""The format of the tables. A database with another format is refused."""
JOURNAL_TURNS = 20_000
"""The number of turns in the journal, more than an hour.

Older lines are deleted every JOURNAL_TURNS // 20 turns.
"""
MEMORY = ":memory:"
"""Given instead of a file name, this means a world that is not stored."""
_LOCK = 0x7475726E
"""The advisory lock in PostgreSQL that keeps two servers from running the same world."""
_LOCK_TRIES, _LOCK_PAUSE_S = 10, 0.1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS entities"
    " (kind TEXT NOT NULL, id TEXT NOT NULL, data {blob} NOT NULL, PRIMARY KEY (kind, id))",
    "CREATE TABLE IF NOT EXISTS journal (turn BIGINT PRIMARY KEY, line {blob} NOT NULL)",
    "CREATE TABLE IF NOT EXISTS accounts"
    " (folded TEXT PRIMARY KEY, name TEXT NOT NULL, hashed TEXT NOT NULL, body BIGINT)",
    "CREATE TABLE IF NOT EXISTS origins (folded TEXT PRIMARY KEY, origin TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS settings (folded TEXT PRIMARY KEY, brief INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS minds (owner TEXT NOT NULL, body BIGINT NOT NULL, source {blob} NOT NULL,"
    " state TEXT NOT NULL, PRIMARY KEY (owner, body))",
)
_WRITER = "writer"
"""The name of the fact that says which server has written the last turn."""
_PUT_META = "INSERT INTO meta VALUES ({p}, {p}) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_PUT_ENTITY = (
    "INSERT INTO entities VALUES ({p}, {p}, {p}) ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data"
)
_PUT_LINE = "INSERT INTO journal VALUES ({p}, {p}) ON CONFLICT (turn) DO UPDATE SET line = excluded.line"
_PUT_ACCOUNT = (
    "INSERT INTO accounts VALUES ({p}, {p}, {p}, {p})"
    " ON CONFLICT (folded) DO UPDATE SET hashed = excluded.hashed, body = excluded.body"
)
_PUT_ORIGIN = (
    "INSERT INTO origins VALUES ({p}, {p}) ON CONFLICT (folded) DO UPDATE SET origin = excluded.origin"
)
_PUT_SETTINGS = (
    "INSERT INTO settings VALUES ({p}, {p}) ON CONFLICT (folded) DO UPDATE SET brief = excluded.brief"
)
_PUT_MIND = (
    "INSERT INTO minds VALUES ({p}, {p}, {p}, {p})"
    " ON CONFLICT (owner, body) DO UPDATE SET source = excluded.source, state = excluded.state"
)
_ON, _STOPPED = "on", "stopped"
_NO_MINDS: Mapping[tuple[str, int], PlayerMind | None] = {}

_LOST_SOON: Mapping[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""The times after which a silent PostgreSQL server is given up, in s and ms."""

Key = tuple[str, int | str]


@dataclass
class Kept:
    """The content of a database.

    Attributes:
        facts: the rows of the table `meta`.
        images: (kind, packed entity).
    """

    facts: dict[str, str]
    images: list[tuple[str, bytes]] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)
    minds: list[PlayerMind] = field(default_factory=list)

    def number(self, name: str) -> int:
        """Return a fact that is an integer.

        Raises:
            SetupError: the fact is missing, or is not an integer.
        """
        try:
            return int(self.facts[name])
        except (KeyError, ValueError):
            raise SetupError(f"the world's data has no good {name!r}: {self.facts.get(name)!r}") from None


class Database:
    """The part that both kinds of databases share.

    Args:
        connection: the connection of DB-API 2.0.

    Attributes:
        errors: the exceptions that its calls raise.
    """

    place = "?"
    blob = "BLOB"
    errors: tuple[type[Exception], ...] = ()

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Return a context in which the database's errors become a SetupError, while a world is opened."""
        try:
            yield
        except self.errors as error:
            why = " ".join(str(error).split())[:200]
            raise SetupError(
                f"the database cannot store this world: {why}; give --data another database, or repair it"
            ) from error

    def load(self) -> Kept | None:
        """Return the stored world, or None if there is none. Missing tables are created.

        Raises:
            SetupError: the data has another format. If the database fails, one of `errors` is raised.
        """
        for table in _TABLES:
            self._run(table.format(blob=self.blob))
        self._connection.commit()
        facts = dict(self._run("SELECT name, value FROM meta").fetchall())
        if not facts:
            return None
        if facts.get("format") != FORMAT:
            raise SetupError(
                f"the world's data has format {facts.get('format')!r}; this is made for {FORMAT!r}"
            )
        images = [
            (kind, bytes(data)) for kind, data in self._run("SELECT kind, data FROM entities").fetchall()
        ]
        rows = self._run(
            "SELECT name, hashed, body, COALESCE(origin, ''), COALESCE(brief, 0)"
            " FROM accounts LEFT JOIN origins ON accounts.folded = origins.folded"
            " LEFT JOIN settings ON accounts.folded = settings.folded"
        ).fetchall()
        found = self._run("SELECT owner, body, source, state FROM minds ORDER BY owner, body").fetchall()
        self._connection.commit()
        accounts = [
            Account(name, hashed, body, origin, bool(brief)) for name, hashed, body, origin, brief in rows
        ]
        return Kept(facts, images, accounts, [_mind_of(*row) for row in found])

    def write(
        self,
        changed: Mapping[Key, bytes | None],
        facts: Mapping[str, str],
        lines: Sequence[tuple[int, bytes]] = (),
        accounts: Iterable[Account] = (),
        minds: Mapping[tuple[str, int], PlayerMind | None] = _NO_MINDS,
    ) -> None:
        """Write all changes in one transaction. None for an entity or a mind deletes it.

        If the database raises an exception (see `errors`), nothing is written.

        Args:
            lines: turns of the journal, with their intents as JSON.
        """
        gone = [(kind, str(number)) for (kind, number), image in changed.items() if image is None]
        images = [
            (kind, str(number), image) for (kind, number), image in changed.items() if image is not None
        ]
        try:
            self._many("DELETE FROM entities WHERE kind = {p} AND id = {p}", gone)
            self._many(_PUT_ENTITY, images)
            self._many(_PUT_META, list(facts.items()))
            self._many(_PUT_LINE, list(lines))
            accounts = tuple(accounts)
            self._many(_PUT_ACCOUNT, [(fold(a.name), a.name, a.hashed, a.body) for a in accounts])
            self._many(_PUT_ORIGIN, [(fold(a.name), a.origin) for a in accounts if a.origin])
            self._many(_PUT_SETTINGS, [(fold(a.name), int(a.brief)) for a in accounts])
            self._many(_PUT_MIND, [_row_of(mind) for mind in minds.values() if mind is not None])
            dropped = [key for key, mind in minds.items() if mind is None]
            self._many("DELETE FROM minds WHERE owner = {p} AND body = {p}", dropped)
            for turn, _ in lines:
                if turn % (JOURNAL_TURNS // 20) == 0:
                    self._run("DELETE FROM journal WHERE turn <= {p}", (turn - JOURNAL_TURNS,))
            self._connection.commit()
        except Exception:
            with suppress(*self.errors):
                self._connection.rollback()
            raise

    def journal(self) -> list[tuple[int, bytes]]:
        """Return the lines of the last turns in order, each with the number of its turn."""
        rows = self._run("SELECT turn, line FROM journal ORDER BY turn").fetchall()
        self._connection.commit()
        return [(turn, bytes(line)) for turn, line in rows]

    def close(self) -> None:
        """Close the database. A second call does nothing."""
        with suppress(*self.errors):
            self._connection.close()

    def _run(self, sql: str, values: Sequence[Any] = ()) -> Any:
        return self._connection.execute(sql.replace("{p}", self.place), values)

    def _many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._connection.cursor().executemany(sql.replace("{p}", self.place), rows)


class SqliteDatabase(Database):
    """A world in a file. The file can be open in only one server.

    Args:
        path: the file, or MEMORY for a world that is not stored and ends with this process.

    Raises:
        SetupError: the path is a directory, or the file cannot be opened or locked.
    """

    errors = (sqlite3.Error,)

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            raise SetupError(
                f"--data {path} is a directory: give the name of a file, e.g. {path / 'world.db'}"
            )
        if str(path) != MEMORY:
            with suppress(OSError):  # the file has private data such as hashes of passphrases
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        try:
            connection = sqlite3.connect(path, timeout=1.0, check_same_thread=False)
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA application_id")
            connection.execute("BEGIN IMMEDIATE")
            connection.commit()
        except sqlite3.Error as error:
            raise SetupError(f"--data {path}: {_why_not(error)}") from error
        super().__init__(connection)


class PostgresDatabase(Database):
    """A world in a PostgreSQL server.

    Args:
        url: postgresql://USER:PASSWORD@HOST/DATABASE.

    Raises:
        SetupError: psycopg is not installed, the database does not answer, or another server runs its world.
    """

    place = "%s"
    blob = "BYTEA"

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ImportError:
            raise SetupError(
                "a world in PostgreSQL needs the extra [postgres]: pip install 'turnwright[postgres]'"
            ) from None
        self.errors = (psycopg.Error,)
        self._url = url
        self._connect = psycopg.connect
        self._ours = secrets.token_hex(8)
        """This server's name in the table `meta`, from the first turn that it writes."""
        self._before: str | None = None
        """The writer of the last turn, as this server last read it."""
        try:
            connection = self._connected()
            for _ in range(_LOCK_TRIES):  # the lock of a killed server lasts a little longer
                if connection is not None:
                    break
                time.sleep(_LOCK_PAUSE_S)
                connection = self._connected()
        except psycopg.Error as error:
            why = " ".join(str(error).split())[:200]
            raise SetupError(f"the database does not answer: {why}; check --data and the server") from None
        if connection is None:
            raise SetupError("another server runs the world of this database: stop it, or give another one")
        super().__init__(connection)

    def load(self) -> Kept | None:
        """Return the stored world as `Database.load` does, and note which server wrote it."""
        kept = super().load()
        self._before = None if kept is None else kept.facts.pop(_WRITER, None)
        return kept

    def write(
        self,
        changed: Mapping[Key, bytes | None],
        facts: Mapping[str, str],
        lines: Sequence[tuple[int, bytes]] = (),
        accounts: Iterable[Account] = (),
        minds: Mapping[tuple[str, int], PlayerMind | None] = _NO_MINDS,
    ) -> None:
        """Replace a lost connection, and then write all changes as `Database.write` does.

        Raises:
            psycopg.Error: the database fails, or another server has taken or changed the world.
        """
        if self._connection.closed:
            self._come_back()
        super().write(changed, {**facts, _WRITER: self._ours}, lines, accounts, minds)
        self._before = self._ours

    def close(self) -> None:
        """Close the database and release its lock. A second call does nothing."""
        self._let_go(self._connection)

    def _let_go(self, connection: Any) -> None:
        """Release the lock, and close the connection. Closing alone may free the lock only later."""
        with suppress(*self.errors):
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
            connection.commit()
        with suppress(*self.errors):
            connection.close()

    def _come_back(self) -> None:
        """Reconnect. Raise one of `errors` if another server has taken or changed the world since."""
        connection = self._connected()
        if connection is None:
            raise self.errors[0]("another server has taken the world of this database")
        row = connection.execute("SELECT value FROM meta WHERE name = %s", (_WRITER,)).fetchone()
        connection.commit()
        writer = None if row is None else row[0]
        if writer not in (self._before, self._ours):  # `_ours`: a commit of this server whose answer was lost
            self._let_go(connection)
            raise self.errors[0]("another server has played this world since: stop one of the two")
        self._connection = connection

    def _connected(self) -> Any:
        """Return a new connection that holds the lock, or None if another server holds the lock."""
        connection = self._connect(self._url, **_LOST_SOON)
        locked = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone()
        connection.commit()
        if locked is not None and locked[0]:
            return connection
        connection.close()
        return None


def open_database(where: str | Path) -> Database:
    """Return the database of a file name, a postgresql:// URL or MEMORY.

    Raises:
        SetupError: the address is wrong, or the database cannot be opened.
    """
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        return PostgresDatabase(text)
    if "://" in text:
        raise SetupError(f"--data {text.split(':')[0]}://…: give the name of a file, or postgresql://…")
    return SqliteDatabase(Path(where))


def _row_of(mind: PlayerMind) -> tuple[str, int, bytes, str]:
    return mind.owner, mind.body, mind.source.encode(), _ON if mind.on else _STOPPED


def _mind_of(owner: str, body: int, source: bytes, state: str) -> PlayerMind:
    return PlayerMind(owner, body, bytes(source).decode(), state == _ON)


def _why_not(error: sqlite3.Error) -> str:
    if "locked" in str(error):
        return "another server runs this world: stop it, or give another file"
    if "not a database" in str(error):
        return "this file is not a world: give another name"
    return f"this file cannot be opened ({error}): give a file that can be written"
