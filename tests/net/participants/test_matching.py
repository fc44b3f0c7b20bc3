from __future__ import annotations

from itertools import permutations
from pathlib import Path

from turnwright.games.tank.wire.royale.message_parts import BotInfo
from turnwright.net.participants.command import Team
from turnwright.net.participants.config import BotConfig
from turnwright.net.participants.directory import BotEntry
from turnwright.net.participants.seating import ConnectedBot, Entrant, match


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
