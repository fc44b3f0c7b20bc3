"""The life of a game: bots get ready, begin, stop and leave, and late spectators get its state."""

from __future__ import annotations

import gc

import pytest

from packages.core.tests.host.support import MS, Room, S, duel
from turnwright.errors import SetupError
from turnwright.host.lifecycle import Phase
from turnwright.host.lobby import LIST_GAP_NS
from turnwright.kernel.failure import FailureReason

# ---- beginning -----------------------------------------------------------------------------------------


def test_a_game_begins_when_all_chosen_bots_are_ready():
    room, boss, bots = Room.gathered(3)
    room.start(boss, bots)
    room.ready(*bots[:2])
    assert room.phase == "waiting for ready"
    assert boss.of("ready") == []
    room.ready(bots[2])
    assert room.phase == "running"
    assert boss.kinds()[-2:] == ["ready", "frame"]
    assert bots[0].kinds()[1:] == ["ready", "observation"]
    assert [b.ticks for b in bots] == [[(1, 1)]] * 3


def test_repeated_and_foreign_ready_messages_are_ignored():
    room, boss, bots = Room.gathered(2)
    other = room.bot()
    room.start(boss, bots)
    room.ready(bots[0], bots[0], other, bots[0])
    assert room.phase == "waiting for ready"
    room.ready(bots[1], bots[1])
    assert room.phase == "running"
    assert room.host.room.battle.turn == 1


def test_enough_ready_bots_begin_and_the_others_get_nothing():
    room, boss, bots = Room.gathered(4)
    room.start(boss, bots)
    room.ready(bots[3], bots[1])
    room.run(S)
    assert room.phase == "running"
    assert [seat["name"] for seat in boss.last("ready")["seats"]] == ["bot 3", "bot 5"]
    assert [
        [event.seat for event in room.host.room.clients if event.conn == bot.conn]
        for bot in (bots[1], bots[3])
    ] == [[0], [1]]
    for dropped in (bots[0], bots[2]):
        assert dropped.kinds() == ["hello", "ready"]
        dropped.say("ready")
        dropped.say("intent")
    assert room.host.room.battle.collecting.inbox.missing == {0, 1}


@pytest.mark.parametrize("leaver_was_ready", [True, False])
def test_a_chosen_bot_that_leaves_before_the_start_is_waited_for_no_longer(leaver_was_ready):
    room, boss, bots = Room.gathered(3)
    room.start(boss, bots)
    room.ready(*(bots[:2] if leaver_was_ready else bots[1:2]))
    bots[0].leave()
    room.run()
    assert room.phase == "waiting for ready"
    room.ready(bots[2])
    assert room.phase == "running"
    assert [room.host.lobby.clients[b.conn].seat for b in bots[1:]] == [0, 1]


def test_the_last_one_missing_leaves_and_the_game_begins():
    room, boss, bots = Room.gathered(3)
    room.start(boss, bots)
    room.ready(*bots[:2])
    bots[2].leave()
    assert room.run().phase == "running"


def test_all_chosen_bots_leave_before_the_start_and_it_is_over():
    room, boss, bots = Room.gathered(2)
    room.start(boss, bots)
    for bot in bots:
        bot.leave()
    assert room.phase == "stopped"
    assert boss.kinds().count("result") == 1
    assert [s.ending for s in room.server.over] == ["aborted"]


def test_a_setup_that_the_rules_refuse_ends_before_the_first_turn_with_the_reason():
    def narrow(tolerant):
        raise SetupError("no room for 3")

    room, boss, bots = Room.gathered(3, new_game=narrow)
    watcher = room.spectator()
    room.start(boss, bots)
    room.ready(*bots)
    assert room.phase == "stopped"
    assert boss.kinds()[-2:] == ["error", "result"]
    assert watcher.kinds()[-1] == "result"
    assert "no room for 3" in boss.last("error")["message"]
    assert room.server.over[0].why == boss.last("error")["message"]
    assert room.start(boss, bots).phase == "waiting for ready"


def test_rules_that_cannot_even_be_set_up_leave_the_server_standing():
    def broken(tolerant):
        raise RuntimeError("no rules today")

    room, boss, bots = Room.gathered(2, new_game=broken)
    room.start(boss, bots)
    room.ready(*bots)
    assert room.phase == "stopped"
    assert "no rules today" in room.server.over[0].why


def test_a_new_game_counts_its_seed_on_and_says_it_in_its_record():
    room, boss, *bots = duel(seed=2**63 - 1, record=True)
    boss.say("stop")
    room.start(boss, bots)
    assert [room.record(k).header.seed for k in (1, 2)] == [2**63 - 1, 0]


def test_without_a_seed_it_is_drawn_and_kept():
    room, boss, *bots = duel(seed=None, record=True)
    boss.say("stop")
    room.start(boss, bots)
    one, two = (room.record(k).header.seed for k in (1, 2))
    assert one != two
    assert room.server.over[0].seed == one


# ---- stopping ------------------------------------------------------------------------------------------


def in_phase(phase):
    if phase is Phase.WAITING_FOR_PARTICIPANTS:
        return Room.gathered()
    if phase is Phase.WAITING_FOR_READY:
        room, boss, bots = Room.gathered()
        room.start(boss, bots)
        return room, boss, bots
    room, boss, *bots = duel()
    if phase is Phase.PAUSED:
        boss.say("pause")
    if phase is Phase.STOPPED:
        boss.say("stop")
    return room, boss, bots


