"""Battles whose turns wait for their pace, read piece by piece: a page follows the newest turn."""

from __future__ import annotations

import msgspec
import pytest

from packages.core.tests.host.support import MS, Client, Room, S
from turnwright.host.watching import history

PAGE = {"history": True}


def turns(page: Client) -> list[int]:
    """Return the turns that a page has read."""
    return [piece["turn"] for piece in map(msgspec.json.decode, page.pieces) if piece["type"] == "frame"]


def test_a_page_reads_each_turn_when_it_is_played_and_no_frames():
    room, *_ = Room.duel(plays=True, tps=10)
    page = room.spectator(**PAGE)
    room.run(S)
    assert turns(page) == list(range(1, room.host.room.battle.turn + 1))
    assert 9 <= len(turns(page)) <= 12
    assert page.of("frame") == []


def test_a_step_and_a_pause_show_the_newest_turn_immediately():
    room, boss, *_ = Room.duel(plays=True, tps=10)
    page = room.spectator(**PAGE)
    room.run(500 * MS)
    boss.say("pause")
    room.run(500 * MS)
    for _ in range(3):
        before = turns(page)[-1]
        assert before == room.host.room.battle.turn
        boss.say("step")
        room.run(2 * MS)
        assert turns(page)[-1] == before + 1
    assert page.last("paused")


def test_a_page_that_comes_late_to_a_paused_battle_is_shown_its_newest_turn():
    room, boss, *_ = Room.duel(plays=True, tps=10)
    room.run(500 * MS)
    boss.say("pause")
    late = room.spectator(**PAGE)
    assert turns(late)[-1] == room.host.room.battle.turn
    assert late.kinds()[-2:] == ["history", "paused"]


def test_a_page_that_joins_a_long_battle_late_reads_only_its_newest_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(history, "NEAR_BYTES", 1_000)
    room, *_ = Room.duel(plays=True, tps=100)
    early = room.spectator(**PAGE)
    room.run(S)
    late = room.spectator(**PAGE)
    room.run(100 * MS)
    assert turns(early) == list(range(1, room.host.room.battle.turn + 1))
    assert 50 < turns(late)[0] < turns(late)[-1]
    assert turns(late) == list(range(turns(late)[0], room.host.room.battle.turn + 1))


def test_a_page_that_comes_after_the_end_reads_the_whole_battle(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(history, "NEAR_BYTES", 1_000)
    room, *_ = Room.duel(plays=True, tps=100, setup={"turns": 60})
    room.run(S)
    assert room.server.over
    late = room.spectator(**PAGE)
    assert turns(late) == list(range(1, 61))
    assert msgspec.json.decode(late.pieces[-1])["type"] == "result"


def test_a_page_that_reads_slowly_gets_every_turn():
    room, *_ = Room.duel(plays=True, tps=100)
    page = room.spectator(**PAGE)
    room.run(100 * MS)
    room.server.full.add(page.conn)
    room.run(S)
    assert len(turns(page)) < 15
    room.server.relieve(page.conn)
    assert turns(page) == list(range(1, room.host.room.battle.turn + 1))


def test_the_result_is_the_last_piece():
    room, *_ = Room.duel(plays=True, tps=100, setup={"turns": 20})
    page = room.spectator(**PAGE)
    room.run(S)
    assert msgspec.json.decode(page.pieces[-1])["type"] == "result"
    assert page.of("result") == []


def test_a_room_without_a_history_gives_pages_nothing_to_read():
    room, *_ = Room.duel(plays=True, tps=100, history_bytes_max=0)
    page = room.spectator(**PAGE)
    room.run(S)
    assert page.pieces == []
    assert room.host.room.battle.turn > 10
