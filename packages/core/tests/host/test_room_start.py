"""From a setup and clients to a battle: its seed, its rules of turns, its seats."""

from __future__ import annotations

import random
from typing import Any

import pytest

from packages.core.tests.host.support import TIMEOUT, config_of, hellos, quick_setup
from packages.core.tests.rounds import Rounds
from turnwright.errors import SetupError
from turnwright.host.battle_start import start_battle
from turnwright.host.config import HostConfig


def config(**settings: Any) -> HostConfig:
    defaults = {"new_game": lambda _: Rounds(), "random_bytes": random.Random(3).randbytes}
    return config_of(**{**defaults, **settings})


@pytest.mark.parametrize(("number", "seed"), [(1, 40), (2, 41), (5, 44)])
def test_each_later_battle_has_the_next_seed(number: int, seed: int) -> None:
    battle = start_battle(config(seed=40), quick_setup(), hellos(2), number)
    assert battle.header.seed == seed


def test_without_a_seed_each_battle_draws_its_own() -> None:
    drawing = config()
    seeds = {start_battle(drawing, quick_setup(), hellos(2), 1).header.seed for _ in range(5)}
    assert len(seeds) == 5


def test_timeouts_of_the_setup_are_converted_to_nanoseconds() -> None:
    setup = quick_setup(7)
    rules = start_battle(config(), setup, hellos(2), 1).header.rules
    assert (rules.timeout_ns, rules.opening_timeout_ns) == (7_000, None)


@pytest.mark.parametrize(("opening_us", "expected_ns"), [(1, TIMEOUT), (40_000, 40_000_000)])
def test_the_first_turn_of_a_round_never_has_less_time_than_the_others(
    opening_us: int, expected_ns: int
) -> None:
    battle = start_battle(config(opening_timeout_us=opening_us), quick_setup(), hellos(2), 1)
    assert battle.header.rules.opening_timeout_ns == expected_ns


def test_seats_are_in_the_order_of_the_bots() -> None:
    battle = start_battle(config(), quick_setup(), hellos(3)[::-1], 1)
    assert [seat.name for seat in battle.header.seats] == ["bot 2", "bot 1", "bot 0"]


@pytest.mark.parametrize(
    ("hashes", "known"), [(("aa", None), ["aa", None]), (("aa",), [None, None]), ((), [None, None])]
)
def test_hashes_of_sources_are_given_if_every_seat_is_accounted_for(
    hashes: tuple[str | None, ...], known: list[str | None]
) -> None:
    battle = start_battle(config(source_hashes=hashes), quick_setup(), hellos(2), 1)
    assert [info.source_hash for info in battle.header.seats] == known


def test_a_battle_is_refused_when_the_server_may_not_begin_any() -> None:
    with pytest.raises(SetupError, match="the disk is full"):
        start_battle(config(refusal=lambda: "the disk is full"), quick_setup(), hellos(2), 1)
