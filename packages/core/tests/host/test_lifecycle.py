"""The five phases: every legal way is listed, and no other is possible."""

from __future__ import annotations

import itertools

import pytest

from turnwright.host.lifecycle import TRANSITIONS, Move, Phase, advance


def test_document_002s_way_is_there():
    phase = Phase.WAITING_FOR_PARTICIPANTS
    for move in (Move.START, Move.ALL_READY, Move.PAUSE, Move.RESUME, Move.OVER):
        phase = advance(phase, move)
    assert phase is Phase.STOPPED


@pytest.mark.parametrize(
    ("phase", "move", "after"),
    [
        (Phase.PAUSED, Move.STOP, Phase.STOPPED),
        (Phase.WAITING_FOR_READY, Move.READY_TIMEOUT, Phase.WAITING_FOR_PARTICIPANTS),
        (Phase.STOPPED, Move.START, Phase.WAITING_FOR_READY),
    ],
)
def test_transitions_that_document_002_leaves_out_exist(phase, move, after):
    assert advance(phase, move) is after


def test_everything_not_listed_is_refused():
    for phase, move in itertools.product(Phase, Move):
        assert (advance(phase, move) is None) == ((phase, move) not in TRANSITIONS)
    assert advance(Phase.RUNNING, Move.START) is None
    assert advance(Phase.STOPPED, Move.RESUME) is None
