"""When a reaction counts: at the time that its client stamped on it or at its arrival, never in the past.

A program's reaction waits until the world lets it meet something (`ThreatPolicy.react_us`).

Who has no clock (plain telnet) gets a bounded grace for the way that the line takes; see `wire.world.clock`.
"""

from __future__ import annotations

from turnwright.games.world.intent import Press
from turnwright.host.world.sessions import Session
from turnwright.host.world.table import WorldTable
from turnwright.wire.world.clock import RATE_ONE, judge
from turnwright.wire.world.combat import React

__all__ = ["EARLY_MAX", "press", "press_of_line"]

EARLY_MAX = 64
"""Reactions of one session of which it is remembered how early they came until they are answered."""


def press(table: WorldTable, session: Session, react: React, now_ns: int) -> None:
    """Hand a reaction to the table; one without a time is from somebody without a clock."""
    assert session.body is not None
    stamp_us = react.at
    rate = table.clock.segment.rate
    grace_us = session.line.grace_us * rate // RATE_ONE if stamp_us is None else 0
    judged = judge(stamp_us, table.arrived_us(now_ns, grace_us), table.played_us, rate)
    body = table.state.world.creatures.get(session.body)
    policy = table.state.rules.threats
    ready_us = 0 if body is None else policy.ready_us(body, react.reaction, react.id)
    at_us = max(judged.at_us, ready_us)
    if stamp_us is not None:
        session.early_us[at_us] = judged.early_us
        while len(session.early_us) > EARLY_MAX:
            del session.early_us[next(iter(session.early_us))]
    table.press(session.body, Press(at_us, react.reaction, react.id, react.band), now_ns)


def press_of_line(word: str, rest: str) -> tuple[str, int | None]:
    """Return the reaction and the number of the threat of a typed line, e.g. "parry 3"."""
    number = rest.strip().lstrip("#")
    return word, int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None
