"""The database of a ladder server: people, logins, uploads, prints.

    people    folded, name, hashed, made_us
    logins    token (its hash), folded, made_us
    uploads   id, folded, data (an Upload as JSON)
    prints    battle, entry, at_us, data        what an entry's process printed last in a battle
    cups      id, data                          tournaments that the teacher started
    settings  name, value

When a method returns, its row is on the disk.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnwright.errors import SetupError
from turnwright_league.app.ladder.uploads import UploadProblem
from turnwright_league.app.store import decode_row
from turnwright_league.tournament.entries import TournamentEntry

LADDER_FORMAT = "1"
"""The format of the tables. A file of another format is not opened."""
PRINTS_MAX = 40
"""The number of battles whose prints are kept for each entry. The newest are kept."""
LOGINS_MAX = 10
"""The most valid logins of one person. A further login ends the oldest one."""

UploadState = Literal["received", "refused", "checked", "failed", "plays", "replaced", "removed"]
"""The states of an upload:

received    the upload is stored, but not checked yet
refused     the upload is not a bot. `problems` say why
checked     the bot's first battle comes next
failed      the bot failed in its first battle
plays       the bot is on the ladder
replaced    a newer version has replaced the bot, or a newer bot of an owner with too many bots
removed     the teacher has removed the bot
"""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS people (folded TEXT PRIMARY KEY, name TEXT NOT NULL, hashed TEXT NOT NULL,"
    " made_us INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS logins (token TEXT PRIMARY KEY, folded TEXT NOT NULL,"
    " made_us INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS uploads (id INTEGER PRIMARY KEY, folded TEXT NOT NULL, data TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS prints (battle TEXT, entry TEXT, at_us INTEGER NOT NULL, data TEXT NOT NULL,"
    " PRIMARY KEY (battle, entry))",
    "CREATE TABLE IF NOT EXISTS cups (id INTEGER PRIMARY KEY, data TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
_FULL = ("disk is full", "disk I/O error", "No space left")


@dataclass(frozen=True, slots=True)
class Person:
    """A person who can log in.

    Attributes:
        folded: the folded name, which identifies the person.
        hashed: the hash of the passphrase.
        made_us: when the person registered, in UTC, µs since 1970.
    """

    name: str
    folded: str
    hashed: str
    made_us: int = 0


@dataclass(frozen=True, slots=True)
class FirstCheck:
    """The first check of an upload, a battle against a built-in bot. It does not count.

    Attributes:
        why: why it failed, in one line, or "".
        score, opponent_score: the points of the upload and of its opponent.
        printed: the last lines that its process printed.
        record: the id of its battle if it was recorded, or None.
        record_deleted: whether that record was deleted to make room.
    """

    opponent: str
    why: str = ""
    score: float = 0.0
    opponent_score: float = 0.0
    turns: int = 0
    skipped: int = 0
    p99_us: int = 0
    printed: tuple[str, ...] = ()
    sandbox: str = "none"
    record: str | None = None
    record_deleted: bool = False


@dataclass(frozen=True, slots=True)
class Upload:
    """One upload of a person.

    Attributes:
        folded: the folded name of the person.
        file: the name of the uploaded file.
        digest: the hash of its bytes.
        bot: the name of its bot, or "" before it is known.
        size: the size of the uploaded file in bytes.
        at_us: the time when it was received, UTC, µs since 1970.
        number: the number of the version of this person's bot. 0 if it has not passed its check.
        directory: the bot directory, relative to the ladder server's folder. None until the upload has passed
            its check.
        problems: the problems and notes of its check. Empty once its files were deleted.
        entry: its entry on the ladder. None if it has not passed its check.
        trial: its first check, or None without one.
        freed: whether its files were deleted to make room.
    """

    id: int
    folded: str
    file: str
    size: int
    digest: str
    at_us: int
    state: UploadState = "received"
    bot: str = ""
    number: int = 0
    directory: str | None = None
    problems: tuple[UploadProblem, ...] = ()
    entry: TournamentEntry | None = None
    trial: FirstCheck | None = None
    freed: bool = False


@dataclass(frozen=True, slots=True)
class PrintedText:
    """The last lines that an entry printed in a battle of the ladder."""

    battle: str
    entry: str
    at_us: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TeacherTournament:
    """A tournament that the teacher started.

    Attributes:
        folder: its folder, relative to the ladder server's folder.
        battles: the number of battles of each pairing.
        at_us: the time of its start, UTC, µs since 1970.
        state: "stopped" means that the teacher stopped it before its end.
        why: why it failed, in one line, or "".
        bots: the bot directories, relative to the ladder server's folder.
    """

    id: int
    name: str
    folder: str
    battles: int
    at_us: int
    state: Literal["running", "over", "stopped", "failed"] = "running"
    why: str = ""
    bots: tuple[str, ...] = field(default=())


class LadderStore:
    """The database of a ladder server, which is created if it does not exist. All threads may use it.

    Raises:
        SetupError: the database cannot be used, or a row is damaged. All methods raise it, too. The message
            is one line.
    """

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._lock = threading.Lock()
        try:
            path.touch(0o600)
            self._connection = sqlite3.connect(path, timeout=10.0, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            for table in _TABLES:
                self._connection.execute(table)
            self._connection.commit()
        except OSError as error:
            raise SetupError(f"{path} cannot be written: {error.strerror}") from None
        except sqlite3.Error as error:
            raise SetupError(f"{path} cannot be opened: {error}: give another folder with --data") from None
        found = self.settings().get("format")
        if found is None:
            self.put_setting("format", LADDER_FORMAT)
        elif found != LADDER_FORMAT:
            raise SetupError(
                f"{path} has format {found!r}; this turnwright reads {LADDER_FORMAT!r}: use the version of"
                " turnwright that wrote it, or another folder"
            )

    def close(self) -> None:
        """Close the database. Calling it again is harmless."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def settings(self) -> dict[str, str]:
        """Return all settings by name."""
        return dict(self._read("SELECT name, value FROM settings"))

    def put_setting(self, name: str, value: str) -> None:
        """Store or replace a setting of the ladder."""
        self._write(
            "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    # ---- people ------------------------------------------------------------------------------------------

    def people(self) -> list[Person]:
        """Return all people, in the order of registration."""
        rows = self._read("SELECT name, folded, hashed, made_us FROM people ORDER BY made_us, folded")
        return [Person(*row) for row in rows]

    def put_person(self, one: Person) -> None:
        """Store a person, or a person's new passphrase."""
        self._write(
            "INSERT INTO people VALUES (?, ?, ?, ?) ON CONFLICT (folded) DO UPDATE"
            " SET hashed = excluded.hashed",
            (one.folded, one.name, one.hashed, one.made_us),
        )

    def logins(self) -> dict[str, str]:
        """Return the folded names, by the hash of each valid token."""
        return dict(self._read("SELECT token, folded FROM logins ORDER BY made_us"))

    def put_login(self, token: str, folded: str, at_us: int) -> None:
        """Store a login. Only the newest LOGINS_MAX logins of a person stay valid.

        Args:
            token: the hash of its token.
        """
        self._write("INSERT INTO logins VALUES (?, ?, ?)", (token, folded, at_us))
        self._write(
            "DELETE FROM logins WHERE folded = ? AND token NOT IN (SELECT token FROM logins WHERE folded = ?"
            " ORDER BY made_us DESC LIMIT ?)",
            (folded, folded, LOGINS_MAX),
        )

    def drop_login(self, token: str) -> None:
        """Delete a login by the hash of its token."""
        self._write("DELETE FROM logins WHERE token = ?", (token,))

    def drop_logins(self, folded: str) -> None:
        """End all logins of a person."""
        self._write("DELETE FROM logins WHERE folded = ?", (folded,))

    # ---- uploads -----------------------------------------------------------------------------------------

    def uploads(self) -> list[Upload]:
        """Return all uploads, oldest first."""
        rows = self._read("SELECT data FROM uploads ORDER BY id")
        return [decode_row(data, Upload, self.where) for (data,) in rows]

    def put_upload(self, one: Upload) -> None:
        """Store an upload, or its new state."""
        self._write(
            "INSERT INTO uploads VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data",
            (one.id, one.folded, msgspec.json.encode(one).decode()),
        )

    # ---- prints ------------------------------------------------------------------------------------------

    def put_prints(self, battle: str, prints: Sequence[PrintedText]) -> None:
        """Store the printed lines of a battle. For each entry, the newest PRINTS_MAX battles stay."""
        for one in prints:
            self._write(
                "INSERT INTO prints VALUES (?, ?, ?, ?) ON CONFLICT (battle, entry) DO UPDATE"
                " SET data = excluded.data, at_us = excluded.at_us",
                (battle, one.entry, one.at_us, msgspec.json.encode(one).decode()),
            )
            self._write(
                "DELETE FROM prints WHERE entry = ? AND battle NOT IN (SELECT battle FROM prints"
                " WHERE entry = ? ORDER BY at_us DESC LIMIT ?)",
                (one.entry, one.entry, PRINTS_MAX),
            )

    def prints_of(self, entry: str) -> dict[str, PrintedText]:
        """Return the printed lines of an entry, by battle."""
        rows = self._read("SELECT data FROM prints WHERE entry = ?", (entry,))
        found = [decode_row(data, PrintedText, self.where) for (data,) in rows]
        return {one.battle: one for one in found}

    # ---- tournaments -------------------------------------------------------------------------------------

    def tournaments(self) -> list[TeacherTournament]:
        """Return the started tournaments, oldest first."""
        rows = self._read("SELECT data FROM cups ORDER BY id")
        return [decode_row(data, TeacherTournament, self.where) for (data,) in rows]

    def put_tournament(self, one: TeacherTournament) -> None:
        """Store a tournament, or its new state."""
        self._write(
            "INSERT INTO cups VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data",
            (one.id, msgspec.json.encode(one).decode()),
        )

    # ---- the database ------------------------------------------------------------------------------------

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise self._error(error) from None

    def _write(self, sql: str, values: Sequence[Any]) -> None:
        with self._lock:
            try:
                self._connection.execute(sql, values)
                self._connection.commit()
            except sqlite3.Error as error:
                with suppress(sqlite3.Error):
                    self._connection.rollback()
                raise self._error(error) from None

    def _error(self, error: Exception) -> SetupError:
        why = " ".join(str(error).split())[:200]
        if any(words in why for words in _FULL):
            return SetupError(f"{self.where} cannot be written ({why}): free some space. Nothing is lost")
        return SetupError(f"{self.where} cannot be used: {why}")
