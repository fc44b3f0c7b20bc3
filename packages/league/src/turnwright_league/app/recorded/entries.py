"""The entries of a verified tournament, with their ids, archives and seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from turnwright.errors import SetupError
from turnwright.net.participants.directory import BotEntry, load, members
from turnwright.net.participants.source_hash import source_hash
from turnwright_league.app.folder import TournamentFolder, bot_of, sources_of
from turnwright_league.app.recorded.specification import EntrySeat
from turnwright_league.app.store import KeptEntry, ResultStore


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A row of the table of entries.

    Attributes:
        id: the key of the row, which should be the entry's id.
    """

    id: str
    kept: KeptEntry

    @property
    def fits(self) -> bool:
        """Whether the row's key equals the entry's id."""
        return self.id == self.kept.entry.id


@dataclass(slots=True)
class KnownEntries:
    """The seats of each entry and the problems of entries, by id."""

    seats: dict[str, tuple[EntrySeat, ...]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def entry_rows(store: ResultStore) -> list[EntryRow]:
    """Return the rows of the table of entries, in the order of joining."""
    return [
        EntryRow(number, kept) for (number, *_), kept in zip(store.entry_rows(), store.entries(), strict=True)
    ]


def known_entries(folder: TournamentFolder, rows: Sequence[EntryRow]) -> KnownEntries:
    """Return the seats of all entries, and the problems of entries that differ from their id or archive.

    The members of a team are read from its archive. Without the archive, their sources are not known.
    """
    known = KnownEntries()
    for row in rows:
        entry = row.kept.entry
        own = EntrySeat(entry.name, entry.version, entry.source, entry.kind == "house")
        known.seats[row.id] = (own,)
        if not row.fits:
            known.problems[row.id] = (
                f"its id does not match its name, version and sources, whose id is {entry.id[:12]}"
            )
        if entry.kind == "team":
            known.seats[row.id] = (EntrySeat(entry.name, entry.version, None),) * row.kept.seats
        if row.fits and entry.kind != "house" and folder.archive(row.id).exists():
            with TemporaryDirectory(prefix="turnwright-") as into:
                _read_archive(folder, row, Path(into), known)
    return known


def _read_archive(folder: TournamentFolder, row: EntryRow, into: Path, known: KnownEntries) -> None:
    try:
        found = load(folder.unpack(row.id, into))
        if sources_of(found) != row.kept.entry.source:
            known.problems[row.id] = f"{folder.archive(row.id)} has other sources than those that played"
        elif row.kept.entry.kind == "team":
            known.seats[row.id] = tuple(_member_seats(found))
    except SetupError as error:
        known.problems[row.id] = f"its archive cannot be read: {error}"


def _member_seats(team: BotEntry) -> Iterator[EntrySeat]:
    for one in members(team):
        yield EntrySeat(one.config.name, one.config.version, source_hash(one.directory))


def entries_named(given: str, rows: Sequence[EntryRow], labels: Mapping[str, str]) -> set[str]:
    """Return the ids of the entries with this id, name or label, or of the bot in this directory.

    Raises:
        SetupError: there is no such entry, or the bot in the directory is invalid.
    """
    found = {row.id for row in rows if given in (row.id, row.kept.entry.name, labels.get(row.id))}
    if found:
        return found
    if Path(given).is_dir():
        own = bot_of(load(given), given).entry
        if own.id in labels:
            return {own.id}
        raise SetupError(
            f"no entry has the sources in {given} ({own.name} {own.version}, {own.id[:12]}): entries are"
            f" {', '.join(labels.values())}"
        )
    raise SetupError(f"there is no entry {given[:80]!r}: there are {', '.join(labels.values())}")