@pytest.mark.parametrize("phase", list(Phase))
def test_stop_is_possible_in_every_phase_and_always_announced(phase):
    room, boss, bots = in_phase(phase)
    assert room.host.room.phase is phase
    ended = len(room.server.over)
    for bot in bots:
        bot.hush()
    boss.hush().say("stop")
    assert boss.kinds() == ["hello", "result"]
    went_on = phase not in (Phase.WAITING_FOR_PARTICIPANTS, Phase.STOPPED)
    assert all(bot.kinds()[1:] == ["result"] * went_on for bot in bots)
    assert len(room.server.over) == ended + went_on
    assert not went_on or "operator" in room.server.over[-1].why
    room.run(10 * S)
    assert room.phase in ("stopped", "waiting for participants")
    assert boss.of("frame") == []


@pytest.mark.parametrize("phase", list(Phase))
def test_after_a_stop_in_any_phase_the_next_game_plays(phase):
    room, boss, bots = in_phase(phase)
    boss.say("stop")
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
    assert boss.kinds().count("result") == 1
    assert room.server.over[0].ending == "aborted"
    assert room.start(boss, [spare]).server.over[1].ending == "over"


def test_all_participants_leave_a_paused_game_and_it_is_aborted():
    room, boss, one, two = duel()
    boss.say("pause")
    one.leave(), two.leave()
    room.run(LIST_GAP_NS)
    assert room.phase == "stopped"
    assert boss.kinds()[-2:] == ["result", "bots"]


def test_spectators_that_leave_change_nothing():
    room, boss, *_ = duel(plays=True)
    room.spectator().leave()
    boss.leave()
    room.run(10 * MS)
    assert room.host.room.battle.turn == 11


def test_an_observer_that_leaves_hears_nothing_more():
    room, *_ = duel(plays=True)
    watcher = room.spectator()
    room.run(2 * MS)
    watcher.leave()
    heard = len(watcher.heard)
    room.run(10 * MS)
    assert len(watcher.heard) == heard


# ---- the end of rounds and games -----------------------------------------------------------------------


def test_a_thousand_one_turn_battles_leave_nothing_behind():
    room = Room()
    boss, bot = room.operator(), room.bot()

    def play(count):
        for _ in range(count):
            room.start(boss, [bot]).run(10 * MS)
            bot.hush(), boss.hush()
            room.server.logs.clear(), room.server.over.clear(), room.server.battles.clear()
        gc.collect()
        return len(gc.get_objects())

    before = play(100)
    after = play(1000)
    assert room.host.room.number == 1100
    assert room.host.room.battles_over == {"over": 1100, "aborted": 0, "void": 0}
    assert after - before < 100


def test_thousands_of_one_turn_rounds_do_not_pile_up_on_the_stack():
    room = Room()
    boss, bot = room.operator(), room.bot()
    bot.answer = lambda seen: {}
    room.start(boss, [bot], rounds=5000)
    room.run(10 * S)
    assert boss.last("result")["ending"] == "over"
    assert room.server.over[0].rounds == 5000


# ---- late spectators -----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["spectator", "operator"])
def test_a_late_spectator_gets_the_start_and_the_state_and_then_every_turn(role):
    room, boss, *_ = duel(plays=True)
    room.run(5 * MS)
    late = room.stranger().hello(role)
    assert late.kinds() == [
        "hello",
        "bots",
        "speed",
        "ready",
        "frame",
    ]
    assert late.of("ready") == boss.of("ready")
    assert late.last("frame") == boss.last("frame")
    room.run(5 * MS)
    assert late.ticks == [(1, turn) for turn in range(6, late.ticks[-1][1] + 1)]
    assert late.ticks[-1][1] > 8


def test_a_spectator_that_comes_between_ready_and_the_first_turn_waits_for_it():
    room, boss, *_ = duel(tps=0)
    late = room.spectator()
    assert late.kinds()[1:] == [
        "bots",
        "speed",
        "ready",
        "paused",
    ]
    boss.say("resume")
    room.run()
    assert late.ticks == [(1, 1)]


@pytest.mark.parametrize("cause", ["pause", "debug_step", "breakpoint"])
def test_a_late_spectator_of_a_paused_game_learns_why_it_is_paused(cause):
    room, boss, *_ = duel()
    if cause == "pause":
        boss.say("pause")
    elif cause == "debug_step":
        boss.say("debug", on=True)
    else:
        boss.say("policy", seat=0, breakpoints=True)
    room.run(S)
    assert room.phase == "paused"
    assert room.spectator().last("paused")["cause"] == cause


@pytest.mark.parametrize("phase", [Phase.WAITING_FOR_PARTICIPANTS, Phase.WAITING_FOR_READY, Phase.STOPPED])
def test_without_a_running_game_a_spectator_gets_the_list_alone(phase):
    room, *_ = in_phase(phase)
    assert room.spectator().kinds() == ["hello", "bots", "speed"]


@pytest.mark.parametrize("public", [True, False])
def test_the_error_of_a_failure_is_sent_only_if_errors_are_public(public):
    room, boss, one, two = duel(plays=True, record=True, errors_public=public)
    watcher = room.spectator()
    room.run(5 * MS)
    room.host.room.fail(0, FailureReason.CRASHED, "ValueError: swordfish", ["swordfish, too"])
    room.run(20 * MS)
    heard = [*watcher.heard, *boss.heard, *one.heard, *two.heard]
    assert any("crashed" in str(message) for message in watcher.heard)
    assert any("swordfish" in str(message) for message in heard) is public
    recorded = [entry.failures[0] for entry in room.record().turns if entry.failures]
    assert [one.reason for one in recorded] == [FailureReason.CRASHED]
    assert [(one.error != "", one.printed != ()) for one in recorded] == [(public, public)]
    assert room.host.room.battle.referee.failures[0].error == "ValueError: swordfish", "the result has it"
    assert any("swordfish" in line for line in room.logged("error"))
