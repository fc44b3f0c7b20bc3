"""An operator stops time for all: lines are answered, nothing becomes due, and the record is the same."""

from __future__ import annotations

from typing import Any

from packages.core.tests.messages import missing, naming
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.host.accounts import hash_passphrase
from turnwright.host.credentials import WRONG_SECRETS_MAX
from turnwright.kernel.record import Record
from turnwright.kernel.verify import verify
from turnwright_world.host.accounts import Account
from turnwright_world.wire.messages import React

PHRASE = "three green apples"


def world_of(**more: Any) -> VirtualWorld:
    """Return a world with Ada, an operator, as 1, and Bert and Carl, whom he strikes."""
    ada = Account("Ada", hash_passphrase(PHRASE, bytes(16)))
    world = VirtualWorld.of(accounts=[ada], operators=frozenset({"ada"}), secret="open sesame", **more)
    world.connect(1)
    world.type(1, "Ada", PHRASE)
    world.run_ms(300)
    world.enter(2, "Bert", client_kind="gmcp")
    world.enter(3, "Carl")
    return world


def turns(world: VirtualWorld) -> int:
    return world.host.turns.state.world.turn


def test_a_pause_freezes_every_ring_with_one_message_and_is_announced_to_all() -> None:
    world = world_of()
    world.type(3, "hit bert")
    world.run_ms(400)
    (threat,) = world.got(2, "Combat.Threat.Add")
    segments = len(world.got(2, "Time.Segment"))
    world.text(3)
    world.type(1, "pause")
    assert world.got(2, "Time.Segment")[-1]["rate"] == 0
    assert len(world.got(2, "Time.Segment")) == segments + 1
    for conn in (2, 3):
        assert "Time stands still. (Ada)" in world.text(conn)
    before = turns(world)
    world.run_ms(60_000)
    assert turns(world) == before
    assert world.got(2, "Combat.Threat.Gone") == []
    world.type(1, "resume")
    landing_ms = (threat["at"] + threat["us"] - world.got(2, "Time.Segment")[-1]["g"]) / 1000
    world.run_ms(landing_ms - 5)
    assert world.got(2, "Combat.Threat.Gone") == []
    world.run_ms(10)
    assert [gone["why"] for gone in world.got(2, "Combat.Threat.Gone")] == ["landed"]


def test_a_paused_world_reads_and_answers_and_keeps_commands_for_later() -> None:
    world = world_of()
    world.type(1, "pause")
    world.text(2), world.text(3)
    world.type(2, "chat hello", "time", "go in")
    assert "[chat] Bert: hello" in world.text(3)
    said = world.text(2)
    assert len(naming(said, "time stands still")) == 2
    assert len(naming(said, "time stands still", "waits")) == 1
    body = world.host.sessions.named("bert").body  # type: ignore[union-attr]  # he is there
    assert world.host.turns.state.world.creatures[body].place == "yard"
    world.type(1, "resume")
    world.run_ms(2_000)
    assert world.host.turns.state.world.creatures[body].place == "shed"


def test_a_step_plays_a_turn_and_stops_again() -> None:
    world = world_of()
    world.type(1, "pause")
    before = turns(world)
    for _ in range(3):
        world.type(1, "step")
        world.run_ms(3_000)
    assert turns(world) == before + 3
    world.type(1, "step 4")
    world.run_ms(3_000)
    assert turns(world) == before + 7
    assert world.host.clock.segment.rate == 0


def test_speed_changes_how_fast_turns_and_rings_run() -> None:
    world = world_of()
    world.type(1, "speed 0.5")
    before = turns(world)
    world.run_ms(4_000)
    assert turns(world) - before in (8, 9)
    assert world.got(2, "Time.Segment")[-1]["rate"] == 500_000
    world.type(1, "speed 2")
    before = turns(world)
    world.run_ms(4_000)
    assert turns(world) - before in (32, 33)


def test_an_invalid_speed_or_number_of_turns_is_answered_with_help() -> None:
    world = world_of()
    for line in ("speed", "speed 99", "speed nan", "step 0", "step x", "pause now", "step 9999"):
        world.text(1)
        world.type(1, line)
        assert "pause, resume, step" in world.text(1)
    assert not world.host.turns.pace.control.paused


def test_only_an_operator_can_pause() -> None:
    world = world_of()
    for conn in (2, 3):
        world.type(conn, "pause")
    assert not world.host.turns.pace.control.paused
    world.connect(4, address="198.51.100.9")
    world.type(4, "Ada", "wrong words here")
    world.type(4, "pause")
    assert not world.host.turns.pace.control.paused


def test_an_operators_name_can_be_taken_only_at_the_machine() -> None:
    world = VirtualWorld.of(operators=frozenset({"ada"}))
    world.connect(1, address="198.51.100.9")
    world.type(1, "Ada")
    assert naming(world.text(1), "nobody else", "Ada")
    world.enter(2, "Ada")


def test_a_program_steers_with_the_ports_secret_and_needs_no_body() -> None:
    world = world_of()
    world.connect(5, client_kind="program")
    world.send(5, "Operate", {"secret": "open sesame", "do": "pause"})
    assert world.got(5, "Operated")[-1]["stands"] is True
    world.send(5, "Operate", {"secret": "open sesame", "do": "step", "value": 2})
    world.run_ms(2_000)
    world.send(5, "Operate", {"secret": "open sesame", "do": "speed", "value": 0.5})
    assert world.got(5, "Operated")[-1]["speed"] == 0.5
    world.send(5, "Operate", {"secret": "open sesame", "do": "nonsense"})
    assert world.got(5, "Operated")[-1]["ok"] is False


def test_an_operators_account_needs_no_secret_for_messages_whatever_it_gives() -> None:
    for secret in ("", "open sesame"):
        ada = Account("Ada", hash_passphrase(PHRASE, bytes(16)))
        world = VirtualWorld.of(accounts=[ada], operators=frozenset({"ada"}), secret=secret)
        world.connect(1, client_kind="program")
        world.send(1, "Operate", {"do": "pause"})
        assert world.got(1, "Operated")[-1]["ok"] is False, "nobody has come in yet"
        world.send(1, "Hello", {"name": "Ada", "token": PHRASE})
        world.run_ms(300)
        for step, given in enumerate(({}, {"secret": "wrong"})):
            world.send(1, "Operate", {**given, "do": "speed", "value": 0.5 + step})
            assert world.got(1, "Operated")[-1] | {"turn": 0} == {
                "ok": True, "why": "", "stands": False, "speed": 0.5 + step, "turn": 0
            }  # fmt: skip


def test_the_secret_counts_for_a_connection_by_messages_and_by_lines_and_for_no_other() -> None:
    world = VirtualWorld.of(secret="open sesame")
    world.enter(1, "Bert", client_kind="gmcp")
    world.enter(2, "Carl", client_kind="gmcp")
    world.type(1, "pause")
    assert not world.host.turns.pace.control.paused
    world.send(1, "Operate", {"secret": "open sesame", "do": "pause"})
    assert world.host.turns.pace.control.paused
    world.type(1, "resume")
    assert not world.host.turns.pace.control.paused
    world.send(1, "Operate", {"do": "pause"})
    assert world.host.turns.pace.control.paused
    for conn in (2, 3):
        if conn == 3:
            world.connect(3, client_kind="gmcp")
        world.type(conn, "resume")
        world.send(conn, "Operate", {"do": "resume"})
        assert world.got(conn, "Operated")[-1]["ok"] is False
    world.drop(1)
    world.connect(4, client_kind="program")
    world.send(4, "Operate", {"do": "resume"})
    assert not missing(world.got(4, "Operated")[-1]["why"], "not", "operator's secret")
    assert world.host.turns.pace.control.paused


def test_secrets_cannot_be_tried_out() -> None:
    world = world_of()
    world.connect(5, client_kind="program", address="198.51.100.9")
    for _ in range(WRONG_SECRETS_MAX):
        world.send(5, "Operate", {"secret": "wrong", "do": "pause"})
    world.send(5, "Operate", {"secret": "open sesame", "do": "pause"})
    assert "too many wrong secrets" in world.got(5, "Operated")[-1]["why"]
    assert not world.host.turns.pace.control.paused


def test_an_operator_who_returns_to_a_paused_world_can_resume_it() -> None:
    world = world_of()
    world.type(1, "pause")
    world.drop(1)
    world.connect(6)
    world.type(6, "Ada", PHRASE)
    world.run_ms(1_000)
    assert naming(world.text(6), "time stands still", "come in")
    world.type(6, "resume")
    world.run_ms(600)
    assert world.host.sessions.of(6) is not None
    assert world.host.sessions.named("ada") is world.host.sessions.of(6)
    session = world.host.sessions.of(6)
    assert session is not None
    assert session.playing


def test_the_record_of_a_world_that_was_paused_and_stepped_replays_the_same() -> None:
    world = world_of()
    world.type(3, "hit bert")
    world.run_ms(400)
    world.type(1, "pause")
    world.send(2, "Combat.React", React("dodge"))
    world.run_ms(700)
    world.type(1, "step 2")
    world.run_ms(1_000)
    world.type(1, "speed 3", "resume")
    world.run_ms(2_000)
    entries = [turn.entry for turn in world.turns if turn.entry is not None]
    battle = world.host.turns.battle
    assert len(entries) > 15
    assert verify(Record(battle.header, entries), battle.game).ok
