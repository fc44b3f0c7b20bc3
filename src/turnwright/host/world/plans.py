"""A mind's plan as an intent: what it says is read as a player's line would be."""

from __future__ import annotations

from typing import Any

from turnwright.games.world.intent import IDLE, Press, WorldIntent
from turnwright.host.world.commands import split
from turnwright.host.world.presses import press_of_line
from turnwright.host.world.table import WorldTable

__all__ = ["intent_of_plan"]


def intent_of_plan(
    table: WorldTable, body: int, command: str, memory: dict[str, Any] | None, now_ns: int
) -> WorldIntent:
    """Return what a body does by a plan. command: "" = nothing; memory: None: as it was."""
    if not command:
        return IDLE if memory is None else WorldIntent(memory=memory)
    rules = table.state.rules
    word, rest = split(command, rules)
    if word in rules.threats.reactions:
        reaction, threat = press_of_line(word, rest)
        lands_with_turn = rules.threats.react_us > 0  # a mind is a program, too
        meant_us = table.end_us if lands_with_turn else table.arrived_us(now_ns)
        at_us = table.game.press_time(table.state, meant_us)
        return WorldIntent(presses=(Press(at_us, reaction, threat),), memory=memory)
    stop = word == "stop" or _drops(table, word, body)
    return WorldIntent("" if word == "stop" else word, rest, stop, memory=memory)


def _drops(table: WorldTable, word: str, body: int) -> bool:
    """Return whether a body drops what it does for a command."""
    verb, creature = table.state.rules.verb(word), table.state.world.creatures.get(body)
    return verb is not None and verb.urgent and creature is not None and creature.action is not None
