"""The results of a tournament in SQLite or PostgreSQL. Each battle counts once.

    meta      name, value                       the format, and what every run of the tournament keeps
    entries   id, data, origin, seats, state, joined
    battles   id, counts, data                  one row a battle; `data` is a PlayedBattle as JSON

A battle that counts is never replaced, so adding it again does nothing. A void or suspect battle is replaced
when the same battle is played again.

If the results are outside the folder, its file store.txt has their place in one line: a path, or a URL
without its password.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import unquote

import msgspec

from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.options import SETTINGS_FILE, options_in_file
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.played_battle import PlayedBattle, failure_of_word

STORE_FORMAT = "1"
"""The format of the tables. A store of another format is not opened."""

EntryState = Literal["plays", "changed", "gone", "removed"]
"""The state of an entry.

* plays: the entry gets battles.
* changed: the bot's sources have changed, so the bot is another entry now.
* gone: its directory no longer exists.
* removed: an operator removed the entry. It is not in the standings.
"""

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
_CHANGE_BATTLE = "UPDATE battles SET data = {p} WHERE id = {p}"
_LOCK = 0x7475726F
"""The number of the advisory lock of a tournament in PostgreSQL."""
_CONNECT_S = 5
_NO_TABLE = (
    "no such table",
    'relation "meta" does not exist',
    'column "name" does not exist',
    "no such column",
)
_FULL = ("disk is full", "disk I/O error", "No space left")
PLACE_FILE = "store.txt"
"""The file that names the place of the results if it is outside the folder."""
_PLACE_BYTES_MAX = 4_096
_SECRETS = ("password", "sslpassword")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """An entry in the store. See `folder.TournamentBot`.

    Attributes:
        joined: its position in the order of joining.
    """

    entry: TournamentEntry
    origin: str
    seats: int
    state: EntryState
    joined: int


@dataclass(frozen=True, slots=True)
class KeptBattle:
    """A row of the table of battles.

    Attributes:
        id: its key.
        battle: the battle, or None if `data` is not a battle. Then `error` says why.
        data: the stored text.
    """

    id: str
    battle: PlayedBattle | None
    error: str = ""
    data: str = ""


_WORD = '"failure":"'
"""A text that occurs only in results of earlier versions, in which a failure was one word.

In current results, each quote within a text has a backslash before it.
"""


def _played(data: str) -> PlayedBattle:
    """Return the battle of a row, which an earlier version may have written.

    Raises:
        msgspec.MsgspecError: the row is not a battle.
        ValueError: the row is not valid JSON, or a score of an earlier version cannot be read.
    """
    if _WORD not in data:
        return msgspec.json.decode(data, type=PlayedBattle)
    found = msgspec.json.decode(data)
    try:
        for row in found["scores"]:
            if isinstance(word := row.get("failure"), str):
                row["failure"] = failure_of_word(word, int(row.get("late", 0)))
                if row["failure"] is None:
                    raise ValueError(f"no version has the failure {word[:20]!r}")
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError(f"its scores cannot be read: {error}") from None
    return msgspec.convert(found, type=PlayedBattle)


def decode_row(data: str, kind: type[Row], where: str) -> Row:
    """Return the value that a row of the database `where` contains as JSON.

    Raises:
        SetupError: the row is damaged.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise SetupError(f"{where} has a damaged row ({error}): restore it from a backup") from None


