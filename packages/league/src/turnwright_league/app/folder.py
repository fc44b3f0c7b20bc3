"""The folder of a tournament: its bots, their archives, its records.

tournament.toml        settings, optional
<Bot>/, <Team>/        every bot directory takes part
results.sqlite         the results, see `store`
records/ab/<id>.twr    the record of each battle
entries/<id>.zip       each bot as it was played
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import zipfile
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from turnwright.errors import SetupError
from turnwright.net.files.lock import FileLock
from turnwright.net.files.new_file import write_file
from turnwright.net.participants.directory import BotEntry, config_file, load, members, scan
from turnwright.net.participants.game_bots import GameBots
from turnwright.net.participants.source_hash import built_in_hash, source_files, source_hash
from turnwright.net.portability import sync_folder
from turnwright_league.tournament.entries import TournamentEntry

BUILT_IN = "house/"
"""The beginning of a built-in bot's origin."""
ALL_BUILT_IN = "house"
"""The name that means all built-in bots."""
_OURS = ("records", "entries")
_STORE = "results.sqlite"
_LOCK = ".running"
_PART = ".part.twr"
_MEMBERS_TOO_MANY = "it has too many files: leave out files that are not source"


@dataclass(frozen=True, slots=True)
class TournamentBot:
    """An entry and the place of its program.

    Attributes:
        origin: "house/NAME" for a built-in bot, the name of a directory in the folder, or the path of another
            directory.
        given: the bot as `run_battle` takes it.
        seats: the number of seats that it takes.
    """

    entry: TournamentEntry
    origin: str
    given: str
    seats: int = 1

    @property
    def directory(self) -> Path | None:
        """The directory of the bot's program, or None for a built-in bot."""
        return None if self.entry.kind == "house" else Path(self.given)

    @property
    def source(self) -> str | None:
        """The hash of the bot's directory, or None for a built-in bot."""
        return None if self.entry.kind == "house" else self.entry.source


