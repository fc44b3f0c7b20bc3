"""Observations of the tank stay within the bounds of their space, and rewards add up."""

from __future__ import annotations

import numpy as np
import pytest

from packages.core.tests.messages import missing
from packages.learn.tests.tank.single import Single, actions_at
from tests.parts import few
from turnwright.errors import SetupError
from turnwright_tank.envs.actions import DISCRETE, intent_of
from turnwright_tank.envs.spaces import ENVS, TankSpaces
from turnwright_tank.results import round_scores


@pytest.mark.parametrize("name", ENVS)
def test_observations_stay_within_the_bounds_of_their_space(name: str) -> None:
    battle = Single(name)
    space = battle.spaces.observation_space(battle.env["settings"], battle.seats)
    for seed in range(4):
        found = battle.reset(seed)
        for turn in range(250):
            for seat in battle.state.started:
                inside = (space.low <= found[seat]) & (found[seat] <= space.high)
                assert inside.all(), [battle.features[k].name for k in np.flatnonzero(~inside)]
            found, _, over = battle.step(actions_at(seed, turn, len(battle.seats)))
            if over:
                break


@pytest.mark.parametrize("seed", few(range(10), 2))
def test_rewards_add_up_to_the_scores_of_the_round(seed: int) -> None:
    battle = Single("TankDuel-v0")
    battle.reset(seed)
    sums, over, turn = np.zeros((2, 3)), False, 0
    while not over and turn < 3000:
        _, terms, over = battle.step(actions_at(seed, turn, 2))
        sums += terms
        turn += 1
    totals = {row.id - 1: row.total for row in round_scores(*battle.state.tables.score_rows())}
    assert [totals[0], totals[1]] == pytest.approx(list(100 * sums[:, 0]))
    if over:
        alive = [tank.alive for tank in battle.state.tables.score_rows()[0]]
        assert [1.0 if one else -1.0 for one in alive] == list(sums[:, 2])


def test_a_tank_that_was_seen_stays_known_and_its_age_grows() -> None:
    battle = Single("TankDuel-v0")
    names = {feature.name: place for place, feature in enumerate(battle.features)}
    turning, still = [0, 0, 0, 1, 0], [0, 0, 0, 0, 0]
    found = battle.reset(1)
    for _ in range(8):
        found, _, _ = battle.step([turning, still])
    assert found[0, names["seen_1"]] == 1.0
    _, other = battle.state.tables.score_rows()[0]
    me = battle.state.tables.score_rows()[0][0]
    dx, dy = 1000 * found[0, names["dx_1"]], 1000 * found[0, names["dy_1"]]
    assert (me.x + dx, me.y + dy) == pytest.approx((other.x, other.y), abs=1e-3)
    age = found[0, names["age_1"]]
    for _ in range(20):
        found, _, _ = battle.step([still, still])
    assert found[0, names["age_1"]] > age
    assert found[1, names["seen_1"]] == 0.0, "a radar that does not turn sees nothing"


def test_an_action_becomes_the_intent_that_its_numbers_say() -> None:
    intent = intent_of(np.array([0.5, -2.0, 1.0, -0.5, -0.25], np.float32))
    assert (intent.target_speed, intent.turn_rate, intent.gun_turn_rate) == (4.0, -10.0, 20.0)
    assert (intent.radar_turn_rate, intent.firepower) == (-22.5, 0.0)
    assert intent.adjust_gun_for_body_turn
    chosen = TankSpaces("discrete").decode(np.array([2, 0, 8, 2, 2]), None)  # type: ignore[arg-type]
    assert chosen == intent_of([1.0, -1.0, 1.0, 0.0, 1.0])
    assert [len(values) for values in DISCRETE] == [3, 5, 9, 5, 3]


def test_another_form_of_actions_is_refused() -> None:
    with pytest.raises(SetupError) as error:
        TankSpaces("words")
    assert not missing(str(error.value), "actions", "words", "continuous", "discrete")


def test_a_picture_shows_a_tank_at_its_place() -> None:
    battle = Single("TankDuel-v0")
    battle.reset(3)
    frame = battle.game.frame(battle.state)
    picture = battle.spaces.draw(frame, battle.env["settings"])
    assert picture.shape == (450, 600, 3)
    assert picture.dtype == np.uint8
    tank = frame.bot_states[0]
    row, column = round(449 - (tank.y + 10) * 0.75), round((tank.x + 3) * 0.75)
    near = picture[row - 3 : row + 4, column - 3 : column + 4].reshape(-1, 3).tolist()
    assert [230, 159, 0] in near
