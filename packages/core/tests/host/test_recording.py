"""The record of a battle on a server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from turnwright.host.recording import BattleRecording
from turnwright.kernel.failure import Failure, FailureReason, refusal
from turnwright.kernel.printed import Prints
from turnwright.kernel.record import TurnEntry


@pytest.mark.parametrize("public", [True, False])
def test_why_a_seat_is_out_of_a_round_is_recorded_with_its_error_only_where_errors_are_public(
    public: bool,
) -> None:
    done: list[Any] = []
    output: Any = SimpleNamespace(do=done.append)
    config: Any = SimpleNamespace(record=True, errors_public=public)
    why = Failure(FailureReason.SILENT, 1, 31, refusal("swordfish"))
    recording = BattleRecording(config, output, output, 1, Prints())
    recording.add(TurnEntry(31, {}, disqualified=(0,), out={0: why}))
    (kept,) = (effect.entry.out[0] for effect in done)
    assert (kept.text, kept.is_refused) == (why.text, True)
    assert ("swordfish" in kept.error) is public
