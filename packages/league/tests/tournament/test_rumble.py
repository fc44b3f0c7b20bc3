"""Records of the Rumble: it accepts our records, and we read those that it publishes."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwright.errors import RecordError, SetupError
from turnwright_league.tournament.battle_spec import BattleSpec, settings_text
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
from turnwright_league.tournament.rumble import (
    RumbleClient,
    check_rumble_record,
    payload_hash,
    read_rumble,
    rumble_envelopes,
    rumble_record,
)
from turnwright_league.tournament.standings import standings_of

CLIENT = RumbleClient("club-01", "1.0")
ENTRIES = [TournamentEntry("Ace", "1.0", "bot", "aa"), TournamentEntry("Bee", "2.1", "bot", "bb")]
ACE, BEE = (entry.id for entry in ENTRIES)
COLUMNS = {
    "total_score": 90,
    "survival": 50,
    "bullet_damage": 30,
    "last_survivor_bonus": 10,
    "first_places": 1,
}


SCORES = ["bulletDamage", "bulletKillBonus", "lastSurvivorBonus", "ramDamage", "ramKillBonus", "survival"]
SCORES += ["firstPlaces", "secondPlaces", "thirdPlaces"]


def battle(ace: float = 90, bee: float = 30, **settings: Any) -> PlayedBattle:
    spec = BattleSpec("tank", 7, settings_text({"game_type": "1v1", "rounds": 35} | settings), (ACE, BEE), 5)
    rows = EntryScore(0, ACE, ace, columns=COLUMNS), EntryScore(1, BEE, bee, columns={"second_places": 1})
    return PlayedBattle(spec, "ok", rows, digest="00ff", played_us=1_788_124_902_590_555)


def published() -> dict[str, Any]:
    """A record with the fields, types and order of those in results/raw, with made-up values."""
    row: dict[str, Any] = dict.fromkeys(SCORES, 0)
    first = row | {
        "isTeam": False,
        "name": "One",
        "rank": 1,
        "totalScore": 300,
        "version": "1.0.0",
        "survival": 250,
    }
    second = row | {"isTeam": False, "name": "Two", "rank": 2, "totalScore": 100, "version": "1.0.2"}
    record = {
        "arenaHeight": 600,
        "arenaWidth": 800,
        "battleId": "4d15bd13-0014-4737-b4b5-ce8f55d85769",
        "client": {"id": "somebody-01", "version": "development"},
        "completedAt": "2026-08-30T21:21:42.590555600Z",
        "engine": {"behaviorVersion": 1},
        "gameType": "1v1",
        "participants": [first, second],
        "replayHash": f"sha256:{'0a' * 32}",
        "rounds": 35,
        "selectionSeed": -7903638987721193797,
    }
    return record | {"payloadHash": payload_hash(record), "submittedBy": "somebody"}


# ---- import ------------------------------------------------------------------------------------------------


def test_a_published_record_is_a_battle_that_counts() -> None:
    found = read_rumble([published()])
    (one,) = found.played
    assert [(entry.name, entry.version, entry.kind) for entry in found.entries] == [
        ("One", "1.0.0", "bot"),
        ("Two", "1.0.2", "bot"),
    ]
    assert one.counts
    assert one.played_us == 1_788_124_902_590_555
    assert [row.score for row in one.scores] == [300, 100]
    assert [row.aps for row in standings_of(found.entries, found.played, None).rows] == [75, 25]


def test_a_record_that_is_read_and_written_is_the_same() -> None:
    record = published()
    found = read_rumble([record])
    client = RumbleClient("somebody-01", "development", behaviour=1)
    again = rumble_record(found.played[0], found.entries, client, record["replayHash"])
    for added in ("payloadHash", "submittedBy"):
        del record[added]
    assert again | {"completedAt": None} == record | {"completedAt": None}
    assert record["completedAt"].startswith(again["completedAt"].removesuffix("Z"))


def test_envelopes_and_doubles_are_read() -> None:
    record = published()
    envelope = {"schemaVersion": 1, "clientId": "somebody-01", "clientVersion": "1", "results": [record]}
    assert len(read_rumble([envelope, record, record]).played) == 1
    assert read_rumble([]).played == ()


def test_an_altered_record_is_found_by_its_hash() -> None:
    record = published()
    record["participants"][0]["totalScore"] = 301
    with pytest.raises(RecordError, match=r"payloadHash.*another record"):
        read_rumble([record])


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("battleId",), "12", "battleId .*UUID"),
        (("completedAt",), "2026-13-01T00:00:00Z", "time of ISO 8601"),
        (("completedAt",), None, "time of ISO 8601"),
        (("selectionSeed",), "5", "selectionSeed"),
        (("client",), {"id": "a"}, "client must have"),
        (("engine",), {}, "behaviorVersion"),
        (("engine", "behaviorVersion"), True, "behaviorVersion"),
        (("gameType",), "chess", "gameType .*1v1, twinduel, melee"),
        (("gameType",), ["1v1"], "gameType .*1v1"),
        (("rounds",), 0, "rounds .*1 or more"),
        (("participants",), [], "two or more"),
        (("participants", 0), 5, "must be an object"),
        (("participants", 0, "name"), "", "no name"),
        (("participants", 0, "name"), "x" * 201, "no name"),
        (("participants", 0, "isTeam"), True, "isTeam must be false"),
        (("participants", 0, "totalScore"), -1, "totalScore .*whole number"),
        (("participants", 0, "totalScore"), 2**31, "totalScore .*whole number"),
        (("participants", 0, "survival"), 1.5, "survival .*whole number"),
        (("participants", 0, "rank"), 0, "rank .*whole number"),
        (("participants", 0, "rank"), 2, "ranks must count from 1"),
        (("participants", 1, "rank"), 3, "ranks must count from 1"),
        (("participants", 0, "firstPlaces"), 36, "firstPlaces .*rounds"),
    ],
)
def test_an_invalid_record_is_refused_in_one_line(path: tuple[Any, ...], value: Any, told: str) -> None:
    record = published()
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    del record["payloadHash"]
    with pytest.raises(RecordError, match=told) as caught:
        read_rumble([record])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [None, 5, "x\ny", [], {"results": 5}, {"results": [], "schemaVersion": 2}])
def test_a_value_that_is_not_a_record_is_refused(value: Any) -> None:
    with pytest.raises(RecordError) as caught:
        read_rumble([value])
    assert "\n" not in str(caught.value)


NAMES = st.sampled_from([*published(), "name", "rank", "results", "schemaVersion"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
    max_leaves=8,
)


@settings(max_examples=50)
@given(JSON, st.sampled_from(sorted(published())))
def test_nothing_that_is_json_makes_the_reader_fail(value: Any, field: str) -> None:
    for given_value in (value, copy.deepcopy(published()) | {field: value}):
        try:
            read_rumble([given_value])
        except RecordError:
            continue


# ---- export ------------------------------------------------------------------------------------------------


def test_a_battle_is_written_as_the_rumble_accepts_it() -> None:
    record = rumble_record(battle(), ENTRIES, CLIENT)
    check_rumble_record(json.loads(json.dumps(record)))
    assert UUID(record["battleId"]).version == 8
    assert record["completedAt"] == "2026-08-30T21:21:42.590555Z"
    assert (record["rounds"], record["arenaWidth"], record["arenaHeight"]) == (35, 800, 600)
    assert (record["selectionSeed"], record["replayHash"]) == (5, "turnwright:00ff")
    first, second = record["participants"]
    assert (first["name"], first["rank"], first["totalScore"], first["bulletDamage"]) == ("Ace", 1, 90, 30)
    assert (second["name"], second["rank"], second["totalScore"], second["secondPlaces"]) == ("Bee", 2, 30, 1)


def test_a_battle_without_scores_gives_all_the_first_rank() -> None:
    record = rumble_record(battle(0, 0), ENTRIES, CLIENT)
    assert [row["rank"] for row in record["participants"]] == [1, 1]


def test_the_same_battle_is_the_same_record() -> None:
    assert rumble_record(battle(), ENTRIES, CLIENT) == rumble_record(battle(), ENTRIES, CLIENT)
    other = rumble_record(battle(rounds=10), ENTRIES, CLIENT)
    assert other["battleId"] != rumble_record(battle(), ENTRIES, CLIENT)["battleId"]
    assert other["rounds"] == 10


def test_an_envelope_holds_sixty_results_that_count() -> None:
    battles = [replace(battle(), spec=replace(battle().spec, seed=seed)) for seed in range(61)]
    battles += [replace(battle(), state="void", spec=replace(battle().spec, seed=99))]
    first, second = rumble_envelopes(battles, ENTRIES, CLIENT)
    assert (len(first["results"]), len(second["results"])) == (60, 1)
    assert (first["schemaVersion"], first["clientId"], first["clientVersion"]) == (1, "club-01", "1.0")
    assert len(read_rumble([first, second]).played) == 61


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (battle(game_type="classic"), "tank classic: .*1v1, twinduel, melee"),
        (replace(battle(), spec=replace(battle().spec, game="snake")), "is snake 1v1"),
        (battle(3e9), "totalScore .*32 bits"),
        (replace(battle(), scores=(EntryScore(0, "gone", 1),)), "entry gone, .*tournament"),
    ],
)
def test_a_battle_that_fits_into_no_record_is_refused(one: PlayedBattle, told: str) -> None:
    with pytest.raises(SetupError, match=told):
        rumble_record(one, ENTRIES, CLIENT)


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2399, 12, 31)), st.integers(-840, 840))
def test_times_are_written_and_read_as_iso_8601(when: datetime, minutes: int) -> None:
    us = (when.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    text = rumble_record(replace(battle(), played_us=us), ENTRIES, CLIENT)["completedAt"]
    assert datetime.fromisoformat(text) == when.replace(tzinfo=UTC)
    sign, ahead = "-" if minutes < 0 else "+", abs(minutes)
    local = f"{when.isoformat(timespec='microseconds')}{sign}{ahead // 60:02}:{ahead % 60:02}"
    (one,) = read_rumble(
        [{k: v for k, v in published().items() if k != "payloadHash"} | {"completedAt": local}]
    ).played
    assert one.played_us == (datetime.fromisoformat(local) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )
