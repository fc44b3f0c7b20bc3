"""Options of a world's server; the command's tests show that it serves."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright_world.app import serve as world_serving
from turnwright_world.app.options import WorldOptions
from turnwright_world.app.serve import check_jobs, config_of, contents_of, new_planner
from turnwright_world.net.content_files import DEMO, load_content


def test_the_defaults_are_two_ports_and_a_file() -> None:
    options = WorldOptions()
    assert (options.port, options.telnet_port, options.turn_ms) == (7654, 4000, 250)
    assert options.data == "world-data/world.db"


@pytest.mark.parametrize(
    "bad",
    [
        {"port": 80},
        {"telnet_port": 70_000},
        {"port": 4000},
        {"turn_ms": 19},
        {"turn_ms": 10_001},
        {"turn_min_ms": 251},
        {"turn_min_ms": 19},
        {"turn_ms": 99},
        {"turn_min_ms": 99},
        {"plan_ms": 0},
        {"plan_ms": 1_001},
        {"plan_min_ms": 21},
        {"plan_min_ms": 0},
        {"plan_max_ms": 19},
        {"plan_max_ms": 1_001},
        {"jobs": 0},
        {"jobs": 65},
        {"turn_max_ms": 249},
        {"turn_max_ms": 10_001},
        {"seed": -1},
    ],
)
def test_an_impossible_server_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(SetupError):
        WorldOptions(**bad)  # type: ignore[arg-type]  # the wrong ones are the point


def test_a_plan_longer_than_half_of_the_phase_is_refused_with_the_limit() -> None:
    with pytest.raises(SetupError, match=r"--plan is 200ms.*93ms.*--turn 250ms.*--turn"):
        WorldOptions(plan_ms=200)
    assert WorldOptions(plan_ms=93).plan_ms == 93
    assert WorldOptions(plan_ms=200, turn_ms=600).plan_ms == 200
    assert WorldOptions(turn_ms=20, fast=True).plan_ms == 20, "the default fits itself to the turn"


def test_turns_that_people_cannot_follow_need_the_option_fast() -> None:
    with pytest.raises(SetupError, match=r"--turn is 99ms.* 100ms .*--fast"):
        WorldOptions(turn_ms=99)
    with pytest.raises(SetupError, match="--min-turn is 20ms: turns below 100ms"):
        WorldOptions(turn_min_ms=20)
    assert WorldOptions(turn_ms=100).turn_bounds_ms == (100, 100)
    assert WorldOptions(turn_ms=20, fast=True).turn_bounds_ms == (20, 20)


def test_bounds_of_the_time_for_a_plan_fit_its_value() -> None:
    assert WorldOptions().plan_bounds_ms == (20, 80)
    assert WorldOptions(plan_ms=600, turn_ms=2_000).plan_bounds_ms == (600, 1_000)
    assert WorldOptions(plan_ms=50, plan_min_ms=10, plan_max_ms=60).plan_bounds_ms == (10, 60)


def test_more_jobs_than_processors_are_refused_and_fewer_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_serving, "processors", lambda: 2.5)
    content = load_content(DEMO)
    with pytest.raises(SetupError, match=r"--jobs is 3: give 1 to 2.* 2 processors"):
        check_jobs(WorldOptions(jobs=3))
    check_jobs(WorldOptions(jobs=2))
    planner = new_planner(WorldOptions(jobs=2, plan_ms=30), 187_500, 1, content)
    rules = planner.planner.schedule.rules
    assert (rules.slots, rules.plan_us, rules.wall_us) == (2, 30_000, 90_000)


def test_an_empty_world_rests_unless_an_option_lets_it_run() -> None:
    content = load_content(DEMO)
    assert not config_of(WorldOptions(), content).lives
    assert config_of(WorldOptions(when_empty="run"), content).lives


def test_free_ports_may_be_the_same_number() -> None:
    assert WorldOptions(port=0, telnet_port=0).port == 0


def test_contents_are_saved_only_next_to_a_database_file() -> None:
    assert contents_of("a/world.db") == Path("a/contents")
    assert contents_of("postgresql://u:p@h/d") is None
    assert contents_of(":memory:") is None


def test_turns_and_the_time_for_plans_follow_the_machine_only_where_they_are_let() -> None:
    content = load_content(DEMO)
    fixed = config_of(WorldOptions(), content)
    assert (fixed.pace_us_min, fixed.pace_us, fixed.pace_us_max) == (250_000, 250_000, 250_000)
    assert fixed.plan_us_min == fixed.plan_us == fixed.plan_us_max < fixed.pace_us
    free = config_of(WorldOptions(turn_min_ms=100, turn_max_ms=500), content)
    assert (free.pace_us_min, free.pace_us, free.pace_us_max) == (100_000, 250_000, 500_000)
    assert free.plan_us_max == 2 * free.plan_us
    assert free.plan_us_min * 5 == free.plan_us * 2
