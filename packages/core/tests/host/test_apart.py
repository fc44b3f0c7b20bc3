"""Battles that wait for no spectator: both phases of document 000, and the limits of spectators."""

from __future__ import annotations

import random

import msgspec
import pytest

from packages.core.tests.host.support import MS, Room, S
from packages.core.tests.host.watching import facts, play
from packages.core.tests.messages import missing
from tests.parts import few

SEEDS = 1_000
CHUNK = 25
T10_US = 10_000
PERIOD_30 = S // 30


def intent(rng: random.Random) -> dict[str, int]:
    return {"intent": rng.randrange(9)}


def test_an_operator_can_hold_no_battle_that_waits_for_no_spectator():
    room, boss, *_ = Room.duel(plays=True, pacing="apart")
    boss.hush()
    for kind, fields in (("pause", {}), ("speed", {"tps": 0}), ("step", {})):
        boss.say(kind, **fields)
        before = room.host.room.battle.turn
        room.run(100 * MS)
        assert room.host.room.battle.turn > before + 10, kind
        assert room.phase == "running"
    boss.say("debug", on=True)
    assert not missing(boss.last("error")["message"], "--pacing together")


def test_spectators_learn_whether_a_battle_waits_for_them():
    for pacing in ("apart", "together"):
        room = Room(pacing=pacing, tps=30)
        assert room.spectator().last("speed") == {"type": "speed", "tps": 30, "pacing": pacing}


def test_a_late_reader_gets_every_turn_from_the_first_one_and_then_the_result():
    room, *_ = Room.duel(plays=True, pacing="apart", turns_max=50)
    room.run(20 * MS)
    eye = room.spectator(history=True)
    room.run(200 * MS)
    late = room.spectator(history=True)
    for one in (eye, late):
        turns = [message["turn"] for message in map(msgspec.json.decode, one.pieces) if "turn" in message]
        assert turns == list(range(1, 51))
        assert one.of("frame") == []


def test_the_result_is_the_last_piece_of_a_battle():
    room, *_ = Room.duel(plays=True, pacing="apart", setup={"turns": 20})
    eye = room.spectator(history=True)
    room.run(300 * MS)
    assert msgspec.json.decode(eye.pieces[-1])["type"] == "result"
    assert eye.of("result") == [], "it would be known before the turns that led to it"


@pytest.mark.parametrize("pacing", ["apart", "together"])
def test_a_late_reader_of_a_stopped_battle_learns_that_it_was_stopped(pacing):
    room, boss, *_ = Room.duel(plays=True, pacing=pacing, tps=10)
    room.run(50 * MS)
    boss.say("stop")
    late = room.spectator(history=True)
    assert [msgspec.json.decode(piece)["type"] for piece in late.pieces][-2:] == ["frame", "result"]
    assert msgspec.json.decode(late.pieces[-1])["ending"] == "aborted"


def test_a_reader_that_is_full_reads_on_where_it_was():
    room, *_ = Room.duel(plays=True, pacing="apart", turns_max=50)
    eye = room.spectator(history=True)
    room.run(10 * MS)
    room.server.full.add(eye.conn)
    room.run(200 * MS)
    seen = len(eye.pieces)
    assert seen < 20
    room.server.relieve(eye.conn)
    turns = [message["turn"] for message in map(msgspec.json.decode, eye.pieces) if "turn" in message]
    assert turns == list(range(1, 51))


def test_a_late_reader_of_a_long_battle_gets_the_frames_still_in_memory():
    room, *_ = Room.duel(plays=True, pacing="apart", turns_max=50, history_bytes_max=2_000)
    room.run(200 * MS)
    late = room.spectator(history=True)
    turns = [message["turn"] for message in map(msgspec.json.decode, late.pieces) if "turn" in message]
    assert turns == list(range(turns[0], 51))
    assert 20 < turns[0] < 50, "the beginning is lost"
    assert late.last("history")["first"] == turns[0] - 1


@pytest.mark.parametrize("first", few(range(0, SEEDS, CHUNK), 2, 8))
def test_nothing_that_spectators_do_changes_a_battle(first):
    for seed in range(first, first + CHUNK):
        alone = play(Room, seed, intent)
        watched = play(Room, seed, intent, eyes=True)
        assert facts(watched) == facts(alone), f"seed {seed}"


@pytest.mark.parametrize("tps", [-1, 0, 1, 10, 999])
@pytest.mark.parametrize("seed", range(20))
def test_skips_and_digests_are_equal_at_every_speed_whatever_the_delays(seed, tps):
    assert facts(play(Room, seed, intent, tps=tps, eyes=True)) == facts(play(Room, seed, intent, tps=30))


def test_a_battle_that_waits_for_its_pace_has_other_skips():
    """So the claim above is not empty: with `together` a long delay costs fewer of the longer turns."""
    seeds = range(20)
    slow = [facts(play(Room, seed, intent, tps=1, pacing="together")) for seed in seeds]
    assert slow != [facts(play(Room, seed, intent, tps=-1, pacing="together")) for seed in seeds]


def test_a_warning_names_the_turn_that_it_is_about():
    room, _, one, _ = Room.duel(plays=True, pacing="apart", setup={"turns": 50})
    eye = room.spectator(history=True)
    room.run(10 * MS)
    one.leave()
    told = eye.last("error")
    assert (told["code"], told["turn"]) == ("failed", room.host.room.battle.referee.failures[0].turn)
    assert told["turn"] > 5
