"""The golden battles give the digests that are written down, whatever runs them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from packages.tank.tests.golden.battles import GOLDEN, Golden, digests_of, golden_battles
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame

WANTED = json.loads(GOLDEN.read_text(encoding="utf-8"))


def wanted(golden: Golden) -> Any:
    """Return the stored digests of a battle, if they are for the rules' behaviour version."""
    assert WANTED["behaviour_version"] == TankGame.behaviour_version, "run `make golden`"
    return WANTED["battles"][golden.name]


@pytest.mark.parametrize("golden", golden_battles(), ids=lambda golden: golden.name)
def test_interpreted_rules_give_the_golden_digests(golden: Golden) -> None:
    assert digests_of(golden, TankGame("interpreted")) == wanted(golden)


@pytest.mark.parametrize("golden", golden_battles(), ids=lambda golden: golden.name)
def test_compiled_rules_give_the_golden_digests(golden: Golden) -> None:
    if not extension.available():
        pytest.skip(extension.why_missing())
    assert digests_of(golden, TankGame("compiled")) == wanted(golden)


def test_another_seed_gives_other_digests() -> None:
    golden = golden_battles()[0]
    other = Golden(golden.name, golden.seed + 1, golden.seats, golden.behave, golden.setup)
    assert digests_of(other, TankGame("interpreted"))["all"] != wanted(golden)["all"]
