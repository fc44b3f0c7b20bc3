"""Events for the gate: gathered, handed over once, and each of them wakes the world."""

from __future__ import annotations

from turnwright_world.host.accounts import Account
from turnwright_world.host.joining import JoinEvents
from turnwright_world.host.sessions import Session, Sessions
from turnwright_world.rules.entities import Creature


def test_events_are_handed_over_once_and_in_order_and_wake_the_world() -> None:
    woken: list[int] = []
    gatehouse = JoinEvents(Sessions(), lambda: woken.append(1), 40)
    session = Session(3, "program", "127.0.0.1", name="Wolf", owner="guest:1")
    gatehouse.join(session, None)
    gatehouse.reload("new")
    assert (len(gatehouse), len(woken)) == (2, 2)
    joined, reload = gatehouse.take({})
    assert (joined.kind, joined.body, joined.name) == ("join", None, "Wolf")
    assert joined.data == {"driver": "program", "owner": "guest:1", "token": "3"}
    assert (reload.kind, reload.data) == ("reload", {"hash": "new"})
    assert gatehouse.take({}) == ()


def test_no_session_gets_a_body_of_another_name() -> None:
    gatehouse = JoinEvents(Sessions(), lambda: None, 40)
    session = Session(3, "telnet", "127.0.0.1", name="Anna")
    gatehouse.join(session, Creature(7, "person", "Bert", "yard"))
    gatehouse.join(session, Creature(8, "person", "Anna", "yard"))
    assert [event.body for event in gatehouse.take({})] == [None, 8]


def test_leads_are_passed_on_in_game_time_and_not_while_it_is_stopped() -> None:
    sessions, rates = Sessions(), [0]
    sessions.add(Session(1, "program", "127.0.0.1"))
    sessions.embody(sessions.of(1), 7)
    sessions.of(1).latency.told_lead_us = 100_001
    gatehouse, body = (
        JoinEvents(sessions, lambda: None, 40, lambda: rates[-1]),
        Creature(7, "person", "Ann", "yard"),
    )
    assert gatehouse.take({7: body}) == ()
    for rate, lead_us in ((1_000_000, 100_001), (500_000, 50_001), (2_500_000, 250_003)):
        rates.append(rate)
        (event,) = gatehouse.take({7: body})
        assert (event.kind, event.data) == ("line", {"lead_us": lead_us})


def test_a_lost_guest_goes_and_a_lost_account_waits() -> None:
    gatehouse = JoinEvents(Sessions(), lambda: None, 40)
    gatehouse.lose_session(Session(1, "telnet", "127.0.0.1", body=7))
    gatehouse.lose_session(Session(2, "telnet", "127.0.0.1", body=9, account=Account("Carl", "")))
    gatehouse.lose_session(Session(3, "telnet", "127.0.0.1"))
    gatehouse.lose(8, keep=True)
    events = [(event.body, event.data["keep"]) for event in gatehouse.take({})]
    assert events == [(7, False), (9, True), (8, True)]
