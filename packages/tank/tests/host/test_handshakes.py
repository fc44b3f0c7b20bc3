"""Handshakes: how a server introduces itself, and what it reports about participants."""

from __future__ import annotations

import msgspec
import pytest

from packages.core.tests.messages import missing
from turnwright_tank.host.handshakes import (
    bot_hello,
    bot_names,
    game_started,
    greeting,
    hears_deaths,
    participants,
    seat_infos,
    teammates,
)
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.setup import preset


def bot(name="bot", version="1.0", **fields):
    return bot_hello(m.BotHandshake(session_id=f"session of {name}", name=name, version=version, **fields))


NAMES = [
    ([("A", "1"), ("B", "1")], ["A 1", "B 1"]),
    ([("A", "1"), ("A", "2")], ["A 1", "A 2"]),
    ([("A", "1"), ("B", "1"), ("A", "1"), ("A", "1")], ["A 1 (1)", "B 1", "A 1 (2)", "A 1 (3)"]),
]


@pytest.mark.parametrize(("bots", "named"), NAMES)
def test_names_are_numbered_where_they_occur_twice(bots, named):
    assert bot_names([bot(n, v) for n, v in bots]) == named


def test_a_team_members_name_comes_first():
    assert bot_names([bot("team bot", "3", team_member_name="Leader")]) == ["Leader 3"]


def test_teammates_are_the_other_bots_of_the_same_team():
    bots = [bot(team_id=t) for t in (5, None, 5, 0, None, 0, 5)]
    assert teammates(bots) == [(3, 7), (), (1, 7), (6,), (), (4,), (1, 3)]


@pytest.mark.parametrize(
    ("fields", "told"),
    [({}, None), ({"team_message_batch_version": 1}, ["x 1", "x 2"]), ({"turnwright": 1}, ["x 1", "x 2"])],
)
def test_names_of_the_team_go_to_bots_of_a_newer_api_alone(fields, told):
    bots = [bot("x", v, team_id=1, **fields) for v in "12"]
    (first, _) = game_started(bots, preset("classic"), {})
    assert (first.my_id, first.teammate_ids) == (1, (2,))
    assert (first.bot_names and [n.name for n in first.bot_names]) == told


def test_teams_droids_and_wishes_are_passed_to_the_rules():
    bots = [
        bot("a", team_id=3, team_name="T", team_version="9", is_droid=True),
        bot("b", initial_position=m.InitialPosition(x=5, direction=90)),
    ]
    one, two = seat_infos(bots, initial_positions=True)
    assert (one.name, one.team, one.options["droid"]) == ("a", 3, True)
    assert (one.options["team_name"], one.options["team_version"]) == ("T", "9")
    assert two.options["initial_position"] == {"x": 5, "direction": 90}
    assert two.team is None
    assert "team_name" not in two.options


def test_wishes_for_a_place_are_ignored_unless_allowed():
    (info,) = seat_infos([bot(initial_position=m.InitialPosition(x=5))], initial_positions=False)
    assert "initial_position" not in info.options


@pytest.mark.parametrize(
    ("fields", "hears"),
    [
        ({}, False),
        ({"debugger_attached": False}, True),
        ({"debugger_attached": True}, True),
        ({"team_message_batch_version": 1}, True),
        ({"turnwright": 1}, True),
    ],
)
def test_deaths_are_sent_only_to_bots_that_know_the_event(fields, hears):
    assert hears_deaths(bot(**fields).details) == hears


@pytest.mark.parametrize(
    ("fields", "older_than"),
    [
        ({}, "0.20"),
        ({"is_droid": False}, "0.40"),
        ({"is_droid": False, "debugger_attached": False}, None),
        ({"is_droid": False, "team_message_batch_version": 1}, None),
        ({"turnwright": 1}, None),
    ],
)
def test_a_handshake_reveals_the_age_of_its_api_by_missing_fields(fields, older_than):
    text = bot(**fields).outdated
    assert missing(text, older_than, "0.26.1", "1.0") == [] if older_than else text == ""


def test_participants_are_announced_as_introduced_and_without_secrets():
    one = bot("a", authors=("me",), secret="hidden", debugger_attached=True, homepage="h")
    (row,) = participants([one])
    assert (row.id, row.name, row.session_id, row.authors) == (1, "a", "session of a", ("me",))
    assert (row.country_codes, row.game_types, row.homepage, row.debugger_attached) == ((), (), "h", True)
    assert "hidden" not in repr(row)


def test_bots_find_the_variant_and_the_major_version_they_check():
    said = msgspec.json.decode(encode(greeting("s")))
    assert said["sessionId"] == "s"
    assert said["variant"] == "Tank Royale"
    assert said["version"].split(".")[0] == "1"
    assert "classic" in said["gameTypes"]
    assert "gameSetup" not in said


def test_a_server_offers_the_given_game_types():
    assert greeting("s", ("1v1",)).game_types == ("1v1",)
