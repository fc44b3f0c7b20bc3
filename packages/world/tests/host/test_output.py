"""A session's output comes once, in one piece, with one prompt."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.host.views import view
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.example import yard
from turnwright_world.host import effects as fx
from turnwright_world.host.output import SessionOutput
from turnwright_world.host.sessions import ClientKind, Session
from turnwright_world.wire.messages import React
from turnwright_world.wire.server_messages import CharName, GameText


def session_of(client_kind: ClientKind, effects: list[fx.Effect]) -> tuple[SessionOutput, Session]:
    session = Session(1, client_kind, "127.0.0.1", packages=client_kind in ("gmcp", "program"))
    session.body, session.stage = 1, "playing"
    return SessionOutput(effects.append), session


def test_all_output_of_one_call_is_one_text_and_one_prompt() -> None:
    effects: list[fx.Effect] = []
    voice, session = session_of("telnet", effects)
    voice.turn(session, view(), [{"kind": "text", "text": "One."}])
    voice.say(session, "Two.")
    assert effects == []
    voice.flush()
    text, shown = effects
    assert isinstance(text, fx.ShowText)
    assert text.text.startswith("One.\nYard\n")
    assert text.text.endswith("Two.\n")
    assert isinstance(shown, fx.ShowPrompt)
    effects.clear()
    voice.flush()
    assert effects == []


def test_a_terminal_gets_no_line_that_is_wider_than_it_unless_it_is_verbatim() -> None:
    words, effects = "one two three " * 9, list[fx.Effect]()
    for client_kind in ("telnet", "terminal", "packed"):
        voice, session = session_of(client_kind, effects)
        voice.say(session, words)
        voice.say(session, words, verbatim=True)
        voice.flush()
    widest = [
        [len(line) > 80 for line in effect.text.splitlines()]
        for effect in effects
        if isinstance(effect, fx.ShowText)
    ]
    assert widest == [[False, False, True], [False, False, True], [True, True]]


def test_the_room_is_shown_when_the_body_has_moved_and_not_again() -> None:
    effects: list[fx.Effect] = []
    voice, session = session_of("telnet", effects)
    voice.turn(session, view(), [])
    voice.flush()
    effects.clear()
    voice.turn(session, view(turn=13), [])
    voice.flush()
    assert effects == []


def test_a_quiet_turn_sends_a_client_nothing() -> None:
    effects: list[fx.Effect] = []
    voice, session = session_of("gmcp", effects)
    voice.turn(session, view(), [])
    voice.flush()
    session.entered = True
    effects.clear()
    voice.turn(session, view(turn=13, now_us=2_150_000), [])
    voice.flush()
    assert effects == []


def test_a_program_gets_its_text_as_messages_and_no_prompt() -> None:
    effects: list[fx.Effect] = []
    voice, session = session_of("program", effects)
    voice.say(session, "Hello.")
    voice.unprompted(session)
    voice.turn(session, view(), [])
    voice.flush()
    packages = [effect for effect in effects if isinstance(effect, fx.SendPackage)]
    assert len(packages) == len(effects)
    assert packages[0] == fx.SendPackage(1, GameText("Hello."))


def program_under_attack() -> VirtualWorld:
    """Return a world in which Anna has just struck at Bert, a program on connection 2."""
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.connect(2, "program")
    world.send(2, "Hello", {"name": "Bert"})
    world.run_ms(255)
    world.type(1, "hit bert")
    world.run_ms(260)
    return world


def test_a_program_gets_each_threat_once_immediately_when_it_comes_and_goes() -> None:
    world = program_under_attack()
    (threat,) = world.got(2, "Combat.Threat.Add")
    assert threat["us"] == 3_000_000
    at_us = threat["at"] + threat["us"]
    world.send(2, "Combat.React", React("dodge", at=world.host.turns.end_us))
    world.run_ms(260)
    (result,) = world.got(2, "Combat.Result")
    assert (result["ok"], result["taken"], 0 < result["early_us"] <= 250_000) == (True, [1], True)
    assert [gone["why"] for gone in world.got(2, "Combat.Threat.Gone")] == ["dodged"]
    world.run_ms((at_us - world.host.clock.game_us(world.now_ns)) // 1000 + 500)
    assert len(world.got(2, "Combat.Threat.Add")) == len(world.got(2, "Combat.Threat.Gone")) == 1
    kinds = {message["kind"] for turn in world.got(2, "Turn") for message in turn["heard"]}
    assert kinds & {"threat", "react"} == set()


def test_a_program_that_comes_back_into_a_fight_gets_the_whole_queue() -> None:
    world = program_under_attack()
    world.drop(2)
    world.connect(3, "program")
    world.send(3, "Hello", {"name": "Bert"})
    world.run_ms(255)
    assert [threat["id"] for threat in world.got(3, "Combat.Threat.Add")] == [1]


def test_a_session_that_has_gone_gets_nothing() -> None:
    effects: list[fx.Effect] = []
    voice, session = session_of("telnet", effects)
    voice.say(session, "Hello.")
    session.stage = "gone"
    voice.say(session, "Hello.")
    voice.package(session, CharName("Ann", "Ann", 1))
    voice.flush()
    assert effects == []


def test_errors_are_shown_only_to_players_at_this_machine() -> None:
    effects: list[fx.Effect] = []
    voice, near = session_of("telnet", effects)
    far = Session(2, "telnet", "192.0.2.7")
    far.body, far.stage = 2, "playing"
    voice.builders([near, far], "dig failed (verbs/dig.py:7)\x1b[2J")
    voice.flush()
    assert [(effect.conn, effect.text) for effect in effects if isinstance(effect, fx.ShowText)] == [
        (1, "(builder) dig failed (verbs/dig.py:7)[2J\n")
    ]


def test_players_learn_when_saving_fails_and_when_it_works_again() -> None:
    world = VirtualWorld.of(yard())
    world.enter(1, "Anna")
    world.host.output.saved(world.host.sessions.players(), works=False)
    world.run_ms(260)
    assert not missing(world.text(1), "cannot be saved")
    world.enter(2, "Bert")
    assert not missing(world.text(2), "cannot be saved")
    world.host.output.saved(world.host.sessions.players(), works=True)
    world.run_ms(260)
    assert "is saved again" in world.text(1)
    assert "is saved again" in world.text(2)
    world.enter(3, "Carl")
    assert "saved" not in world.text(3)


def test_an_arriving_player_reads_the_place_before_its_conversation() -> None:
    effects: list[fx.Effect] = []
    voice, session = session_of("telnet", effects)
    said = {"kind": "text", "text": "Bo says: Hello.", "data": {"arrived": True}}
    voice.turn(session, view(), [said, {"kind": "text", "text": "You run."}])
    voice.flush()
    assert isinstance(effects[0], fx.ShowText)
    lines = effects[0].text.split("\n")
    assert lines[:2] == ["You run.", "Yard"]
    assert lines[-2] == "Bo says: Hello."


def test_a_page_with_packed_messages_gets_threats_only_as_messages() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    for conn, client_kind in ((2, "gmcp"), (3, "packed")):
        world.enter(conn, "Bert" if conn == 2 else "Carl", client_kind=client_kind)
        world.text(conn)
        world.type(1, "hit bert" if conn == 2 else "hit carl")
        world.run_ms(5_000)
        assert ("Anna: " in world.text(conn)) is (client_kind == "gmcp")
        assert len(world.got(conn, "Combat.Threat.Add")) == len(world.got(conn, "Combat.Threat.Gone")) == 1