class TournamentFolder:
    """A tournament's folder.

    Args:
        make: whether the folder is made if it does not exist. Its parent must exist.

    Raises:
        SetupError: there is no such folder, or it cannot be made.
    """

    def __init__(self, path: str | Path, *, make: bool = False) -> None:
        self.path = Path(path)
        self._is_new = make and self.path.parent.is_dir() and not self.path.exists()
        if self._is_new:
            self._make(self.path)
        if not self.path.is_dir():
            raise SetupError(f"there is no tournament folder {path}: check the path")

    @property
    def store(self) -> Path:
        """The file of the results, unless another store is named."""
        return self.path / _STORE

    def record(self, battle: str) -> Path:
        """Return the path of a battle's record."""
        return self.path / self.record_name(battle)

    def record_name(self, battle: str) -> str:
        """Return the path of a battle's record, relative to the folder."""
        return f"records/{battle[:2]}/{battle}.twr"

    def new_record(self, battle: str) -> Path:
        """Return a new path for an unfinished record, and create its folder.

        Later, `keep_record` gives the file its name.

        Raises:
            SetupError: the folder cannot be created.
        """
        place = self.record(battle)
        self._make(place.parent)
        return place.with_name(f"{battle}.{os.urandom(4).hex()}{_PART}")

    def keep_record(self, part: Path, battle: str) -> tuple[str, str]:
        """Give a complete record its name. After that, a crash does not lose the record.

        Returns:
            Its path, relative to the folder, and the hash of its file.

        Raises:
            OSError: the file cannot be renamed, or its folder cannot be written to the disk.
        """
        found, place = file_hash(part), self.record(battle)
        os.replace(part, place)
        sync_folder(place.parent)
        return self.record_name(battle), found

    def delete_unfinished(self) -> None:
        """Delete the unfinished records of a killed run."""
        for name in (f"*{_PART}", f".*{_PART}.*"):
            for part in self.path.glob(f"records/*/{name}"):
                part.unlink(missing_ok=True)

    def _make(self, path: Path) -> None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SetupError(f"{path} cannot be created: {error.strerror}") from None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for one run. If the run is refused, delete an empty folder that this object made.

        Raises:
            SetupError: another run has the folder, or it cannot be written.
        """
        try:
            lock = FileLock(self.path / _LOCK)
        except OSError as error:
            raise SetupError(f"{self.path} cannot be written: {error.strerror}") from None
        with lock:
            if not lock.take(wait=False):
                raise SetupError(f"another run plays the tournament in {self.path}: wait for it, or stop it")
            try:
                yield
            except SetupError:
                self._delete_if_new()
                raise

    def _delete_if_new(self) -> None:
        files = list(self.path.iterdir())
        if self._is_new and all(file.name.startswith(_LOCK) for file in files):
            for file in files:
                file.unlink()
            self.path.rmdir()

    # ---- bots --------------------------------------------------------------------------------------------

    def bots(self, kit: GameBots, named: Sequence[str], away: Container[str] = ()) -> list[TournamentBot]:
        """Return the bots of the folder, ordered by directory, and then the named bots in order.

        Members of a team do not play alone unless they are named.

        Args:
            away: the origins of removed bots.

        Raises:
            SetupError: the bot in a directory is invalid, or two bots have the same name and version.
        """
        found = {one.origin: one for one in self.bots_in_folder()}
        for name in named:
            for one in self.named(name, kit):
                found.setdefault(one.origin, one)
        bots = [one for one in found.values() if one.origin not in away]
        refuse_same_names(bots)
        return bots

    def bots_in_folder(self) -> list[TournamentBot]:
        """Return the bots of the folder's directories.

        Raises:
            SetupError: a bot is invalid.
        """
        return [bot_of(entry, entry.directory.name) for entry in _without_members(self._in_folder())]

    def named(self, name: str, kit: GameBots) -> list[TournamentBot]:
        """Return the bots that a name means.

        Args:
            name: a name as for `one_named`, ALL_BUILT_IN for all built-in bots, or a directory of bot
                directories.

        Raises:
            SetupError: there is no such bot, or a bot in the directory is invalid.
        """
        if name == ALL_BUILT_IN and kit.built_in:
            return [self.one_named(BUILT_IN + one, kit) for one in kit.built_in]
        path = Path(os.path.abspath(name))
        if not (self.path / name).is_dir() and path.is_dir():
            found = scan([path])
            if found and found[0].directory != path:
                if broken := next((one.problem for one in found if one.problem is not None), None):
                    raise SetupError(broken)
                return [self.one_named(str(one.directory), kit) for one in _without_members(found)]
        return [self.one_named(name, kit)]

    def one_named(self, name: str, kit: GameBots) -> TournamentBot:
        """Return a bot by its origin, the name of a built-in bot, or a path.

        Raises:
            SetupError: there is no such bot, or the bot is invalid.
        """
        plain = name.removeprefix(BUILT_IN)
        if name in kit.built_in or (name.startswith(BUILT_IN) and plain in kit.built_in):
            program = kit.built_in_program(plain)
            source = built_in_hash(kit.built_in.values())
            entry = TournamentEntry(program.name, program.version, "house", source)
            return TournamentBot(entry, BUILT_IN + plain, plain)
        inside = self.path / name
        if os.sep not in name and inside.is_dir():
            return bot_of(load(inside), name)
        path = Path(os.path.abspath(name))
        if not path.exists() and os.sep not in name:
            known = (
                f"the built-in bots are {', '.join(kit.built_in)}"
                if kit.built_in
                else "this game has no built-in bots"
            )
            raise SetupError(
                f"no bot {name[:80]!r}: there is no directory and no built-in bot of that name: {known}"
            )
        if path.parent == Path(os.path.abspath(self.path)):
            return bot_of(load(path), path.name)
        return bot_of(load(path), str(path))

    def _in_folder(self) -> list[BotEntry]:
        try:
            names = sorted(
                one.name
                for one in self.path.iterdir()
                if one.is_dir() and one.name not in _OURS and not one.name.startswith((".", "_"))
            )
        except OSError as error:
            raise SetupError(f"{self.path} cannot be read: {error.strerror}") from None
        found = [entry for name in names for entry in scan([self.path / name])]
        entries = [one for one in found if one.directory.parent == Path(os.path.abspath(self.path))]
        for entry in entries:
            if entry.problem is not None:
                raise SetupError(entry.problem)
        return entries

    # ---- archives ----------------------------------------------------------------------------------------

    def archive(self, entry_id: str) -> Path:
        """Return the path of an entry's archive."""
        return self.path / "entries" / f"{entry_id}.zip"

    def keep_sources(self, bot: TournamentBot) -> None:
        """Write a bot's archive if it does not exist yet. Built-in bots have none.

        Raises:
            SetupError: the bot cannot be loaded, or its archive cannot be written.
        """
        place = self.archive(bot.entry.id)
        if bot.directory is None or place.exists():
            return
        self._make(place.parent)
        try:
            write_file(place, _packed(_directories(load(bot.directory))))
        except OSError as error:
            raise SetupError(
                f"the sources of {bot.entry.name} cannot be kept: {place}: {error.strerror}: free some space"
            ) from None

    def unpack(self, entry_id: str, into: Path) -> Path:
        """Unpack an entry's archive, and return the bot directory, e.g. to run the bot again later.

        Raises:
            SetupError: the archive is missing, damaged or empty, or a path in it leads outside.
        """
        place = self.archive(entry_id)
        try:
            with zipfile.ZipFile(place) as archive:
                infos = archive.infolist()
                if not infos:
                    raise SetupError(f"{place} cannot be unpacked: it has no files")
                for info in infos:
                    if not _is_link(info):
                        _unpack_file(archive, info, into)
                _unpack_links(archive, [info for info in infos if _is_link(info)], into)
        except (OSError, zipfile.BadZipFile) as error:
            raise SetupError(f"{place} cannot be unpacked: {error}") from None
        return into / infos[0].filename.split("/")[0]


