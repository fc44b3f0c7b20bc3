"""The life of a game: who gets ready, begins, stops, leaves, and what a late spectator is told."""

from __future__ import annotations

import gc

import pytest

from tests.host.support import MS, Room, S, duel
from turnwright.host.lifecycle import Phase
from turnwright.host.lobby import LIST_GAP_NS


def gathered(count=2, **config):
    """Return a room with an operator, and bots that get ready only when told."""
    room = Room(**config)
    boss = room.controller(turnwright=1)
    bots = room.bots(count)
    for bot in bots:
        bot.readies = False
    return room, boss, bots


def ready(room, *bots):
    for bot in bots:
        bot.say("BotReady")
    return room.run()


# ---- beginning -----------------------------------------------------------------------------------------


def test_a_game_begins_when_all_chosen_bots_are_ready():
    room, boss, bots = gathered(3)
    room.start(boss, bots)
    ready(room, *bots[:2])
    assert room.phase == "waiting for ready"
    assert boss.of("GameStartedEventForObserver") == []
    ready(room, bots[2])
    assert room.phase == "running"
    tail = ["GameStartedEventForObserver", "RoundStartedEvent", "TickEventForObserver"]
    assert boss.kinds()[-3:] == tail
    assert bots[0].kinds()[1:] == ["GameStartedEventForBot", "RoundStartedEvent", "TickEventForBot"]
    assert [b.ticks for b in bots] == [[(1, 1)]] * 3


def test_all_ready_is_enough_whatever_the_smallest_number():
    room, boss, bots = gathered(2)
    room.start(boss, bots, minNumberOfParticipants=10)
    assert ready(room, *bots).phase == "running"


def test_ready_said_twice_or_by_others_is_said_once():
    room, boss, bots = gathered(2)
    other = room.bot()
    room.start(boss, bots)
    ready(room, bots[0], bots[0], other, bots[0])
    assert room.phase == "waiting for ready"
    ready(room, bots[1], bots[1])
    assert room.phase == "running"
    assert room.table.battle.turn == 1


def test_too_few_ready_in_time_ends_it_and_names_who_was_not():
    room, boss, bots = gathered(3)
    room.start(boss, bots, minNumberOfParticipants=2)
    ready(room, bots[0])
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


def test_enough_ready_in_time_begins_with_those_and_tells_the_others_nothing():
    room, boss, bots = gathered(4)
    room.start(boss, bots, minNumberOfParticipants=2)
    ready(room, bots[3], bots[1])
    room.run(S)
    assert room.phase == "running"
    names = [(p["id"], p["name"]) for p in boss.last("GameStartedEventForObserver")["participants"]]
    assert names == [(1, "bot 3"), (2, "bot 5")]
    assert [b.last("GameStartedEventForBot")["myId"] for b in (bots[1], bots[3])] == [1, 2]
    for dropped in (bots[0], bots[2]):
        assert dropped.kinds() == ["ServerHandshake", "GameStartedEventForBot"]
        dropped.say("BotReady")
        dropped.say("BotIntent")
    assert room.table.battle.missing == {0, 1}


@pytest.mark.parametrize("leaver_was_ready", [True, False])
def test_a_chosen_bot_that_leaves_before_the_start_is_waited_for_no_longer(leaver_was_ready):
    room, boss, bots = gathered(3)
    room.start(boss, bots)
    ready(room, *(bots[:2] if leaver_was_ready else bots[1:2]))
    bots[0].leave()
    room.run()
    assert room.phase == "waiting for ready"
    ready(room, bots[2])
    assert room.phase == "running"
    assert [b.last("GameStartedEventForBot")["myId"] for b in bots[1:]] == [1, 2]


def test_the_last_one_missing_leaves_and_the_game_begins():
    room, boss, bots = gathered(3)
    room.start(boss, bots)
    ready(room, *bots[:2])
    bots[2].leave()
    assert room.run().phase == "running"


def test_all_chosen_bots_leave_before_the_start_and_it_is_over():
    room, boss, bots = gathered(2)
    room.start(boss, bots)
    for bot in bots:
        bot.leave()
    assert room.phase == "stopped"
    assert boss.kinds().count("GameAbortedEvent") == 1
    assert [s.ending for s in room.server.over] == ["aborted"]


