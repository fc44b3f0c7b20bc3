"""The simulated clients: each from its own seed, and their babble changes nothing."""

from __future__ import annotations

import random

import msgspec
import pytest

from packages.tank.tests.host.royale_rooms import MS, duel
from packages.tank.tests.simulation.clients import BABBLE, Bot, Habits, Operator, Peer
from turnwright.wire.faults import Fault
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode, decode_server


def a(kind, seed=1, **habits):
    said = []
    peer = kind(3, random.Random(seed), lambda message, at_ns: said.append((at_ns, message)))
    peer.habits = Habits(**habits)
    return peer, said


HELLO = m.ServerHandshake(session_id="s", variant="Tank Royale", version="1", game_types=())


@pytest.mark.parametrize(
    ("kind", "handshake"),
    [(Peer, m.ObserverHandshake), (Bot, m.BotHandshake), (Operator, m.ControllerHandshake)],
)
def test_every_client_sends_its_handshake_with_the_session(kind, handshake):
    peer, said = a(kind)
    peer.hear(HELLO, 5)
    ((at_ns, message),) = said
    hello = decode(msgspec.json.encode(message))
    assert at_ns == 5
    assert isinstance(hello, handshake)
    assert hello.session_id == "s"


def test_babble_is_malformed_or_not_allowed_for_bots():
    for data in BABBLE:
        message = decode(data)
        assert isinstance(message, Fault | m.BotReady) or type(message) not in m.MAY_SEND["bot"]


def test_a_bot_sends_intents_that_count_and_thinks_one_thought_after_the_other():
    room, _, one, _ = duel()
    tick = decode_server(msgspec.json.encode(one.last("TickEventForBot")))
    bot, said = a(Bot, is_silent=0, leaves=0, babbles=0, dawdles=0, says_twice=0, thinks_ns=(MS, MS))
    thoughts = []
    bot.later = lambda at_ns, action: thoughts.append((at_ns, action))
    for at_ns in (0, 10, 20):  # the third one takes the place of the second, which it has not begun with
        bot.hear(tick, at_ns)
    for _at_ns, action in thoughts:
        action()
    assert [at_ns for at_ns, _ in said] == [MS, 2 * MS]
    assert all(isinstance(decode(msgspec.json.encode(message)), TankIntent) for _, message in said)
    assert room.phase == "running"


def test_the_same_seed_says_the_same_things():
    talks = []
    for seed in (1, 1, 2):
        peer, said = a(Operator, seed)
        peer.hear(HELLO, 0)
        peer.hear(m.GamePausedEventForObserver("breakpoint"), 7)
        for _ in range(5):
            peer.meddle(2, 9)
        talks.append(said)
    assert talks[0] == talks[1] != talks[2]


def test_an_operator_ends_every_pause():
    for cause in ("pause", "debug_step", "breakpoint"):
        peer, said = a(Operator)
        peer.hear(m.GamePausedEventForObserver(cause), 0)
        assert said[-1][1]["type"] == "ResumeGame"
        assert any(message.get("breakpointEnabled") is False for _, message in said) == (
            cause == "breakpoint"
        )
