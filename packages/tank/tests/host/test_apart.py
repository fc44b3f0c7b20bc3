"""Tank battles that wait for no spectator, in the official protocol and in ours."""

from __future__ import annotations

import itertools
import random

import pytest

from packages.core.tests.host.watching import facts, play
from packages.tank.tests.host.royale_rooms import MS, Room, S
from tests.parts import few
from turnwright.wire.record.v2 import decode_lines
from turnwright_tank.game import TankGame

SEEDS = 1_000
CHUNK = 25
T10_US = 10_000
PERIOD_30 = S // 30


def intent(rng: random.Random) -> dict[str, float]:
    return {"targetSpeed": rng.randrange(9), "gunTurnRate": rng.randrange(20), "firepower": rng.random()}


def watch(tps, answers_us, *, turns=12):
    """Play with bots that answer after a time (None: never); return them and an observer."""
    room = Room(pacing="apart", tps=tps, max_skipped=0, on_late="next")
    boss, bots = room.operator(**Room.usual_operator), room.bots(len(answers_us))
    for bot, us in zip(bots, answers_us, strict=True):
        bot.answer = (lambda seen: {}) if us is not None else (lambda seen: None)
        bot.after_ns = (us or 0) * 1000
    eye = room.spectator()
    room.start(boss, bots, turnTimeout=T10_US)
    room.run(turns * S // 10)
    return bots, eye


def gaps(client, kind):
    heard = zip(client.heard, client.stamps_ns, strict=True)
    at = [at_ns for m, at_ns in heard if m["type"] == kind]
    return [b - a for a, b in itertools.pairwise(at)][2:]


TABLE = [
    # scenario, answers in µs by seat, tps, bot phase, total (ns)
    ("fast bots, slow visual", (8000, 8000, 8000), 30, 8 * MS, PERIOD_30),
    ("fast bots, unlimited", (8000, 8000, 8000), -1, 8 * MS, 8 * MS),
    ("one timeout", (5000, 7000, None), 30, 10 * MS + 1, PERIOD_30),
    ("very slow visual", (8000, 8000, 8000), 10, 8 * MS, 100 * MS),
    ("all instant", (100, 100, 100), -1, 100_000, 100_000),
]


@pytest.mark.parametrize(
    ("name", "answers", "tps", "bot_ns", "total_ns"), TABLE, ids=[row[0] for row in TABLE]
)
def test_examples_of_document_000_hold_to_the_nanosecond(name, answers, tps, bot_ns, total_ns):
    bots, eye = watch(tps, answers)
    assert set(gaps(bots[0], "TickEventForBot")) == {bot_ns}, "the next turn begins at once for bots"
    shown = gaps(eye, "TickEventForObserver")
    assert len(shown) > 5
    assert all(abs(gap - total_ns) <= 1 for gap in shown), "frames come at the room's speed"


def test_bots_are_already_on_the_next_turn_when_a_frame_is_shown():
    """Scenario 4 of document 000."""
    bots, eye = watch(10, (8000, 8000, 8000))
    shown = [turn for _, turn in eye.ticks]
    assert shown == list(range(1, 14)), "a frame each 100 ms, and no frame is left out"
    assert bots[0].ticks[-1][1] > 100


def test_at_tps_0_frames_stop_and_bots_play_to_the_end():
    room = Room.duel(plays=True, pacing="apart", tps=30, turns_max=300)[0]
    boss, eye = room.clients[1], room.spectator()
    room.run(40 * MS)
    boss.say("ChangeTps", tps=0)
    seen = len(eye.ticks)
    room.run(10 * S)
    assert room.server.over, "the bots play on"
    assert len(eye.ticks) == seen


def test_a_skipped_turn_is_reported_when_collecting_ends():
    bots, _ = watch(10, (5000, 7000, None))
    late = bots[2]
    told = zip(late.heard, late.stamps_ns, strict=True)
    at = {kind: [ns for m, ns in told if m["type"] == kind] for kind in ("TickEventForBot",)}
    told = zip(late.heard, late.stamps_ns, strict=True)
    skips = [ns for m, ns in told if m["type"] == "SkippedTurnEvent"]
    assert skips
    assert all(any(abs(skip - tick - 10 * MS) <= 1 for tick in at["TickEventForBot"]) for skip in skips[1:5])


@pytest.mark.parametrize("pacing", ["apart", "together"])
def test_a_reader_gets_the_lines_of_the_record(pacing):
    room, *_ = Room.duel(plays=True, pacing=pacing, record=True, turns_max=60)
    eye = room.spectator(turnwright=1, history=1)
    room.run(300 * MS)
    lines = [piece + b"\n" for piece in eye.pieces]
    read = decode_lines(lines, lambda header: TankGame().read_intent)
    ours, theirs = room.record().turns, read.turns
    assert all(a.digest.startswith(b.digest) for a, b in zip(ours, theirs, strict=True))
    assert not read.truncated
    assert eye.of("TickEventForObserver", "RoundStartedEvent") == []


@pytest.mark.parametrize("first", few(range(0, SEEDS, CHUNK), 1, 2))
def test_nothing_that_spectators_do_changes_a_battle(first):
    for seed in range(first, first + CHUNK):
        alone = play(Room, seed, intent)
        watched = play(Room, seed, intent, eyes=True, history=1)
        assert facts(watched) == facts(alone), f"seed {seed}"


@pytest.mark.parametrize("tps", [-1, 0, 1, 10, 999])
@pytest.mark.parametrize("seed", range(4))
def test_skips_and_digests_are_equal_at_every_speed_whatever_the_delays(seed, tps):
    assert facts(play(Room, seed, intent, tps=tps, eyes=True)) == facts(play(Room, seed, intent, tps=30))
