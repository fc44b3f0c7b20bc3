"""A tournament as read from its folder: entries, battles and standings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from turnwright.app.results import failure_data
from turnwright.errors import SetupError
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.options import options_in_file
from turnwright_league.app.store import KeptEntry, ResultStore, open_store, store_place
from turnwright_league.tournament.columns import EntryStanding
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.ratings import ratings_of
from turnwright_league.tournament.standings import (
    PairingCell,
    TournamentStandings,
    entry_labels,
    ledger_standings,
)
from turnwright_league.tournament.versions import BotVersion, versions_of

RULES = "rules"
"""The name of a tournament's rules in the store."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run.

    Attributes:
        done: the number of battles of all runs that count, between bots that still play.
        not_counted: the number of played battles that do not count.
        total: the number of battles, or None if it is not known.
        played: the number of battles in this run.
        again: the number of battles that were played again.
        left_s: the estimated remaining seconds, or None if they are unknown.
        jobs: the number of battles at the same time.
        running: a text for each running battle, with the names of its bots.
        ending: whether it ends when the running battles are over.
    """

    done: int
    total: int | None
    played: int
    again: int
    left_s: float | None
    jobs: int
    running: tuple[str, ...] = ()
    standings: TournamentStandings | None = None
    ending: bool = False
    not_counted: int = 0


class Tournament:
    """A finished or unfinished tournament, as it was when it was read.

    Args:
        folder: its path.
        store: the place of its results, if it is outside the folder.
        all_versions: whether earlier versions of bots count as separate bots.

    Attributes:
        entries: the entries of the standings, in the order in which they joined.
        rules: the rules from which its battles follow.
        game: the game's name in the catalog, or the path of its folder.
        labels: a short text for each entry's id, including earlier versions.

    Raises:
        SetupError: there is no such folder, it has no tournament, or its store cannot be read.
    """

    def __init__(self, folder: str | Path, store: str | None = None, *, all_versions: bool = False) -> None:
        self.folder = TournamentFolder(folder)
        opened = open_store(store_place(self.folder, store), writing=False)
        try:
            self.rules, self.game = rules_from(opened)
            self._played = opened.battles()
            self._kept = opened.entries()
        finally:
            opened.close()
        self.entries = in_standings(self._kept, self._played, all_versions=all_versions)
        known = {one.id for one in self.entries}
        self._shown = [battle for battle in self._played if known.issuperset(battle.spec.seats)]
        self.labels = {
            **{
                one.entry.id: f"{one.entry.name} {one.entry.version} {one.entry.id[:6]}" for one in self._kept
            },
            **entry_labels(self.entries),
        }

    @cached_property
    def table(self) -> TournamentStandings:
        """The standings with ratings, the pairings and the counts."""
        return rated_standings(ResultLedger(self.entries, self._shown), self.rules)

    @cached_property
    def versions(self) -> dict[str, tuple[BotVersion, ...]]:
        """The versions of each bot, the newest first, by the id of its current one."""
        return versions_of(bots_of(self._kept, self.entries), self._played)

    @property
    def standings(self) -> tuple[EntryStanding, ...]:
        """The standings, with the best entry first."""
        return self.table.rows

    def pairing(self, name: str, opponent: str) -> PairingCell:
        """Return the results of one entry against another, by their names.

        Raises:
            SetupError: there is no such entry, or they have not met.
        """
        ids = {label: entry for entry, label in entry_labels(self.entries).items()}
        for one in (name, opponent):
            if one not in ids:
                raise SetupError(f"there is no entry {one[:80]!r}: there are {', '.join(ids)}")
        found = self.table.pairing(ids[name], ids[opponent])
        if found is None:
            raise SetupError(f"{name} and {opponent} have not met")
        return found

    def battles(self, suspect: bool | None = None) -> Iterator[PlayedBattle]:
        """Yield the battles of the entries in the standings, in order of their ids.

        Args:
            suspect: True yields only suspect battles, False only other battles, and None all battles.
        """
        for battle in self._shown:
            if suspect is None or bool(battle.suspect) is suspect:
                yield battle

    def battle(self, number: str) -> PlayedBattle:
        """Return a battle by its id or the beginning of its id.

        Battles of earlier versions of bots are included.

        Raises:
            SetupError: no battle, or more than one, has such an id.
        """
        found = [one for one in self._played if one.id.startswith(number.lower())]
        if len(found) != 1 or not number:
            many = (
                f"{len(found)} battles begin with {number[:40]!r}" if found else f"no battle {number[:40]!r}"
            )
            raise SetupError(f"{many}: `turnwright tournament show FOLDER --battles` lists the ids")
        return found[0]

    def record(self, battle: PlayedBattle) -> Path | None:
        """Return the path of a battle's record, or None if it has no record."""
        return None if battle.record is None else self.folder.path / battle.record

    def to_data(self) -> dict[str, Any]:
        """Return standings, pairings, counts, entries, versions and battles as JSON values."""
        return {
            "game": self.game,
            "behaviour": self.rules.behaviour,
            "format": self.rules.format,
            "seed": self.rules.seed,
            "settings": json.loads(self.rules.settings),
            **self.table.to_data(),
            "played_again": sum(battle.attempts - 1 for battle in self._shown),
            "entries": [{"id": one.id, "label": self.labels[one.id], **asdict(one)} for one in self.entries],
            "versions": [
                {"bot": bot, "id": one.entry.id, **asdict(one), "entry": asdict(one.entry)}
                for bot, versions in self.versions.items()
                for one in versions
            ],
            "battles": [battle_data(battle, self.labels) for battle in self._shown],
        }


