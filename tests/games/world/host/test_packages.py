"""Packages: what has changed, and nothing else."""

from __future__ import annotations

import copy
from typing import Any

from tests.games.world.host.views import THREAT, view
from turnwright.games.world.example import yard
from turnwright.games.world.host.commands import rules_of
from turnwright.games.world.host.output import changed, told, turn_changes, whole_queue


def names(sent: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    return [name for name, _ in changed(sent, seen)]


def test_everything_is_sent_once_and_then_only_what_has_changed() -> None:
    sent: dict[str, Any] = {}
    first = names(sent, view())
    assert first == ["Char.Name", "Char.Vitals", "Char.Status", "Char.Items.List", "Room.Info"]
    assert names(sent, view(turn=13, now_us=2_150_000)) == []
    hurt = copy.deepcopy(view(turn=14))
    hurt["vitals"]["hp"] = 80
    assert list(changed(sent, hurt)) == [
        ("Char.Vitals", {"hp": 80, "maxhp": 100, "sp": 50, "maxsp": 100, "money": 0, "turn": 14})
    ]


def test_a_room_has_a_number_that_is_always_the_same() -> None:
    rooms = [dict(changed({}, view()))["Room.Info"] for _ in range(2)]
    assert rooms[0]["num"] == rooms[1]["num"] > 0
    assert rooms[0]["exits"] == {"in": ""}
    assert rooms[0]["here"][0]["name"] == "wolf"


def test_a_threat_is_added_once_and_goes_once() -> None:
    gone = {"id": 3, "from": 7, "why": "landed", "damage": 12, "at": 5}
    heard = [
        {"kind": "threat", "op": "add", "threat": THREAT},
        {"kind": "threat", "op": "gone", "threat": gone},
        {"kind": "react", "ok": True, "why": "dodged", "at": 77, "taken": [3]},
        {"kind": "text", "text": "hello"},
    ]
    assert list(told(heard)) == [
        ("Combat.Threat.Add", THREAT),
        ("Combat.Threat.Gone", {"id": 3, "why": "landed", "damage": 12}),
        ("Combat.Result", {"ok": True, "why": "dodged", "at": 77, "taken": [3]}),
    ]
    assert list(whole_queue(view(threats=[THREAT]))) == [("Combat.Threat.Add", THREAT)]


def test_a_client_is_told_what_it_can_offer() -> None:
    told_rules = rules_of(yard())
    assert {"go", "hit"} <= set(told_rules["verbs"])
    dodge = next(reaction for reaction in told_rules["reactions"] if reaction["name"] == "dodge")
    assert (dodge["clears"], dodge["stamina"], dodge["lockout_us"]) == ("all", 30, 1_500_000)


def test_of_a_turn_a_program_gets_what_has_changed_and_no_threats_again() -> None:
    sent: dict[str, object] = {}
    first = {"turn": 1, "now_us": 5, "here": [1], "vitals": {"hp": 9}, "threats": [7], "heard": []}
    assert turn_changes(sent, first) == first
    second = {**first, "turn": 2, "threats": [], "vitals": {"hp": 8}}
    assert turn_changes(sent, second) == {"turn": 2, "now_us": 5, "vitals": {"hp": 8}}
    assert turn_changes(sent, {**second, "heard": ["x"]}) == {"turn": 2, "now_us": 5, "heard": ["x"]}
