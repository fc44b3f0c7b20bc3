from __future__ import annotations

from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright.net.participants.seating import entrants_of
from turnwright_tank.app.game_bots import TANK_BOTS
from turnwright_tank.bots import Bot
from turnwright_tank.bots.player import identity_of


class Mine(Bot):
    name = "My Own"


def test_classes_objects_and_functions_are_places_of_this_process() -> None:
    def spin(observation: Any) -> dict[str, float]:
        return {"turn_rate": 5.0}

    own = Mine()
    places = entrants_of([Mine, own, spin], TANK_BOTS)
    assert [place.name for place in places] == ["My Own", "My Own", "spin"]
    assert [place.given for place in places] == [Mine, own, spin]


@pytest.mark.parametrize(("bot", "said"), [(7, "7"), (int, "Bot")])
def test_a_value_that_is_not_a_bot_is_refused(bot: object, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        entrants_of([bot], TANK_BOTS)
    assert not missing(str(caught.value), said, "Bot")


def test_the_environment_of_the_server_says_nothing_about_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_NAME", "Wrong")
    monkeypatch.setenv("TEAM_ID", "3")
    (place,) = entrants_of(["Spinner"], TANK_BOTS)
    identity = identity_of(place.given, place.name)
    assert (identity.name, identity.team_id) == ("Spinner", None)


def test_a_long_name_is_cut_to_the_limit_of_the_wire() -> None:
    def a_function_with_a_name_that_is_much_too_long(observation: Any) -> None: ...

    (place,) = entrants_of([a_function_with_a_name_that_is_much_too_long], TANK_BOTS)
    identity = identity_of(place.given, place.name)
    assert identity.name == "a_function_with_a_name_that_is"
