"""Checks cross references in content: names, exits, spawns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from turnwright_world.content.row_mistakes import did_you_mean
from turnwright_world.kit.queues import merged
from turnwright_world.kit.schema import KindRow, Land, Quest, QueueRow, Spawn

SPAWNED_MAX = 20_000
"""The most creatures and items that a new world can have in total."""
_NAMES_SHOWN = 12
_BACK = {"north": "south", "east": "west", "up": "down", "in": "out"}
_BACK |= {back: way for way, back in _BACK.items()}


class Found(NamedTuple):
    """A mistake or a warning about a row of content.

    Attributes:
        key: the key in the row, e.g. "exits.north". "" means the whole row.
        is_wrong: True for a mistake, False for a warning.
    """

    table: str
    name: str
    key: str
    text: str
    is_wrong: bool = True


def check_links(
    land: Land, verbs: Collection[str], minds: Collection[str], spawns: Mapping[str, Spawn]
) -> Iterator[Found]:
    """Yield the mistakes and warnings about references between rows.

    Args:
        spawns: the spawns of the land, by the name that reports use.
    """
    yield from _settings(land)
    yield from _places(land, verbs)
    yield from _ways(land)
    for name, kind in land.kinds.items():
        yield from _kind(land, name, kind, minds)
    for name, item in land.items.items():
        if item.blow is not None and item.slot != "hand":
            text = f'this item has a blow, but its slot is {item.slot!r}, expected "hand"'
            yield Found("item", name, "blow", text)
        if item.gives and not item.slot:
            yield Found("item", name, "gives", "this item gives attributes but cannot be worn: set a slot")
    for name, quest in land.quests.items():
        yield from _quest(land, name, quest)
    yield from _spawns(land, spawns)
    yield from _reactions(land)


def _settings(land: Land) -> Iterator[Found]:
    settings, row = land.settings, ("settings", "settings")
    yield from _named(row, "start", "place", settings.start, land.places)
    yield from _named(row, "home", "place", settings.home, land.places)
    yield from _named(row, "player", "kind", settings.player, land.kinds)
    if settings.lesson:
        yield from _named(row, "lesson", "kind", settings.lesson, land.kinds)
    yield from _queue(*row, merged(settings.queue))
    for item in settings.items:
        yield from _named(row, "items", "item", item, land.items)


def _named(row: tuple[str, str], key: str, what: str, name: str, there: Collection[str]) -> Iterator[Found]:
    """Yield a mistake if a name does not exist. Its text suggests a similar name, or lists some names."""
    if name not in there:
        hint = did_you_mean(name, there) or _those(there)
        yield Found(*row, key, f"there is no {what} {name!r}{hint}")


def _those(there: Collection[str]) -> str:
    known = sorted(there)
    more = ", …" if len(known) > _NAMES_SHOWN else ""
    return f"; there are {', '.join(known[:_NAMES_SHOWN])}{more}" if known else "; there are none"


def _places(land: Land, verbs: Collection[str]) -> Iterator[Found]:
    for name, place in land.places.items():
        row = ("place", name)
        for way, target in place.exits.items():
            yield from _named(row, f"exits.{way}", "place", target, land.places)
            if target == name:
                text = f"found {target!r}, expected another place: this exit leads back into the same place"
                yield Found(*row, f"exits.{way}", text)
        for way, door in place.doors.items():
            yield from _named(row, f"doors.{way}", "exit", way, place.exits)
            if door.key:
                yield from _named(row, f"doors.{way}.key", "item", door.key, land.items)
        for verb, items in place.yields.items():
            yield from _named(row, f"yields.{verb}", "verb", verb, verbs)
            for item in items:
                yield from _named(row, f"yields.{verb}", "item", item, land.items)


def _ways(land: Land) -> Iterator[Found]:
    """Warn of unreachable places, places without exits, and ways back that lead to another place."""
    places = land.places
    reached, waiting = {land.settings.start: None}, [land.settings.start]
    while waiting:
        row = places.get(waiting.pop())
        for target in row.exits.values() if row is not None else ():
            if target not in reached:
                reached[target] = None
                waiting.append(target)
    for name, place in places.items():
        if name not in reached:
            yield Found("place", name, "", "no way leads here from the start", False)
        if not place.exits:
            yield Found("place", name, "", "has no exits, so a creature that comes here stays", False)
        for way, target in place.exits.items():
            back = places[target].exits.get(_BACK[way]) if target in places else None
            if back is not None and back != name:
                text = f"leads to {target!r}, but {_BACK[way]} from there leads to {back!r}"
                yield Found("place", name, f"exits.{way}", text, False)


def _kind(land: Land, name: str, kind: KindRow, minds: Collection[str]) -> Iterator[Found]:
    row = ("kind", name)
    if kind.mind and kind.mind not in minds:
        hint = did_you_mean(kind.mind, minds) or _those(minds)
        yield Found(*row, "mind", f"there is no mind {kind.mind!r}, a file minds/{kind.mind}.py{hint}")
    for key, items in (("sells", kind.sells), ("drops", kind.drops)):
        for item in items:
            yield from _named(row, f"{key}.{item}", "item", item, land.items)
    yield from _queue(*row, merged(kind.queue, merged(land.settings.queue)))
    least, most = kind.money
    if least > most:
        text = f"found {[least, most]}, expected [minimum, maximum], e.g. [{most}, {least}]"
        yield Found(*row, "money", text)


def _queue(table: str, name: str, row: QueueRow) -> Iterator[Found]:
    """Yield contradictions between the limits of a queue that has all limits."""
    least, window, most = row.window_min_ms or 0, row.window_ms or 0, row.window_max_ms or 0
    if not least <= window <= most:
        text = f"window_ms {window} is not within window_min_ms {least} and window_max_ms {most}"
        yield Found(table, name, "queue", text)
    places, most = row.capacity or 0, row.capacity_max or 0
    if places > most:
        yield Found(table, name, "queue", f"capacity {places} is more than capacity_max {most}")


def _quest(land: Land, name: str, quest: Quest) -> Iterator[Found]:
    row, given = ("quest", name), {"bring": quest.bring, "slay": quest.slay, "visit": quest.visit}
    if sum(map(bool, given.values())) != 1:
        found = ", ".join(key for key, value in given.items() if value) or "none"
        yield Found(*row, "", f"found {found}, expected exactly one of bring, slay and visit")
    named = (
        ("giver", quest.giver, land.kinds, "kind"),
        ("slay", quest.slay, land.kinds, "kind"),
        ("bring", quest.bring, land.items, "item"),
        ("gift", quest.gift, land.items, "item"),
        ("item", quest.item, land.items, "item"),
        ("visit", quest.visit, land.places, "place"),
        ("after", quest.after, land.quests, "quest"),
    )
    for key, value, there, what in named:
        if value:
            yield from _named(row, key, what, value, there)
    seen, before = [name], quest.after
    while before in land.quests and before not in seen:
        seen.append(before)
        before = land.quests[before].after
    if before == name:
        circle = " → ".join([*seen, name])
        yield Found("quest", name, "after", f"this quest can never begin, because {circle} is a circle")


def _spawns(land: Land, spawns: Mapping[str, Spawn]) -> Iterator[Found]:
    total = 0
    for name, spawn in spawns.items():
        total += spawn.count
        row = ("spawn", name)
        if bool(spawn.kind) == bool(spawn.item):
            found = "both" if spawn.kind else "neither"
            yield Found(*row, "", f"found {found}, expected either a kind or an item")
        yield from _named(row, "place", "place", spawn.place, land.places)
        if spawn.kind:
            yield from _named(row, "kind", "kind", spawn.kind, land.kinds)
        if spawn.item:
            yield from _named(row, "item", "item", spawn.item, land.items)
        if total - spawn.count <= SPAWNED_MAX < total:
            yield Found(*row, "count", f"with these there are more than {SPAWNED_MAX} creatures and items")


def _reactions(land: Land) -> Iterator[Found]:
    """Warn of attacks that no reaction clears."""
    if not land.reactions or any(not row.kinds for row in land.reactions.values()):
        return
    known = {kind: None for row in land.reactions.values() for kind in row.kinds}
    for name, row in land.kinds.items():
        for blow in row.blows:
            if blow.kind not in known:
                text = f"no reaction helps against {blow.kind!r}"
                yield Found("kind", name, "blows", text, False)
