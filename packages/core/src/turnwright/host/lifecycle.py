"""The phases of a room, and the moves between them.

The usual order is participants → ready → running ⇄ paused → stopped. In addition a paused battle can be
stopped, a ready timeout returns to waiting for participants, and a stopped room can start the next battle.
"""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """The phase of a room."""

    WAITING_FOR_PARTICIPANTS = "waiting for participants"
    WAITING_FOR_READY = "waiting for ready"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"


class Move(Enum):
    """An event that changes the phase of a room."""

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
    # additions to the usual order:
    (_P.WAITING_FOR_READY, _M.READY_TIMEOUT): _P.WAITING_FOR_PARTICIPANTS,
    (_P.WAITING_FOR_READY, _M.STOP): _P.STOPPED,
    (_P.RUNNING, _M.STOP): _P.STOPPED,
    (_P.PAUSED, _M.STOP): _P.STOPPED,
    (_P.PAUSED, _M.OVER): _P.STOPPED,
    (_P.STOPPED, _M.START): _P.WAITING_FOR_READY,
}


def advance(phase: Phase, move: Move) -> Phase | None:
    """Return the phase after `move`, or None if the move is not allowed in `phase`."""
    return TRANSITIONS.get((phase, move))
