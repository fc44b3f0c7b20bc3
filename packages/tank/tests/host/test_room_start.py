"""From a Royale setup and clients to a battle: its announcement, its seats."""

from __future__ import annotations

from typing import Any

import pytest

from packages.tank.tests.host.starts import bots, config, setup_of
from turnwright.errors import SetupError
from turnwright.host.battle_start import start_battle
from turnwright_tank.game import TankGame
from turnwright_tank.host.handshakes import participants
from turnwright_tank.wire.recording.from_record import opening_of
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode


def test_an_arena_too_small_for_its_bots_is_refused() -> None:
    setup = setup_of("custom", arena_width=60, arena_height=60)
    with pytest.raises(SetupError):
        start_battle(config(), setup, bots(4), 1)


def test_the_record_contains_the_announcement_for_spectators() -> None:
    setup, players = setup_of("melee"), bots(3)
    header = start_battle(config(), setup, players, 1).header
    told = m.GameStartedEventForObserver(setup.wire, participants(players))
    assert encode(opening_of(header)) == encode(told)


def test_a_header_repeats_no_field_of_a_participant() -> None:
    players = bots(2)
    hello: Any = players[0].details
    hello.authors, hello.platform, hello.country_codes = ("Ada",), "JVM", ("dk",)
    header = start_battle(config(), setup_of("melee"), players, 1).header
    rows = header.announced["participants"]
    assert rows[0]["countryCodes"] == ["dk"]
    assert not any({"id", "name", "sessionId", "authors", "platform"} & row.keys() for row in rows)
    assert (header.seats[0].authors, header.seats[0].platform) == (("Ada",), "JVM")


def test_seats_have_authors_and_platform() -> None:
    one, two = bots(2)
    hello: Any = one.details
    hello.authors, hello.platform, hello.programming_lang = ("Ada",), "JVM", "Java"
    seats = start_battle(config(), setup_of("custom"), [one, two], 1).header.seats
    assert (seats[0].authors, seats[0].platform, seats[0].programming_lang) == (("Ada",), "JVM", "Java")
    assert (seats[1].authors, seats[1].platform) == ((), None)


def test_the_header_says_which_rules_made_it() -> None:
    header = start_battle(config(), setup_of("custom"), bots(2), 1).header
    assert header.rules_hash == TankGame.rules_hash != ""
