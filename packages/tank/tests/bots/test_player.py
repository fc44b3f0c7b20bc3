"""Everything that may play in the same process."""

from __future__ import annotations

import pytest

from packages.tank.tests.bots.scenes import scene
from turnwright.errors import SetupError
from turnwright_tank.bots import Bot, as_player
from turnwright_tank.bots.player import Player, name_of
from turnwright_tank.intent import TankIntent
from turnwright_tank.observation import Observation


class Mine(Bot):
    def on_tick(self, observation: Observation) -> None:
        self.turn_rate = self.random.random()


def test_classes_and_instances_and_functions_are_players() -> None:
    mine = Mine()
    assert as_player(mine) is mine
    assert isinstance(as_player(Mine), Mine)
    assert isinstance(as_player(lambda observation: None), Player)


@pytest.mark.parametrize(
    ("answer", "intent"),
    [
        (None, None),
        (TankIntent(turn_rate=1.0), TankIntent(turn_rate=1.0)),
        ({}, TankIntent()),
        ({"turn_rate": 5, "firepower": 1}, TankIntent(turn_rate=5.0, firepower=1.0)),
        ({"targetSpeed": 8, "rescan": True}, TankIntent(target_speed=8.0, rescan=True)),
    ],
)
def test_a_function_answers_with_an_intent_a_dict_or_nothing(answer: object, intent: object) -> None:
    assert as_player(lambda observation: answer).step(scene()) == intent


@pytest.mark.parametrize("answer", [{"speed": 8}, {"turn_rate": "fast"}, 5, [1]])
def test_an_answer_that_is_not_an_intent_is_refused(answer: object) -> None:
    with pytest.raises(ValueError, match="TankIntent or a dict"):
        as_player(lambda observation: answer).step(scene())


@pytest.mark.parametrize("given", [5, "Spinner", None, object])
def test_a_value_that_cannot_play_is_refused(given: object) -> None:
    with pytest.raises(SetupError, match="expected a Bot"):
        as_player(given)


def test_a_seed_makes_a_bot_repeatable() -> None:
    first, second = (as_player(Mine, seed=3) for _ in range(2))
    assert first.step(scene()) == second.step(scene())


def test_names_come_from_the_class_or_the_function() -> None:
    def turn_left(observation: Observation) -> None: ...

    class Titled(Bot):
        name = "A title"

    assert [name_of(given) for given in (Mine, Mine(), Titled, turn_left)] == [
        "Mine", "Mine", "A title", "turn_left",
    ]  # fmt: skip
