"""A ladder server's ladder: the bots that play, their results, and the choice of the next battle.

    fewer than NEWCOMER_BATTLES    entries with the fewest battles first, each against the entry that it has
                                   met least
    then                           first pairings with too few battles, and then the pairing whose next battle
                                   narrows its mean most, as `--until-ci` chooses it

Built-in bots do not meet each other. They are there for comparison.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

from turnwright.errors import SetupError
from turnwright.kernel.units import NS_PER_US
from turnwright.net.participants.directory import load
from turnwright_league.app.battle_queue import ATTEMPTS_MAX, QueuedBattle
from turnwright_league.app.folder import TournamentBot, sources_of
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.game import LadderGame
from turnwright_league.app.ladder.records import LadderRecords
from turnwright_league.app.ladder.store import PrintedText, Upload
from turnwright_league.app.store import EntryState, KeptEntry, ResultStore
from turnwright_league.app.tournament import in_standings
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.narrowing import NarrowingBattles
from turnwright_league.tournament.pairings import PairingRules, participants_of
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.standings import entry_labels

NEWCOMER_BATTLES = 8
"""The battles after which an entry is no longer a newcomer."""
_PAUSE_S_MAX = 30
"""The longest pause in seconds after battles that could not be played."""
_CHOSEN = 4
"""The number of battles that are chosen at a time."""


class Ladder:
    """The ladder: its bots, their results, the next battles.

    Args:
        tell: gets lines for the operator.

    Attributes:
        ledger: the results of the entries that play.
        bots: the bots that play, by their entries' ids.
        results: all results of the ladder, by the battle's id.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        game: LadderGame,
        store: ResultStore,
        records: LadderRecords,
        tell: Callable[[str], None],
    ) -> None:
        self._ladder_folder, self._game, self._store, self._records = ladder_folder, game, store, records
        self._tell = tell
        self.results = {battle.id: battle for battle in store.battles()}
        self.bots: Mapping[str, TournamentBot] = {}
        self._known = {number for number, battle in self.results.items() if battle.counts}
        self._attempts: Counter[str] = Counter()
        self._chosen: list[BattleSpec] = []
        self._due, self._failures = 0.0, 0
        self._follow_entries(())

    # ---- entries -----------------------------------------------------------------------------------------

    def keep_entries(self) -> None:
        """Update the entries, also in the store: the built-in bots and the uploads that play."""
        wanted = {bot.entry.id: bot for bot in self._game.built_in}
        uploads = {one.entry.id: one for one in self._ladder_folder.playing() if one.entry is not None}
        wanted |= {number: bot_of_upload(self._ladder_folder, one) for number, one in uploads.items()}
        if wanted.keys() == self.bots.keys():
            return
        kept = {one.entry.id: one for one in self._store.entries()}
        states = {one.entry.id: one.state for one in self._ladder_folder.uploads() if one.entry is not None}
        joined = max((one.joined for one in kept.values()), default=0)
        for number, before in kept.items():
            gone: EntryState = "removed" if states.get(number) == "removed" else "changed"
            if number not in wanted and before.state != gone:
                self._store.put_entry(replace(before, state=gone))
        for number, bot in wanted.items():
            earlier = kept.get(number)
            if earlier is None or earlier.state != "plays":
                self._ladder_folder.folder.keep_sources(bot)
                if number in uploads:
                    self._ladder_folder.measure(uploads[number].id)
                joined += 1
                place = earlier.joined if earlier is not None else joined
                self._store.put_entry(KeptEntry(bot.entry, bot.origin, bot.seats, "plays", place))
        self.bots = wanted
        self._records.set_players(wanted.keys())
        self._follow_entries(in_standings(self._store.entries(), ()))
        self._chosen = [spec for spec in self._chosen if set(spec.seats) <= wanted.keys()]

    def _follow_entries(self, entries: Sequence[TournamentEntry]) -> None:
        """Limit the ledger, the choice of battles and the names to these entries."""
        self.ledger = ResultLedger(entries, self.results.values())
        built_in = {bot.entry.id for bot in self._game.built_in}
        self._battles = LadderBattles(self.ledger, built_in, self._game.rules)
        self._labels = entry_labels(entries)

    def _leave_gone(self, spec: BattleSpec) -> None:
        """Take the bots of a battle whose directories have changed off the ladder. They are checked again."""
        for one in self._ladder_folder.playing():
            if one.entry is None or one.entry.id not in spec.seats:
                continue
            try:
                same = sources_of(load(bot_of_upload(self._ladder_folder, one).given)) == one.entry.source
            except SetupError:
                same = False
            if not same:
                self._ladder_folder.change_upload(one.id, state="received")

    # ---- battles -----------------------------------------------------------------------------------------

    def next(self, running: Sequence[BattleSpec]) -> QueuedBattle | None:
        """Return the battle that begins next, or None if there is none now.

        Args:
            running: the battles of the ladder without a result.
        """
        if time.monotonic() < self._due:
            return None
        if not self._chosen:
            self._chosen = self._battles.next(self._known, _CHOSEN, running)
        if not self._chosen:
            return None
        spec = self._chosen.pop(0)
        return QueuedBattle(spec, " v ".join(self._labels.get(one, "?") for one in dict.fromkeys(spec.seats)))

    def job(self, spec: BattleSpec) -> BattleJob:
        """Return the job of a battle that begins."""
        part = self._ladder_folder.folder.new_record(spec.id)
        return self._game.job(spec, self.bots, part, tps=self._ladder_folder.options.tps)

    def take(self, battle: QueuedBattle, result: JobResult) -> None:
        """Store a result: first its record, then one insert.

        A battle that does not count is chosen again, up to ATTEMPTS_MAX times in total. If the worker refused
        the battle or a bot has changed, there is no result, and bots that have changed are checked again.
        """
        spec = battle.spec
        self._attempts[spec.id] += 1
        if self._attempts[spec.id] >= ATTEMPTS_MAX:
            self._known.add(spec.id)
        self._failures = self._failures + 1 if result.kind in ("refused", "changed", "void") else 0
        self._due = time.monotonic() + min(_PAUSE_S_MAX, self._failures)
        if result.kind in ("refused", "changed"):
            self._tell(f"{battle.names} is not played: {result.why}")
            self._leave_gone(spec)
            return
        before = self.results.get(spec.id)
        attempts = 1 + (before.attempts if before is not None else 0)
        played = result.battle(spec, attempts, time.time_ns() // NS_PER_US, *self._record(battle, result))
        self._store.add(played)
        self.change_result(played)
        self._records.add_battle(played)
        if played.counts:
            self._known.add(spec.id)
        built_in = {bot.entry.id for bot in self._game.built_in}
        prints = [
            PrintedText(played.id, entry, played.played_us, lines)
            for entry, lines in result.printed_for_owners().items()
            if entry not in built_in and lines
        ]
        self._ladder_folder.store.put_prints(played.id, prints)

    def change_result(self, played: PlayedBattle) -> None:
        """Add a new result, or one whose record was deleted."""
        self.results[played.id] = played
        self.ledger.add(played)

    def _record(self, battle: QueuedBattle, result: JobResult) -> tuple[str | None, str]:
        """Store the record of a battle, and return its name, or None, and the hash of its file."""
        if battle.part is not None and battle.part.exists() and result.kind == "played":
            with suppress(OSError):
                return self._ladder_folder.folder.keep_record(battle.part, battle.spec.id)
        return None, ""


def bot_of_upload(ladder_folder: LadderFolder, one: Upload) -> TournamentBot:
    """Return the bot of a checked upload."""
    assert one.entry is not None
    assert one.directory is not None
    return TournamentBot(one.entry, one.directory, str(ladder_folder.places.path / one.directory))


class LadderBattles:
    """Chooses the battles of a ladder, each between two entries.

    Args:
        ledger: the entries and results. The caller adds new results.
        standing: the ids of entries that do not meet each other.
    """

    def __init__(self, ledger: ResultLedger, standing: Set[str], rules: PairingRules) -> None:
        self._ledger = ledger
        ids = sorted(entry.id for entry in ledger.entries)
        self._moving = [one for one in ids if one not in standing] if len(ids) > 1 else []
        self._ids = ids
        pairs = (pair for pair in combinations(ids, 2) if not standing >= set(pair))
        self._narrowing = NarrowingBattles(ledger.entries, rules, ledger, None, pairs)

    def next(self, known: Container[str], count: int, waiting: Sequence[BattleSpec] = ()) -> list[BattleSpec]:
        """Return the next battles. There are none if no two entries can meet.

        Args:
            known: the ids of battles that must not be chosen again.
            waiting: the battles without a result.
            count: the most battles.
        """
        self._ledger.refresh()
        given = list(waiting)
        while len(given) < len(waiting) + count and (pair := self._newcomers_pair(given)):
            given.append(self._narrowing.battle(pair, known, given))
        chosen = given[len(waiting) :]
        return chosen + self._narrowing.next(known, count - len(chosen), given)

    def _newcomers_pair(self, given: Sequence[BattleSpec]) -> tuple[str, ...] | None:
        """Return the newest entry and the entry that it has met least, or None if no entry is new.

        Args:
            given: the battles without a result.
        """
        meeting = Counter(map(participants_of, given))
        playing = Counter(one for pair in meeting.elements() for one in pair)
        fought = {one: self._ledger.counts.played_by[one] + playing[one] for one in self._moving}
        new = [one for one, battles in fought.items() if battles < NEWCOMER_BATTLES]
        if not new:
            return None
        newest = min(new, key=lambda one: (fought[one], _mark(one)))

        def met(pair: tuple[str, ...]) -> tuple[int, str]:
            found = self._ledger.pairings.get(pair)
            battles = meeting[pair] + (found.battles if found is not None else 0)
            return battles, _mark(*pair, str(fought[newest]))

        return min((tuple(sorted((newest, one))) for one in self._ids if one != newest), key=met)


def _mark(*texts: str) -> str:
    """Return a key that orders equal entries at random, but always in the same way."""
    return hashlib.blake2b("/".join(texts).encode(), digest_size=8).hexdigest()