def file_hash(path: Path) -> str:
    """Return the hash of a file, 32 hexadecimal digits.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def bot_of(entry: BotEntry, origin: str) -> TournamentBot:
    """Return the bot or team of a directory.

    Raises:
        SetupError: a member of a team is missing, or there are too many files to hash.
    """
    source = sources_of(entry)
    config = entry.config
    kind: Literal["bot", "team"] = entry.kind
    return TournamentBot(
        TournamentEntry(config.name, config.version, kind, source),
        origin,
        str(entry.directory),
        len(members(entry)),
    )


def sources_of(entry: BotEntry) -> str:
    """Return a hash of the sources of a bot. For a team, the sources of its members are part of it.

    Raises:
        SetupError: a member is missing, or the directory has too many files.
    """
    hashes = [source_hash(one) for one in _directories(entry)]
    if None in hashes:
        raise SetupError(f"{entry.directory}: {_MEMBERS_TOO_MANY}")
    if len(hashes) == 1:
        return str(hashes[0])
    return hashlib.blake2b("".join(map(str, hashes)).encode(), digest_size=16).hexdigest()


def _without_members(entries: Sequence[BotEntry]) -> list[BotEntry]:
    """Return the bots and teams that are not members of one of these teams."""
    in_teams = {member.directory for team in entries if team.kind == "team" for member in members(team)}
    return [entry for entry in entries if entry.directory not in in_teams]


def _directories(entry: BotEntry) -> list[Path]:
    """Return the directory of a bot. For a team, also return the directories of its members."""
    found = dict.fromkeys([entry.directory, *(member.directory for member in members(entry))])
    return list(found)


def refuse_same_names(bots: Sequence[TournamentBot]) -> None:
    """Raise SetupError for two bots with equal name and version, because a server cannot distinguish them."""
    seen: dict[tuple[str, str], TournamentBot] = {}
    for bot in bots:
        key = bot.entry.name, bot.entry.version
        other = seen.setdefault(key, bot)
        if other is not bot:
            raise SetupError(
                f"two bots are called {key[0]} {key[1]} ({other.origin} and {bot.origin}), and a server"
                " cannot distinguish them: change name or version in the JSON file of one of them"
                f"{_json_of(bot) or _json_of(other)}"
            )


def _json_of(bot: TournamentBot) -> str:
    """Return ", e.g. " and the JSON file of a bot in a directory, or "" for a built-in bot."""
    return "" if bot.directory is None else f", e.g. {config_file(bot.directory)}"


_EPOCH = (1980, 1, 1, 0, 0, 0)


def _packed(directories: Sequence[Path]) -> bytes:
    """Return a zip of directories. Equal sources give equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for directory in directories:
            for file in source_files(directory):
                name = f"{directory.name}/{file.relative_to(directory).as_posix()}"
                info = zipfile.ZipInfo(name, _EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                if file.is_symlink():
                    info.external_attr = (stat.S_IFLNK | 0o777) << 16
                    archive.writestr(info, os.readlink(file))
                else:
                    executable = 0o755 if os.access(file, os.X_OK) else 0o644
                    info.external_attr = (stat.S_IFREG | executable) << 16
                    archive.writestr(info, file.read_bytes())
    return packed.getvalue()


def _unpack_file(archive: zipfile.ZipFile, info: zipfile.ZipInfo, into: Path) -> None:
    place = _place(archive, info, into)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_file(place, archive.read(info))
    place.chmod(0o755 if info.external_attr >> 16 & 0o100 else 0o644)


def _unpack_links(archive: zipfile.ZipFile, links: Sequence[zipfile.ZipInfo], into: Path) -> None:
    """Make the links of an archive after its files, so that no file is written through a link.

    Raises:
        SetupError: a link leads out of `into`, perhaps through another link. Then no link is made.
    """
    places = [_place(archive, info, into) for info in links]
    for info, place in zip(links, places, strict=True):
        place.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(os.fsdecode(archive.read(info)), place)
    for info, place in zip(links, places, strict=True):
        try:
            inside = place.resolve().is_relative_to(into.resolve())
        except (OSError, RuntimeError):  # a circle
            inside = False
        if not inside:
            for made in places:
                made.unlink(missing_ok=True)
            raise SetupError(f"{archive.filename}: the link {info.filename[:80]!r} leads out of it")


def _place(archive: zipfile.ZipFile, info: zipfile.ZipInfo, into: Path) -> Path:
    parts = PurePosixPath(info.filename).parts
    if info.filename.startswith("/") or ".." in parts or not parts:
        raise SetupError(f"{archive.filename}: {info.filename[:80]!r} leads out of the archive")
    return into.joinpath(*parts)


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)
