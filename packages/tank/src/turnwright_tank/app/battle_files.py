"""Reads the turns of a battle from a record or a recording."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from turnwright.errors import VoidBattleError
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import Failure
from turnwright.kernel.game import unique_names
from turnwright.kernel.printed import TurnPrints
from turnwright.kernel.record import Record, TurnEntry, answer_ns
from turnwright.kernel.replay import Replayer, agrees, replay
from turnwright.kernel.units import NS_PER_US
from turnwright.net.files.reader import OnProgress, kind_of_file, naming, no_progress, read_record
from turnwright.net.gc_pause import gc_paused
from turnwright_tank import observe
from turnwright_tank.analysis.turns import Fighter, Setting, TurnSeen
from turnwright_tank.app.recordings import chunks_of
from turnwright_tank.game import TankGame, new_game
from turnwright_tank.structs import BotDeathEvent, Frame
from turnwright_tank.wire.recording.from_record import opening_of
from turnwright_tank.wire.recording.read import Notes, Recording, collect, read_messages
from turnwright_tank.wire.royale.message_parts import Participant, ResultsForObserver
from turnwright_tank.wire.royale.results import results_for_observers

GC_PAUSE_TURNS = 1_000
"""The longest seek, in turns, with the garbage collector paused. The distance between keyframes is shorter.
"""


def fighters_of(participants: Sequence[Participant]) -> tuple[Fighter, ...]:
    """Return the participants in messages to spectators as fighters, with unique names of bots and teams."""
    names = unique_names(one.name for one in participants)
    teams = {one.team_id: one.team_name or f"team {one.team_id}" for one in participants}
    teams.pop(None, None)
    named = dict(zip(teams, unique_names(teams.values()), strict=True))
    return tuple(
        Fighter(one.id, name, one.version, named.get(one.team_id), bool(one.is_droid))
        for one, name in zip(participants, names, strict=True)
    )


def teams_of(participants: Iterable[Participant]) -> Mapping[int, int | None]:
    """Return the number of each bot's team by bot id, or None for a bot without a team."""
    return {one.id: one.team_id for one in participants}


def scores_of(rows: Iterable[ResultsForObserver], teams: Mapping[int, int | None]) -> Mapping[int, int]:
    """Return each bot's total score by bot id. Members of a team have the team's score.

    A bot without a row has 0.

    Args:
        teams: the result of `teams_of`.
    """
    solo: dict[int, int] = {}
    team: dict[int, int] = {}
    for row in rows:
        (team if row.is_team else solo)[row.id] = row.total_score
    return {bot: solo.get(bot, 0) if of is None else team.get(of, 0) for bot, of in teams.items()}


_TIMED_NS = 2_000
"""Answer times below this, in ns, come from bots in the same process, and are not shown."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The number of a round, and the index and the number of its first turn.

    The first turn usually has the number 1.
    """

    number: int
    index: int
    turn: int = 1


class BattleFile:
    """The turns of a battle, 0 … length - 1, one after the other or in any order.

    After `turns` has yielded its last turn, `ending` is "over", "aborted" or "void", or None if the file is
    truncated.

    Args:
        rounds: the start of each round, in order.
        notes: problems of the file.

    Attributes:
        deaths: the indices of those turns returned by `at` in which a tank died.
        results: rows of JSON values, best first, if they are known.
        differs: the turn in which the replay differs from the record, or None. The turns end before it.
    """

    def __init__(self, setting: Setting, length: int, rounds: list[RoundStart], notes: list[str]) -> None:
        self.setting = setting
        self.length = length
        self.rounds = rounds
        self.notes = notes
        self.deaths: set[int] = set()
        self.ending: str | None = None
        self.results: tuple[Mapping[str, Any], ...] = ()
        self.differs: str | None = None

    def turns(self) -> Iterator[TurnSeen]:
        """Yield each turn once, in order. The turns of a record end where its replay differs.

        Raises:
            RecordError: the record cannot be replayed.
        """
        raise NotImplementedError

    def at(self, index: int) -> TurnSeen:
        """Return the turn at `index`, which counts from 0.

        Raises:
            RecordError: the record is damaged.
        """
        raise NotImplementedError

    def scores_at(self, index: int) -> Mapping[int, int]:
        """Return each bot's total score, by bot id, after the last round that had ended by the turn `index`.

        The result is empty if the scores are unknown.
        """
        raise NotImplementedError

    def find(self, round_number: int, turn: int) -> int:
        """Return the index of a turn of a round, or of the nearest turn in the file."""
        found = [one for one in self.rounds if one.number <= round_number]
        if not found:
            return 0
        start = found[-1]
        last = self._end_of(start) - 1
        if start.number < round_number:
            return last
        return max(start.index, min(start.index + turn - start.turn, last))

    def place(self, index: int) -> tuple[int, int]:
        """Return the round and the turn at an index."""
        start = max((one for one in self.rounds if one.index <= index), key=lambda one: one.index)
        return start.number, start.turn + index - start.index

    def _end_of(self, start: RoundStart) -> int:
        later = [one.index for one in self.rounds if one.index > start.index]
        return min(later, default=self.length)

    def _note_death(self, index: int, seen: TurnSeen) -> None:
        if any(isinstance(event, BotDeathEvent) for event in seen.frame.events):
            self.deaths.add(index)


