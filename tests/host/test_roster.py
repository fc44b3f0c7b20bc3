"""The list of bots: told at once, then together, and no more often than its bytes are paid for."""

from __future__ import annotations

import pytest

from host.support import MS, Client, Room, S
from turnwright.host import effects as fx
from turnwright.host.lobby import Lobby
from turnwright.host.roster import LIST_GAP_NS, LISTS_BYTES_PER_S, Roster
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import encode

CONTROLLERS, OBSERVERS = (1,), (2, 3)


def lobby(bots: int = 0) -> Lobby:
    """Return a lobby with a controller, two observers and some bots."""
    there = Lobby(frozenset(), frozenset())
    for conn in (*CONTROLLERS, *OBSERVERS):
        client = there.open(conn, "127.0.0.1", conn, 0, bytes(16))
        kind = m.ControllerHandshake if conn in CONTROLLERS else m.ObserverHandshake
        role: m.Role = "controller" if conn in CONTROLLERS else "observer"
        there.admit(client, role, kind(session_id="", name="w", version="1"))
    for conn in range(10, 10 + bots):
        come(there, conn)
    return there


def come(there: Lobby, conn: int, **said: str) -> None:
    client = there.open(conn, "127.0.0.1", conn, 0, bytes(16))
    hello = m.BotHandshake(session_id="", name=f"bot {conn}", version="1", authors=("a",), **said)
    there.admit(client, "bot", hello)


def names(client: Client) -> list[list[str]]:
    return [[bot["name"] for bot in said["bots"]] for said in client.of("BotListUpdate")]


def test_the_first_change_is_told_at_once_to_operators_and_observers() -> None:
    there = lobby(bots=1)
    roster = Roster(there)
    assert roster.due_ns is None
    assert roster.told(7) == []
    roster.changed(7)
    data = encode(there.bot_list())
    assert roster.told(7) == [fx.Publish(CONTROLLERS, data), fx.Publish(OBSERVERS, data)]
    assert roster.due_ns is None


def test_what_changes_soon_after_is_told_together_and_only_when_it_is_due() -> None:
    there = lobby(bots=1)
    roster = Roster(there)
    roster.changed(0)
    roster.told(0)
    for conn in (20, 21, 22):
        come(there, conn)
        roster.changed(5)
        assert roster.told(5) == []
    assert roster.due_ns == LIST_GAP_NS
    assert roster.told(LIST_GAP_NS - 1) == []
    data = encode(there.bot_list())
    assert [said.data for said in roster.told(LIST_GAP_NS)] == [data, data]
    assert roster.due_ns is None


def test_a_list_is_encoded_once_for_all_who_are_told_it() -> None:
    there = lobby(bots=2)
    roster = Roster(there)
    roster.changed(0)
    one, two = roster.told(0)
    assert one.data is two.data is roster.data()
    roster.changed(0)
    assert roster.data() is not one.data


def test_a_game_that_begins_waits_for_no_list() -> None:
    there = lobby(bots=1)
    roster = Roster(there)
    roster.changed(0)
    roster.told(0)
    roster.changed(1)
    assert [said.conns for said in roster.told(1, early=True)] == [CONTROLLERS, OBSERVERS]
    assert roster.told(S) == []


def test_observers_wait_until_their_lists_are_paid_for_and_operators_do_not() -> None:
    there = lobby()
    for conn in range(100, 400):
        come(there, conn, description="d" * 250)
    roster = Roster(there)
    roster.changed(0)
    roster.told(0)
    cost_ns = 2 * len(roster.data()) * S // LISTS_BYTES_PER_S
    roster.changed(1)
    assert roster.due_ns == LIST_GAP_NS > cost_ns
    for conn in range(1000, 2000):
        client = there.open(conn, "h", conn, 0, bytes(16))
        there.admit(client, "observer", m.ObserverHandshake(session_id="", name="w", version="1"))
    roster.told(LIST_GAP_NS)
    roster.changed(LIST_GAP_NS)
    assert [said.conns for said in roster.told(2 * LIST_GAP_NS)] == [CONTROLLERS]
    cost_ns = 1002 * len(roster.data()) * S // LISTS_BYTES_PER_S
    assert roster.due_ns == LIST_GAP_NS + cost_ns
    (said,) = roster.told(LIST_GAP_NS + cost_ns)
    assert len(said.conns) == 1002


def test_who_came_with_nobody_watching_is_told_to_nobody() -> None:
    roster = Roster(Lobby(frozenset(), frozenset()))
    roster.changed(0)
    assert roster.told(0) == []
    assert roster.due_ns is None


# ---- in the server -------------------------------------------------------------------------------------


def test_a_hundred_bots_that_come_in_a_second_are_told_in_fifty_lists_and_the_last_one_is_right() -> None:
    room = Room()
    boss, watcher, late = room.controller(), room.observer(), room.stranger()
    for _ in range(100):
        room.bot()
        room.run(10 * MS)
    room.run(LIST_GAP_NS)
    for client in (boss, watcher):
        assert 40 <= len(names(client)) <= 52
        assert len(names(client)[-1]) == 100
    assert names(late.hello("observer")) == names(watcher)[-1:]
    boss.hush()
    room.run(10 * S)
    assert names(boss) == []


def test_a_bot_that_introduces_itself_without_end_cannot_flood_who_watches() -> None:
    room = Room()
    watcher, bot = room.observer(), room.bot()
    watcher.hush()
    for number in range(300):
        bot.hello("bot", name=f"bot {number}")
    room.run(LIST_GAP_NS)
    assert names(watcher) == [["bot 299"]]


@pytest.mark.parametrize("frames", [None, 1])
def test_who_watches_knows_all_bots_before_the_game_begins(frames: int | None) -> None:
    room = Room()
    boss, watcher = room.controller(), room.observer(frames=frames)
    bots = room.bots(3)
    room.start(boss, bots)
    kinds = [kind for kind in watcher.kinds() if kind in ("BotListUpdate", "GameStartedEventForObserver")]
    assert kinds[-1] == "GameStartedEventForObserver"
    assert len(names(watcher)[-1]) == 3
