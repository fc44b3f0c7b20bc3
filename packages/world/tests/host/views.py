"""A body's view, and a threat in it."""

from __future__ import annotations

from typing import Any

THREAT = {"id": 3, "from": 7, "name": "wolf", "kind": "bite", "damage": 9, "at": 1_000_000, "us": 3_000_000}


def view(**changes: Any) -> dict[str, Any]:
    return {
        "turn": 12,
        "now_us": 1_900_000,
        "me": {"id": 1, "name": "Anna", "kind": "person", "attributes": {}},
        "place": {
            "id": "yard",
            "name": "Yard",
            "area": "farm",
            "text": "A yard with a shed and some more words than fit.",
            "exits": {"in": "shed"},
            "tags": [],
            "items": [
                {"id": 5, "kind": "stone", "name": "stone"},
                {"id": 6, "kind": "stone", "name": "stone"},
            ],
        },
        "here_more": 0,
        "here": [
            {
                "id": 7,
                "name": "wolf",
                "kind": "wolf",
                "state": "hurt",
                "doing": "howl",
                "player": False,
                "linkdead": True,
                "tags": [],
            }
        ],
        "vitals": {
            "hp": 90,
            "maxhp": 100,
            "sp": 50,
            "maxsp": 100,
            "money": 0,
            "dead": False,
            "locked_until_us": 0,
        },
        "threats": [],
        "action": None,
        "items": [],
        "memory": {},
        "quests": {},
        "heard": [],
        **changes,
    }
