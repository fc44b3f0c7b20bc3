"""What a body knows, as GMCP packages: only what has changed since they were last sent.

The same packages go to telnet, to WebSocket's `gmcp.` and, as objects with a "type", to programs.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwright.games.world.rules import Rules

__all__ = ["FIGHT", "HERE_MAX", "Packages", "changed", "rules_of", "told", "turn_changes", "whole_queue"]

HERE_MAX = 50
"""Creatures that Room.Info names; of more it says how many there are (here_count)."""
FIGHT = ("threat", "react")
"""Kinds of what is heard that have packages of their own; see `told`."""
Packages = Iterator[tuple[str, Any]]


def changed(sent: dict[str, Any], view: Mapping[str, Any]) -> Packages:
    """Yield the packages whose content differs from what was `sent`, and note them there."""
    own = (view["me"], view["vitals"], view["action"], view["items"])
    if sent.get("Char") != own:
        sent["Char"] = own
        yield from _own(sent, view)
    shown = (view["place"], view["here"][:HERE_MAX], view["here_more"])
    if sent.get("Room.Info") != shown:
        sent["Room.Info"] = shown
        yield "Room.Info", _room(view)


def _own(sent: dict[str, Any], view: Mapping[str, Any]) -> Packages:
    """Yield what has changed of a body's own."""
    me, vitals, action = view["me"], view["vitals"], view["action"]
    yield from _if_new(sent, "Char.Name", {"name": me["name"], "fullname": me["name"], "id": me["id"]})
    numbers = {name: vitals[name] for name in ("hp", "maxhp", "sp", "maxsp", "money")}
    yield from _if_new(sent, "Char.Vitals", numbers, turn=view["turn"])
    status = {"state": "dead" if vitals["dead"] else "busy" if action is not None else "free"}
    if action is not None:
        status |= {"action": action["verb"], "ends_turn": action["ends_turn"]}
    yield from _if_new(sent, "Char.Status", status)
    items = [{"id": item["id"], "name": item["name"]} for item in view["items"]]
    yield from _if_new(sent, "Char.Items.List", {"location": "inv", "items": items})


def turn_changes(sent: dict[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a turn what differs from what was `sent` before, and note it there.

    The threats are in the first one alone: Combat.Threat.Add and Combat.Threat.Gone tell of them.
    """
    before = sent.get("Turn")
    sent["Turn"] = view
    if before is None:
        return dict(view)
    always = {"turn": view["turn"], "now_us": view["now_us"]} | (
        {"heard": view["heard"]} if view["heard"] else {}
    )
    other = view.keys() - {"turn", "now_us", "heard", "threats"}
    return always | {name: view[name] for name in view if name in other and view[name] != before[name]}


def told(heard: Iterable[Mapping[str, Any]]) -> Packages:
    """Yield the packages of what was told: threats and reactions."""
    for message in heard:
        kind = message.get("kind")
        if kind == "threat" and message["op"] == "add":
            yield "Combat.Threat.Add", message["threat"]
        elif kind == "threat":
            threat = message["threat"]
            yield "Combat.Threat.Gone", {name: threat[name] for name in ("id", "why", "damage")}
        elif kind == "react":
            yield "Combat.Result", {name: value for name, value in message.items() if name != "kind"}


def whole_queue(view: Mapping[str, Any]) -> Packages:
    """Yield all threats that a body has, for a client that has just come."""
    for threat in view["threats"]:
        yield "Combat.Threat.Add", threat


def rules_of(rules: Rules) -> dict[str, Any]:
    """Return what a client offers its player: verbs, and what reactions cost and take. Times: µs."""
    reactions = [
        {
            "name": reaction.name,
            "clears": reaction.clears,
            "stamina": reaction.stamina,
            "lockout_us": reaction.lockout_us,
            "band_us": reaction.band_us,
            "kinds": list(reaction.kinds),
            "why": reaction.why,
        }
        for reaction in rules.threats.reactions.values()
    ]
    return {"verbs": list(rules.verbs), "reactions": reactions, "react_us": rules.threats.react_us}


def _room(view: Mapping[str, Any]) -> dict[str, Any]:
    place = view["place"]
    here = [_seen(other) for other in view["here"][:HERE_MAX]]
    return {
        "num": zlib.crc32(place["id"].encode()),
        "id": place["id"],
        "name": place["name"],
        "area": place["area"],
        "desc": place["text"],
        "exits": place["exits"],
        "here": here,
        "here_count": len(view["here"]) + view["here_more"],
        "items": [{"id": item["id"], "name": item["name"]} for item in place["items"]],
    }


def _seen(other: Mapping[str, Any]) -> dict[str, Any]:
    """Return what Room.Info says of a creature."""
    return {
        "id": other["id"],
        "name": other["name"],
        "kind": other["kind"],
        "state": other["state"],
        "doing": other["doing"],
        "player": other["player"],
        "linkdead": other["linkdead"],
    }


def _if_new(sent: dict[str, Any], package: str, data: dict[str, Any], **besides: Any) -> Packages:
    if sent.get(package) != data:
        sent[package] = data
        yield package, {**data, **besides}
