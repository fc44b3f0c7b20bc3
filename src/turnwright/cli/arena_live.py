"""A battle in characters while it is played: what `turnwright battle --watch=text` shows on stderr.

The battle's loop only leaves the newest frames here; a thread of its own draws them, at most 15 times a
second, and waits for a slow terminal. So neither drawing nor an SSH connection holds up a turn.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, TextIO

from turnwright.cli.arena_view import View, view_lines
from turnwright.cli.happenings import Happenings
from turnwright.cli.output import Style
from turnwright.cli.render import progress_text
from turnwright.cli.screen import Screen
from turnwright.games.tank.story.moment import Setting
from turnwright.games.tank.view import Frame
from turnwright.net.fighters import fighters_of, scores_of, teams_of
from turnwright.results import Progress
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import decode_server

__all__ = ["DRAW_S", "ArenaDisplay"]

DRAW_S = 1 / 15
"""So much is between two pictures."""
_TICKS_KEPT = 4
"""Frames that wait to be drawn; when turns are quicker, the oldest ones are left out."""
_OTHERS_KEPT = 100
_NOTES_KEPT = 100
_CLOSE_WAIT_S = 2.0
_TICK = b"TickEventForObserver"


class ArenaDisplay:
    """Shows a battle on a terminal: as `display.LiveDisplay`, and `take` for what observers are sent.

    It waits for the terminal only when it is closed.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._screen = Screen(stream)
        self._style = Style(stream)
        self._ticks: deque[bytes] = deque(maxlen=_TICKS_KEPT)
        self._others: deque[bytes] = deque(maxlen=_OTHERS_KEPT)
        self._notes: deque[str] = deque(maxlen=_NOTES_KEPT)
        self._progress: Progress | None = None
        self._scene = _Scene()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.playing = False

    def show(self, progress: Progress) -> None:
        """Take note of how far the battle is."""
        self.playing = progress.stage != "starting"
        self._progress = progress
        self._begin()

    def take(self, data: bytes) -> None:
        """Take a message that observers hear. Returns at once."""
        (self._ticks if _TICK in data else self._others).append(data)
        self._begin()

    def note(self, text: str) -> None:
        """Say something that stays: now among what happened, and again when the picture is gone."""
        self._notes.append(text)

    def close(self) -> None:
        """Take the picture away, and print the notes. Harmless when called again."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_WAIT_S)
            self._thread = None
        self._screen.leave()
        while self._notes:
            print(self._notes.popleft(), file=self._stream, flush=True)

    def _begin(self) -> None:
        if self._thread is None and not self._stop.is_set():
            self._screen.enter()
            self._thread = threading.Thread(target=self._run, name="turnwright-arena", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            over = self._stop.wait(DRAW_S)
            for waiting in (self._others, self._ticks):
                while waiting:
                    self._scene.take(waiting.popleft())
            columns, lines = self._screen.size
            self._screen.show(self.picture(columns, lines))
            if over:
                return

    def picture(self, columns: int, lines: int) -> list[str]:
        """Return what is to be shown now."""
        view = self._scene.view(list(self._notes))
        if view is None:
            waiting = progress_text(self._progress) if self._progress is not None else "starting"
            return [waiting, *self._notes][:lines]
        return view_lines(view, columns, lines, self._style)


class _Scene:
    """What the messages have told so far."""

    def __init__(self) -> None:
        self._setting: Setting | None = None
        self._happenings: Happenings | None = None
        self._frame: Frame | None = None
        self._teams: Mapping[int, int | None] = {}
        self._scores: Mapping[int, int] = {}
        self._tps: int | None = None
        self._state = "playing"

    def take(self, data: bytes) -> None:
        """Take a message."""
        message: Any = decode_server(data)
        if isinstance(message, m.GameStartedEventForObserver):
            self._start(message)
        elif isinstance(message, Frame):
            self._frame = message
            if self._happenings is not None:
                self._happenings.take(message)
        elif isinstance(message, m.RoundEndedEventForObserver | m.GameEndedEventForObserver):
            self._scores = scores_of(message.results, self._teams)
            if isinstance(message, m.GameEndedEventForObserver):
                self._state = "over"
        elif isinstance(message, m.TpsChangedEvent):
            self._tps = message.tps
        elif isinstance(message, m.GamePausedEventForObserver):
            self._state = "paused"
        elif isinstance(message, m.GameResumedEventForObserver):
            self._state = "playing"

    def _start(self, message: m.GameStartedEventForObserver) -> None:
        setup, participants = message.game_setup, message.participants
        self._setting = Setting(
            setup.game_type,
            float(setup.arena_width),
            float(setup.arena_height),
            setup.number_of_rounds,
            fighters_of(participants),
        )
        self._teams = teams_of(participants)
        self._happenings = Happenings(self._setting)
        self._scores = {}
        self._frame = None
        self._state = "playing"

    def view(self, notes: list[str]) -> View | None:
        """Return what is to be shown; None before the battle has begun."""
        if self._setting is None or self._happenings is None:
            return None
        speed = "" if self._tps is None else "  no waiting" if self._tps < 0 else f"  {self._tps} turns/s"
        happened = [*notes[-3:], *self._happenings.last(60)]
        return View(self._setting, self._frame, self._state + speed, self._scores, happened)
