"""A replayed record gives the messages that spectators got; official readers take them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from packages.tank.tests.wire.recording.official_reader import Refused, check_lines
from packages.tank.tests.wire.recording.shown_battles import Told, a_setup, play, some_seats
from turnwright.errors import MismatchError, RecordError
from turnwright.games.countdown.game import Countdown
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, Header, Record
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import announced, messages_of, opening_of
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.message_parts import GameSetup, Participant
from turnwright_tank.wire.royale.setup import GAME_TYPES, tank_setup


def _shown(told: Told) -> list[bytes]:
    return [encode(message) for message in messages_of(told.record, TankGame("interpreted"))]


def _header(setup: GameSetup, seats: list[SeatInfo], said: dict[str, Any]) -> Header:
    return Battle(TankGame("interpreted"), tank_setup(setup), seats, 1, announced=said).header


def _participant(number: int, name: str, session_id: str, **more: Any) -> Participant:
    return Participant(
        **{"version": "1.0", "authors": (), "country_codes": (), "game_types": (), **more},
        id=number,
        name=name,
        session_id=session_id,
    )


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_a_battle_of_every_game_type_replays_the_messages_of_spectators(game_type: str) -> None:
    setup = a_setup(game_type)
    seats = some_seats(max(3, setup.min_number_of_participants), teams=game_type == "twinduel")
    told = play(setup, seats, seed=GAME_TYPES.index(game_type))
    assert told.record.footer == Footer("over", len(told.record.turns))
    assert _shown(told) == told.messages
    assert check_lines(told.messages)[0]["gameSetup"]["gameType"] == game_type


def test_teams_with_droids_are_shown_with_their_names_and_rows() -> None:
    told = play(a_setup(), some_seats(6, teams=True, droids=True))
    assert _shown(told) == told.messages
    last = check_lines(told.messages)[-1]
    assert {(row["id"], row["name"], row["isTeam"]) for row in last["results"]} == {
        (10, "Team 0", True),
        (11, "Team 1", True),
    }


def test_an_aborted_battle_ends_with_its_abortion() -> None:
    told = play(a_setup(), some_seats(4), turns=30)
    assert _shown(told) == told.messages
    assert check_lines(told.messages)[-1] == {"type": "GameAbortedEvent"}


def test_a_record_that_was_cut_off_shows_no_end() -> None:
    told = play(a_setup(), some_seats(4), turns=30, ending="cut off")
    assert _shown(told) == told.messages
    assert len(check_lines(told.messages, whole=False)) == 31
    with pytest.raises(Refused, match="has no end"):
        check_lines(told.messages)


def test_a_record_without_an_announcement_shows_the_data_of_its_header() -> None:
    told = play(a_setup("melee"), some_seats(10, teams=True, droids=True), turns=5)
    told.record.header = dataclasses.replace(told.record.header, announced={})
    started, *rest = _shown(told)
    assert rest == told.messages[1:]
    began = check_lines([started, *rest])[0]
    assert began["gameSetup"]["arenaWidth"] == 600
    assert began["gameSetup"]["turnTimeout"] == 30_000
    assert began["gameSetup"]["isMinNumberOfParticipantsLocked"] is True
    assert [p["isDroid"] for p in began["participants"]] == [False, True] * 5
    assert began["participants"][1]["teamName"] == "Team 1"


def test_values_of_a_seat_are_not_repeated_for_its_participant() -> None:
    setup = a_setup()
    seats = [SeatInfo("A", "2", 7, {"session_id": "s"}, ("Ada", "Bob"), "JVM", "Java"), SeatInfo("B")]
    who = [
        _participant(1, "A", "s", version="2", team_id=7, authors=("Ada", "Bob"), platform="JVM"),
        _participant(2, "B", "t", authors=("me",), description="sits"),
    ]
    said = announced(setup, who, seats)
    assert said["participants"] == [
        {"countryCodes": [], "gameTypes": [], "programmingLang": None},
        {"countryCodes": [], "gameTypes": [], "sessionId": "t", "authors": ["me"], "description": "sits"},
    ]
    header = _header(setup, seats, said)
    assert opening_of(header) == m.GameStartedEventForObserver(setup, tuple(who))


def test_the_first_records_say_everything_of_a_participant_and_are_believed() -> None:
    setup, seats = (
        a_setup(),
        [SeatInfo("A", "2", 7, {"session_id": "s"}, ("Ada",), "JVM", "Java"), SeatInfo("B")],
    )
    who = (_participant(1, "other", "x", platform="else", team_id=8), _participant(2, "B", "t"))
    header = _header(setup, seats, announced(setup, who))
    assert header.announced["participants"][0]["name"] == "other"
    assert opening_of(header).participants == who


def test_more_or_fewer_participants_than_seats_are_read_as_they_are() -> None:
    setup, seats = a_setup(), some_seats(2)
    who = tuple(_participant(k, f"n{k}", f"s{k}") for k in (1, 2, 3))
    for some in (who, who[:1]):
        assert opening_of(_header(setup, seats, announced(setup, some))).participants == some


def test_a_record_that_comes_out_differently_is_refused_with_its_turn() -> None:
    told = play(a_setup(), some_seats(3), turns=20)
    told.record.turns[11] = dataclasses.replace(told.record.turns[11], digest="00" * 8)
    with pytest.raises(MismatchError, match="turn 12 differs") as caught:
        _shown(told)
    assert caught.value.exit_code == 4


def test_a_void_battle_is_shown_up_to_the_turn_that_failed() -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    told = play(a_setup(), some_seats(3), turns=20)
    told.record.turns[19] = dataclasses.replace(told.record.turns[19], digest="")
    told.record.footer = Footer("void", 20)
    game = TankGame("interpreted")
    resolve, done = game.resolve, iter(range(19))
    game.resolve = lambda *a: resolve(*a) if next(done, None) is not None else fail()  # type: ignore[method-assign]
    shown = [encode(message) for message in messages_of(told.record, game)]
    assert shown == [*told.messages[:-2], told.messages[-1]]


def test_a_record_of_another_game_cannot_be_shown() -> None:
    battle = Battle(Countdown(), {}, some_seats(2), 1)
    with pytest.raises(RecordError, match=r"'countdown'.* 'tank'"):
        next(messages_of(Record(battle.header), Countdown()))


@pytest.mark.parametrize(
    "bad", [{"gameSetup": 1}, {"participants": []}, {"gameSetup": {}, "participants": {}}]
)
def test_a_header_that_announces_nonsense_is_refused(bad: dict[str, Any]) -> None:
    header = dataclasses.replace(play(a_setup(), some_seats(2), turns=1).record.header, announced=bad)
    with pytest.raises(RecordError, match=r"not say .*played"):
        opening_of(header)
