"""A recording in memory: what spectators saw of one game, from whichever file it came.

Built from observer messages: those of a `.battle.gz` (`royale_reader`) or those that a `.twr` gives when it
is played again (`shown`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from turnwright.errors import RecordError
from turnwright.games.tank.view import Frame, TankFrame
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.parts import GameSetup, Participant, ResultsForObserver
from turnwright.wire.royale.setup import custom

__all__ = ["STATES_MAX", "Ending", "Notes", "Recording", "collect"]

STATES_MAX = 4_000_000
"""Tanks and bullets, counted in every frame, that a recording in memory holds (about 2 GB)."""
_SIDE_STEP = 100
_SIDE_MAX = 100_000
_TANK_RADIUS = 18

Ending = Literal["over", "aborted", "cut off"]
"""How a recording ends; cut off: its last line is none of an end."""


@dataclass(slots=True)
class Notes:
    """What was missing or wrong in a file as a whole, and which lines of it were skipped, all or in part."""

    texts: list[str] = field(default_factory=list)
    """Of the file."""
    truncated: bool = False
    """Whether the file ends in the middle."""
    first: str = ""
    """Of the first line with something to skip: its number, and why."""
    skipped: int = 0
    """Lines with something to skip."""
    last: int = 0
    """The number of the last one."""

    def add(self, text: str) -> None:
        """Note something about the file."""
        self.texts.append(text)

    def skip(self, number: int, why: str) -> None:
        """Note that a line, or a part of it, was skipped."""
        if number == self.last:
            return
        self.first = self.first or f"line {number}: {why}: skipped"
        self.skipped += 1
        self.last = number

    @property
    def lines(self) -> list[str]:
        """One text for all skipped lines, however many, then those about the file."""
        more = ""
        if self.skipped == 2:
            more = f"; so was line {self.last}"
        elif self.skipped > 2:
            more = f"; so were {self.skipped - 1:,} more, the last one line {self.last}"
        return [self.first + more, *self.texts] if self.skipped else self.texts


@dataclass(slots=True)
class Recording:
    """One game as spectators saw it.

    participants: by bot id, in order; frames: one a turn, over all rounds; rounds: the ends of rounds, with
    the results so far. results: the last ones known, best first. guessed: the file says nothing of the setup
    and the participants (its recorder joined late); they are made up from its frames.
    """

    setup: GameSetup
    participants: dict[int, Participant]
    frames: list[Frame]
    rounds: list[m.RoundEndedEventForObserver]
    results: tuple[ResultsForObserver, ...]
    ending: Ending
    guessed: bool
    notes: Notes


def collect(messages: Iterable[object], notes: Notes | None = None) -> Recording:
    """Return the game that the messages tell; of several games the first.

    notes: gets what is missing. Raises: RecordError when there is no turn and no start of a game in it, or
    more than can be held.
    """
    collector = _Collector(Notes() if notes is None else notes)
    for message in messages:
        if not collector.take(message):
            break
    return collector.recording()


class _Collector:
    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._started: m.GameStartedEventForObserver | None = None
        self._frames: list[Frame] = []
        self._rounds: list[m.RoundEndedEventForObserver] = []
        self._results: tuple[ResultsForObserver, ...] = ()
        self._ending: Ending = "cut off"
        self._states = 0

    def take(self, message: object) -> bool:
        """Take a message; return whether the game goes on."""
        if self._ending != "cut off" or (self._frames and isinstance(message, m.GameStartedEventForObserver)):
            self._notes.add("there is another game in the file: only the first one is shown")
            return False
        if isinstance(message, Frame):
            self._take_frame(message)
        elif isinstance(message, m.GameStartedEventForObserver):
            self._started = self._started or message
        elif isinstance(message, m.RoundEndedEventForObserver):
            self._rounds.append(message)
            self._results = message.results
        elif isinstance(message, m.GameEndedEventForObserver):
            self._results = message.results
            self._ending = "over"
        elif isinstance(message, m.GameAbortedEvent):
            self._ending = "aborted"
        return True

    def _take_frame(self, frame: Frame) -> None:
        self._states += len(frame.bot_states) + len(frame.bullet_states) + len(frame.events) + 1
        if self._states > STATES_MAX:
            raise RecordError(
                f"the recording is too large to hold: more than {STATES_MAX:,} tanks, bullets and events in "
                f"{len(self._frames):,} turns"
            )
        self._frames.append(frame)

    def recording(self) -> Recording:
        """Return what was collected."""
        if self._started is None and not self._frames:
            raise RecordError("no turn and no start of a game is in it; expected a Tank Royale recording")
        guessed = self._started is None
        if guessed:
            self._notes.add("the start of the game is missing: arena and participants are guessed")
        if self._ending == "cut off":
            self._notes.add("the end of the game is missing")
        setup = _guessed_setup(self._frames) if self._started is None else self._started.game_setup
        participants = {} if self._started is None else {p.id: p for p in self._started.participants}
        for frame in self._frames:
            for tank in frame.bot_states:
                if tank.id not in participants:
                    participants[tank.id] = _guessed_participant(tank)
        return Recording(
            setup,
            dict(sorted(participants.items())),
            self._frames,
            self._rounds,
            self._results,
            self._ending,
            guessed,
            self._notes,
        )


def _guessed_setup(frames: list[Frame]) -> GameSetup:
    """Return a setup that the frames fit into: 800 × 600, or larger where tanks are outside of it."""
    setup = custom()
    setup.game_type = "classic"
    setup.arena_width = _side(setup.arena_width, (t.x for f in frames for t in f.bot_states))
    setup.arena_height = _side(setup.arena_height, (t.y for f in frames for t in f.bot_states))
    setup.number_of_rounds = max(1, max((f.round_number for f in frames), default=1))
    return setup


def _side(least: int, places: Iterable[float]) -> int:
    farthest = min(max(places, default=0.0), _SIDE_MAX - _TANK_RADIUS)
    return max(least, math.ceil((farthest + _TANK_RADIUS) / _SIDE_STEP) * _SIDE_STEP)


def _guessed_participant(tank: TankFrame) -> Participant:
    return Participant(
        id=tank.id,
        session_id=tank.session_id,
        name=tank.name,
        version=tank.version,
        authors=(),
        country_codes=(),
        game_types=(),
        is_droid=tank.is_droid,
    )
