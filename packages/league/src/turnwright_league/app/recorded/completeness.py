"""Compares the battles of a store with the battles that follow from rules, seed and seal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from turnwright.errors import SetupError
from turnwright_league.app.folder import TournamentFolder, file_hash
from turnwright_league.app.recorded.entries import EntryRow, entry_rows
from turnwright_league.app.recorded.findings import TOURNAMENT, CheckFindings
from turnwright_league.app.store import KeptBattle, ResultStore
from turnwright_league.app.stored_runs import parts_now, plans_of, sealed_parts
from turnwright_league.app.tournament import rules_from
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.derivation import RunPlan, compare_with_plans
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rumble import RUMBLE_GAME
from turnwright_league.tournament.seal import TournamentParts
from turnwright_league.tournament.standings import entry_labels

_NAMED_MAX = 3
"""The most battles that a line names if many have the same problem."""


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as read from its store.

    Attributes:
        played: the rows whose battles match their ids.
        plans: the plans of its runs. There are none for a ladder and for runs of an earlier version.
        parts: the current parts.
        sealed: the parts at the time when it was finished, or None.
    """

    rules: PairingRules
    game: str
    rows: Sequence[KeptBattle]
    played: Mapping[str, PlayedBattle]
    entries: Sequence[EntryRow]
    plans: Sequence[RunPlan]
    parts: TournamentParts
    sealed: TournamentParts | None
    labels: Mapping[str, str]

    def names(self, spec: BattleSpec | None) -> str:
        """Return the names of a battle's entries as "A v B", or "?" without a specification."""
        seats = () if spec is None else dict.fromkeys(spec.seats)
        return " v ".join(self.labels.get(one, one[:6]) for one in seats) or "?"

    @property
    def seal(self) -> str:
        """The seal, or "" if the tournament is not finished or has changed since it was finished."""
        return self.parts.seal if self.parts == self.sealed else ""


def stored_tournament(store: ResultStore) -> StoredTournament:
    """Return the tournament of a store.

    Raises:
        SetupError: the store has no tournament, or it cannot be read.
    """
    rules, game = rules_from(store)
    rows, entries = list(store.rows()), entry_rows(store)
    known = entry_labels([row.kept.entry for row in entries])
    return StoredTournament(
        rules,
        game,
        rows,
        {row.id: row.battle for row in rows if row.battle is not None and row.battle.id == row.id},
        entries,
        plans_of(store),
        parts_now(store),
        sealed_parts(store),
        {row.id: known[row.kept.entry.id] for row in entries},
    )


def compare_battles(kept: StoredTournament, found: CheckFindings) -> None:
    """Add to `found` the missing battles, and the battles that do not follow from the rules."""
    for row in kept.rows:
        if row.battle is None:
            found.add_wrong(row.id, "?", f"its row cannot be read: {row.error}")
        elif row.battle.id != row.id:
            said = f"its specification was changed: it is that of {row.battle.id[:12]}"
            found.add_wrong(row.id, kept.names(row.battle.spec), said)
    if kept.rules.game == RUMBLE_GAME and not kept.plans:
        found.add_gap("", TOURNAMENT, "its results were imported, and have no records")
        return
    _compare_plans(kept, _plans(kept, found), found)


def _plans(kept: StoredTournament, found: CheckFindings) -> Sequence[RunPlan]:
    if not kept.plans:
        found.add_gap("", TOURNAMENT, "there is no plan, so it is unknown which battles must exist")
        return [RunPlan(tuple(row.id for row in kept.entries), keep="")]
    if not kept.plans[0].keep:
        found.add_gap("", TOURNAMENT, "an earlier version began it, and stored no plan of its battles")
    if not kept.plans[-1].finished:
        found.add_gap("", TOURNAMENT, "it is not finished")
    elif kept.sealed is None:
        found.add_gap("", TOURNAMENT, "it has no seal: its entries changed since, or the seal was removed")
    else:
        _compare_entries(kept, found)
    return kept.plans


def _compare_entries(kept: StoredTournament, found: CheckFindings) -> None:
    """Add to `found` the entries that have changed since the last run."""
    last = kept.plans[-1].entries
    for row in kept.entries:
        if row.kept.state == "plays" and row.id not in last:
            said = "its state is plays, but it did not play in the last run"
            found.add_wrong("", f"entry {kept.labels[row.id]}", said)
    playing = [row for row in kept.entries if row.id in last]
    for row in playing:
        if row.kept.state != "plays":
            said = f"its state is {row.kept.state}, but it played in the last run"
            found.add_wrong("", f"entry {kept.labels[row.id]}", said)
    if [row.id for row in playing] != [one for one in last if one in kept.labels]:
        found.add_wrong("", TOURNAMENT, "the order of its entries differs from the order in its last run")


