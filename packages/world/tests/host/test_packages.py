"""Packages contain exactly the changes."""

from __future__ import annotations

import copy
from typing import Any

from msgspec.structs import replace

from packages.world.tests.host.views import THREAT, view
from turnwright_world.example import yard
from turnwright_world.host.commands import rules_of
from turnwright_world.host.output import changed, told, turn_changes, whole_queue
from turnwright_world.wire.server_messages import (
    CharVitals,
    RoomInfo,
    ThreatAdded,
    ThreatGone,
    TurnMessage,
    Verdict,
    fields_of,
    name_of,
)


def test_everything_is_sent_once_and_then_only_changes() -> None:
    sent: dict[str, Any] = {}
    first = [name_of(message) for message in changed(sent, view())]
    assert first == ["Char.Name", "Char.Vitals", "Char.Status", "Char.Items.List", "Room.Info"]
    assert list(changed(sent, view(turn=13, now_us=2_150_000))) == []
    hurt = copy.deepcopy(view(turn=14))
    hurt["vitals"]["hp"] = 80
    assert list(changed(sent, hurt)) == [CharVitals(80, 100, 50, 100, money=0, turn=14)]


def test_a_room_has_a_number_that_is_always_the_same() -> None:
    rooms = [room for _ in range(2) for room in changed({}, view()) if isinstance(room, RoomInfo)]
    assert rooms[0].num == rooms[1].num > 0
    assert rooms[0].exits == {"in": ""}
    assert rooms[0].here[0].name == "wolf"


def test_a_threat_is_added_once_and_removed_once() -> None:
    gone = {"id": 3, "from": 7, "why": "landed", "damage": 12, "at": 5}
    heard = [
        {"kind": "threat", "op": "add", "threat": THREAT},
        {"kind": "threat", "op": "gone", "threat": gone},
        {"kind": "react", "ok": True, "why": "dodged", "at": 77, "taken": [3]},
        {"kind": "text", "text": "hello"},
    ]
    added = ThreatAdded(3, 7, "wolf", "bite", 9, at=1_000_000, us=3_000_000)
    assert list(told(heard)) == [
        added,
        ThreatGone(3, "landed", 12),
        Verdict(True, "dodged", 77, taken=[3]),
    ]
    assert list(whole_queue(view(threats=[THREAT]))) == [added]


def test_a_client_gets_the_verbs_and_reactions() -> None:
    told_rules = rules_of(yard())
    assert {"go", "hit"} <= set(told_rules.verbs)
    dodge = next(reaction for reaction in told_rules.reactions if reaction.name == "dodge")
    assert (dodge.clears, dodge.stamina, dodge.lockout_us) == ("all", 30, 1_500_000)


def test_a_program_gets_only_the_changes_of_a_turn_and_no_threats_again() -> None:
    sent: dict[str, Any] = {}
    first = TurnMessage(**view(turn=1, threats=[THREAT]), queue=[])
    assert turn_changes(sent, first) is first
    hurt = {**first.vitals, "hp": 8}
    second = replace(first, turn=2, threats=[], vitals=hurt)
    assert fields_of(turn_changes(sent, second)) == {"turn": 2, "now_us": first.now_us, "vitals": hurt}
    third = turn_changes(sent, replace(second, heard=[{"kind": "text"}]))
    assert fields_of(third) == {"turn": 2, "now_us": first.now_us, "heard": [{"kind": "text"}]}
