"""A battle from a file, any turn of it in any order, for who shows it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import RecordError
from turnwright.games.tank.story.moment import Moment, Setting
from turnwright.games.tank.view import BotDeathEvent
from turnwright.kernel.record import Record
from turnwright.kernel.replay import Replayer
from turnwright.net.fighters import scores_of, teams_of
from turnwright.net.records import OnProgress, naming, unwatched
from turnwright.net.tape import moment_of, read_battle, setting_of, setting_of_recording
from turnwright.net.warmup import new_game
from turnwright.wire.record.recording import Recording
from turnwright.wire.record.shown import opening_of
from turnwright.wire.royale.results import results_for_observers

__all__ = ["Reel", "RoundStart", "open_reel"]

_KEPT = 512
"""Turns of a record that are kept once they were looked at."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """Where a round begins: its number, and the index and number (1, as a rule) of its first turn."""

    number: int
    index: int
    turn: int = 1


class Reel:
    """The turns of a battle, 0 … length - 1. rounds: where each begins; deaths: turns seen with a death.

    notes: what is wrong with the file.
    """

    def __init__(self, setting: Setting, length: int, rounds: list[RoundStart], notes: list[str]) -> None:
        self.setting = setting
        self.length = length
        self.rounds = rounds
        self.notes = notes
        self.deaths: set[int] = set()

    def at(self, index: int) -> Moment:
        """Return a turn. Raises: RecordError where a record turns out to be damaged."""
        raise NotImplementedError

    def scores_at(self, index: int) -> Mapping[int, int]:
        """Return everybody's score after the last round that had ended by a turn; empty where not known."""
        raise NotImplementedError

    def find(self, round_number: int, turn: int) -> int:
        """Return the index of a turn of a round, or of the nearest one that there is."""
        found = [one for one in self.rounds if one.number <= round_number]
        if not found:
            return 0
        start = found[-1]
        last = self._end_of(start) - 1
        if start.number < round_number:
            return last
        return max(start.index, min(start.index + turn - start.turn, last))

    def _end_of(self, start: RoundStart) -> int:
        later = [one.index for one in self.rounds if one.index > start.index]
        return min(later, default=self.length)

    def _note_death(self, index: int, moment: Moment) -> None:
        if any(isinstance(event, BotDeathEvent) for event in moment.frame.events):
            self.deaths.add(index)


def open_reel(path: Path, on_progress: OnProgress = unwatched) -> Reel:
    """Return the battle in a `.twr` or `.battle.gz` file. Raises: RecordError for anything else."""
    battle = read_battle(path, on_progress)
    with naming(path):
        reel = _RecordReel(battle) if isinstance(battle, Record) else _RoyaleReel(battle)
        if not reel.length:
            raise RecordError("there is no turn in it")
        return reel


class _RecordReel(Reel):
    """A record of ours, played again from its keyframes."""

    def __init__(self, record: Record) -> None:
        game = new_game(record.header.tolerant)
        self._replayer = Replayer(record, game)
        self._teams = teams_of(opening_of(record.header).participants)
        self._kept: OrderedDict[int, Moment] = OrderedDict()
        rounds = [RoundStart(k, turn - 1) for k, turn in enumerate(self._replayer.rounds(), 1)]
        notes = []
        if record.broken is not None:
            notes.append(f"line {record.broken.line} was changed: what stands before it is shown")
        elif record.footer is None:
            notes.append("the file is cut off: what it holds is shown")
        super().__init__(setting_of(record, game.defaults), self._replayer.turns, rounds, notes)

    def at(self, index: int) -> Moment:
        """Return a turn."""
        moment = self._kept.get(index)
        if moment is None:
            state = self._replayer.seek(index + 1).state
            moment = self._kept[index] = moment_of(self._replayer.record.turns[index], state)
            self._note_death(index, moment)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return moment

    def scores_at(self, index: int) -> Mapping[int, int]:
        """Return everybody's score after the last round that had ended by a turn."""
        state = self._replayer.seek(index + 1).state
        return scores_of(results_for_observers(state.results), self._teams)


class _RoyaleReel(Reel):
    """A recording of Tank Royale, held in memory."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._teams = teams_of(recording.participants.values())
        rounds: list[RoundStart] = []
        for index, frame in enumerate(recording.frames):
            if not rounds or rounds[-1].number != frame.round_number:
                rounds.append(RoundStart(frame.round_number, index, frame.turn_number))
        notes = recording.notes.lines
        super().__init__(setting_of_recording(recording), len(recording.frames), rounds, notes)
        for index in range(self.length):
            self._note_death(index, self.at(index))

    def at(self, index: int) -> Moment:
        """Return a turn."""
        return Moment(index + 1, self._recording.frames[index])

    def scores_at(self, index: int) -> Mapping[int, int]:
        """Return everybody's score after the last round that had ended by a turn."""
        frame = self._recording.frames[index]
        at = frame.round_number, frame.turn_number
        ended = [one for one in self._recording.rounds if (one.round_number, one.turn_number) <= at]
        return scores_of(ended[-1].results, self._teams) if ended else {}
