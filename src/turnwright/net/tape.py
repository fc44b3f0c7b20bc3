"""A battle in a file, turn by turn, to make a story or a picture of: ours or Tank Royale's, all alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnwright.errors import VoidBattleError
from turnwright.games.tank import look
from turnwright.games.tank.story.moment import Moment, Setting
from turnwright.kernel.answers import answer_ns
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.replay import agrees, rebuild, replay
from turnwright.net.fighters import fighters_of
from turnwright.net.kinds import kind_of_file
from turnwright.net.records import OnProgress, naming, read_record, unwatched
from turnwright.net.royale_files import chunks_of
from turnwright.net.warmup import new_game
from turnwright.wire.record.recording import Notes, Recording, collect
from turnwright.wire.record.royale_reader import read_messages
from turnwright.wire.record.shown import opening_of
from turnwright.wire.royale.parts import ResultsForObserver
from turnwright.wire.royale.results import results_for_observers

__all__ = ["Tape", "moment_of", "open_tape", "read_battle", "setting_of", "setting_of_recording"]

_NS_PER_US = 1000
_TIMED_NS = 2_000
"""An answer that took less came from a bot in the same process, which nobody times."""


class Tape:
    """A battle to be gone through once. setting: who played what; turns: how many there are.

    moments: one a turn. After the last one: ending is "over", "aborted", "void", or None where the file was
    cut off; results: rows of JSON values, best first, as far as they are known; differs: the turn in which a
    record plays differently from what it says (the moments end before it), or None. notes: what was wrong.
    """

    def __init__(self, setting: Setting, turns: int) -> None:
        self.setting = setting
        self.turns = turns
        self.ending: str | None = None
        self.results: tuple[Mapping[str, Any], ...] = ()
        self.differs: str | None = None
        self.notes: list[str] = []

    def moments(self) -> Iterator[Moment]:
        """Yield each turn."""
        raise NotImplementedError


def open_tape(path: Path, on_progress: OnProgress = unwatched) -> Tape:
    """Return the battle in a `.twr` or `.battle.gz` file. Raises: RecordError for anything else."""
    battle = read_battle(path, on_progress)
    with naming(path):
        return _RecordTape(battle) if isinstance(battle, Record) else _RoyaleTape(battle)


def read_battle(path: Path, on_progress: OnProgress = unwatched) -> Record | Recording:
    """Return what is in a `.twr` or `.battle.gz` file. Raises: RecordError for anything else."""
    if kind_of_file(path) == "record":
        return read_record(path, on_progress=on_progress)
    notes = Notes()
    with naming(path):
        return collect((line.message for line in read_messages(chunks_of(path, on_progress), notes)), notes)


def _rows(results: tuple[ResultsForObserver, ...]) -> tuple[Mapping[str, Any], ...]:
    return tuple(msgspec.structs.asdict(row) for row in results)


def setting_of(record: Record, defaults: Mapping[str, Any]) -> Setting:
    """Return what was played. defaults: the game's settings where the record has none."""
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


def moment_of(entry: TurnEntry, state: Any) -> Moment:
    """Return a turn of a record, resolved again, without scores. state: the game's, after it."""
    coded = {seat + 1: answer_ns(code) for seat, code in enumerate(entry.answered)}
    return Moment(
        entry.turn,
        look.frame(state),
        _ids(entry.skipped),
        {seat + 1: ns for seat, ns in entry.late_ns.items()},
        {bot: ns for bot, ns in coded.items() if ns is not None and ns >= _TIMED_NS},
        entry.server_late_ns,
        _ids(entry.gone),
        _ids(entry.disqualified),
        _ids(state.winners) if state.round_over else None,
    )


def _ids(seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat + 1 for seat in seats)


class _RecordTape(Tape):
    """A record of ours, played again."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._game = new_game(record.header.tolerant)
        rebuild(record, self._game)
        super().__init__(setting_of(record, self._game.defaults), len(record.turns))

    def moments(self) -> Iterator[Moment]:
        """Yield each turn, as long as it comes out as it was recorded."""
        record, state, done = self._record, None, 0
        try:
            for entry, closed, battle in replay(record, self._game):
                if not agrees(entry.digest, closed.entry.digest):
                    self.differs = f"turn {entry.turn}"
                    break
                state = battle.state
                done += 1
                yield moment_of(entry, state)
        except VoidBattleError:
            if record.turns[done].digest:
                self.differs = f"turn {done + 1}"
        self.ending = None if record.footer is None else record.footer.ending
        if state is not None:
            self.results = _rows(results_for_observers(state.results))
        if record.broken is not None:
            self.notes.append(f"line {record.broken.line} was changed: what stands before it is told")
        elif record.footer is None:
            self.notes.append("the file is cut off: what it holds is told")


def setting_of_recording(recording: Recording) -> Setting:
    """Return what was played, as observers were told, or as it seems where they joined late."""
    setup = recording.setup
    return Setting(
        setup.game_type,
        float(setup.arena_width),
        float(setup.arena_height),
        setup.number_of_rounds,
        fighters_of(tuple(recording.participants.values())),
        None,
        setup.max_inactivity_turns,
        None if recording.guessed else setup.turn_timeout * _NS_PER_US,
        times_known=False,
    )


class _RoyaleTape(Tape):
    """A recording of Tank Royale: what observers were told. Nothing is known of skipped turns."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        super().__init__(setting_of_recording(recording), len(recording.frames))

    def moments(self) -> Iterator[Moment]:
        """Yield each turn."""
        winners, frames = self._winners(), self._recording.frames
        for k, frame in enumerate(frames):
            number = frame.round_number
            last = k + 1 == len(frames) or frames[k + 1].round_number != number
            yield Moment(k + 1, frame, winners=winners.get(number) if last else None)
        self.ending = None if self._recording.ending == "cut off" else self._recording.ending
        self.results = _rows(self._recording.results)
        self.notes += self._recording.notes.lines

    def _winners(self) -> dict[int, tuple[int, ...]]:
        """Return who came first in each round: whose count of first places has grown.

        A team's row names no tank, so of rounds that teams won nothing is known.
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
