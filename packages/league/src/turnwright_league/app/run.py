"""Plays a tournament: it enters the bots, hands out battles and stores the results."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.game.playable import find_game
from turnwright.catalog import default_game
from turnwright.errors import SetupError, TurnwrightError
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.units import NS_PER_US
from turnwright.net.gc_pause import GcPause
from turnwright.net.processes.processors import processors
from turnwright_league.app.battle_queue import ATTEMPTS_MAX, BattleQueue, Interrupts, QueuedBattle
from turnwright_league.app.battle_workers import BattleWorkers, open_workers
from turnwright_league.app.folder import TournamentBot, TournamentFolder
from turnwright_league.app.next_battles import BattlePlan
from turnwright_league.app.options import (
    JOBS_MAX,
    TournamentOptions,
    battle_settings,
    machine_settings,
    options_in_file,
    setting_default,
    settings_by_field,
    settings_given,
    settings_in_file,
)
from turnwright_league.app.page.source import RunPage
from turnwright_league.app.store import KeptEntry, ResultStore, open_store, remember_store, store_place
from turnwright_league.app.stored_runs import begin_plan, seal
from turnwright_league.app.tournament import (
    RULES,
    RunProgress,
    Tournament,
    in_standings,
    refuse_other_entries,
    rules_from,
    rules_text,
)
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec, settings_text
from turnwright_league.tournament.derivation import RunPlan
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.standings import TournamentStandings, entry_labels, ledger_standings

__all__ = ["ATTEMPTS_MAX", "LOOK_S", "RunProgress", "TournamentEnd", "play_tournament", "run_tournament"]

LOOK_S = 0.5
"""The shortest time in seconds between two reports of the progress."""
_TABLE_PART = 0.05
"""The most time for computing standings during the battles, as a part of all time."""
_WINDOW = 4
"""The number of battles that are chosen together, for each battle that runs at the same time."""
_MACHINE = "machine"
"""The name in the store of the last run's settings for starting programs."""
_DEFAULTS: Mapping[str, Any] = {"format": "round-robin", "seed": 1, "battles": 2, "keep": "all"}

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class TournamentEnd:
    """The end of a run.

    Attributes:
        interrupted: whether it was interrupted before the end.
        played: the number of battles in this run.
        again: the number of battles that were played again.
        crashed, not_started: the names of bots that crashed or did not start in a battle of this run.
        seal: the seal of the finished tournament, or "" if it is not finished.
    """

    tournament: Tournament
    interrupted: bool
    played: int
    again: int
    crashed: tuple[str, ...] = ()
    not_started: tuple[str, ...] = ()
    seal: str = ""

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the bots that crashed, or did not start."""
        return tuple(dict.fromkeys((*self.crashed, *self.not_started)))


def run_tournament(
    folder: str | Path,
    *bots: str | Path,
    game: str | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> Tournament:
    """Play or resume a tournament, and return it.

    Args:
        folder: the folder with a directory for each bot. Results and records are stored there.
        bots: built-in bots and bot directories outside the folder.
        options: the fields of `TournamentOptions`, e.g. battles=2, until_ci=1.0, jobs=2, and the options of a
            battle of the game, e.g. rounds=10.
        settings: settings of the battles that cannot be in `options`, because an option has the same name.

    Raises:
        SetupError: the tournament cannot be played.
        KeyboardInterrupt: it was interrupted.
    """
    own = {one.name for one in fields(TournamentOptions)} - {"bots"}
    given = {name: value for name, value in options.items() if name in own}
    others = {name: value for name, value in options.items() if name not in own}
    asked = TournamentOptions(bots=tuple(map(str, bots)), **given)
    end = play_tournament(folder, asked, game, {**others, **(settings or {})})
    if end.interrupted:
        raise KeyboardInterrupt
    return end.tournament


def play_tournament(
    folder: str | Path,
    asked: TournamentOptions,
    game: str | None = None,
    settings: Mapping[str, Any] | None = None,
    on_progress: Callable[[RunProgress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    on_page: Callable[[str], None] | None = None,
    *,
    errors_public: bool = True,
) -> TournamentEnd:
    """Play a tournament until it is over or interrupted. See `run_tournament`.

    Records from a cluster have the errors of failed bots in any case.

    Args:
        asked, game, settings: the given values, which replace those of the folder.
        on_progress: is called about twice per second, and at the end.
        on_notice: gets a line about each event of battles and bots.
        on_page: is called with the address of the page, which is served during the tournament. If on_page is
            None, the page is only written into the folder.
        errors_public: whether records and the page have the errors of failed bots, and records also their
            last lines. If not, they have only the reasons, and the store has the errors.
    """
    _refuse_name_of_bot(folder, asked, game)
    place = TournamentFolder(folder, make=bool(asked.bots))
    in_file, file_game, file_settings = options_in_file(place.path)
    options = replace(in_file, **{**in_file.given(), **asked.given()})
    tell = on_notice or _log.warning
    with place.locked():
        place.delete_unfinished()
        where = store_place(place, asked.store)
        is_new = isinstance(where, Path) and not where.exists()
        store = open_store(where, writing=True)
        try:
            try:
                setup = _TournamentSetup(
                    place, store, options, game or file_game, file_settings, settings or {}, tell
                )
            except SetupError:
                if isinstance(where, Path) and is_new:
                    store.close()
                    where.unlink()
                raise
            remember_store(place, asked.store, tell)
            page = RunPage(place.path, asked.store, on_page, tell, errors_public)

            def report(progress: RunProgress) -> None:
                page.show(progress)
                if on_progress is not None:
                    on_progress(progress)

            run = _TournamentRun(setup, report, tell, errors_public)
            try:
                interrupted = run.play()
                sealed = seal(store) if run.is_finished else ""
            except BaseException:
                page.close(failed=True)
                raise
            page.close()
        finally:
            store.close()
            place.delete_unfinished()
    return TournamentEnd(
        Tournament(place.path, asked.store),
        interrupted,
        run.results.played_now,
        run.again,
        run.failures.names_of(run.failures.crashed),
        run.failures.names_of(run.failures.not_started),
        sealed,
    )


class _TournamentSetup:
    """The rules of the pairings and the bots of a run.

    Creating it stores both, and reports the bots that have changed or left.
    """

    def __init__(
        self,
        folder: TournamentFolder,
        store: ResultStore,
        options: TournamentOptions,
        game: str | None,
        in_file: Mapping[str, Any],
        given: Mapping[str, Any],
        tell: Callable[[str], None],
    ) -> None:
        self.folder, self.store, self.options = folder, store, options
        self._tell = tell
        before = None if RULES not in store.meta() else rules_from(store)
        self.played = find_game(game or (before[1] if before is not None else default_game()))
        self.game = self.played.place
        kept = store.entries()
        found = self._found(kept)
        known = {one.entry.id: one.joined for one in kept}
        for bot in found:
            known.setdefault(bot.entry.id, 1 + max(known.values(), default=0))
        self.bots = sorted(found, key=lambda bot: known[bot.entry.id])
        self.bots_by_id = {bot.entry.id: bot for bot in self.bots}
        from_file = settings_in_file(folder.path, self.played, in_file)
        values = settings_by_field(self.played, {**from_file, **given})
        self.machine = self._machine(machine_settings(values))
        self.rules = self._rules(before, values)
        self.challengers: tuple[str, ...] = ()
        """The current versions of a gauntlet's challengers, if the stored rules name earlier ones."""
        if before is not None and (now := self._challengers_now(before[0], kept)) != before[0].challengers:
            self.rules, self.challengers = replace(self.rules, challengers=now), now
        refuse_other_entries(store, self.rules, self.entries)
        self._enter(kept, known)
        by_id = {bot.entry.id: bot.seats for bot in self.bots}
        self.rules = replace(self.rules, members={one: seats for one, seats in by_id.items() if seats > 1})

    @property
    def entries(self) -> list[TournamentEntry]:
        """The entries that get battles, in the order in which they joined."""
        return [bot.entry for bot in self.bots]

    # ---- bots --------------------------------------------------------------------------------------------

    def _found(self, kept: Sequence[KeptEntry]) -> list[TournamentBot]:
        """Return the bots that play.

        Raises:
            SetupError: there are fewer than two.
        """
        newest = {one.origin: one for one in kept}
        away = {origin for origin, one in newest.items() if one.state == "removed"}
        named = [*self.options.bots, *(o for o, one in newest.items() if one.state == "plays")]
        there = self._still_there(named, kept)
        found = self.folder.bots(self.played.bots, there, away)
        if len(found) < 2:
            raise SetupError(self._too_few(found))
        return found

    def _enter(self, kept: Sequence[KeptEntry], joined: Mapping[str, int]) -> None:
        """Store which bots take part and which have left."""
        ids = {bot.entry.id for bot in self.bots}
        origins = {bot.origin for bot in self.bots}
        for one in kept:
            if one.state == "plays" and one.entry.id not in ids:
                self._leave(one, changed=one.origin in origins)
        for bot in self.bots:
            self.folder.keep_sources(bot)
            self.store.put_entry(KeptEntry(bot.entry, bot.origin, bot.seats, "plays", joined[bot.entry.id]))

    def _still_there(self, named: Sequence[str], kept: Sequence[KeptEntry]) -> list[str]:
        """Return the names without earlier bots whose directories no longer exist.

        A name that this run gives stays in any case.
        """
        earlier = {one.origin for one in kept}
        there = []
        for name in dict.fromkeys(named):
            gone = name in earlier and name not in self.options.bots and not name.startswith("house/")
            if not (gone and not (self.folder.path / name).is_dir() and not Path(name).is_dir()):
                there.append(name)
        return there

    def _too_few(self, found: Sequence[TournamentBot]) -> str:
        there = "there is no bot in" if not found else f"there is one bot ({found[0].entry.name}) in"
        built_in = next(iter(self.played.bots.built_in), None)
        besides = f", e.g. {built_in}" if built_in is not None else ""
        return (
            f"{there} {self.folder.path}: a tournament needs two or more. Put a directory for each bot there,"
            f" or name more bots{besides}"
        )

    def _leave(self, one: KeptEntry, *, changed: bool) -> None:
        name = f"{one.entry.name} {one.entry.version} ({one.entry.id[:6]})"
        if changed:
            self._tell(
                f"{name} has changed since the last run: it continues as a new version. The earlier version"
                " leaves the standings and keeps its results"
            )
        else:
            self._tell(
                f"{name} is not in {one.origin} any more: it gets no more battles, and its results stay"
            )
        self.store.put_entry(replace(one, state="changed" if changed else "gone"))

    # ---- rules -------------------------------------------------------------------------------------------

    def _rules(self, before: tuple[PairingRules, str] | None, values: Mapping[str, Any]) -> PairingRules:
        """Return the rules of the pairings. The first run stores them.

        Raises:
            SetupError: the rules differ from the earlier ones.
        """
        options = self.options
        form = options.format or (before[0].format if before is not None else _DEFAULTS["format"])
        teams = any(bot.seats > 1 for bot in self.bots)
        defaults = self.played.battles.tournament_settings(form, options.seats, teams=teams)
        settings = settings_text(settings_given(self.played, {**defaults, **values}))
        rules = self.played.rules()
        asked = PairingRules(
            rules.name,
            rules.behaviour_version,
            settings,
            _DEFAULTS["seed"] if options.seed is None else options.seed,
            form,
            _DEFAULTS["battles"] if options.battles is None else options.battles,
            options.seats,
            challengers=self._challengers(),
            rounds=options.tournament_rounds,
        )
        if before is None:
            ledger = ResultLedger(self.entries)
            BattlePlan(
                self.entries, asked, ledger, until_ci=options.until_ci
            )  # refuses what cannot be played
            self.store.put_meta(RULES, rules_text(asked, self.game))
            return asked
        return self._same(asked, before[0], values)

    def _same(self, asked: PairingRules, before: PairingRules, values: Mapping[str, Any]) -> PairingRules:
        options = self.options
        given = {
            "format": options.format is not None,
            "seed": options.seed is not None,
            "seats": options.seats is not None,
            "rounds": options.tournament_rounds is not None,
            "challengers": bool(options.challengers),
            "battles": options.battles is not None and before.format == "knockout",
            "game": True,
            "behaviour": True,
        }
        for name, is_given in given.items():
            one, two = getattr(before, name), getattr(asked, name)
            if name == "challengers":
                one = self._challengers_now(before, self.store.entries())
            if is_given and one != two:
                raise SetupError(self._differs(name, one, two))
        for name, now, value in self._changed_settings(msgspec.json.decode(before.settings), values):
            raise SetupError(self._differs(name, now, value))
        if self.game != rules_from(self.store)[1]:
            self.store.put_meta(RULES, rules_text(before, self.game))  # the game's folder was moved
        return before if before.format == "knockout" else replace(before, battles=asked.battles)

    def _changed_settings(
        self, kept: Mapping[str, Any], values: Mapping[str, Any]
    ) -> Iterator[tuple[str, Any, Any]]:
        """Yield the settings whose given values differ from the stored ones, as (name, stored, given)."""
        for name, value in battle_settings(values).items():
            usual = setting_default(self.played, name)
            if name != "settings":
                if value != kept.get(name, usual):
                    yield name, kept.get(name, usual), value
                continue
            now = {**usual, **kept.get(name, {})}
            yield from ((one, now.get(one), given) for one, given in value.items() if given != now.get(one))

    def _machine(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the settings for starting programs, and store them.

        A setting that is given now replaces the setting of the last run.
        """
        before = json.loads(self.store.meta().get(_MACHINE, "{}"))
        now = {**before, **given}
        if before.get("sandbox", "none") != "none" and now["sandbox"] == "none":
            self._tell("bots play without the sandbox from now on. Earlier results name their sandbox level")
        if now != before:
            self.store.put_meta(_MACHINE, json.dumps(now, sort_keys=True))
        is_cluster = self.options.on not in (None, "local")
        return {"sandbox": "full", **now} if is_cluster else now

    def _differs(self, name: str, one: Any, two: Any) -> str:
        where = self.folder.path
        if name == "behaviour":
            return (
                f"the battles in {where} were played by version {one} of the rules, this turnwright has"
                f" {two}: use the version of turnwright that played them, or another folder"
            )
        return (
            f"the tournament in {where} is played with {name} {one}, not {two}: omit that option to continue,"
            " or use another folder"
        )

    def _challengers_now(self, rules: PairingRules, kept: Sequence[KeptEntry]) -> tuple[str, ...]:
        """Return the current versions of a gauntlet's challengers.

        Without challengers, the first entry is the challenger. The result is () until it changes.
        """
        if rules.format != "gauntlet":
            return rules.challengers
        origins = {one.entry.id: one.origin for one in kept}
        current = {bot.origin: bot.entry.id for bot in self.bots}
        first = tuple(one.entry.id for one in kept[:1])
        before = rules.challengers or first
        now = tuple(current.get(origins.get(one, ""), one) for one in before)
        return rules.challengers if now == before else now

    def _challengers(self) -> tuple[str, ...]:
        found = []
        labels = {label: entry for entry, label in entry_labels(self.entries).items()}
        for name in self.options.challengers:
            if name not in labels:
                raise SetupError(f"there is no bot {name[:80]!r} to challenge: there are {', '.join(labels)}")
            found.append(labels[name])
        return tuple(found)


class _KeptResults:
    """The results of a tournament, to which a run adds.

    Args:
        keep: the battles whose records are kept.
    """

    def __init__(self, setup: _TournamentSetup, keep: str) -> None:
        self._store, self._folder, self._keep = setup.store, setup.folder, keep
        self.by_id = {battle.id: battle for battle in setup.store.battles()}
        played = list(self.by_id.values())
        self.ledger = ResultLedger(in_standings(setup.store.entries(), played), played)
        playing = {entry.id for entry in setup.entries}
        mine = [one for one in played if playing.issuperset(one.spec.seats)]
        self.played_before = len(mine)
        self.done = sum(battle.counts for battle in mine)
        self.not_counted = {battle.id for battle in mine if not battle.counts}
        self.given_up: set[str] = set()
        """Battles that do not count, although this run has played them as often as it may."""
        self.played_now = 0

    def check_record(self, result: JobResult) -> None:
        """Raise SetupError if a record that must be kept could not be written."""
        if result.record_error is not None and self._keep == "all":
            raise SetupError(
                f"the record of a battle cannot be written: {result.record_error}: free some space, then run"
                " the same command, or play with --keep records=none"
            )

    def new_record(self, battle: str) -> str | None:
        """Return the path of a new record, or None if no records are kept."""
        return None if self._keep == "none" else str(self._folder.new_record(battle))

    def add(self, battle: QueuedBattle, result: JobResult) -> PlayedBattle:
        """Store a result: first its record, then one insert.

        Raises:
            SetupError: the result or its record cannot be stored.
        """
        before = self.by_id.get(battle.spec.id)
        played = result.battle(
            battle.spec,
            battle.attempt + (before.attempts if before is not None else 0),
            time.time_ns() // NS_PER_US,
            *self._record(battle, result),
        )
        self._store.add(played)
        self.done += played.counts
        for kept in (self.not_counted, self.given_up):
            (kept.discard if played.counts else kept.add)(played.id)
        self.by_id[played.id] = played
        self.ledger.add(played)
        self.played_now += 1
        return played

    def _record(self, battle: QueuedBattle, result: JobResult) -> tuple[str | None, str]:
        """Keep the record of a battle if it is requested, and return its name and the hash of its file.

        Without a record, they are None and "".
        """
        wanted = self._keep == "all" or (
            self._keep == "suspect" and (bool(result.suspect) or result.state == "forfeit")
        )
        if battle.part is None or not battle.part.exists() or not wanted or result.kind != "played":
            return None, ""
        try:
            return self._folder.keep_record(battle.part, battle.spec.id)
        except OSError as error:
            raise SetupError(f"a record cannot be kept: {error.strerror}: free some space") from None


class _EntryFailures:
    """The entries that failed in this run, and the texts about them."""

    def __init__(self, entries: Sequence[TournamentEntry]) -> None:
        self._labels = entry_labels(entries)
        self.crashed: set[str] = set()
        self.not_started: set[str] = set()
        self._never_start: set[str] = set()

    def names(self, spec: BattleSpec) -> str:
        """Return the names of the entries in a battle."""
        return " v ".join(self._label(one) for one in dict.fromkeys(spec.seats))

    def names_of(self, entries: Set[str]) -> tuple[str, ...]:
        """Return the names of entries, in the order in which they joined."""
        return tuple(label for one, label in self._labels.items() if one in entries)

    def _label(self, entry: str) -> str:
        return self._labels.get(entry, entry[:6])

    def texts(self, result: JobResult, entries: Iterable[str]) -> list[str]:
        """Return a sentence for each of these entries that says why it failed."""
        return [f"{self._label(one)} {result.failures[one].full_text}" for one in entries]

    def why_again(self, result: JobResult) -> str:
        """Return why a battle must be played again, or "" if it need not."""
        if result.kind == "void":
            return result.why
        return "; ".join([*result.suspect, *self.texts(result, result.at_start)])

    def attempts_of(self, result: JobResult) -> int:
        """Return how often a battle may be played until it counts.

        It is once if all entries that did not start have already forfeited a battle for that reason.
        """
        blamed = set(result.at_start)
        return 1 if blamed and blamed <= self._never_start else ATTEMPTS_MAX

    def note(self, battle: QueuedBattle, result: JobResult) -> str:
        """Note the entries that failed in a stored battle. Return a line about them, or ""."""
        starting = {one for one in result.no_answer if result.kind == "blamed"}
        failures = result.failures.items()
        crashed = {one for one, failure in failures if failure.reason is FailureReason.CRASHED}
        self.not_started |= starting
        self.crashed |= crashed - starting
        why = "; ".join(self.texts(result, result.failures))
        if result.state == "forfeit":
            self._never_start |= set(result.at_start)
            losers = [self._label(one) for one in result.failures]
            forfeit = "forfeits" if len(losers) == 1 else "forfeit"
            more = f" ({result.why})" if result.why else ""
            return f"{battle.names}: {', '.join(losers)} {forfeit}: {why}{more}"
        if result.state == "void" or result.suspect:
            return f"{battle.names} does not count: {result.why or '; '.join(result.suspect)}"
        return f"{battle.names}: {why}" if why else ""


class _MachineTroubles:
    """The battles that machines with problems returned without playing them."""

    def __init__(self, workers: BattleWorkers, tell: Callable[[str], None]) -> None:
        self._workers, self._tell = workers, tell
        self._given_back: Counter[str] = Counter()
        """How often each battle was returned since the last played battle."""
        self._wrong_archives: Counter[str] = Counter()
        """How often the archive of each entry arrived damaged, since the entry last played."""
        self._told: set[tuple[str, str]] = set()
        """The reported problems of machines."""

    def end(self, spec: BattleSpec) -> None:
        """Note that a battle was played, so its bots and its machine work."""
        self._given_back.clear()
        for entry in spec.seats:
            self._wrong_archives.pop(entry, None)

    def note(self, battle: QueuedBattle, result: JobResult, running: Sequence[QueuedBattle]) -> None:
        """Note that a machine did not play a battle. Another machine gets it next.

        Args:
            running: the other battles that workers have.

        Raises:
            SetupError: no machine seems to work, because every outstanding battle was returned ATTEMPTS_MAX
                times and none was played. Or the archive of a bot arrives damaged on every machine.
        """
        most = ATTEMPTS_MAX * self._workers.capacity
        wrong = self._wrong_archives
        if result.wrong_archive:
            wrong[result.wrong_archive] += 1
            if wrong[result.wrong_archive] >= most:
                raise SetupError(
                    f"{result.why}, {wrong[result.wrong_archive]} times. No result is lost: run the same"
                    " command again, which sends it again"
                )
        times = self._given_back
        times[battle.spec.id] += 1
        if times.total() >= most and all(times[one.spec.id] >= ATTEMPTS_MAX for one in (battle, *running)):
            raise SetupError(
                f"{result.why}; no other worker can play the battle either. No result is lost: run the same"
                " command again"
            )
        trouble = result.worker.rpartition(":")[0], result.why.removeprefix(f"the worker {result.worker} ")
        if trouble not in self._told and not self._workers.cannot_play(battle.spec):
            self._told.add(trouble)
            self._tell(f"{result.why}. Other workers get its battles")


class _ProgressReport:
    """Reports the progress of a run about twice per second.

    Args:
        total: the number of battles, or None if it is not known.
        for_s: the seconds in which the run begins battles, or None for no limit.
    """

    def __init__(
        self,
        results: _KeptResults,
        rules: PairingRules,
        total: int | None,
        for_s: float | None,
        report: Callable[[RunProgress], None],
    ) -> None:
        self._results, self._rules, self._report = results, rules, report
        self._total, self._for_s = total, for_s
        self._began = self._looked = time.monotonic()
        self._table: TournamentStandings | None = None
        self._next_table = 0.0

    @property
    def is_time_over(self) -> bool:
        """Whether the time to begin battles is over."""
        return bool(self._for_s) and time.monotonic() - self._began >= (self._for_s or 0.0)

    def look(self, queue: BattleQueue, again: int, *, ending: bool, force: bool) -> None:
        """Report the progress, if it is due or forced.

        Args:
            again: the number of battles that were played again.
        """
        now = time.monotonic()
        if not force and now - self._looked < LOOK_S:
            return
        self._looked = now
        results = self._results
        if force or now >= self._next_table:
            self._table = ledger_standings(results.ledger, self._rules)
            took = time.monotonic() - now
            self._next_table = now + max(LOOK_S, took / _TABLE_PART)
        self._report(
            RunProgress(
                results.done,
                self._total,
                results.played_now,
                again,
                self._left_s(now - self._began),
                queue.at_once,
                tuple(one.names for one in queue.running),
                self._table,
                ending,
                len(results.not_counted),
            )
        )

    def _left_s(self, passed_s: float) -> float | None:
        results, left_s = self._results, None
        if self._total is not None and results.played_now:
            rest = self._total - results.done - len(results.given_up)
            left_s = max(0, rest) * passed_s / results.played_now
        if self._for_s is not None:
            until_s = max(0.0, self._for_s - passed_s)
            left_s = until_s if left_s is None else min(until_s, left_s)
        return left_s


class _TournamentRun:
    """One run of a tournament. It decides which battle is next and what a result means.

    Creating it stores the plan of the run, and deletes the seal.
    """

    def __init__(
        self,
        setup: _TournamentSetup,
        report: Callable[[RunProgress], None],
        tell: Callable[[str], None],
        errors_public: bool,
    ) -> None:
        self._errors_public = errors_public
        self.setup, self._tell = setup, tell
        options = setup.options
        keep = options.keep or _DEFAULTS["keep"]
        self.results = _KeptResults(setup, keep)
        self.failures = _EntryFailures(setup.entries)
        self.again = 0
        self._known = {number for number, battle in self.results.by_id.items() if battle.counts}
        self._chosen: list[BattleSpec] = []
        endless = options.for_s is not None and options.battles is None and options.until_ci is None
        self._is_open = (endless or options.until_ci is not None) and setup.rules.format != "knockout"
        self._plan = BattlePlan(
            setup.entries, setup.rules, self.results.ledger, until_ci=options.until_ci, endless=endless
        )
        total = self._plan.total()
        total = None if total is None else max(total, self.results.played_before)
        self._progress = _ProgressReport(self.results, setup.rules, total, options.for_s, report)
        ids = tuple(one.id for one in setup.entries)
        battles = None if self._is_open else setup.rules.battles
        begin_plan(setup.store, RunPlan(ids, battles, keep, challengers=setup.challengers))
        self._interrupts = Interrupts(most=2)

    def play(self) -> bool:
        """Play until the run is over, and return whether it was interrupted."""
        setup, options = self.setup, self.setup.options
        local = options.on in (None, "local")
        jobs = options.jobs or (max(1, round(processors())) if local else JOBS_MAX)
        with self._interrupts.caught(), GcPause():  # a full collection would delay the next battle
            workers = open_workers(
                options.on, jobs, options.resource, setup.game, setup.folder, setup.bots_by_id, self._tell
            )
            self._troubles = _MachineTroubles(workers, self._tell)
            self._queue = BattleQueue(workers, jobs, self._job, self._tell)
            try:
                with workers:
                    self._play_all()
            except TurnwrightError:
                self._queue.take_finished(self._take)
                raise
        return self._interrupts.count > 0

    @property
    def is_finished(self) -> bool:
        """Whether the run was not interrupted and all battles have a result.

        If their number is open, the run decides how many there are.
        """
        if self._interrupts.count or self._is_open:
            return not self._interrupts.count
        return not self._plan.next(self.results.by_id, 1, busy=False)

    def _play_all(self) -> None:
        while True:
            over = not self._hand_out()
            self._look(force=False)
            if over and not self._queue.running:
                break
            if self._interrupts.count > 1:
                self._queue.delete_parts()
                break
            self._queue.wait()
            self._queue.take(self._take)
        self._look(force=True)

    def _look(self, *, force: bool) -> None:
        self._progress.look(self._queue, self.again, ending=self._interrupts.count > 0, force=force)

    # ---- which battle is next ----------------------------------------------------------------------------

    def _hand_out(self) -> bool:
        """Begin as many battles as may run, and return whether more may come.

        Raises:
            SetupError: no worker can play the remaining battles.
        """
        if self._interrupts.count or self._progress.is_time_over:
            return False
        more = self._queue.fill(self._next)
        if self._queue.stuck:
            raise SetupError(
                f"{self._queue.stuck}: no result is lost, run the same command again when a worker can"
            )
        return more

    def _next(self) -> QueuedBattle | None:
        if not self._chosen:
            count = _WINDOW * self._queue.at_once
            self._chosen = self._plan.next(self._known, count, bool(self._queue.running))
        if not self._chosen:
            return None
        spec = self._chosen.pop(0)
        self._known.add(spec.id)
        return QueuedBattle(spec, self.failures.names(spec))

    def _job(self, spec: BattleSpec) -> BattleJob:
        setup = self.setup
        record = self.results.new_record(spec.id)
        is_kept, is_public = not setup.options.fresh, self._errors_public
        return BattleJob.of(
            spec, setup.game, setup.bots_by_id, record, setup.machine, is_kept, errors_public=is_public
        )

    # ---- what a result means -----------------------------------------------------------------------------

    def _take(self, battle: QueuedBattle, result: JobResult) -> None:
        """Store a result, or play the battle again.

        Raises:
            SetupError: a bot changed during the tournament, a worker refused the battle, or the result cannot
                be stored.
        """
        if result.kind == "changed":
            raise SetupError(
                f"{result.why} was changed during the tournament: run the command again; it continues as a"
                " new version"
            )
        if result.kind == "refused":
            raise SetupError(result.why)
        if result.of_machine:
            if not self._interrupts.count:
                self._troubles.note(battle, result, self._queue.running)
                self._queue.give_back(battle)
            return
        if result.kind != "void":
            self._troubles.end(battle.spec)
        self.results.check_record(result)
        why = self.failures.why_again(result)
        if self._queue.again(battle, why, 0 if self._interrupts.count else self.failures.attempts_of(result)):
            self.again += 1
            return
        if why and self._interrupts.count and result.state == "void":
            return
        self.results.add(battle, result)
        if line := self.failures.note(battle, result):
            self._tell(line)


def _refuse_name_of_bot(folder: str | Path, asked: TournamentOptions, game: str | None) -> None:
    """Raise SetupError if the folder does not exist and has the name of a built-in bot."""
    name = str(folder)
    if Path(folder).exists() or name not in find_game(game or default_game()).bots.built_in:
        return
    bots = " ".join([name, *asked.bots][:3])
    raise SetupError(
        f"{name} is a built-in bot, and the first argument is the folder of the tournament: write"
        f" turnwright tournament run cup {bots}; or create a folder {name} first"
    )
