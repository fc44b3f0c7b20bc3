"""Our stream: whoever watches in whatever way ends up with what official observers see."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from tests.games.tank.host.royale_rooms import MS, Client, Room
from tests.games.tank.wire.stream.same_frame import same_frame
from turnwright.games.tank.observation import Frame
from turnwright.games.tank.wire.stream.delta_tables import SeatStatus
from turnwright.games.tank.wire.stream.messages import Delta, Keyframe
from turnwright.games.tank.wire.stream.read import FrameReader, Turn
from turnwright.wire.faults import CLOSE_FAILED, Farewell

STREAM = ("Keyframe", "Delta")


def stream(client: Client) -> list[Keyframe | Delta]:
    return [msgspec.convert(said, Keyframe | Delta) for said in client.of(*STREAM)]


def read(client: Client) -> list[Turn]:
    reader = FrameReader({})
    turns = [reader.read(message) for message in stream(client)]
    assert None not in turns, "a delta was sent to somebody who could not use it"
    return turns  # type: ignore[return-value]  # just seen


def official(client: Client) -> dict[tuple[int, int], Frame]:
    ticks = [msgspec.convert(said, Frame) for said in client.of("TickEventForObserver")]
    return {(tick.round_number, tick.turn_number): tick for tick in ticks}


def fighting(room: Room, bots: int) -> list[Client]:
    """Bots that drive, turn, scan, shoot, and sometimes miss a turn."""
    rng = random.Random(bots)

    def answer(tick: dict[str, Any]) -> dict[str, Any] | None:
        if rng.random() < 0.05:
            return None
        rates = {f"{name}TurnRate": rng.uniform(-20, 20) for name in ("gun", "radar")}
        rates["turnNumber"] = tick["turnNumber"]
        return {"turnRate": rng.uniform(-9, 9), "targetSpeed": 8, "firepower": rng.choice([1, 3]), **rates}

    there = room.bots(bots)
    for bot in there:
        bot.answer = answer
    return there


def test_a_spectator_with_frames_sees_what_an_official_one_sees_and_no_official_tick() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 3)
    ours, theirs = room.spectator(frames=1), room.spectator()
    room.start(boss, bots, numberOfRounds=2, maxInactivityTurns=5)
    room.run(3_000 * MS)
    assert ours.of("TickEventForObserver") == theirs.of(*STREAM) == []
    ticks = official(theirs)
    turns = read(ours)
    assert [turn.number for turn in turns] == list(range(1, len(ticks) + 1))
    for turn, tick in zip(turns, ticks.values(), strict=True):
        same_frame(turn.frame, tick)
    keys = [(k.round_number, k.turn_number) for k in stream(ours) if isinstance(k, Keyframe)]
    assert keys == [(r, 1) for r in range(1, len(keys) + 1)]
    others = [[k for k in c.kinds() if k not in (*STREAM, "TickEventForObserver")] for c in (ours, theirs)]
    others[0].remove("TpsChangedEvent")
    assert others[0] == others[1]


def test_an_operator_with_frames_gets_them_too_and_commands() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(frames=1), fighting(room, 2)
    room.start(boss, bots)
    room.run(100 * MS)
    assert boss.of("TickEventForObserver") == []
    assert len(read(boss)) > 5
    boss.say("StopGame")
    assert boss.kinds()[-1] == "GameAbortedEvent"


def test_one_that_comes_late_is_told_the_speed_the_game_the_round_and_the_turn() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 2)
    first = room.spectator(frames=1)
    room.start(boss, bots)
    room.run(300 * MS)
    boss.say("PauseGame")
    late = room.spectator(frames=1)
    assert late.kinds()[1:] == [
        *("BotListUpdate", "TpsChangedEvent", "GameStartedEventForObserver", "RoundStartedEvent"),
        *("Keyframe", "GamePausedEventForObserver"),
    ]
    assert late.last("TpsChangedEvent")["tps"] == 100
    assert read(late)[-1].frame == read(first)[-1].frame
    boss.say("ResumeGame")
    room.run(300 * MS)
    assert late.kinds().count("Keyframe") == 1
    assert msgspec.json.encode(read(late)[-1].frame) == msgspec.json.encode(read(first)[-1].frame)


def test_one_that_comes_late_is_told_the_standings_and_the_missed_turns_so_far() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 3)
    first = room.spectator(frames=1)
    room.start(boss, bots, numberOfRounds=2, maxInactivityTurns=5)
    while not first.of("RoundEndedEventForObserver"):
        room.run(100 * MS)
    room.run(100 * MS)
    late = room.spectator(frames=1)
    standings = read(late)[-1].standings
    assert standings == read(first)[-1].standings
    assert any(standing.points for standing in standings.values())
    skipped = [i for message in stream(first) for i in message.skipped]
    assert {i: one.missed for i, one in standings.items()} == {i: skipped.count(i) for i in (1, 2, 3)}
    assert any(one.missed for one in standings.values())


def test_at_a_rounds_end_standings_are_its_results_and_the_next_round_begins_with_them() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 3)
    first = room.spectator(frames=1)
    room.start(boss, bots, numberOfRounds=2, maxInactivityTurns=5)
    while not first.of("RoundEndedEventForObserver"):
        room.run(MS)
    ended = first.last("RoundEndedEventForObserver")
    room.run(100 * MS)
    turns = read(first)
    last = next(turn for turn in turns if turn.frame.turn_number == ended["turnNumber"])
    begun = next(turn for turn in turns if turn.frame.round_number == 2)
    rows = {row["id"]: (row["totalScore"], row["rank"]) for row in ended["results"]}
    assert any(total for total, _ in rows.values())
    for turn in (last, begun):
        assert {i: (one.points, one.place) for i, one in turn.standings.items()} == rows


def test_the_first_who_watches_need_not_have_watched_from_the_beginning() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 2)
    plain = room.spectator()
    room.start(boss, bots)
    room.run(300 * MS)
    one = room.spectator(frames=1)
    room.run(100 * MS)
    one.leave()
    room.run(100 * MS)
    other = room.spectator(frames=1)
    room.run(100 * MS)
    ticks = official(plain)
    for client in (one, other):
        turns = read(client)
        assert len(turns) > 5
        for turn in turns:
            same_frame(turn.frame, ticks[turn.frame.round_number, turn.frame.turn_number])


def test_nothing_is_sent_while_the_game_is_paused() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 2)
    ours = room.spectator(frames=1)
    room.start(boss, bots)
    room.run(100 * MS)
    boss.say("PauseGame")
    room.run(50 * MS)
    ours.hush()
    room.run(5_000 * MS)
    assert ours.heard[1:] == []
    boss.say("NextTurn")
    room.run(50 * MS)
    assert ours.kinds()[1:] == ["Delta"]


def test_times_of_answers_and_misses_are_shown() -> None:
    room = Room(tps=50)
    boss, bots = room.operator(), room.bots(3)
    for number, bot in enumerate(bots):
        bot.after_ns = (number + 1) * MS
        bot.answer = lambda tick: {"targetSpeed": 1}
    bots[2].answer = None
    ours = room.spectator(frames=1)
    room.start(boss, bots)
    room.run(100 * MS)
    room.host.round_trips({bots[0].conn: 3 * MS, 99: 1})
    room.run(100 * MS)
    newest = read(ours)[-1]
    assert newest.times[1].answer_us == 1_000
    assert newest.times[2].answer_us == 2_000
    assert newest.times[1].rtt_us == 3_000
    assert newest.times[2].rtt_us is None
    assert newest.times[3].answer_us is None
    assert newest.times[3].skipped
    assert newest.lag_us == 0


def test_spectators_see_who_is_disconnected_disqualified_or_dead() -> None:
    room = Room(tps=100, max_skipped=5)
    boss, bots = room.operator(), fighting(room, 4)
    ours = room.spectator(frames=1)
    room.start(boss, bots)
    room.run(30 * MS)
    bots[1].answer = None
    bots[2].leave()
    for bot in (bots[0], bots[3]):
        bot.answer = lambda tick: {"gunTurnRate": 1, "turnNumber": tick["turnNumber"]}
    room.run(30 * MS)
    assert {i: times.status for i, times in read(ours)[-1].times.items()} == {
        1: SeatStatus.RUNNING,
        2: SeatStatus.RUNNING,
        3: SeatStatus.DISCONNECTED,
        4: SeatStatus.RUNNING,
    }
    room.run(1_000 * MS)
    newest = read(ours)[-1]
    assert newest.times[2].status is SeatStatus.DISQUALIFIED
    assert newest.times[1].status is newest.times[4].status is SeatStatus.RUNNING
    late = room.spectator(frames=1)
    assert read(late)[0].times[2].status is SeatStatus.DISQUALIFIED


def test_each_failure_is_sent_once_and_a_late_spectator_gets_all_of_them() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 9)
    ours = room.spectator(frames=1)
    room.start(boss, bots)
    room.run(30 * MS)
    for bot in bots[:8]:
        room.host.disconnect(bot.conn, room.now_ns, Farewell(CLOSE_FAILED, "E", printed=("\udcff",)))
    room.run(30 * MS)
    told = [message["failures"] for message in ours.of("BotFailures")]
    assert [[one["bot"] for one in message] for message in told] == [[bot] for bot in range(1, 9)]
    late = room.spectator(frames=1)
    assert late.of("BotFailures")[0]["failures"] == [one for message in told for one in message]
    assert told[0][0]["printed"] == ["\\udcff"]


def test_who_was_behind_when_a_game_ended_is_shown_nothing_of_it_in_the_next_one() -> None:
    room = Room(tps=100)
    boss, bots = room.operator(), fighting(room, 2)
    slow, other = room.spectator(frames=1), room.spectator(frames=1)
    room.start(boss, bots)
    room.run(100 * MS)
    room.server.full.add(slow.conn)
    room.run(100 * MS)
    boss.say("StopGame"), boss.say("ChangeTps", tps=0)
    room.start(boss, bots)
    kinds = slow.kinds()
    began = len(kinds) - kinds[::-1].index("GameStartedEventForObserver")
    room.server.relieve(slow.conn)
    boss.say("ChangeTps", tps=100)
    room.run(100 * MS)
    frames = [said["frame"] for said in slow.heard[began:] if said["type"] in STREAM]
    assert frames[:3] == [1, 2, 3]
    assert frames[-1] == other.of(*STREAM)[-1]["frame"]


@pytest.mark.parametrize("seed", range(12))
def test_who_loses_frames_ends_up_with_the_true_state(seed: int) -> None:
    """Two lose frames at random times, for a while; at a pause, or when all is over, nothing is missing."""
    rng = random.Random(seed)
    room = Room(tps=rng.choice([-1, 100]))
    boss, bots = room.operator(), fighting(room, 3)
    true, plain = room.spectator(frames=1), room.spectator()
    losers = [room.spectator(frames=1), room.spectator(frames=1)]
    room.start(boss, bots, numberOfRounds=3, maxInactivityTurns=rng.choice([3, 50]))
    for _ in range(60):
        for loser in losers:
            if rng.random() < 0.5:
                room.server.full.add(loser.conn)
            else:
                room.server.relieve(loser.conn)
        room.run(rng.choice([5, 20, 80]) * MS)
    boss.say(rng.choice(["PauseGame", "StopGame"]))
    room.run(100 * MS)
    ticks, whole = official(plain), read(true)
    assert len(whole) == len(ticks)
    for loser in losers:
        room.server.relieve(loser.conn)
        seen = read(loser)
        assert len(seen) < len(whole)
        assert seen[-1].number == whole[-1].number
        for turn in seen:
            assert msgspec.json.encode(turn.frame.bot_states) == msgspec.json.encode(
                whole[turn.number - 1].frame.bot_states
            )
            same_frame(turn.frame, ticks[turn.frame.round_number, turn.frame.turn_number])
