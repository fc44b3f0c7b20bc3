"""From a setup and clients to a battle: its seed, its rules of turns, its seats."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host.royale_setups import bots, config, setup_of
from turnwright.errors import SetupError
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.host.handshakes import participants
from turnwright.games.tank.wire.recording.from_record import opening_of
from turnwright.games.tank.wire.royale import messages as m
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.host.table import start_battle


@pytest.mark.parametrize(("number", "seed"), [(1, 40), (2, 41), (5, 44)])
def test_each_later_battle_has_the_next_seed(number: int, seed: int) -> None:
    battle = start_battle(config(seed=40), setup_of("custom"), bots(2), number)
    assert battle.header.seed == seed


def test_without_a_seed_each_battle_draws_its_own() -> None:
    drawing = config()
    seeds = {start_battle(drawing, setup_of("custom"), bots(2), 1).header.seed for _ in range(5)}
    assert len(seeds) == 5


def test_the_timeouts_are_those_of_the_setup_in_nanoseconds() -> None:
    setup = setup_of("custom", turn_timeout=7)
    rules = start_battle(config(), setup, bots(2), 1).header.rules
    assert (rules.timeout_ns, rules.opening_timeout_ns) == (7_000, None)


@pytest.mark.parametrize(("opening_us", "expected_ns"), [(1, 30_000_000), (40_000, 40_000_000)])
def test_the_first_turn_of_a_round_never_has_less_time_than_the_others(
    opening_us: int, expected_ns: int
) -> None:
    battle = start_battle(config(opening_timeout_us=opening_us), setup_of("custom"), bots(2), 1)
    assert battle.header.rules.opening_timeout_ns == expected_ns


def test_seats_are_in_the_order_of_the_bots() -> None:
    battle = start_battle(config(), setup_of("custom"), bots(3)[::-1], 1)
    assert [seat.name for seat in battle.header.seats] == ["bot 2", "bot 1", "bot 0"]


def test_an_arena_too_small_for_its_bots_is_refused() -> None:
    setup = setup_of("custom", arena_width=60, arena_height=60)
    with pytest.raises(SetupError):
        start_battle(config(), setup, bots(4), 1)


def test_the_record_holds_what_spectators_are_told() -> None:
    setup, players = setup_of("melee"), bots(3)
    header = start_battle(config(), setup, players, 1).header
    told = m.GameStartedEventForObserver(setup.wire, participants(players))
    assert encode(opening_of(header)) == encode(told)


def test_a_header_says_of_nobody_anything_twice() -> None:
    players = bots(2)
    hello: Any = players[0].details
    hello.authors, hello.platform, hello.country_codes = ("Ada",), "JVM", ("dk",)
    header = start_battle(config(), setup_of("melee"), players, 1).header
    rows = header.announced["participants"]
    assert rows[0]["countryCodes"] == ["dk"]
    assert not any({"id", "name", "sessionId", "authors", "platform"} & row.keys() for row in rows)
    assert (header.seats[0].authors, header.seats[0].platform) == (("Ada",), "JVM")


def test_seats_say_who_wrote_them_and_what_they_run_on() -> None:
    one, two = bots(2)
    hello: Any = one.details
    hello.authors, hello.platform, hello.programming_lang = ("Ada",), "JVM", "Java"
    seats = start_battle(config(), setup_of("custom"), [one, two], 1).header.seats
    assert (seats[0].authors, seats[0].platform, seats[0].programming_lang) == (("Ada",), "JVM", "Java")
    assert (seats[1].authors, seats[1].platform) == ((), None)


@pytest.mark.parametrize(
    ("hashes", "known"), [(("aa", None), ["aa", None]), (("aa",), [None, None]), ((), [None, None])]
)
def test_hashes_of_sources_are_told_when_every_seat_is_accounted_for(
    hashes: tuple[str | None, ...], known: list[str | None]
) -> None:
    battle = start_battle(config(source_hashes=hashes), setup_of("custom"), bots(2), 1)
    assert [info.source_hash for info in battle.header.seats] == known


def test_the_header_says_which_rules_made_it() -> None:
    header = start_battle(config(), setup_of("custom"), bots(2), 1).header
    assert header.rules_hash == TankGame.rules_hash != ""


def test_a_battle_is_refused_when_the_server_may_not_begin_any() -> None:
    with pytest.raises(SetupError, match="the disk is full"):
        start_battle(config(refusal=lambda: "the disk is full"), setup_of("custom"), bots(2), 1)