def open_battle_file(path: Path, on_progress: OnProgress = no_progress) -> BattleFile:
    """Return the turns of the battle in a `.twr` or `.battle.gz` file.

    Raises:
        RecordError: the file is not a record or recording, or cannot be read.
    """
    battle = read_battle(path, on_progress)
    with naming(path):
        return _RecordFile(battle) if isinstance(battle, Record) else _RecordingFile(battle)


def read_battle(path: Path, on_progress: OnProgress = no_progress) -> Record | Recording:
    """Return the record or recording in a `.twr` or `.battle.gz` file.

    Raises:
        RecordError: the file is not a record or recording, or cannot be read.
    """
    if kind_of_file(path) == "record":
        return read_record(path, on_progress=on_progress, rules=TankGame())
    notes = Notes()
    with naming(path):
        return collect((line.message for line in read_messages(chunks_of(path, on_progress), notes)), notes)


def _rows(results: tuple[ResultsForObserver, ...]) -> tuple[Mapping[str, Any], ...]:
    return tuple(msgspec.structs.asdict(row) for row in results)


def setting_of(record: Record, defaults: Mapping[str, Any]) -> Setting:
    """Return the setting of a recorded battle.

    Args:
        defaults: the settings of the game for values that the record does not have.
    """
    header = record.header
    settings = {**defaults, **header.setup}
    return Setting(
        str(settings["game_type"]),
        float(settings["arena_width"]),
        float(settings["arena_height"]),
        int(settings["number_of_rounds"]),
        fighters_of(opening_of(header).participants),
        header.seed,
        int(settings["max_inactivity_turns"]),
        header.rules.timeout_ns,
        header.rules.on_disconnect == "dead",
    )


def turn_seen(
    entry: TurnEntry, state: Any, out: Mapping[int, Sequence[Failure]] = MappingProxyType({})
) -> TurnSeen:
    """Return a turn of a record for the analysis.

    Args:
        state: the state of the replayed game after the turn.
        out: by seat, the known reasons for its disqualifications so far, newest last.
    """
    frame = observe.with_prints(observe.frame(state), entry.printed)
    coded = {seat + 1: answer_ns(code) for seat, code in enumerate(entry.answered)}
    return TurnSeen(
        entry.turn,
        frame,
        _ids(entry.skipped),
        {seat + 1: ns for seat, ns in entry.late_ns.items()},
        {bot: ns for bot, ns in coded.items() if ns is not None and ns >= _TIMED_NS},
        entry.server_late_ns,
        _ids(entry.gone),
        _ids(entry.disqualified),
        {seat + 1: out[seat][-1] for seat in entry.disqualified if seat in out},
        {seat + 1: failure for seat, failure in entry.failures.items()},
        _ids(state.winners) if state.round_over else None,
        printed_in(frame, entry.printed),
    )


def printed_in(
    frame: Frame, printed: Mapping[int, TurnPrints] = MappingProxyType({})
) -> dict[int, TurnPrints]:
    """Return the output of bots in a turn by bot id.

    Args:
        frame: the frame of the turn. Its tanks have the output in their intents.
        printed: the prints of the turn in the record, by seat.
    """
    found = {seat + 1: texts for seat, texts in printed.items()}
    for tank in frame.bot_states:
        if tank.std_out or tank.std_err:
            found[tank.id] = TurnPrints(*(_whole_lines(text) for text in (tank.std_out, tank.std_err)))
    return found


def _whole_lines(text: str | None) -> str:
    """Return a text whose last line ends with a newline."""
    text = text or ""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _ids(seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat + 1 for seat in seats)


_KEPT = 512
"""Number of turns of a record that are cached."""


