"""The whole host of a world: the queue, stop, spam, lost connections and reports."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright_world.example import Walk, yard
from turnwright_world.game import WorldGame
from turnwright_world.host import effects as fx
from turnwright_world.host.host import AHEAD_MAX, CONTENTS_MAX, WorldConfig, WorldHost
from turnwright_world.host.sessions import QUEUE_MAX
from turnwright_world.rules.threats import LEADS_MIN, Scale, ThreatPolicy
from turnwright_world.wire.clock import RATE_ONE, TimePing
from turnwright_world.wire.messages import ProgramLogin, React, WindowSize


def one() -> VirtualWorld:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.text(1)
    return world


def test_one_command_is_taken_a_turn_and_only_when_the_body_is_free() -> None:
    world = one()
    world.type(1, "dig", "go in", "go out")
    body = world.host.turns.state.world.creatures[1]
    places = []
    for _ in range(8):
        world.run_ms(250)
        places.append((body.action.verb if body.action else "", body.place))
    assert places[:3] == [("dig", "yard")] * 3
    assert places[3:7] == [("", "yard"), ("", "shed"), ("", "yard"), ("", "yard")]


def test_stop_purges_immediately_interrupts_next_turn_and_is_acknowledged_twice() -> None:
    world = one()
    world.type(1, "dig", "go in")
    world.run_ms(500)
    world.text(1)
    world.type(1, "stop")
    assert not missing(world.text(1), "1 waiting command", "stop", "next turn")
    world.run_ms(250)
    text = world.text(1)
    assert text.index("hole") < text.index("stop: dig")
    assert world.host.turns.state.world.creatures[1].action is None


def test_commands_typed_after_stop_survive_it() -> None:
    world = one()
    world.type(1, "dig", "say one", "stop", "go in")
    world.run_ms(260)
    assert world.host.turns.state.world.creatures[1].place == "shed"


class Bolt(Walk):
    name, urgent = "bolt", True


def test_an_urgent_command_stops_the_action_with_a_notice() -> None:
    world = one()
    world.host.context.rules.verbs["bolt"] = Bolt()
    world.type(1, "dig", "say one")
    world.run_ms(500)
    world.text(1)
    world.type(1, "bolt in")
    assert "1 waiting command is dropped" in world.text(1)
    world.run_ms(250)
    assert "You stop: dig." in world.text(1)
    assert world.host.turns.state.world.creatures[1].place == "shed"


def test_a_full_queue_and_too_many_lines_are_reported_and_none_is_lost_silently() -> None:
    world = one()
    world.type(1, "dig")
    world.run_ms(260)
    world.text(1)
    lines = [f"say {k}" for k in range(30)]
    world.type(1, *lines)
    world.run_ms(1_000)
    text = world.text(1)
    refused = text.count("Your queue is full")
    dropped = sum(int(line.split()[2]) for line in text.split("\n") if line.startswith("Too fast"))
    assert QUEUE_MAX + refused + dropped == 30
    assert text.count("Too fast") in (1, 2)


def test_a_flooding_client_is_disconnected_and_its_body_stays_for_a_while() -> None:
    world = one()
    world.type(1, *(["look"] * 2_100))
    assert not missing(world.closed[1], "too much")
    world.run_ms(300)
    assert world.host.turns.state.world.creatures[1].linkdead_since is not None


def test_lines_that_come_before_the_body_are_done_when_it_is_there() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    world.type(1, "Anna", "go in", *(["look"] * AHEAD_MAX))
    assert "'look' was not taken" in world.text(1)
    world.run_ms(600)
    assert world.host.turns.state.world.creatures[1].place == "shed"


def test_an_action_continues_after_its_connection_is_lost() -> None:
    world = one()
    world.type(1, "dig")
    world.run_ms(260)
    world.drop(1)
    world.run_ms(2_000)
    body = world.host.turns.state.world.creatures[1]
    assert len(body.items) == 1
    assert body.linkdead_since is not None


def test_a_connection_that_ends_while_it_enters_leaves_a_body_that_goes() -> None:
    world = VirtualWorld.of(linkdead_turns=4)
    world.connect(1)
    world.type(1, "Anna")
    world.drop(1)
    world.run_ms(5_000)
    assert world.host.turns.state.world.creatures == {}
    assert world.alarm_ns is None


def test_a_program_gets_one_message_a_turn_with_all_it_may_know() -> None:
    world = VirtualWorld.of()
    world.connect(1, "program")
    world.send(1, "Hello", {"name": "Wolf"})
    world.run_ms(300)
    begin = len(world.got(1, "Turn"))
    world.send(1, "Command", {"text": "dig"})
    world.run_ms(1_000)
    turns = world.got(1, "Turn")[begin:]
    assert [turn["turn"] for turn in turns] == [2, 3, 4, 5]
    assert turns[0]["action"] == {"verb": "dig", "ends_turn": 5}
    assert turns[0]["queue"] == []


def test_gmcp_gets_the_queue_when_it_changes_and_all_it_missed_when_it_comes_late() -> None:
    world = one()
    world.type(1, "dig", "go in")
    world.host.terminal(1, packages=True)
    world.work()
    assert [name for name, _ in world.packages[1]][3:8] == [
        "Char.Name",
        "Char.Vitals",
        "Char.Status",
        "Char.Items.List",
        "Room.Info",
    ]
    world.type(1, "go out")
    assert world.got(1, "Char.Queue")[-1] == {"commands": ["dig", "go in", "go out"], "max": QUEUE_MAX}


def test_text_that_a_player_types_never_steers_another_players_terminal() -> None:
    world = one()
    world.enter(2, "Bert")
    world.type(1, "say \x1b[2J\x07boo\u202e")
    world.run_ms(300)
    assert "Anna says: [2Jboo" in world.text(2)
    assert "\x1b" not in world.text(2)


def test_messages_that_make_no_sense_do_nothing() -> None:
    world = one()
    for data in (None, [], {}, {"text": 7}, {"text": ["x"]}, "x"):
        for package in ("Command", "Combat.React", "Core.Size", "Hello", "Nothing.Known"):
            world.send(1, package, data)
    world.run_ms(300)
    assert world.logs == []
    assert world.closed == {}


def test_a_program_learns_what_was_wrong_with_a_meaningless_message() -> None:
    world = VirtualWorld.of()
    world.connect(1, "program")
    world.send(1, "Combat.React", React("dodge"))
    world.send(1, "Hello", {"name": "Wolf"})
    world.run_ms(300)
    for package, data in (("Command", {"text": ["x"]}), ("Comand", {"text": "look"}), ("Hello", {})):
        world.send(1, package, data)
    texts = [said["text"] for said in world.got(1, "Game.Text")]
    named = [
        ("Combat.React", "Hello first", "Welcome"),
        ("Command", "text"),
        ("no message 'Comand'", "Hello", "Command", "Combat.React", "Time.Ping"),
        ("Hello", "already"),
    ]
    assert [missing(text, *words) for text, words in zip(texts, named, strict=True)] == [[]] * 4


def test_stopping_keeps_every_body_and_says_farewell() -> None:
    world = one()
    world.host.stop_all("The world is stopping.", world.now_ns)
    world.work()
    assert world.closed == {1: "The world is stopping."}
    entry = world.turns[-1].entry
    assert entry is not None
    assert [event.kind for event in entry.intents[0].gate] == ["linkdead"]


def restarted(world: VirtualWorld, **how: Any) -> VirtualWorld:
    """Return a server that continues from the store of a killed one."""
    battle = world.host.turns.battle
    packed = base64.b64encode(world.host.turns.state.world.pack()).decode()
    setup = {**battle.header.setup, "world": packed}
    again = Battle(battle.game, setup, (), battle.header.seed, battle.header.rules)
    config = WorldConfig(linkdead_turns=4, **how)
    return VirtualWorld(again, config, accounts=list(world.accounts.values()))


def test_after_a_kill_kept_characters_wait_outside_and_guests_go() -> None:
    world = VirtualWorld.of()
    for conn, name in ((1, "Anna"), (2, "Bert")):
        world.enter(conn, name)
    world.type(1, "keep", "three green apples", "three green apples")
    world.run_ms(1)
    again = restarted(world)
    again.run_ms(5_000)
    bodies = again.host.turns.state.world.creatures
    assert {body.name: body.place for body in bodies.values()} == {"Anna": ""}


def test_a_server_that_stops_leaves_no_guests_behind_for_ever() -> None:
    world = one()
    world.host.stop_all("The world is stopping.", world.now_ns)
    world.work()
    again = restarted(world)
    again.enter(2, "Bert")
    again.run_ms(70_000)
    assert [body.name for body in again.host.turns.state.world.creatures.values()] == ["Bert"]


def test_an_unknown_command_is_refused_immediately_and_is_not_queued() -> None:
    world = one()
    world.type(1, "dig")
    world.run_ms(260)
    world.text(1)
    world.type(1, "xyzzy", "q" * 999)
    text = world.text(1)
    assert "'xyzzy' is not" in text
    assert f"{'q' * 40!r} is not a command." in text
    session = world.host.sessions.of(1)
    assert session is not None
    assert len(session.queue) == 0


def test_an_urgent_command_goes_before_waiting_ones_of_a_free_body() -> None:
    world = one()
    world.host.context.rules.verbs["bolt"] = Bolt()
    world.type(1, "say one", "say two", "say three", "bolt in")
    assert "3 waiting commands are dropped." in world.text(1)
    world.run_ms(260)
    assert world.host.turns.state.world.creatures[1].place == "shed"
    assert "nothing to stop" not in world.text(1)


def test_other_content_counts_from_the_next_turn_and_is_in_the_record() -> None:
    world = one()
    world.host.terminal(1, packages=True)
    rules = yard()
    rules.content_hash = "other"
    del rules.verbs["dig"]
    world.host.reload(rules, world.now_ns)
    world.run_ms(300)
    before, after = world.got(1, "World.Rules")
    assert ("dig" in before["verbs"], "dig" in after["verbs"]) == (True, False)
    world.type(1, "dig")
    world.run_ms(300)
    assert "'dig' is not" in world.text(1)
    assert any(e.kind == "reload" for t in world.turns if t.entry for e in t.entry.intents[0].gate)


def test_only_the_last_contents_stay_in_memory() -> None:
    world = one()
    for k in range(30):
        rules = yard()
        rules.content_hash = f"content {k}"
        world.host.reload(rules, world.now_ns)
        if k % 3 == 0:
            world.run_ms(260)
    world.run_ms(260)
    assert world.host.turns.state.world.facts.content == "content 29"
    assert not any("failed" in log.text for log in world.logs)
    assert len(world.host.turns.game.library) <= CONTENTS_MAX + 1


def test_content_that_arrives_while_time_is_stopped_makes_no_turn_late() -> None:
    world = one()
    world.type(1, "quit")
    world.run_ms(60_000)
    rules = yard()
    rules.content_hash = "other"
    world.host.reload(rules, world.now_ns)
    world.work()
    world.run_ms(1_000)
    figures = world.host.turns.stats
    assert (figures.skipped, figures.overruns_total, max(figures.late_ns)) == (0, 0, 0)
    assert world.host.turns.state.rules is rules


def test_a_client_whose_program_speaks_up_late_gets_all_that_rings_need() -> None:
    world = one()
    world.host.terminal(1, packages=True)
    world.work()
    for package in ("Welcome", "World.Rules", "Time.Segment", "Room.Info", "Char.Vitals"):
        assert len(world.got(1, package)) == 1, package


def test_a_played_world_can_be_replayed_from_its_record() -> None:
    world = one()
    world.enter(2, "Bert")
    world.type(1, "hit bert", "dig")
    world.run_ms(700)
    world.type(2, "dodge", "hit anna")
    world.run_ms(8_000)
    world.drop(2)
    world.run_ms(2_000)
    battle = world.host.turns.battle
    entries = [turn.entry for turn in world.turns if turn.entry is not None]
    again = Battle(battle.game, battle.header.setup, (), battle.header.seed, battle.header.rules)
    digests = [again.replay_turn(entry).entry.digest for entry in entries]
    assert digests == [entry.digest for entry in entries]


@pytest.mark.parametrize("attacked", [False, True])
@pytest.mark.parametrize("quits", [False, True])
def test_quitting_disconnects_immediately_and_leaves_the_body_like_a_lost_line(
    *, attacked: bool, quits: bool
) -> None:
    world = one()
    body = world.enter(2, "Bert")
    if attacked:
        world.type(1, "hit bert")
        world.run_ms(260)
        assert world.host.turns.state.world.creatures[body].threats
    if quits:
        world.type(2, "quit")
        assert "Farewell" in world.closed[2]
        assert "20 seconds" in world.closed[2]
    else:
        world.drop(2)
    world.run_ms(19_000)
    left = world.host.turns.state.world.creatures[body]
    assert left.linkdead_since is not None
    assert (left.health < 100) is attacked
    world.run_ms(2_000)
    assert body not in world.host.turns.state.world.creatures


def test_a_connection_without_a_name_is_closed_after_a_while() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    world.enter(2, "Anna")
    world.run_ms(299_000)
    assert world.closed == {}
    world.run_ms(2_000)
    assert list(world.closed) == [1]
    assert not missing(world.closed[1], "5 minutes")


def test_messages_are_limited_and_answered_like_lines() -> None:
    world = VirtualWorld.of()
    world.connect(1, "program")
    world.send(1, "Hello", {"name": "Wolf"})
    world.run_ms(300)
    for _ in range(60):
        world.send(1, "Core.Size", WindowSize(80, 24))
    (notice,) = [data["text"] for data in world.got(1, "Game.Text")]
    assert notice.startswith("Too fast")
    world.run_ms(1_000)
    assert len(world.got(1, "Game.Text")) == 2


def test_an_unreadable_message_is_answered_and_counts_like_a_line() -> None:
    world = one()
    for _ in range(40):
        world.host.mistake(1, "no JSON", world.now_ns)
    world.work()
    text = world.text(1)
    assert 20 <= text.count("[no JSON]") <= 24
    assert text.count("Too fast") == 1
    for _ in range(2_100):
        world.host.mistake(1, "no JSON", world.now_ns)
    world.work()
    assert list(world.closed) == [1]
    assert not missing(world.closed[1], "too much")


TURN_NS = 250_000_000


def turns(host: WorldHost, now_ns: int, count: int, turn_ns: int = TURN_NS) -> int:
    """Let `count` turns pass, each of which is saved immediately; return the time."""
    for _ in range(count * 10):
        now_ns += turn_ns // 10
        host.wake(now_ns)
        for effect in host.take():
            if isinstance(effect, fx.SaveTurn):
                host.saved(effect.turn, now_ns)
    return now_ns


def test_a_lead_comes_to_the_body_once_and_goes_with_its_client() -> None:
    rules = yard()
    rules.threats = ThreatPolicy(window=Scale(500_000))
    battle = Battle(WorldGame(rules), {"open": True}, [SeatInfo("gate")], 7)
    host = WorldHost(battle, WorldConfig(), 0)
    host.connect(1, "program", "127.0.0.1", 0)
    host.message(1, "Hello", ProgramLogin("Ann"), 0)
    now_ns = turns(host, 0, 3)
    session = host.sessions.of(1)
    assert session is not None
    body = battle.state.world.creatures[session.body]
    assert body.lead_us == 0

    session.latency.note_ping(TimePing(1, 1, 100_000))
    assert [event.kind for event in host.context.join_events.leads(battle.state.world.creatures)] == ["line"]
    now_ns = turns(host, now_ns, 2)
    assert body.lead_us == 100_000
    assert rules.threats.window_us(body) == LEADS_MIN * 100_000
    assert list(host.context.join_events.leads(battle.state.world.creatures)) == []

    host.disconnect(1, now_ns)
    turns(host, now_ns, 300)
    assert all(left.lead_us == 0 for left in battle.state.world.creatures.values())


@pytest.mark.parametrize("turn_ms", [20, 100, 250, 500, 1_000])
@pytest.mark.parametrize("lead_us", [10_000, 100_000, 250_000])
def test_six_leads_of_a_window_are_six_leads_of_real_time_however_fast_the_game_runs(
    turn_ms: int, lead_us: int
) -> None:
    rules = yard()
    rules.threats = ThreatPolicy(window=Scale(1))
    battle = Battle(WorldGame(rules), {"open": True}, [SeatInfo("gate")], 7)
    host = WorldHost(battle, WorldConfig(pace_us=turn_ms * 1_000), 0)
    host.connect(1, "program", "127.0.0.1", 0)
    host.message(1, "Hello", ProgramLogin("Ann"), 0)
    now_ns = turns(host, 0, 8, turn_ms * 1_000_000)
    session = host.sessions.of(1)
    assert session is not None
    session.latency.note_ping(TimePing(1, 1, lead_us))
    turns(host, now_ns, 8, turn_ms * 1_000_000)
    body = battle.state.world.creatures[session.body]
    window_us = rules.threats.window_us(body) * RATE_ONE / host.clock.segment.rate
    assert 0 <= window_us - LEADS_MIN * lead_us < 2 * LEADS_MIN * max(1, turn_ms // 250)
