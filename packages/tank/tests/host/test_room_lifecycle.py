"""The life of a game in the official words: its start, its order of messages and its results."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.host.royale_rooms import MS, Room, S, duel
from turnwright.kernel.failure import FailureReason

# ---- beginning -----------------------------------------------------------------------------------------


def test_all_ready_is_enough_whatever_the_smallest_number():
    room, boss, bots = Room.gathered(2)
    room.start(boss, bots, minNumberOfParticipants=10)
    assert room.ready(*bots).phase == "running"


def test_too_few_ready_bots_end_the_start_and_the_missing_ones_are_named():
    room, boss, bots = Room.gathered(3)
    room.start(boss, bots, minNumberOfParticipants=2)
    room.ready(bots[0])
    room.run(S - 1)
    assert room.phase == "waiting for ready"
    room.run(1)
    assert room.phase == "waiting for participants"
    assert boss.kinds()[-1] == "GameAbortedEvent"
    (summary,) = room.server.over
    assert summary.ending == "aborted"
    assert "bot 3 1" in summary.why
    assert "bot 4 1" in summary.why
    assert "bot 2 1" not in summary.why
    assert room.server.alarm_ns is None


# ---- the end of rounds and games -----------------------------------------------------------------------


def test_a_game_ends_in_the_official_order_and_the_next_one_begins_afresh():
    room = Room()
    boss, bot = room.operator(turnwright=1), room.bot()
    room.start(boss, [bot], numberOfRounds=2)
    room.run(S)
    assert bot.kinds()[2:] == ["RoundStartedEvent", "TickEventForBot", "RoundEndedEventForBot"] * 2 + [
        "GameEndedEventForBot"
    ]
    assert boss.kinds()[4:] == [
        "GameStartedEventForObserver",
        *["RoundStartedEvent", "TickEventForObserver", "RoundEndedEventForObserver"] * 2,
        "GameEndedEventForObserver",
    ]
    assert boss.ticks == bot.ticks == [(1, 1), (2, 1)]
    assert boss.last("GameEndedEventForObserver")["numberOfRounds"] == 2
    room.start(boss, [bot.hush()])
    assert bot.ticks == [(1, 1)]


def test_the_results_are_those_of_the_last_round_and_of_the_summary():
    room, boss, one, two = duel(max_skipped=1, setup={"numberOfRounds": 3})
    two.answer = lambda tick: {}
    two.say("BotIntent")
    room.run(S)
    results = boss.last("GameEndedEventForObserver")["results"]
    assert results == boss.of("RoundEndedEventForObserver")[-1]["results"]
    (summary,) = room.server.over
    assert [(r["name"], r["rank"], r["totalScore"]) for r in results] == [
        (r.name, r.rank, r.total_score) for r in summary.rows
    ]
    assert [r["name"] for r in results] == ["two", "one"]
    assert one.last("GameEndedEventForBot")["results"]["rank"] == 2
    assert two.last("GameEndedEventForBot")["results"] == two.of("RoundEndedEventForBot")[-1]["results"]
    assert [s.disqualified for s in summary.seats] == [True, False]


# ---- late spectators -----------------------------------------------------------------------------------


def test_a_spectator_between_two_rounds_learns_how_the_last_one_ended():
    room, boss, one, two = duel(tps=1, on_disconnect="dead", setup={"numberOfRounds": 2})
    two.answer = lambda tick: {}
    two.say("BotIntent")
    one.leave()
    room.run(S)
    assert boss.kinds()[-1] == "RoundEndedEventForObserver"
    late = room.spectator()
    assert late.heard[2:] == [boss.of(kind)[-1] for kind in late.kinds()[2:]]
    assert late.kinds()[-1] == "RoundEndedEventForObserver"
    room.run(S)
    assert late.of("RoundStartedEvent")[-1]["roundNumber"] == 2


# ---- programs that are too old --------------------------------------------------------------------------


def test_a_bot_with_an_outdated_api_that_fails_early_learns_it():
    room, _, one, two = duel(record=True)
    one.leave()
    room.host.room.fail(0, FailureReason.EXITED, "exit code 0", ["bye"])
    failure = room.host.room.battle.referee.failures[0]
    assert (failure.reason, failure.turn, failure.is_outdated) == (FailureReason.EXITED, 1, True)
    assert not missing(failure.full_text, "API", "0.20")
    two.say("BotIntent")
    assert room.logged("warning")


@pytest.mark.parametrize("fields", [{"debuggerAttached": False}, {"turnwright": 1}])
def test_a_bot_on_a_current_api_that_leaves_is_not_called_outdated(fields):
    room = Room()
    boss, one, two = room.operator(), room.bot(**fields), room.bot()
    room.start(boss, [one, two])
    one.leave()
    assert not room.host.room.battle.referee.failures[0].is_outdated


def test_a_bot_that_has_answered_is_not_too_old():
    room, _, one, two = duel()
    one.say("BotIntent")
    two.say("BotIntent")
    room.run(MS)
    one.leave()
    assert not room.host.room.battle.referee.failures[0].is_outdated


@pytest.mark.parametrize(("error", "too_old"), [("exit code 1", True), ("ValueError: swordfish", False)])
def test_a_crash_that_has_a_cause_says_more_than_the_age_of_an_api(error, too_old):
    room, *_ = duel()
    room.host.room.fail(0, FailureReason.CRASHED, error)
    assert room.host.room.battle.referee.failures[0].is_outdated is too_old