def test_a_setup_that_the_rules_refuse_ends_before_the_first_turn_with_the_reason():
    room, boss, bots = gathered(3)
    watcher = room.observer()
    room.start(boss, bots, arenaWidth=40, arenaHeight=40)
    ready(room, *bots)
    assert room.phase == "stopped"
    assert boss.kinds()[-2:] == ["ErrorReply", "GameAbortedEvent"]
    assert watcher.kinds()[-1] == "GameAbortedEvent"
    assert "40x40" in boss.last("ErrorReply")["message"]
    assert room.server.over[0].why == boss.last("ErrorReply")["message"]
    assert room.start(boss, bots).phase == "waiting for ready"


def test_rules_that_cannot_even_be_set_up_leave_the_server_standing():
    def broken(tolerant):
        raise RuntimeError("no rules today")

    room, boss, bots = gathered(2, new_game=broken)
    room.start(boss, bots)
    ready(room, *bots)
    assert room.phase == "stopped"
    assert "no rules today" in room.server.over[0].why


def test_a_new_game_counts_its_seed_on_and_says_it_in_its_record():
    room, boss, *bots = duel(seed=2**63 - 1, record=True)
    boss.say("StopGame")
    room.start(boss, bots)
    assert [room.record(k).header.seed for k in (1, 2)] == [2**63 - 1, 0]


def test_without_a_seed_it_is_drawn_and_kept():
    room, boss, *bots = duel(seed=None, record=True)
    boss.say("StopGame")
    room.start(boss, bots)
    one, two = (room.record(k).header.seed for k in (1, 2))
    assert one != two
    assert room.server.over[0].seed == one


# ---- stopping ------------------------------------------------------------------------------------------


def in_phase(phase):
    if phase is Phase.WAITING_FOR_PARTICIPANTS:
        return gathered()
    if phase is Phase.WAITING_FOR_READY:
        room, boss, bots = gathered()
        room.start(boss, bots)
        return room, boss, bots
    room, boss, *bots = duel()
    if phase is Phase.PAUSED:
        boss.say("PauseGame")
    if phase is Phase.STOPPED:
        boss.say("StopGame")
    return room, boss, bots


@pytest.mark.parametrize("phase", list(Phase))
def test_stop_is_possible_in_every_phase_and_always_announced(phase):
    room, boss, bots = in_phase(phase)
    assert room.table.phase is phase
    ended = len(room.server.over)
    for bot in bots:
        bot.hush()
    boss.hush().say("StopGame")
    assert boss.kinds() == ["ServerHandshake", "GameAbortedEvent"]
    assert all(bot.heard[1:] == [] for bot in bots)
    went_on = phase not in (Phase.WAITING_FOR_PARTICIPANTS, Phase.STOPPED)
    assert len(room.server.over) == ended + went_on
    assert not went_on or "controller" in room.server.over[-1].why
    room.run(10 * S)
    assert room.phase in ("stopped", "waiting for participants")
    assert boss.of("TickEventForObserver") == []


@pytest.mark.parametrize("phase", list(Phase))
def test_after_a_stop_in_any_phase_the_next_game_plays(phase):
    room, boss, bots = in_phase(phase)
    boss.say("StopGame")
    for bot in bots:
        bot.hush().readies = True
    assert room.start(boss, bots).phase == "running"
    assert [bot.ticks for bot in bots] == [[(1, 1)]] * 2


def test_all_participants_leave_and_the_game_is_aborted():
    room, boss, one, two = duel()
    spare = room.bot()
    one.leave()
    assert room.phase == "running"
    two.leave()
    assert room.phase == "stopped"
    assert boss.kinds().count("GameAbortedEvent") == 1
    assert room.server.over[0].ending == "aborted"
    assert room.start(boss, [spare]).server.over[1].ending == "over"


def test_all_participants_leave_a_paused_game_and_it_is_aborted():
    room, boss, one, two = duel()
    boss.say("PauseGame")
    one.leave(), two.leave()
    room.run(LIST_GAP_NS)
    assert room.phase == "stopped"
    assert boss.kinds()[-2:] == ["GameAbortedEvent", "BotListUpdate"]


def test_spectators_that_leave_change_nothing():
    room, boss, *_ = duel(plays=True)
    room.observer().leave()
    boss.leave()
    room.run(10 * MS)
    assert room.table.battle.turn == 11


def test_an_observer_that_leaves_hears_nothing_more():
    room, *_ = duel(plays=True)
    watcher = room.observer()
    room.run(2 * MS)
    watcher.leave()
    heard = len(watcher.heard)
    room.run(10 * MS)
    assert len(watcher.heard) == heard


