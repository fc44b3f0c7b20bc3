from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import says
from packages.core.tests.net.bot_directories import make_bot, make_team
from packages.core.tests.net.small_server import SNAKES
from turnwright.errors import SetupError
from turnwright.games.snake.bots import BOTS
from turnwright.net.participants.command import Team
from turnwright.net.participants.config import BotConfig
from turnwright.net.participants.directory import BotEntry
from turnwright.net.participants.seating import ConnectedBot, Entrant, entrants_of, match


class Mine:
    """A bot with a memory."""

    def step(self, observation: Any) -> str:
        return "up"

    __call__ = step


def up(observation: Any) -> str:
    return "up"


def test_a_built_in_bot_goes_by_its_name_even_where_a_directory_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bot(tmp_path, "Greedy", ["Greedy.py"], {"name": "Not built-in"})
    monkeypatch.chdir(tmp_path)
    by_name, by_path = entrants_of(["Greedy", "./Greedy"], SNAKES)
    assert (by_name.name, by_name.given, by_name.entry) == ("Greedy", BOTS["Greedy"], None)
    assert by_path.name == "Not built-in"


def test_objects_and_functions_are_places_of_this_process() -> None:
    own = Mine()
    places = entrants_of([own, up], SNAKES)
    assert [place.name for place in places] == ["Mine", "up"]
    assert [place.given for place in places] == [own, up]


def test_a_directory_brings_its_identity_and_its_command_line(tmp_path: Path) -> None:
    path = make_bot(tmp_path, "Bot", ["Bot.java"], {"name": "B", "version": "7"})
    (place,) = entrants_of([path], SNAKES)
    assert (place.name, place.version, place.team) == ("B", "7", None)
    assert place.argv == ("java", "-cp", "../lib/*", "Bot.java")
    assert place.entry is not None


def test_a_team_takes_a_place_for_each_member_and_teams_are_numbered(tmp_path: Path) -> None:
    make_bot(tmp_path, "Lead", ["Lead.java"])
    make_bot(tmp_path, "Droid", ["Droid.java"])
    reds = make_team(tmp_path, "Reds", ["Lead", "Droid", "Droid"])
    places = entrants_of([reds, "Greedy", reds], SNAKES)
    assert [place.name for place in places] == ["Lead", "Droid", "Droid", "Greedy", "Lead", "Droid", "Droid"]
    assert [place.team for place in places] == [Team(1, "Reds", "1.0")] * 3 + [None] + [
        Team(2, "Reds", "1.0")
    ] * 3


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        (
            ["Gredy"],
            "'Gredy'.*Greedy",
        ),
        (["Xyzzy"], "'Xyzzy'.*Wanderer"),
        (["./Xyzzy"], r"\./Xyzzy\b"),
        (["x" * 5000], "no bot 'x{80}'"),
        (["./" + "x" * 300], "File name too long"),
        ([""], "empty.*Greedy"),
        ([7], "7 .*function"),
    ],
)
def test_a_value_that_is_not_a_bot_is_refused(bots: list[Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        entrants_of(bots, SNAKES)


def test_a_directory_that_cannot_be_started_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="nothing to start"):
        entrants_of([make_bot(tmp_path, "Bot", ["Bot.ts"])], SNAKES)


def test_one_object_cannot_take_two_seats() -> None:
    own = Mine()
    with pytest.raises(SetupError, match=r"Mine .*twice.*class"):
        entrants_of([own, "Greedy", own], SNAKES)
    assert len(entrants_of([Mine(), Mine(), up, up], SNAKES)) == 4


def test_a_missing_python_is_refused_even_if_no_bot_needs_it() -> None:
    with pytest.raises(SetupError, match="--python nopython"):
        entrants_of(["Greedy", "Wanderer"], SNAKES, "nopython")


@pytest.mark.parametrize(("main_file", "how"), [("Bot.sh", "Bot.sh"), ("Bot.java", "no Python")])
def test_a_python_for_a_bot_that_starts_in_another_way_is_refused(
    tmp_path: Path, main_file: str, how: str
) -> None:
    bot = make_bot(tmp_path, "Bot", [main_file], {"name": "The Bot"})
    for name in ("The Bot", "Bot"):
        with pytest.raises(SetupError) as caught:
            entrants_of([bot, "Greedy"], SNAKES, f"{name}={sys.executable}")
        assert says(str(caught.value), f"--python {name}= … {how}")
    assert entrants_of([bot, "Greedy"], SNAKES, sys.executable)


def test_a_python_for_a_bot_that_starts_with_one_is_taken(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Bot", ["Bot.py"])
    (place,) = entrants_of([bot], SNAKES, f"Bot={sys.executable}")
    assert place.argv[0] == sys.executable


def place(name: str, *, config: bool = True, team: Team | None = None, version: str = "1.0") -> Entrant:
    entry = BotEntry(Path("/bots") / name, BotConfig(name, version, ("Ann", "Bo")), has_config=config)
    return Entrant(name, version, entry, (), team)


def bot(name: str, port: int, *, version: str = "1.0", team: int | None = None) -> ConnectedBot:
    return ConnectedBot(name, version, "127.0.0.1", port, ("Ann", "Bo"), team)


def ports(places: list[Entrant], connected: list[ConnectedBot]) -> list[int | None]:
    return [None if found is None else found.port for found in match(places, connected)]


def test_bots_are_matched_by_name_and_version_in_any_order_of_arrival() -> None:
    places = [place("A"), place("B"), place("A", version="2.0")]
    connected = [bot("A", 1), bot("B", 2), bot("A", 3, version="2.0")]
    for order in permutations(connected):
        assert ports(places, list(order)) == [1, 2, 3]


def test_two_of_the_same_identity_take_the_two_places() -> None:
    assert ports([place("A"), place("A")], [bot("A", 2), bot("A", 1)]) == [2, 1]


def test_members_of_two_teams_are_matched_by_their_team() -> None:
    reds, blues = Team(1, "T", "1"), Team(2, "T", "1")
    places = [place("A", team=reds), place("A", team=blues), place("A")]
    connected = [bot("A", 1), bot("A", 2, team=2), bot("A", 3, team=1)]
    for order in permutations(connected):
        assert ports(places, list(order)) == [3, 2, 1]


def test_a_member_that_names_no_team_is_still_matched_by_its_name() -> None:
    assert ports([place("A", team=Team(1, "T", "1"))], [bot("A", 1)]) == [1]


def test_directories_without_json_get_the_remaining_bots() -> None:
    places = [place("Bare", config=False), place("A")]
    assert ports(places, [bot("Whoever", 1)]) == [1, None]
    assert ports(places, [bot("A", 1)]) == [None, 1]
    assert ports(places, [bot("A", 2), bot("Whoever", 1)]) == [1, 2]


def test_a_bot_with_another_name_is_found_once_all_have_connected() -> None:
    places = [place("A"), place("B")]
    assert ports(places, [bot("Renamed", 1)]) == [None, None]
    assert ports(places, [bot("Renamed", 1), bot("B", 2)]) == [1, 2]


def test_without_connections_no_place_is_found() -> None:
    assert ports([place("A")], []) == [None]
    assert ports([], [bot("A", 1)]) == []


def test_a_bot_that_names_no_authors_is_matched_by_name_and_version() -> None:
    places = [place("A"), place("B")]
    connected = [ConnectedBot("B", "1.0", "127.0.0.1", 1), ConnectedBot("A", "1.0", "127.0.0.1", 2)]
    assert [found and found.port for found in match(places, connected)] == [2, 1]