def battle_data(battle: PlayedBattle, labels: dict[str, str]) -> dict[str, Any]:
    """Return a battle as JSON values.

    Args:
        labels: the labels of entries, by id.
    """
    scores = [
        {
            "name": labels.get(row.entry, row.entry),
            **asdict(replace(row, columns={}, failure=None)),
            "columns": dict(row.columns),
            "reason": None if row.failure is None else str(row.failure.reason),
            "failure": None if row.failure is None else failure_data(row.failure),
        }
        for row in battle.scores
    ]
    return {
        "id": battle.id,
        "seed": battle.spec.seed,
        "state": battle.state,
        "counts": battle.counts,
        "suspect": list(battle.suspect),
        "scores": scores,
        **{
            name: getattr(battle, name)
            for name in (
                "turns",
                "server_late_turns",
                "digest",
                "record",
                "turnwright",
                "sandbox",
                "attempts",
                "played_us",
                "kept",
            )
        },
    }


def in_standings(
    entries: Sequence[KeptEntry], played: Sequence[PlayedBattle], *, all_versions: bool = False
) -> list[TournamentEntry]:
    """Return the entries in the standings: the current version of each bot that was not removed.

    A bot whose directory no longer exists stays in the standings if it has a battle that counts.

    Args:
        all_versions: whether replaced versions with a battle that counts are included.
    """
    seen = {seat for battle in played if battle.counts for seat in battle.spec.seats}
    states = ("gone", "changed") if all_versions else ("gone",)
    return [
        kept.entry
        for kept in entries
        if kept.state == "plays" or (kept.state in states and kept.entry.id in seen)
    ]


def rated_standings(ledger: ResultLedger, rules: PairingRules | None) -> TournamentStandings:
    """Return the standings of a ledger with ratings, for pages and commands."""
    return ledger_standings(ledger, rules, ratings_of(ledger.entries, ledger.battles.values()).columns)


def bots_of(
    kept: Sequence[KeptEntry], entries: Sequence[TournamentEntry]
) -> dict[str, list[TournamentEntry]]:
    """Return all versions of each bot, in the order in which they joined, by the id of its current one.

    An earlier version belongs to the bot with its directory. On a ladder, each upload has its own directory,
    so it belongs to the bot with its name.

    Args:
        entries: the current versions.
    """
    current = {one.id for one in entries}
    by_origin = {one.origin: one.entry.id for one in kept if one.entry.id in current}
    by_name = {one.entry.name: one.entry.id for one in kept if one.entry.id in current}
    bots: dict[str, list[TournamentEntry]] = {entry.id: [] for entry in entries}
    for one in kept:
        mine = one.entry.id in current
        bot = one.entry.id if mine else by_origin.get(one.origin) or by_name.get(one.entry.name)
        if bot is not None and (mine or one.state == "changed"):
            bots[bot].append(one.entry)
    return bots


def game_of(folder: str | Path, store: str | None = None) -> str | None:
    """Return the game of a folder's tournament: a name, or the path of a folder.

    It is None if there is no such folder, or the tournament has no game yet.

    Raises:
        SetupError: the file of options or the store cannot be read.
    """
    if not Path(folder).is_dir():
        return None
    place = TournamentFolder(folder)
    game, where = options_in_file(place.path)[1], store_place(place, store)
    if game is not None or (isinstance(where, Path) and not where.is_file()):
        return game
    opened = open_store(where, writing=False)
    try:
        return rules_from(opened)[1] if RULES in opened.meta() else None
    finally:
        opened.close()


def rules_text(rules: PairingRules, game: str) -> str:
    """Return the rules that the first run fixes, as the text that the store keeps.

    Args:
        game: the game's name in the catalog, or the path of a folder.
    """
    names = [*_KEPT, *_KEPT_OF.get(rules.format, ())]
    kept = {name: getattr(rules, name) for name in names}
    return json.dumps({**kept, "challengers": list(rules.challengers), "where": game}, sort_keys=True)


_KEPT = ("game", "behaviour", "settings", "seed", "format", "seats", "rounds")
_KEPT_OF: Mapping[str, tuple[str, ...]] = {"knockout": ("battles",), "melee": ("fill",)}


def refuse_other_entries(
    store: ResultStore, rules: PairingRules, playing: Iterable[TournamentEntry] | None = None
) -> None:
    """Raise SetupError if the entries of a knockout that has begun would change.

    Args:
        playing: the entries of the next run, or None if the entries change in any case.
    """
    if rules.format != "knockout" or not any(battle.counts for battle in store.battles()):
        return
    before = {one.entry.id: one.entry.name for one in store.entries() if one.state == "plays"}
    now = {one.id: one.name for one in playing} if playing is not None else {}
    joined = [f"{name} has joined or changed" for one, name in now.items() if one not in before]
    left = [f"{name} is missing or changed" for one, name in before.items() if one not in now]
    if playing is None or joined or left:
        why = ": " + ", ".join([*joined, *left][:4]) if playing is not None else ""
        raise SetupError(
            f"the knockout in {store.where} has begun, and its bracket is fixed{why}: continue with the"
            " same bots, or start another tournament in another folder"
        )


def rules_from(store: ResultStore) -> tuple[PairingRules, str]:
    """Return the rules in a store, and the game's name in the catalog or the path of its folder.

    Raises:
        SetupError: the store has no tournament yet, or it cannot be read.
    """
    text = store.meta().get(RULES)
    if text is None:
        raise SetupError(f"{store.where} has no tournament yet: `turnwright tournament run` plays one")
    try:
        data = {"fill": "drawn", **json.loads(text)}
        game = data.pop("where")
        return PairingRules(**{**data, "challengers": tuple(data["challengers"])}), game
    except (ValueError, TypeError, KeyError):
        raise SetupError(f"the rules in {store.where} cannot be read: {text[:80]!r}") from None
