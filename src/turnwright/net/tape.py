"""A battle in a file, turn by turn, to make a story or a picture of: ours or Tank Royale's, all alike."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnwright.errors import RecordError, VoidBattleError
from turnwright.games.tank import look
from turnwright.games.tank.story.moment import Fighter, Moment, Setting
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.replay import rebuild, replay
from turnwright.net.records import read_record
from turnwright.net.warmup import new_game
from turnwright.results import unique_names
from turnwright.wire.record.recording import Notes, Recording, collect
from turnwright.wire.record.royale_reader import read_messages
from turnwright.wire.record.shown import opening_of
from turnwright.wire.royale.parts import Participant, ResultsForObserver
from turnwright.wire.royale.results import results_for_observers

__all__ = ["Tape", "open_tape"]

_CHUNK = 1 << 20
_START_BYTES = 4_096
_GZIP = 16 + zlib.MAX_WBITS
_NS_PER_US = 1000
_OURS = b'{"turnwright"'


class Tape:
    """A battle to be gone through once. setting: who played what.

    moments: one a turn. After the last one: ending is "over", "aborted", "void", or None where the file was
    cut off; results: rows of JSON values, best first, as far as they are known; differs: the turn in which a
    record plays differently from what it says (the moments end before it), or None. notes: what was wrong.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.ending: str | None = None
        self.results: tuple[Mapping[str, Any], ...] = ()
        self.differs: str | None = None
        self.notes: list[str] = []

    def moments(self) -> Iterator[Moment]:
        """Yield each turn."""
        raise NotImplementedError


def open_tape(path: Path) -> Tape:
    """Return the battle in a `.twr` or `.battle.gz` file. Raises: RecordError for anything else."""
    if _is_ours(path):
        try:
            return _RecordTape(read_record(path))
        except RecordError as error:
            raise RecordError(_named(path, error)) from error
    notes = Notes()
    try:
        recording = collect((line.message for line in read_messages(_chunks(path), notes)), notes)
    except RecordError as error:
        raise RecordError(_named(path, error)) from error
    return _RoyaleTape(recording)


def _named(path: Path, error: RecordError) -> str:
    text = str(error)
    return text if str(path) in text else f"{path}: {text}"


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _is_ours(path: Path) -> bool:
    """Return whether a file is a record of ours. Raises: RecordError for what can be no battle at all."""
    expected = "expected a record (.twr) or a recording of Tank Royale (.battle.gz)"
    try:
        with path.open("rb") as stream:
            start = stream.read(_START_BYTES)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}; {expected}") from error
    if start.startswith(b"\x1f\x8b"):
        try:
            start = zlib.decompressobj(_GZIP).decompress(start, _START_BYTES)
        except zlib.error as error:
            raise RecordError(f"{path} is damaged: {error}") from error
    if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        raise RecordError(f"{path} is no record: {expected}")
    return start.lstrip().startswith(_OURS)


def _fighters(participants: tuple[Participant, ...]) -> tuple[Fighter, ...]:
    names = unique_names(one.name for one in participants)
    teams = {one.team_id: one.team_name or f"team {one.team_id}" for one in participants}
    teams.pop(None, None)
    named = dict(zip(teams, unique_names(teams.values()), strict=True))
    return tuple(
        Fighter(one.id, name, one.version, named.get(one.team_id), bool(one.is_droid))
        for one, name in zip(participants, names, strict=True)
    )


def _rows(results: tuple[ResultsForObserver, ...]) -> tuple[Mapping[str, Any], ...]:
    return tuple(msgspec.structs.asdict(row) for row in results)


class _RecordTape(Tape):
    """A record of ours, played again."""

    def __init__(self, record: Record) -> None:
        header, setup = record.header, opening_of(record.header)
        self._record = record
        self._game = new_game(header.tolerant)
        rebuild(record, self._game)
        settings: Mapping[str, Any] = {**self._game.defaults, **header.setup}
        super().__init__(
            Setting(
                str(settings["game_type"]),
                float(settings["arena_width"]),
                float(settings["arena_height"]),
                int(settings["number_of_rounds"]),
                _fighters(setup.participants),
                header.seed,
                int(settings["max_inactivity_turns"]),
                header.rules.timeout_ns,
                header.rules.on_disconnect == "dead",
            )
        )

    def moments(self) -> Iterator[Moment]:
        """Yield each turn, as long as it comes out as it was recorded."""
        state: Any = None
        turn = 0
        try:
            for entry, closed, battle in replay(self._record, self._game):
                turn = entry.turn
                if not closed.entry.digest.startswith(entry.digest):
                    self.differs = f"turn {turn}"
                    break
                state = battle.state
                yield _moment(entry, state)
        except VoidBattleError:
            if self._record.turns[turn].digest:
                self.differs = f"turn {turn + 1}"
        footer = self._record.footer
        self.ending = None if footer is None else footer.ending
        if state is not None:
            self.results = _rows(results_for_observers(state.results))
        if footer is None:
            self.notes.append("the file is cut off: what it holds is told")


def _moment(entry: TurnEntry, state: Any) -> Moment:
    answers: Mapping[int, int] = getattr(entry, "answer_ns", None) or {}
    return Moment(
        entry.turn,
        look.frame(state),
        _ids(entry.skipped),
        {seat + 1: ns for seat, ns in entry.late_ns.items()},
        {seat + 1: ns for seat, ns in answers.items()},
        _ids(entry.gone),
        _ids(entry.disqualified),
        _ids(state.winners) if state.round_over else None,
    )


def _ids(seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat + 1 for seat in seats)


class _RoyaleTape(Tape):
    """A recording of Tank Royale: what observers were told. Nothing is known of skipped turns."""

    def __init__(self, recording: Recording) -> None:
        setup = recording.setup
        self._recording = recording
        super().__init__(
            Setting(
                setup.game_type,
                float(setup.arena_width),
                float(setup.arena_height),
                setup.number_of_rounds,
                _fighters(tuple(recording.participants.values())),
                None,
                setup.max_inactivity_turns,
                None if recording.guessed else setup.turn_timeout * _NS_PER_US,
                times_known=False,
            )
        )

    def moments(self) -> Iterator[Moment]:
        """Yield each turn."""
        winners = self._winners()
        frames = self._recording.frames
        for k, frame in enumerate(frames):
            last = k + 1 == len(frames) or frames[k + 1].round_number != frame.round_number
            yield Moment(k + 1, frame, winners=winners.get(frame.round_number) if last else None)
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
