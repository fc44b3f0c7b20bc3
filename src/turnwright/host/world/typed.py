"""A line that a player has typed: done at once, put into the queue, or refused with a word."""

from __future__ import annotations

from typing import Protocol

from turnwright.games.world.entities import Action
from turnwright.host.world.commands import Room, immediate_of, split
from turnwright.host.world.helping import dropped_words, no_command, waits
from turnwright.host.world.presses import press, press_of_line
from turnwright.host.world.sessions import Session
from turnwright.host.world.steering import STANDS
from turnwright.host.world.table import WorldTable
from turnwright.wire.world.combat import React

__all__ = ["Desk", "do_line"]


class Desk(Room, Protocol):
    """What typed lines need of the host."""

    table: WorldTable


def do_line(desk: Desk, session: Session, text: str) -> None:
    """Do a command at once, or put it into the queue."""
    if not text.strip():
        return
    word, rest = split(text, desk.rules)
    if word in desk.rules.threats.reactions:
        reaction, threat = press_of_line(word, rest)
        press(desk.table, session, React(reaction, None, threat), desk.now_ns)
        return
    immediate = immediate_of(word, desk.rules)
    if immediate is not None:
        immediate(desk, session, rest)
        return
    verb = desk.rules.verb(word)
    if verb is None:
        desk.say(session, no_command(desk.rules, word))
        return
    if verb.urgent:
        _make_way(desk, session)
    if (refused := session.buffer.put(text.strip())) is not None:
        desk.say(session, refused)
    elif len(session.buffer) == 1:
        _first_in_queue(desk, session)


def _first_in_queue(desk: Desk, session: Session) -> None:
    """The next turn takes what was typed, and shows what comes of it; say so where it does not."""
    action = _action_of(desk, session)
    stands = desk.table.steering.stands
    session.awaits_turn = (action is None or session.stop) and not stands
    if stands:
        desk.say(session, f"{STANDS} That waits.")
        return
    if action is not None and not session.stop and session.reads_text:
        desk.say(session, waits(action.verb))


def _action_of(desk: Desk, session: Session) -> Action | None:
    creature = desk.table.state.world.creatures.get(session.body or 0)
    return None if creature is None else creature.action


def _make_way(desk: Desk, session: Session) -> None:
    """Drop what a body does and what waits for it: something urgent has come up."""
    session.stop |= _action_of(desk, session) is not None
    if dropped := len(session.buffer.purge()):
        desk.say(session, f"{dropped_words(dropped)}.")