class ResultStore:
    """A tournament's results in a database, the common part of SqliteStore and PostgresStore.

    All methods raise SetupError with one line if the database fails or a row is damaged. Only `rows` and
    `battles` tolerate a damaged row.

    Args:
        connection: a connection of DB-API 2.0.
        where: the place of the database, for messages.

    Attributes:
        place: the placeholder for a value in SQL.
        errors: the exceptions of the database's calls.
    """

    place = "?"
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, connection: Any, where: str) -> None:
        self._connection = connection
        self.where = where

    def begin(self) -> None:
        """Create missing tables, and check the format.

        A database of another format is not changed.
        """
        if self._is_new():
            for table in _TABLES:
                self._write(table)
            if "format" not in self.meta():
                self.put_meta("format", STORE_FORMAT)
        self.check_format()

    def _is_new(self) -> bool:
        """Return whether the store's tables may be created.

        Raises:
            SetupError: the database cannot be read.
        """
        return True

    def check_format(self) -> None:
        """Raise SetupError unless the store has results that this version of turnwright can read."""
        try:
            found = self.meta().get("format")
        except SetupError as error:
            if any(words in str(error) for words in _NO_TABLE):
                raise SetupError(
                    f"{self.where} has no results of a tournament: give another --store, or a folder in"
                    " which `turnwright tournament run` has played"
                ) from None
            raise
        if found != STORE_FORMAT:
            raise SetupError(
                f"{self.where} has results of format {found!r}; this turnwright reads {STORE_FORMAT!r}: use"
                " the version of turnwright that wrote it, or another folder"
            )

    def meta(self) -> dict[str, str]:
        """Return the values that all runs of the tournament share, by name."""
        return dict(self._read("SELECT name, value FROM meta"))

    def put_meta(self, name: str, value: str) -> None:
        """Store a value under a name, in place of an earlier value."""
        self._write(_PUT_META, (name, value))

    def entries(self) -> list[KeptEntry]:
        """Return all entries, in the order in which they joined."""
        rows = self._read("SELECT data, origin, seats, state, joined FROM entries ORDER BY joined, id")
        return [KeptEntry(decode_row(data, TournamentEntry, self.where), *rest) for data, *rest in rows]

    def entry_rows(self) -> list[tuple[str, str, int, str, int]]:
        """Return the stored id, data, seats, state and position of each entry."""
        rows = self._read("SELECT id, data, seats, state, joined FROM entries ORDER BY joined, id")
        return [(number, data, seats, state, joined) for number, data, seats, state, joined in rows]

    def put_entry(self, kept: KeptEntry) -> None:
        """Store an entry, or its new origin and state."""
        entry = kept.entry
        data = msgspec.json.encode(entry).decode()
        self._write(_PUT_ENTRY, (entry.id, data, kept.origin, kept.seats, kept.state, kept.joined))

    def add(self, battle: PlayedBattle) -> None:
        """Add a battle in one insert. If the battle counts already, nothing changes."""
        data = msgspec.json.encode(battle).decode()
        self._write(_PUT_BATTLE, (battle.id, int(battle.counts), data))

    def put_deleted_records(self, battles: Sequence[PlayedBattle]) -> None:
        """Note in one step that the records of battles were deleted.

        Args:
            battles: their results without records.
        """
        self._write_all(_CHANGE_BATTLE, [(msgspec.json.encode(one).decode(), one.id) for one in battles])

    def rows(self) -> Iterator[KeptBattle]:
        """Yield all stored battles in order of their ids."""
        for number, data in self._read("SELECT id, data FROM battles ORDER BY id"):
            try:
                yield KeptBattle(number, _played(data), "", data)
            except (msgspec.MsgspecError, ValueError) as error:
                yield KeptBattle(number, None, str(error), data)

    def battles(self) -> list[PlayedBattle]:
        """Return all battles that can be read and whose specification matches their id."""
        return [row.battle for row in self.rows() if row.battle is not None and row.battle.id == row.id]

    def close(self) -> None:
        """Close the store. Calling it again is harmless."""
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
        self._write_all(sql, [values])

    def _write_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        try:
            for values in rows:
                self._connection.execute(sql.replace("{p}", self.place), values)
            self._connection.commit()
        except self.errors as error:
            with suppress(*self.errors):
                self._connection.rollback()
            raise self._error(error) from None

    def _error(self, error: Exception) -> SetupError:
        why = " ".join(str(error).split())[:200]
        if any(words in why for words in _FULL):
            return SetupError(f"{self.where} cannot be written ({why}): free some space. No result is lost")
        return SetupError(f"{self.where} cannot be used: {why}")


