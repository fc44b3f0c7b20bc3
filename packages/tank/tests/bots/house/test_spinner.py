"""Spinner drives in circles and fires at every tank that it meets."""

from __future__ import annotations

from packages.tank.tests.bots.battles import fight, paths_of
from turnwright_tank.bots.house.duck import Duck
from turnwright_tank.bots.house.spinner import Spinner


def test_a_spinner_in_the_open_comes_round_again_and_again() -> None:
    spinner, _ = paths_of(Spinner, Duck, turns=150, places=((400, 300, 0), (100, 100, 0)))
    rounds = [min(abs(x - 400) + abs(y - 300) for x, y in spinner[start : start + 60]) for start in (40, 90)]
    assert max(rounds) < 25.0
    assert max(abs(x - 400) + abs(y - 300) for x, y in spinner) > 50.0


def test_a_spinner_kills_a_tank_next_to_it() -> None:
    spinner, duck = fight(Spinner, Duck, places=((400, 300, 0), (520, 300, 0))).rows
    assert spinner.first_places == 1
    assert spinner.bullet_damage > 50.0
    assert duck.total == 0.0


def test_a_spinner_at_a_wall_turns_back() -> None:
    spinner, _ = paths_of(Spinner, Duck, turns=100, places=((30, 300, 180), (700, 100, 0)))
    assert max(x for x, _ in spinner[50:]) > 60.0
