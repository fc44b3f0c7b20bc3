from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.net.bot_directories import make_bot, make_team
from turnwright.bots import Bot
from turnwright.errors import SetupError
from turnwright.games.tank.app.game_bots import TANK_BOTS
from turnwright.games.tank.bots.house import HOUSE
from turnwright.games.tank.wire.royale.message_parts import BotInfo
from turnwright.net.participants.command import Team
from turnwright.net.participants.config import BotConfig
from turnwright.net.participants.directory import BotEntry
from turnwright.net.participants.seating import ConnectedBot, Entrant, entrants_of, match


class Mine(Bot):
    name = "My Own"


def spin(observation: Any) -> dict[str, float]:
    return {"turn_rate": 5.0}


def test_a_house_bot_goes_by_its_name_even_where_a_directory_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bot(tmp_path, "Spinner", ["Spinner.py"], {"name": "Not the house's"})
    monkeypatch.chdir(tmp_path)
    by_name, by_path = entrants_of(["Spinner", "./Spinner"], TANK_BOTS)
    assert (by_name.name, by_name.given, by_name.entry) == ("Spinner", HOUSE["Spinner"], None)
    assert by_path.name == "Not the house's"


def test_classes_objects_and_functions_are_places_of_this_process() -> None:
    own = Mine()
    places = entrants_of([Mine, own, spin], TANK_BOTS)
    assert [place.name for place in places] == ["My Own", "My Own", "spin"]
    assert [place.given for place in places] == [Mine, own, spin]


def test_a_directory_brings_its_identity_and_its_command_line(tmp_path: Path) -> None:
    path = make_bot(tmp_path, "Bot", ["Bot.java"], {"name": "B", "version": "7"})
    (place,) = entrants_of([path], TANK_BOTS)
    assert (place.name, place.version, place.team) == ("B", "7", None)
    assert place.argv == ("java", "-cp", "../lib/*", "Bot.java")
    assert place.entry is not None


def test_a_team_takes_a_place_for_each_member_and_teams_are_numbered(tmp_path: Path) -> None:
    make_bot(tmp_path, "Lead", ["Lead.java"])
    make_bot(tmp_path, "Droid", ["Droid.java"])
    reds = make_team(tmp_path, "Reds", ["Lead", "Droid", "Droid"])
    places = entrants_of([reds, "Duck", reds], TANK_BOTS)
    assert [place.name for place in places] == ["Lead", "Droid", "Droid", "Duck", "Lead", "Droid", "Droid"]
    assert [place.team for place in places] == [Team(1, "Reds", "1.0")] * 3 + [None] + [
        Team(2, "Reds", "1.0")
    ] * 3


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        (
            ["Spinnr"],
            "'Spinnr'.*Spinner",
        ),
        (["Xyzzy"], "'Xyzzy'.*Duck"),
        (["./Xyzzy"], r"\./Xyzzy\b"),
        (["x" * 5000], "no bot 'x{80}'"),
        (["./" + "x" * 300], "File name too long"),
        ([""], "no bot ''"),
        ([7], " 7, .*Bot"),
        ([int], "expected a Bot"),
    ],
)
def test_what_is_no_bot_is_refused(bots: list[Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        entrants_of(bots, TANK_BOTS)


def test_a_directory_that_cannot_be_started_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="nothing to start"):
        entrants_of([make_bot(tmp_path, "Bot", ["Bot.ts"])], TANK_BOTS)


def test_one_object_cannot_take_two_seats() -> None:
    own = Mine()
    with pytest.raises(SetupError, match=r"Mine .*twice.*class"):
        entrants_of([own, "Duck", own], TANK_BOTS)
    assert len(entrants_of([Mine, Mine, spin, spin], TANK_BOTS)) == 4


def test_a_python_that_is_not_there_is_refused_even_if_nobody_needs_it() -> None:
    with pytest.raises(SetupError, match="--python nopython"):
        entrants_of(["Duck", "Spinner"], TANK_BOTS, "nopython")


def place(name: str, *, config: bool = True, team: Team | None = None, version: str = "1.0") -> Entrant:
    entry = BotEntry(Path("/bots") / name, BotConfig(name, version, ("Ann", "Bo")), has_config=config)
    return Entrant(name, version, entry, (), team)


def bot(name: str, port: int, *, version: str = "1.0", team: int | None = None) -> BotInfo:
    return BotInfo(
        session_id=str(port),
        name=name,
        version=version,
        authors=("Ann", "Bo"),
        country_codes=(),
        game_types=(),
        host="127.0.0.1",
        port=port,
        team_id=team,
    )


def ports(places: list[Entrant], connected: list[BotInfo]) -> list[int | None]:
    return [None if found is None else found.port for found in match(places, connected)]


def test_bots_are_told_by_who_they_say_they_are_in_any_order_of_arrival() -> None:
    places = [place("A"), place("B"), place("A", version="2.0")]
    connected = [bot("A", 1), bot("B", 2), bot("A", 3, version="2.0")]
    for order in permutations(connected):
        assert ports(places, list(order)) == [1, 2, 3]


def test_two_of_the_same_identity_take_the_two_places() -> None:
    assert ports([place("A"), place("A")], [bot("A", 2), bot("A", 1)]) == [2, 1]


def test_members_of_two_teams_are_told_by_their_team() -> None:
    reds, blues = Team(1, "T", "1"), Team(2, "T", "1")
    places = [place("A", team=reds), place("A", team=blues), place("A")]
    connected = [bot("A", 1), bot("A", 2, team=2), bot("A", 3, team=1)]
    for order in permutations(connected):
        assert ports(places, list(order)) == [3, 2, 1]


def test_a_member_that_does_not_say_its_team_is_still_told_by_its_name() -> None:
    assert ports([place("A", team=Team(1, "T", "1"))], [bot("A", 1)]) == [1]


def test_directories_without_json_take_what_is_left() -> None:
    places = [place("Bare", config=False), place("A")]
    assert ports(places, [bot("Whoever", 1)]) == [1, None]
    assert ports(places, [bot("A", 1)]) == [None, 1]
    assert ports(places, [bot("A", 2), bot("Whoever", 1)]) == [1, 2]


def test_a_bot_that_says_another_name_is_found_once_everybody_is_there() -> None:
    places = [place("A"), place("B")]
    assert ports(places, [bot("Renamed", 1)]) == [None, None]
    assert ports(places, [bot("Renamed", 1), bot("B", 2)]) == [1, 2]


def test_nobody_is_there_at_first() -> None:
    assert ports([place("A")], []) == [None]
    assert ports([], [bot("A", 1)]) == []


def test_a_bot_that_names_no_authors_is_told_by_name_and_version() -> None:
    places = [place("A"), place("B")]
    connected = [ConnectedBot("B", "1.0", "127.0.0.1", 1), ConnectedBot("A", "1.0", "127.0.0.1", 2)]
    assert [found and found.port for found in match(places, connected)] == [2, 1]
