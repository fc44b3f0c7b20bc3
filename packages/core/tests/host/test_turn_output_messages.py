"""Messages of a turn are sent in the official order to connected clients."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.host import effects as fx
from turnwright.host.lobby import Client, Lobby, Origin
from turnwright.host.message_rate import MessageRate
from turnwright.host.protocol import HelloMessage
from turnwright.host.turn_output import TurnOutput


def output(observers=(8,), controllers=(9,)):
    effects: list[fx.Effect] = []
    lobby = Lobby(frozenset(), frozenset())
    for role, conns in (("spectator", observers), ("operator", controllers)):
        for conn in conns:
            hello = HelloMessage(role, "n", "1", ours=role == "operator")
            lobby.admit(lobby.open(conn, "h", conn, 0, bytes(16)), hello)
    it = TurnOutput(effects, lobby)
    hello = HelloMessage("bot", "n", "1")
    it.clients = [
        Client(conn, Origin("h", conn), "s", MessageRate(0), role="bot", hello=hello) for conn in (1, 2, 3)
    ]
    it.present = {0, 2}
    return it, effects


def types(effects):
    """Return (type of the message, connections) of each effect."""
    rows = []
    for effect in effects:
        conns = (effect.conn,) if isinstance(effect, fx.Send) else effect.conns
        rows.append((msgspec.json.decode(effect.data)["type"], conns))
    return rows


def test_a_bot_that_left_gets_no_messages():
    it, effects = output()
    for seat in range(3):
        it.tell(seat, b'{"type":"SkippedTurnEvent"}')
    assert types(effects) == [("SkippedTurnEvent", (1,)), ("SkippedTurnEvent", (3,))]


def test_a_message_to_all_is_sent_in_order_of_seat():
    it, effects = output()
    it.tell_all(b'{"type":"x"}')
    assert types(effects) == [("x", (1,)), ("x", (3,))]


def test_each_participant_hears_its_own_message():
    it, effects = output()
    it.tell_each(b'{"type":"%d"}' % seat for seat in range(3))
    assert types(effects) == [("0", (1,)), ("2", (3,))]


def test_published_messages_are_not_droppable():
    it, effects = output()
    it.publish(b'{"type":"x"}')
    assert types(effects) == [("x", (8, 9))]
    assert not effects[0].droppable


def test_an_empty_message_is_not_sent():
    it, effects = output()
    it.publish(b"")
    it.tell(0, b"")
    it.tell_all(b"")
    it.send(8, b"")
    assert effects == []


@pytest.mark.parametrize(("role", "conns"), [("spectator", (8,)), ("operator", (9,))])
def test_a_frame_goes_to_one_role_and_may_be_missed(role, conns):
    it, effects = output()
    it.show(b'{"type":"x"}', role)
    assert [(e.conns, e.droppable) for e in effects] == [(conns, True)]


def test_without_clients_nothing_is_sent():
    it, effects = output((), ())
    it.publish(b"{}")
    it.show(b"{}", "spectator")
    it.tell_ours(b"{}")
    assert effects == []


def test_only_our_clients_get_our_messages():
    it, effects = output()
    it.tell_ours(b'{"type":"ErrorReply"}')
    assert types(effects) == [("ErrorReply", (9,))]