# ---- the end of rounds and games -----------------------------------------------------------------------


def test_a_game_ends_in_the_official_order_and_the_next_one_begins_afresh():
    room = Room()
    boss, bot = room.controller(turnwright=1), room.bot()
    room.start(boss, [bot], numberOfRounds=2)
    room.run(S)
    assert bot.kinds()[2:] == ["RoundStartedEvent", "TickEventForBot", "RoundEndedEventForBot"] * 2 + [
        "GameEndedEventForBot"
    ]
    assert boss.kinds()[3:] == [
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


def test_a_thousand_one_turn_battles_leave_nothing_behind():
    room = Room()
    boss, bot = room.controller(turnwright=1), room.bot()

    def play(count):
        for _ in range(count):
            room.start(boss, [bot]).run(10 * MS)
            bot.hush(), boss.hush()
            room.server.logs.clear(), room.server.over.clear(), room.server.battles.clear()
        gc.collect()
        return len(gc.get_objects())

    before = play(100)
    after = play(1000)
    assert room.table.number == 1100
    assert room.table.battles_over == {"over": 1100, "aborted": 0, "void": 0}
    assert after - before < 100


def test_thousands_of_one_turn_rounds_do_not_pile_up_on_the_stack():
    room = Room()
    boss, bot = room.controller(turnwright=1), room.bot()
    bot.answer = lambda tick: {}
    room.start(boss, [bot], numberOfRounds=5000)
    room.run(10 * S)
    assert boss.last("GameEndedEventForObserver")["numberOfRounds"] == 5000
    assert room.server.over[0].rounds == 5000


# ---- late spectators -----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["observer", "controller"])
def test_a_late_spectator_gets_the_start_and_the_state_and_then_every_turn(role):
    room, boss, *_ = duel(plays=True)
    room.run(5 * MS)
    late = room.stranger().hello(role)
    assert late.kinds() == [
        "ServerHandshake",
        "BotListUpdate",
        "GameStartedEventForObserver",
        "RoundStartedEvent",
        "TickEventForObserver",
    ]
    assert late.of("GameStartedEventForObserver") == boss.of("GameStartedEventForObserver")
    assert late.last("TickEventForObserver") == boss.last("TickEventForObserver")
    room.run(5 * MS)
    assert late.ticks == [(1, turn) for turn in range(6, late.ticks[-1][1] + 1)]
    assert late.ticks[-1][1] > 8


def test_a_spectator_that_comes_between_ready_and_the_first_turn_waits_for_it():
    room, boss, *_ = duel(tps=0)
    late = room.observer()
    assert late.kinds()[1:] == [
        "BotListUpdate",
        "GameStartedEventForObserver",
        "GamePausedEventForObserver",
    ]
    boss.say("ResumeGame")
    room.run()
    assert late.ticks == [(1, 1)]


def test_a_spectator_that_comes_between_two_rounds_is_told_how_the_last_one_ended():
    room, boss, one, two = duel(tps=1, on_disconnect="dead", setup={"numberOfRounds": 2})
    two.answer = lambda tick: {}
    two.say("BotIntent")
    one.leave()
    room.run(S)
    assert boss.kinds()[-1] == "RoundEndedEventForObserver"
    late = room.observer()
    assert late.heard[2:] == [boss.of(kind)[-1] for kind in late.kinds()[2:]]
    assert late.kinds()[-1] == "RoundEndedEventForObserver"
    room.run(S)
    assert late.of("RoundStartedEvent")[-1]["roundNumber"] == 2


@pytest.mark.parametrize("cause", ["pause", "debug_step", "breakpoint"])
def test_a_late_spectator_of_a_paused_game_is_told_why_it_stands(cause):
    room, boss, *_ = duel()
    if cause == "pause":
        boss.say("PauseGame")
    elif cause == "debug_step":
        boss.say("EnableDebugMode")
    else:
        boss.say("BotPolicyUpdate", botId=1, breakpointEnabled=True)
    room.run(S)
    assert room.phase == "paused"
    assert room.observer().last("GamePausedEventForObserver")["pauseCause"] == cause


@pytest.mark.parametrize("phase", [Phase.WAITING_FOR_PARTICIPANTS, Phase.WAITING_FOR_READY, Phase.STOPPED])
def test_without_a_running_game_a_spectator_gets_the_list_alone(phase):
    room, *_ = in_phase(phase)
    assert room.observer().kinds() == ["ServerHandshake", "BotListUpdate"]
