"""The list of bots is sent immediately, then at most as often as its size allows."""

from __future__ import annotations

from packages.core.tests.host.support import MS, Client, Room, S
from packages.core.tests.rounds import Rounds
from turnwright.host import effects as fx
from turnwright.host.generic_protocol import GenericProtocol
from turnwright.host.lobby import LIST_GAP_NS, LISTS_BYTES_PER_S, BotList, Lobby
from turnwright.host.protocol import HelloMessage

CONTROLLERS, OBSERVERS = (1,), (2, 3)
PROTOCOL = GenericProtocol(Rounds(), "test 1")


def lobby(bots: int = 0) -> Lobby:
    """Return a lobby with a controller, two observers and some bots."""
    there = Lobby(frozenset(), frozenset())
    for conn in (*CONTROLLERS, *OBSERVERS):
        client = there.open(conn, "127.0.0.1", conn, 0, bytes(16))
        there.admit(client, HelloMessage("operator" if conn in CONTROLLERS else "spectator", "w", "1"))
    for conn in range(10, 10 + bots):
        come(there, conn)
    return there


def come(there: Lobby, conn: int, name: str = "bot") -> None:
    client = there.open(conn, "127.0.0.1", conn, 0, bytes(16))
    there.admit(client, HelloMessage("bot", f"{name} {conn}", "1"))


def names(client: Client) -> list[list[str]]:
    return [[bot["name"] for bot in said["bots"]] for said in client.of("bots")]


def test_the_first_change_is_sent_immediately_to_operators_and_observers() -> None:
    there = lobby(bots=1)
    bot_list = BotList(there, PROTOCOL)
    assert bot_list.due_ns is None
    assert bot_list.told(7) == []
    bot_list.changed(7)
    data = PROTOCOL.bot_list(there.introduced_bots())
    assert bot_list.told(7) == [fx.Publish(CONTROLLERS, data), fx.Publish(OBSERVERS, data)]
    assert bot_list.due_ns is None


def test_changes_soon_after_are_sent_together_when_they_are_due() -> None:
    there = lobby(bots=1)
    bot_list = BotList(there, PROTOCOL)
    bot_list.changed(0)
    bot_list.told(0)
    for conn in (20, 21, 22):
        come(there, conn)
        bot_list.changed(5)
        assert bot_list.told(5) == []
    assert bot_list.due_ns == LIST_GAP_NS
    assert bot_list.told(LIST_GAP_NS - 1) == []
    data = PROTOCOL.bot_list(there.introduced_bots())
    assert [said.data for said in bot_list.told(LIST_GAP_NS)] == [data, data]
    assert bot_list.due_ns is None


def test_a_list_is_encoded_once_for_all_recipients() -> None:
    there = lobby(bots=2)
    bot_list = BotList(there, PROTOCOL)
    bot_list.changed(0)
    one, two = bot_list.told(0)
    assert one.data is two.data is bot_list.data()
    bot_list.changed(0)
    assert bot_list.data() is not one.data


def test_a_game_that_begins_waits_for_no_list() -> None:
    there = lobby(bots=1)
    bot_list = BotList(there, PROTOCOL)
    bot_list.changed(0)
    bot_list.told(0)
    bot_list.changed(1)
    assert [said.conns for said in bot_list.told(1, early=True)] == [CONTROLLERS, OBSERVERS]
    assert bot_list.told(S) == []


def test_observers_wait_until_their_lists_are_paid_for_and_operators_do_not() -> None:
    there = lobby()
    for conn in range(100, 400):
        come(there, conn, "n" * 400)
    bot_list = BotList(there, PROTOCOL)
    bot_list.changed(0)
    bot_list.told(0)
    cost_ns = 2 * len(bot_list.data()) * S // LISTS_BYTES_PER_S
    bot_list.changed(1)
    assert bot_list.due_ns == LIST_GAP_NS > cost_ns
    for conn in range(1000, 2000):
        client = there.open(conn, "h", conn, 0, bytes(16))
        there.admit(client, HelloMessage("spectator", "w", "1"))
    bot_list.told(LIST_GAP_NS)
    bot_list.changed(LIST_GAP_NS)
    assert [said.conns for said in bot_list.told(2 * LIST_GAP_NS)] == [CONTROLLERS]
    cost_ns = 1002 * len(bot_list.data()) * S // LISTS_BYTES_PER_S
    assert bot_list.due_ns == LIST_GAP_NS + cost_ns
    (said,) = bot_list.told(LIST_GAP_NS + cost_ns)
    assert len(said.conns) == 1002


def test_a_bot_that_comes_while_no_client_watches_is_announced_to_none() -> None:
    bot_list = BotList(Lobby(frozenset(), frozenset()), PROTOCOL)
    bot_list.changed(0)
    assert bot_list.told(0) == []
    assert bot_list.due_ns is None


# ---- in the server -------------------------------------------------------------------------------------


def test_a_hundred_bots_in_a_second_make_fifty_lists_and_the_last_is_right() -> None:
    room = Room()
    boss, watcher, late = room.operator(), room.spectator(), room.stranger()
    for _ in range(100):
        room.bot()
        room.run(10 * MS)
    room.run(LIST_GAP_NS)
    for client in (boss, watcher):
        assert 40 <= len(names(client)) <= 52
        assert len(names(client)[-1]) == 100
    assert names(late.hello("spectator")) == names(watcher)[-1:]
    boss.hush()
    room.run(10 * S)
    assert names(boss) == []


def test_a_bot_that_repeats_its_handshake_cannot_flood_spectators() -> None:
    room = Room()
    watcher, bot = room.spectator(), room.bot()
    watcher.hush()
    for number in range(300):
        bot.hello("bot", name=f"bot {number}")
    room.run(LIST_GAP_NS)
    assert names(watcher) == [["bot 299"]]


def test_a_spectator_knows_all_bots_before_the_game_begins() -> None:
    room = Room()
    boss, watcher = room.operator(), room.spectator()
    bots = room.bots(3)
    room.start(boss, bots)
    kinds = [kind for kind in watcher.kinds() if kind in ("bots", "ready")]
    assert kinds[-1] == "ready"
    assert len(names(watcher)[-1]) == 3
