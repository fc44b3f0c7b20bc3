"""The way in: names, guests, accounts, and coming back."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.host.logins import PHRASE, kept, plays
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.host.accounts import hash_passphrase
from turnwright_world.host.accounts import Account
from turnwright_world.host.limits import NAME_ATTEMPTS_MAX


def test_the_first_line_is_a_name_and_the_room_follows_with_the_next_turn() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    assert not missing(world.text(1), "name", "guest")
    world.type(1, "anna")
    world.run_ms(251)
    place = world.host.turns.state.world.places["yard"]
    assert world.text(1).splitlines()[:2] == [place.name, place.text]


def test_guests_get_names_of_their_own() -> None:
    world = VirtualWorld.of()
    for conn in (1, 2, 3):
        world.enter(conn, "guest")
    assert [session.name for session in world.host.sessions.players()] == ["GuestA", "GuestB", "GuestC"]


def test_a_bad_name_is_refused_and_asked_for_again() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    world.text(1)
    world.type(1, "x\x1b[2J1")
    said = world.text(1)
    assert not missing(said, "letters only", "guest")
    assert "\x1b" not in said
    world.type(1, "Anna")
    world.run_ms(251)
    assert world.host.sessions.named("anna") is not None


def test_a_name_that_is_here_cannot_be_taken() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.connect(2)
    world.type(2, "ANNA")
    assert "ANNA is here already" in world.text(2)


def test_a_guest_whose_line_broke_gets_its_body_back_from_the_same_address_only() -> None:
    world = VirtualWorld.of()
    body = world.enter(1, "Anna", address="198.51.100.7")
    world.drop(1)
    world.run_ms(1_000)
    assert world.host.turns.state.world.creatures[body].linkdead_since is not None
    world.connect(2, address="198.51.100.8")
    world.type(2, "Anna")
    assert "may come back" in world.text(2)
    assert world.enter(3, "anna", address="198.51.100.7") == body
    assert world.host.turns.state.world.creatures[body].linkdead_since is None


def test_a_guest_who_does_not_return_is_removed_and_the_name_is_free() -> None:
    world = VirtualWorld.of(linkdead_turns=8)
    body = world.enter(1, "Anna", address="198.51.100.7")
    world.drop(1)
    world.run_ms(5_000)
    assert body not in world.host.turns.state.world.creatures
    assert world.enter(2, "Anna", address="198.51.100.8") != body


def test_keep_makes_an_account_and_the_passphrase_is_never_shown() -> None:
    world = VirtualWorld.of()
    body = world.enter(1, "Anna")
    world.type(1, "keep")
    assert world.secrets[1] is True
    world.type(1, PHRASE, PHRASE)
    world.run_ms(1)
    assert world.secrets[1] is False
    assert naming(world.text(1), "Anna", "saved")
    assert (world.accounts["Anna"].body, world.accounts["Anna"].name) == (body, "Anna")
    assert PHRASE not in repr(world.turns)


def test_a_guest_gets_an_answer_if_the_name_was_taken_in_the_meantime() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.type(1, "keep", PHRASE, PHRASE)
    world.text(1)
    world.host.login.accounts["anna"] = kept()
    world.run_ms(1)
    assert naming(world.text(1), "Anna", "not saved")
    assert world.accounts == {}
    session = world.host.sessions.of(1)
    assert session is not None
    assert (session.stage, session.account) == ("playing", None)


def test_a_passphrase_that_differs_the_second_time_makes_no_account() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.type(1, "keep", PHRASE, PHRASE + "!")
    world.run_ms(1)
    assert world.accounts == {}
    assert world.secrets[1] is False


def test_an_account_returns_to_the_same_body_with_its_passphrase() -> None:
    world = VirtualWorld.of()
    body = world.enter(1, "Anna")
    world.type(1, "keep", PHRASE, PHRASE)
    world.run_ms(1)
    world.type(1, "quit")
    world.drop(1)
    assert "60 seconds" in world.closed[1]
    world.run_ms(61_000)
    assert world.host.turns.state.world.creatures[body].place == ""
    world.connect(2, address="198.51.100.8")
    world.type(2, "anna")
    assert world.secrets[2] is True
    world.type(2, PHRASE)
    world.run_ms(300)
    session = world.host.sessions.of(2)
    assert session is not None
    assert session.body == body
    assert world.host.turns.state.world.creatures[body].place == "yard"


def test_three_wrong_passphrases_end_the_connection_and_five_close_the_address_for_a_while() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in (1, 2):
        world.connect(conn, address="198.51.100.1")
        world.type(conn, "Anna")
        for _ in range(3):
            world.type(conn, "wrong words here")
            world.run_ms(1)
    assert not missing(world.closed[1], "not the passphrase")
    assert not missing(world.closed[2], "too many", "300 s")
    world.connect(3, address="198.51.100.3")
    world.type(3, "Anna", PHRASE)
    world.run_ms(300)
    assert 3 not in world.closed


def test_five_wrong_passphrases_do_not_lock_out_the_owner_of_a_name() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in range(1, 6):
        world.connect(conn, address="198.51.100.1")
        world.type(conn, "Anna", "wrong words here")
    world.run_ms(1)
    world.connect(6, address="198.51.100.2")
    world.type(6, "Anna", PHRASE)
    world.run_ms(300)
    assert plays(world, 6, "anna")


def test_a_locked_out_player_can_log_in_from_the_last_used_address() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    world.connect(1, address="198.51.100.7")
    world.type(1, "Anna", PHRASE)
    world.run_ms(300)
    assert world.accounts["Anna"].origin != ""
    assert "198.51.100.7" not in world.accounts["Anna"].origin
    world.type(1, "quit")
    for number in range(NAME_ATTEMPTS_MAX):
        world.connect(100 + number, address=f"203.0.113.{number // 5}")
        world.type(100 + number, "Anna", "wrong words here")
    world.run_ms(1)
    world.connect(2, address="198.51.100.8")
    world.type(2, "Anna")
    assert not missing(world.closed[2], "name", "again in 300 s")
    world.connect(3, address="198.51.100.7")
    world.type(3, "Anna", PHRASE)
    world.run_ms(300)
    assert plays(world, 3, "anna")


def test_many_simultaneous_connections_have_only_the_attempts_of_one() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in range(1, 21):
        world.connect(conn, address="198.51.100.1")
        world.type(conn, "Anna")
    for conn in range(1, 21):
        world.type(conn, "wrong words here")
    assert list(world.closed) == list(range(6, 21))
    assert "try again in" in world.closed[6]


def test_right_passphrases_of_broken_connections_do_not_count_as_attempts() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in range(1, 21):
        world.connect(conn)
        world.type(conn, "Anna", PHRASE)
        world.drop(conn)
        world.run_ms(1)
    world.connect(21)
    world.type(21, "Anna", PHRASE)
    world.run_ms(260)
    assert "Yard" in world.text(21)


def test_a_login_during_many_comparisons_is_put_off_and_not_called_wrong() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in range(1, 7):
        world.connect(conn)
        world.type(conn, "Anna", PHRASE)
    assert not missing(world.closed[6], "compared", "try again")
    assert missing(world.closed[6], "wrong")
    world.run_ms(260)
    world.connect(7)
    world.type(7, "Anna", PHRASE)
    world.run_ms(260)
    assert "Yard" in world.text(7)


def test_wrong_passphrases_of_broken_connections_count_as_attempts() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in range(1, 6):
        world.connect(conn)
        world.type(conn, "Anna", "wrong words here")
        world.drop(conn)
        world.run_ms(1)
    world.connect(6)
    world.type(6, "Anna", PHRASE)
    assert "try again in" in world.closed[6]


def test_all_addresses_of_an_ipv6_network_have_the_attempts_of_one_and_the_same_guests() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    body = world.enter(1, "Bert", address="2001:db8:0:7::1")
    world.drop(1)
    assert world.enter(2, "Bert", address="2001:db8:0:7::2") == body
    other = Account("Carl", hash_passphrase(PHRASE, bytes(16)))
    world.host.login.accounts["carl"] = other
    for conn in range(3, 9):
        world.connect(conn, address=f"2001:db8:0:7::{conn}")
        world.type(conn, "Anna" if conn % 2 else "Carl", "wrong words here")
    assert list(world.closed) == [8]


def test_a_right_passphrase_does_not_reset_attempts_at_another_account() -> None:
    own = Account("Bert", hash_passphrase(PHRASE, bytes(16)))
    world = VirtualWorld.of(accounts=[kept(), own])
    for conn in range(1, 4):
        world.connect(conn, address="198.51.100.1")
        for _ in range(2):
            world.type(conn, "Anna", "wrong words here")
            world.run_ms(1)
            world.drop(conn)
            world.connect(conn, address="198.51.100.1")
        world.type(conn, "Bert", PHRASE)
        world.run_ms(1)
        world.drop(conn)
    assert "try again in" in world.closed[3]


@pytest.mark.long
def test_accounts_from_one_address_are_limited_but_not_on_this_machine() -> None:
    for address, most in (("198.51.100.1", 10), ("127.0.0.1", 12)):
        world = VirtualWorld.of()
        for conn in range(1, 13):
            world.enter(conn, f"Anna{'abcdefghijklm'[conn]}", address=address)
            world.type(conn, "keep", PHRASE, PHRASE)
            world.run_ms(1)
        assert len(world.accounts) == most
        assert bool(naming(world.text(12), "10 characters")) is (most == 10)


def test_a_second_login_replaces_the_older_connection() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in (1, 2):
        world.connect(conn)
        world.type(conn, "Anna", PHRASE)
        world.run_ms(300)
    assert list(world.closed) == [1]
    assert not missing(world.closed[1], "elsewhere")
    players = world.host.sessions.players()
    assert [(p.conn, p.body) for p in players] == [(2, world.accounts["Anna"].body)]


def test_an_account_whose_line_breaks_while_it_comes_in_finds_that_body_again() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    world.connect(1)
    world.type(1, "Anna", PHRASE)
    world.run_ms(1)
    world.drop(1)
    world.run_ms(500)
    (body,) = world.host.turns.state.world.creatures
    assert world.accounts["Anna"].body == body
    world.connect(2)
    world.type(2, "Anna", PHRASE)
    world.run_ms(500)
    assert list(world.host.turns.state.world.creatures) == [body]


def test_two_simultaneous_logins_of_an_account_get_one_body() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    for conn in (1, 2):
        world.connect(conn)
        world.type(conn, "Anna", PHRASE)
        world.run_ms(1)
    assert list(world.closed) == [2]
    assert not missing(world.closed[2], "elsewhere", "try again")
    world.run_ms(500)
    assert len(world.host.turns.state.world.creatures) == 1


def test_a_program_says_hello_and_gets_one_answer() -> None:
    world = VirtualWorld.of(accounts=[kept()])
    world.connect(1, "program")
    world.send(1, "Hello", {"name": "Wolf"})
    world.run_ms(300)
    assert world.got(1, "Welcome") == [{"body": 1, "name": "Wolf"}]
    world.connect(2, "program")
    world.send(2, "Hello", {"name": "Anna", "token": "wrong words here"})
    world.run_ms(1)
    assert not missing(world.closed[2], "not the passphrase")
    world.connect(3, "program")
    world.send(3, "Hello", {"name": 7})
    assert not missing(world.got(3, "Game.Text")[-1]["text"], "Hello", "$.name")
    assert 3 not in world.closed


def test_no_address_is_written_into_the_world() -> None:
    world = VirtualWorld.of(salt=b"pepper")
    body = world.enter(1, "Anna", address="198.51.100.7")
    owner = world.host.turns.state.world.creatures[body].owner
    assert owner.startswith("guest:")
    assert "198.51" not in repr(world.turns)


def test_a_command_typed_as_a_name_is_answered_or_obeyed() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    world.text(1)
    world.type(1, "help", "who")
    said = "Nobody can be called {}. Any other name will do.\nYour name, or guest: "
    assert world.text(1) == said.format("help") + said.format("who")
    world.type(1, "quit")
    assert world.host.sessions.of(1) is None
