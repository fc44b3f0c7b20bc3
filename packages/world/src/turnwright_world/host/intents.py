"""Reads typed lines, reactions and plans of minds as intents.

A reaction counts at the client's stamp or at its arrival, whichever is later. It never counts in the past. A
program's reaction meets a threat only after the delay that the world sets for programs
(`ThreatPolicy.react_us`). A client without a clock (plain telnet) gets a bounded extra time for the latency
of its connection. See `wire.clock`.
"""

from __future__ import annotations

from typing import Any

from turnwright_world.host.sessions import Session
from turnwright_world.host.turns import TurnLoop
from turnwright_world.intent import IDLE, ReactionInput, WorldIntent
from turnwright_world.rules.verbs import Rules
from turnwright_world.wire.clock import RATE_ONE, judge
from turnwright_world.wire.messages import React

_SHORT = {"n": "north", "s": "south", "e": "east", "w": "west", "u": "up", "d": "down"}
DIRECTIONS = frozenset(("in", "out", *_SHORT.values()))
"""Words that mean a direction when they are the whole line."""
_MARKS = {"'": "say", '"': "say", ":": "emote"}
"""The command that a line means, by the line's first character."""

EARLY_MAX = 64
"""The most unanswered reactions of one session for which the server remembers how early they came."""


def split(line: str, rules: Rules) -> tuple[str, str]:
    """Return the first word of a line, and the remaining text.

    A direction alone is read as a command to go there. A quote at the start is read as `say`, a colon as
    `emote`.
    """
    text = line.strip()
    if text[:1] in _MARKS:
        return _MARKS[text[0]], text[1:].strip()
    word, _, rest = text.partition(" ")
    word = word.lower()
    if not rest and word in _SHORT and not rules.names(word):
        word = _SHORT[word]
    if not rest and "go" in rules.verbs and not rules.names(word):
        return ("go", word) if word in DIRECTIONS else (word, "")
    return word, rest.strip()


def way_of(word: str, rules: Rules) -> str:
    """Return the direction that a word means, or "" if it is none or a verb has this name."""
    way = _SHORT.get(word, word)
    return way if way in DIRECTIONS and "go" in rules.verbs and not rules.names(word) else ""


def short_of(way: str) -> str:
    """Return the letter of a direction, or "" if it has none."""
    return next((letter for letter, whole in _SHORT.items() if whole == way), "")


def press(turns: TurnLoop, session: Session, react: React, now_ns: int) -> None:
    """Hand a reaction to the turn loop.

    A reaction without a time comes from a client without a clock.
    """
    assert session.body is not None
    stamp_us = react.at
    rate = turns.clock.segment.rate
    grace_us = session.latency.grace_us * rate // RATE_ONE if stamp_us is None else 0
    judged = judge(stamp_us, turns.arrived_us(now_ns, grace_us), turns.played_us, rate)
    body = turns.state.world.creatures.get(session.body)
    policy = turns.state.rules.threats
    ready_us = 0 if body is None else policy.ready_us(body, react.reaction, react.id)
    at_us = max(judged.at_us, ready_us)
    if stamp_us is not None:
        session.early_us[at_us] = judged.early_us
        while len(session.early_us) > EARLY_MAX:
            del session.early_us[next(iter(session.early_us))]
    turns.press(session.body, ReactionInput(at_us, react.reaction, react.id, react.band), now_ns)


def press_of_line(word: str, rest: str) -> tuple[str, int | None]:
    """Return the reaction of a typed line such as "parry 3", and the number of the threat or None."""
    number = rest.strip().lstrip("#")
    return word, int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def intent_of_plan(
    turns: TurnLoop, body: int, command: str, memory: dict[str, Any] | None, now_ns: int
) -> WorldIntent:
    """Return the intent of a plan.

    Args:
        command: the planned command, or "" for nothing.
        memory: what the mind remembers now, or None if that is unchanged.
    """
    if not command:
        return IDLE if memory is None else WorldIntent(memory=memory)
    rules = turns.state.rules
    word, rest = split(command, rules)
    if word in rules.threats.reactions:
        reaction, threat = press_of_line(word, rest)
        lands_with_turn = rules.threats.react_us > 0  # minds have the delay of programs
        meant_us = turns.end_us if lands_with_turn else turns.arrived_us(now_ns)
        at_us = turns.game.press_time(turns.state, meant_us)
        return WorldIntent(presses=(ReactionInput(at_us, reaction, threat),), memory=memory)
    stop = word == "stop" or _drops(turns, word, body)
    return WorldIntent("" if word == "stop" else word, rest, stop, memory=memory)


def _drops(turns: TurnLoop, word: str, body: int) -> bool:
    """Return whether a command makes a body stop its current action."""
    verb, creature = turns.state.rules.verb(word), turns.state.world.creatures.get(body)
    return verb is not None and verb.urgent and creature is not None and creature.action is not None