def _compare_plans(kept: StoredTournament, plans: Sequence[RunPlan], found: CheckFindings) -> None:
    fitting = {row.id: row.kept.entry for row in kept.entries if row.fits}
    unknown = {one for plan in plans for one in plan.entries} - fitting.keys()
    strangers = {one for battle in kept.played.values() for one in battle.spec.seats} - fitting.keys()
    for battle in kept.played.values():
        wrong = [kept.labels.get(one, one[:12]) for one in battle.spec.seats if one in strangers]
        if wrong:
            said = f"there is no entry with the id of {' and '.join(dict.fromkeys(wrong))}"
            found.add_wrong(battle.id, kept.names(battle.spec), said)
    if unknown:
        names = ", ".join(sorted(kept.labels.get(one, one[:12]) for one in unknown))
        found.add_wrong("", TOURNAMENT, f"entries are missing, or do not match their ids: {names}")
        return
    members = {row.id: row.kept.seats for row in kept.entries if row.kept.seats > 1}
    rules = replace(kept.rules, members=members)
    try:
        derived = compare_with_plans(fitting, rules, plans, kept.played)
    except SetupError as error:
        found.add_wrong("", TOURNAMENT, f"its rules do not match its entries: {error}")
        return
    for number, spec in derived.missing.items():
        found.add_wrong(number, kept.names(spec), "it follows from rules and seed, and is missing")
    for number in derived.extra:
        spec = kept.played[number].spec
        found.add_wrong(number, kept.names(spec), _why_extra(spec, rules))
    for number, spec in derived.gaps.items():
        found.add_gap(number, kept.names(spec), "it is missing before later battles of its pairing")
    if derived.waiting:
        named = _named(kept, derived.waiting.values())
        found.add_gap("", TOURNAMENT, f"{len(derived.waiting):,} battles are not played: {named}")
    if derived.unsure:
        named = _named(kept, (kept.played[number].spec for number in sorted(derived.unsure)))
        said = "battles follow from the seed, but nothing proves that their entries had to meet"
        found.add_gap("", TOURNAMENT, f"{len(derived.unsure):,} {said}: {named}")


def _why_extra(spec: BattleSpec, rules: PairingRules) -> str:
    if (spec.game, spec.behaviour) != (rules.game, rules.behaviour):
        return f"it is of {spec.game} {spec.behaviour}, the tournament of {rules.game} {rules.behaviour}"
    if spec.settings != rules.settings:
        return f"it has the settings {spec.settings}, the tournament {rules.settings}"
    return f"it does not follow from the tournament's rules, entries and seed {rules.seed}"


def _named(kept: StoredTournament, specs: Iterable[BattleSpec]) -> str:
    names = list(dict.fromkeys(kept.names(spec) for spec in specs))
    more = f" and {len(names) - _NAMED_MAX:,} more pairings" if len(names) > _NAMED_MAX else ""
    return ", ".join(names[:_NAMED_MAX]) + more


def compare_seal(kept: StoredTournament, published: str | None, found: CheckFindings) -> None:
    """Add to `found` the parts that have changed since the tournament was finished.

    Args:
        published: the published seal, or None.
    """
    now, sealed = kept.parts, kept.sealed
    if sealed is not None:
        if sealed.rules != now.rules:
            found.add_wrong("", TOURNAMENT, "its rules or plans were changed after it was sealed")
        for number, said in _changed(sealed.entries, now.entries):
            found.add_wrong("", f"entry {kept.labels.get(number, number[:12])}", said)
        specs = {row.id: None if row.battle is None else row.battle.spec for row in kept.rows}
        for number, said in _changed(sealed.battles, now.battles):
            found.add_wrong(number, kept.names(specs.get(number)), said)
    if published is None or now.seal == published:
        return
    if sealed is not None and sealed.seal == published:
        found.add_wrong("", TOURNAMENT, f"it no longer has the seal {published}")
    else:
        said = f"its seal is {now.seal}, not {published}: it was changed or played again, and sealed again"
        found.add_wrong("", TOURNAMENT, said)


def _changed(sealed: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for number in sorted(sealed.keys() | now.keys()):
        if number not in now:
            yield number, "its row was deleted after the tournament was sealed"
        elif number not in sealed:
            yield number, "its row was added after the tournament was sealed"
        elif sealed[number] != now[number]:
            yield number, "its row was changed after the tournament was sealed"


def without_record(kept: StoredTournament, folder: TournamentFolder, found: CheckFindings) -> set[str]:
    """Return the ids of the battles without a record.

    These battles, and records without a battle, are added to `found`.
    """
    keeps_all = bool(kept.plans) and all(plan.keep == "all" for plan in kept.plans)
    missing = set()
    for number, battle in kept.played.items():
        names = kept.names(battle.spec)
        if battle.record == folder.record_name(number):
            continue
        missing.add(number)
        if battle.record is not None:
            found.add_wrong(number, names, f"its record is called {battle.record}")
        elif battle.record_deleted and kept.plans:
            found.add_wrong(number, names, "its record is marked as deleted, which only a ladder server does")
        elif not battle.record_deleted and (
            battle.record_hash or (keeps_all and (battle.state == "ok" or battle.digest or battle.turns))
        ):
            found.add_wrong(number, names, "its record is missing, although all records were kept")
        else:
            found.add_gap(number, names, f"it has no record{_why_none(battle)}")
    for path in sorted(folder.path.glob("records/*/*.twr")) if kept.plans else ():
        if path.stem not in kept.played and not path.name.endswith(".part.twr"):
            found.add_gap("", f"records/{path.parent.name}/{path.name}", "no result has this record")
    return missing


def changed_records(
    kept: StoredTournament, folder: TournamentFolder, battles: Iterable[str], found: CheckFindings
) -> None:
    """Add to `found` the battles whose record is not the file that was stored. No battle is replayed."""
    for number in battles:
        battle = kept.played[number]
        try:
            is_same = file_hash(folder.record(number)) == battle.record_hash
        except OSError:
            is_same = False
        if not is_same:
            found.add_wrong(number, kept.names(battle.spec), "its record is not the file that was played")


def _why_none(battle: PlayedBattle) -> str:
    if battle.record_deleted:
        return ": it was deleted to make room"
    return {"void": ": it is void", "forfeit": ": it is a forfeit"}.get(battle.state, "")
