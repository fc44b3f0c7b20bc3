"""The record of a battle on a server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from turnwright.host.recording import BattleRecording
from turnwright.kernel.failure import Failure, FailureReason, refusal
from turnwright.kernel.printed import Prints
from turnwright.kernel.record import Footer, TurnEntry


@pytest.mark.parametrize("public", [True, False])
def test_why_a_seat_is_out_of_a_round_is_recorded_with_its_error_only_where_errors_are_public(
    public: bool,
) -> None:
    done: list[Any] = []
    output: Any = SimpleNamespace(do=done.append)
    config: Any = SimpleNamespace(record=True, errors_public=public, history_bytes_max=0)
    why = Failure(FailureReason.SILENT, 1, 31, refusal("swordfish"))
    recording = BattleRecording(config, output, output, 1, Prints())
    recording.add(TurnEntry(31, {}, disqualified=(0,), out={0: why}))
    (kept,) = (effect.entry.out[0] for effect in done)
    assert (kept.text, kept.is_refused) == (why.text, True)
    assert ("swordfish" in kept.error) is public


class Lines:
    """Messages of a battle whose pieces are lines; each piece is made once."""

    has_record_lines = True
    started = b"started"

    def __init__(self) -> None:
        self.made: list[bytes] = []

    def make(self, what: str) -> bytes:
        self.made.append(f"{what} {len(self.made)}".encode())
        return self.made[-1]

    def history_opened(self, header: Any) -> bytes:
        return self.make("header")

    def history_turn(self, entry: TurnEntry) -> bytes:
        return self.make("turn")

    def history_start(self, entry: TurnEntry) -> None:
        return None

    def history_closed(self, footer: Footer) -> bytes:
        return self.make("footer")


@pytest.mark.parametrize(("history", "shared"), [(1000, True), (0, False)])
def test_a_history_of_record_lines_shares_them_with_the_record(history: int, shared: bool) -> None:
    done: list[Any] = []
    output: Any = SimpleNamespace(do=done.append, readers=lambda: (), apart=True)
    config: Any = SimpleNamespace(record=True, errors_public=True, history_bytes_max=history)
    messages: Any = Lines()
    recording = BattleRecording(config, output, messages, 1, Prints())
    header: Any = object()
    recording.begin(header)
    recording.begin_history(header)
    recording.add(TurnEntry(1, {}))
    recording.add(TurnEntry(2, {}), is_void=True)
    recording.close(Footer("void", 2), (1, 2))
    lines = [effect.line for effect in done]
    assert lines == ([b"header 0", b"turn 1", b"turn 2", b"footer 3"] if shared else [b""] * 4)
    assert messages.made == (lines if shared else [])
