"""The phases of a room (document 002) and the legal moves between them.

Document 002 draws participants → ready → running ⇄ paused → stopped. What real use needs beyond it is here
too: a pause can be stopped, a ready timeout falls back, and a stopped room can start the next game.
"""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """A state of a room."""

    WAITING_FOR_PARTICIPANTS = "waiting for participants"
    WAITING_FOR_READY = "waiting for ready"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"


class Move(Enum):
    """An event that changes the phase."""

    START = "start"
    ALL_READY = "all ready"
    READY_TIMEOUT = "ready timeout with too few"
    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    OVER = "over"


_P, _M = Phase, Move
TRANSITIONS: dict[tuple[Phase, Move], Phase] = {
    (_P.WAITING_FOR_PARTICIPANTS, _M.START): _P.WAITING_FOR_READY,
    (_P.WAITING_FOR_READY, _M.ALL_READY): _P.RUNNING,
    (_P.RUNNING, _M.PAUSE): _P.PAUSED,
    (_P.PAUSED, _M.RESUME): _P.RUNNING,
    (_P.RUNNING, _M.OVER): _P.STOPPED,
    # What document 002 leaves out:
    (_P.WAITING_FOR_READY, _M.READY_TIMEOUT): _P.WAITING_FOR_PARTICIPANTS,
    (_P.WAITING_FOR_READY, _M.STOP): _P.STOPPED,
    (_P.RUNNING, _M.STOP): _P.STOPPED,
    (_P.PAUSED, _M.STOP): _P.STOPPED,
    (_P.PAUSED, _M.OVER): _P.STOPPED,
    (_P.STOPPED, _M.START): _P.WAITING_FOR_READY,
}


def advance(phase: Phase, move: Move) -> Phase | None:
    """Return the phase after `move`, or None when it is not legal in `phase`."""
    return TRANSITIONS.get((phase, move))