class SqliteStore(ResultStore):
    """Results in a file.

    Args:
        new: whether it is created if it does not exist.

    Raises:
        SetupError: the file does not exist, or is not a database.
    """

    def __init__(self, path: Path, *, new: bool) -> None:
        if path.is_dir():
            raise SetupError(f"--store {path} is a directory: give the name of a file")
        if not new and not path.is_file():
            raise SetupError(f"there is no file {path}: `turnwright tournament run` plays a tournament")
        try:
            connection = sqlite3.connect(path, timeout=10.0, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            why = "this file has no results" if "not a database" in str(error) else str(error)
            raise SetupError(f"{path} cannot be opened: {why}: give another name") from None
        super().__init__(connection, str(path))

    def _is_new(self) -> bool:
        """Return whether the store's tables are missing, or not all of them were created."""
        tables = {name for (name,) in self._read("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return tables <= {"meta", "entries", "battles"} and not ("meta" in tables and "format" in self.meta())


class PostgresStore(ResultStore):
    """Results in a PostgreSQL server.

    Args:
        locked: whether a database that another run uses is refused.

    Raises:
        SetupError: psycopg is not installed, the server does not answer, or another run uses the database.
    """

    place = "%s"

    def __init__(self, url: str, *, locked: bool) -> None:
        try:
            import psycopg
        except ImportError:
            raise SetupError(
                "results in PostgreSQL need the extra [postgres]: pip install 'turnwright[postgres]'"
            ) from None
        self.errors = (psycopg.Error,)
        where = without_password(url)
        try:
            connection = psycopg.connect(url, connect_timeout=_CONNECT_S)
            free = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)) if locked else None
            row = free.fetchone() if free is not None else (True,)
            connection.commit()
        except psycopg.Error as error:
            raise SetupError(
                f"the database {where} does not answer: {_reason(error, url)}; check the server, --store, and"
                " the password (PGPASSWORD or ~/.pgpass)"
            ) from None
        if row is None or not row[0]:
            connection.close()
            raise SetupError(f"another run plays the tournament in {where}: wait for it, or stop it")
        super().__init__(connection, where)


def _reason(error: Exception, url: str) -> str:
    """Return why the connection failed, without text that may be a password."""
    why = " ".join(str(error).split())
    for secret in _passwords(url):
        why = why.replace(secret, "…")
    return why[:200]


def _passwords(url: str) -> list[str]:
    """Return the passwords in a URL, both as written and decoded."""
    address, _, query = url.partition("://")[2].partition("?")
    found = [address.rpartition("@")[0].partition(":")[2]]
    found += [value for name, _, value in _parameters(query) if name in _SECRETS]
    return [text for one in found if one for text in (one, unquote(one))]


def _parameters(query: str) -> list[tuple[str, str, str]]:
    """Return the name, the full text and the value of each parameter in a URL's query."""
    parts = [part for part in query.split("&") if part]
    return [(unquote(part.partition("=")[0]).lower(), part, part.partition("=")[2]) for part in parts]


def without_password(place: str) -> str:
    """Return the place of results without its passwords. A file's path does not change."""
    scheme, colon, rest = place.partition("://")
    if not colon:
        return place
    address, _, query = rest.partition("?")
    people, at, where = address.rpartition("@")
    kept = "&".join(part for name, part, _ in _parameters(query) if name not in _SECRETS)
    return f"{scheme}://{people.partition(':')[0]}{at}{where}" + (f"?{kept}" if kept else "")


def store_place(folder: TournamentFolder, given: str | None = None) -> str | Path:
    """Return the place of a tournament's results: a file or a URL.

    The first of these places that is given counts: the given place, the place in `tournament.toml`, the place
    that the last run stored (see `remember_store`), and the folder's own file.

    Raises:
        SetupError: the place is invalid, or the stored file no longer exists.
    """
    named = given or options_in_file(folder.path)[0].store
    if named is not None:
        return named if "://" in named else Path(named)
    return _remembered(folder) or folder.store


def _remembered(folder: TournamentFolder) -> str | Path | None:
    path = folder.path / PLACE_FILE
    try:
        with path.open("rb") as stream:
            text = stream.read(_PLACE_BYTES_MAX + 1).decode().strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(
            f"{path} cannot be read ({error}): name the place of the results with --store"
        ) from None
    if not text or len(text) > _PLACE_BYTES_MAX or not text.isprintable():
        raise SetupError(f"{path} names no place of results: name it with --store")
    if "://" in text:
        return text
    place = folder.path / text  # an absolute path stays one
    if not place.is_file():
        raise SetupError(
            f"the results of {folder.path} are in {place}, says {PLACE_FILE}, and that file is not there:"
            " bring it back, or say where they are with --store"
        )
    return place


def remember_store(folder: TournamentFolder, given: str | None, tell: Callable[[str], None]) -> None:
    """Store the given place of the results, so that the next commands find them.

    It is stored without its password. A place in `tournament.toml` keeps its priority.

    Args:
        tell: gets a line about a change.

    Raises:
        SetupError: the place cannot be stored.
    """
    if given is None:
        return
    in_file = options_in_file(folder.path)[0].store
    if in_file is not None:
        if in_file != given:
            tell(f"{SETTINGS_FILE} names another place of results: give --store again in the next run")
        return
    path, text = folder.path / PLACE_FILE, _place_text(folder, given)
    try:
        before = (
            path.read_text(encoding="utf-8", errors="replace").strip() if path.exists() else folder.store.name
        )
        if text == before:
            return
        if text == folder.store.name:
            path.unlink()
        else:
            write_file(path, f"{text}\n".encode())
    except OSError as error:
        raise SetupError(f"{path} cannot be written ({error}): no result is lost") from None
    tell(f"results are in {text}. The next commands find them there")
    if before == folder.store.name and folder.store.exists():
        tell(f"{folder.store} is kept, but not used")
    if text != given and "://" in text:
        tell("the password is not stored: set PGPASSWORD or ~/.pgpass, or give --store again")


def _place_text(folder: TournamentFolder, given: str) -> str:
    """Return the text of a place for store.txt. A file inside the folder gets a relative path."""
    if "://" in given:
        return without_password(given)
    path, inside = os.path.abspath(given), os.path.abspath(folder.path)
    return os.path.relpath(path, inside) if path.startswith(inside + os.sep) else path


def open_store(where: str | Path, *, writing: bool) -> ResultStore:
    """Return the store in a file or at a postgresql:// URL.

    Args:
        writing: whether a run writes to it. The store is then created if it does not exist.

    Raises:
        SetupError: the address is wrong, the database cannot be opened, or it has no results of this format.
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
