"""Round trips of pings to bots, as pages get them."""

from __future__ import annotations

from packages.tank.tests.host.royale_rooms import MS, Room

PAGE = {"turnwright": 1, "history": 1}


def test_pages_get_the_round_trips_of_the_bots_that_play():
    room, _, one, two = Room.duel(plays=True)
    page, plain = room.spectator(**PAGE), room.spectator()
    assert set(room.host.timed) == {one.conn, two.conn}
    room.host.round_trips({two.conn: 3 * MS, page.conn: 1, 99: 1})
    room.run(MS)
    assert page.last("RoundTrips")["trips"] == [[2, 3_000]]
    assert plain.of("RoundTrips") == []


def test_without_pages_or_bots_nothing_is_measured_or_sent():
    room, _, one, _ = Room.duel(plays=True)
    assert list(room.host.timed) == []
    page = room.spectator(**PAGE)
    room.host.round_trips({page.conn: MS})
    room.clients[1].say("StopGame")
    room.host.round_trips({one.conn: MS})
    room.run(MS)
    assert page.of("RoundTrips") == []
