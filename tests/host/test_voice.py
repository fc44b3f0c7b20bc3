"""Who hears what: in the official order, and nobody who is not there."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.host import effects as fx
from turnwright.host.lobby import Client
from turnwright.host.voice import Voice
from turnwright.wire.royale import messages as m


def voice(observers=(8,), controllers=(9,)):
    effects: list[fx.Effect] = []
    by_role = {None: observers + controllers, "observer": observers, "controller": controllers}
    it = Voice(effects, lambda role=None: by_role[role])
    hello = m.BotHandshake(name="n", version="1")
    it.clients = [Client(conn, "h", conn, 0, "s", role="bot", hello=hello) for conn in (1, 2, 3)]
    it.present = {0, 2}
    return it, effects


def types(effects):
    """Return (type of the message, connections) of each effect."""
    rows = []
    for effect in effects:
        conns = (effect.conn,) if isinstance(effect, fx.Send) else effect.conns
        rows.append((msgspec.json.decode(effect.data)["type"], conns))
    return rows


def test_who_has_left_is_told_nothing():
    it, effects = voice()
    for seat in range(3):
        it.tell(seat, m.SkippedTurnEvent(turn_number=1))
    assert types(effects) == [("SkippedTurnEvent", (1,)), ("SkippedTurnEvent", (3,))]


def test_a_round_begins_for_spectators_first_and_participants_hear_it_in_order_of_seat():
    it, effects = voice()
    it.round_started(4)
    kind = "RoundStartedEvent"
    assert types(effects) == [(kind, (8, 9)), (kind, (1,)), (kind, (3,))]
    assert not effects[0].droppable


@pytest.mark.parametrize(("role", "conns"), [("observer", (8,)), ("controller", (9,))])
def test_a_frame_goes_to_one_role_and_may_be_missed(role, conns):
    it, effects = voice()
    it.show(b'{"type":"x"}', role)
    assert [(e.conns, e.droppable) for e in effects] == [(conns, True)]


def test_nothing_is_said_into_an_empty_room():
    it, effects = voice((), ())
    it.publish(m.GameAbortedEvent())
    it.show(b"{}", "observer")
    it.tell_ours(b"{}")
    assert effects == []


def test_only_ours_hear_what_is_for_ours():
    it, effects = voice()
    it.ours = lambda: (9,)
    it.tell_ours(b'{"type":"ErrorReply"}')
    assert types(effects) == [("ErrorReply", (9,))]