class _RecordFile(BattleFile):
    """A turnwright record that is replayed in order or from its keyframes."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._game = new_game(tolerant=record.header.tolerant)
        self._replayer = Replayer(record, self._game)
        self._teams = teams_of(opening_of(record.header).participants)
        self._kept: OrderedDict[int, TurnSeen] = OrderedDict()
        rounds = [RoundStart(k, turn - 1) for k, turn in enumerate(self._replayer.rounds(), 1)]
        notes = []
        if record.footer is None:
            notes.append("the file is truncated: only its part of the battle is shown")
        super().__init__(setting_of(record, self._game.defaults), self._replayer.turns, rounds, notes)

    def turns(self) -> Iterator[TurnSeen]:
        """Yield each turn once, until the replay differs from the record."""
        record, state, done = self._record, None, 0
        try:
            for entry, closed, battle in replay(record, self._game):
                if not agrees(entry.digest, closed.entry.digest):
                    self.differs = f"turn {entry.turn}"
                    break
                state = battle.state
                done += 1
                yield turn_seen(entry, state, battle.referee.disqualifications)
        except VoidBattleError:
            if record.turns[done].digest:
                self.differs = f"turn {done + 1}"
        self.ending = None if record.footer is None else record.footer.ending
        if state is not None:
            self.results = _rows(results_for_observers(state.results))

    def at(self, index: int) -> TurnSeen:
        """Return a turn, from the cache or by a replay."""
        seen = self._kept.get(index)
        if seen is None:
            state = self._seek(index + 1).state
            seen = self._kept[index] = turn_seen(self._replayer.record.turns[index], state)
            self._note_death(index, seen)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return seen

    def _seek(self, turn: int) -> Battle:
        """Return the battle after a turn. The garbage collector is paused during a short seek."""
        with gc_paused() if self._replayer.distance(turn) <= GC_PAUSE_TURNS else nullcontext():
            return self._replayer.seek(turn)

    def scores_at(self, index: int) -> Mapping[int, int]:
        """Return the total scores, by bot id, after the last round that had ended by the turn `index`."""
        state = self._seek(index + 1).state
        return scores_of(results_for_observers(state.results), self._teams)


def setting_of_recording(recording: Recording) -> Setting:
    """Return the setting that observers received, or a plausible setting if they joined late."""
    setup = recording.setup
    return Setting(
        setup.game_type,
        float(setup.arena_width),
        float(setup.arena_height),
        setup.number_of_rounds,
        fighters_of(tuple(recording.participants.values())),
        None,
        setup.max_inactivity_turns,
        None if recording.guessed else setup.turn_timeout * NS_PER_US,
        times_known=False,
    )


class _RecordingFile(BattleFile):
    """A recording of Tank Royale in memory. Recordings do not contain missed turns."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._teams = teams_of(recording.participants.values())
        rounds: list[RoundStart] = []
        for index, frame in enumerate(recording.frames):
            if not rounds or rounds[-1].number != frame.round_number:
                rounds.append(RoundStart(frame.round_number, index, frame.turn_number))
        notes = list(recording.notes.lines)
        super().__init__(setting_of_recording(recording), len(recording.frames), rounds, notes)
        for index in range(self.length):
            self._note_death(index, self.at(index))

    def turns(self) -> Iterator[TurnSeen]:
        """Yield each turn once, in order."""
        winners, frames = self._winners(), self._recording.frames
        for k, frame in enumerate(frames):
            number = frame.round_number
            last = k + 1 == len(frames) or frames[k + 1].round_number != number
            came_first = winners.get(number) if last else None
            yield TurnSeen(k + 1, frame, winners=came_first, printed=printed_in(frame))
        self.ending = None if self._recording.ending == "cut off" else self._recording.ending
        self.results = _rows(self._recording.results)

    def at(self, index: int) -> TurnSeen:
        return TurnSeen(index + 1, self._recording.frames[index])

    def scores_at(self, index: int) -> Mapping[int, int]:
        """Return the total scores, by bot id, after the last round that had ended by the turn `index`."""
        frame = self._recording.frames[index]
        at = frame.round_number, frame.turn_number
        ended = [one for one in self._recording.rounds if (one.round_number, one.turn_number) <= at]
        return scores_of(ended[-1].results, self._teams) if ended else {}

    def _winners(self) -> dict[int, tuple[int, ...]]:
        """Return the bots that came first in each round: the bots whose count of first places has grown in
        the round.

        A team's row has no bot ids, so the winners of rounds that a team won are unknown.
        """
        before: dict[int, int] = {}
        found = {}
        for ended in self._recording.rounds:
            rows = [row for row in ended.results if not row.is_team]
            first = tuple(row.id for row in rows if row.first_places > before.get(row.id, 0))
            before = {row.id: row.first_places for row in rows}
            if first:
                found[ended.round_number] = tuple(sorted(first))
        return found
