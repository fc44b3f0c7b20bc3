"""Numbers of the phase that do not fit together, and the texts for owners."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright_world.planning.limits import WORLD, Idle, PlanRules, Usage


@pytest.mark.parametrize(
    "wrong", [{"slots": 0}, {"plan_us": 0}, {"seats_max": 0}, {"weights": {WORLD: 0}}, {"batch_max": 0}]
)
def test_numbers_below_one_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SetupError, match="1 or more"):
        PlanRules(**wrong)  # type: ignore[arg-type]  # one of several fields


@pytest.mark.parametrize("wrong", [{"wall_us": 10_000}, {"phase_us": 10_000}])
def test_a_plan_fits_into_its_wall_time_and_into_the_phase(wrong: dict[str, int]) -> None:
    with pytest.raises(SetupError, match=r"20000 µs.*10000"):
        PlanRules(plan_us=20_000, **wrong)


def test_only_named_owners_are_trusted() -> None:
    rules = PlanRules()
    assert rules.is_trusted(WORLD)
    assert not rules.is_trusted("ada")


def test_the_text_for_an_owner_names_cause_and_consequence() -> None:
    idle = Idle(7, "ada", "wolf", "slow", 20_400, Usage(20_100, 0), 3, 4)
    assert not missing(idle.text, "all its time", "20.4 ms", "20.1 ms running", "strike 3", "4 turn")
    assert "out, until you" in Idle(7, "ada", "wolf", "slow", 20_400, Usage(20_100), 10, -1).text
    assert not missing(Idle(7, "ada", "wolf", "no_time").text, "no turn", "first next turn")
