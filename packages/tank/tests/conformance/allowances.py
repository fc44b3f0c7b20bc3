"""Differences from the official server that the comparison leaves out, in the scenarios of known.txt."""

from __future__ import annotations

from collections.abc import Callable

from packages.tank.tests.conformance.player import Message, Run

Allowance = Callable[[Run, Run], tuple[Run, Run]]
"""(official, ours) → both without the difference. Raises AssertionError when the difference is not there."""


def _until_second_start(official: Run, ours: Run) -> tuple[Run, Run]:
    """Compare until the official server begins again. Ours must continue where it was."""
    official_received, our_received = {}, {}
    for client, messages in official.received.items():
        kinds = [message["type"] for message in messages]
        starts = [index for index, kind in enumerate(kinds) if kind.startswith("GameStarted")]
        cut = starts[1] if len(starts) > 1 else len(messages)
        official_received[client] = messages[:cut]
        mine = ours.received[client]
        assert sum(message["type"].startswith("GameStarted") for message in mine) <= 1
        our_received[client] = _as_long(official_received[client], mine)
    turns = [m["turnNumber"] for m in ours.received["observer"] if m["type"] == "TickEventForObserver"]
    assert turns == list(range(1, len(turns) + 1)), "our game did not go on"
    return Run(official_received, official.ids, True), Run(our_received, ours.ids, True)


def _as_long(theirs: list[Message], ours: list[Message]) -> list[Message]:
    """Return ours up to the last turn that is in theirs."""
    last = max((m["turnNumber"] for m in theirs if m["type"].startswith("TickEvent")), default=0)
    return [
        m for m in ours if m.get("turnNumber", 0) <= last and not m["type"].startswith(("GameAb", "GameEn"))
    ]


ALLOWANCES: dict[str, Allowance] = {"start": _until_second_start}
"""The first word of a reason in known.txt → what it leaves out."""
