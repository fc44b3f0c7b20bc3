"""Checks cross references in content: names, exits, spawns."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from turnwright.games.world.kit.queues import merged
from turnwright.games.world.kit.schema import BlowRow, KindRow, Land, Quest, QueueRow, Spawn

__all__ = ["SPAWNED_MAX", "Found", "check_links"]

SPAWNED_MAX = 20_000
"""Creatures and items that are there from the beginning, all together."""
_BACK = {"north": "south", "east": "west", "up": "down", "in": "out"}
_BACK |= {back: way for way, back in _BACK.items()}


class Found(NamedTuple):
    """Something that does not fit.

    In which row, at which key; is_wrong: a mistake, else a warning.
    """

    table: str
    name: str
    key: str
    text: str
    is_wrong: bool = True


def check_links(
    land: Land, verbs: Container[str], minds: Container[str], spawns: Mapping[str, Spawn]
) -> Iterator[Found]:
    """Yield the mistakes of content: what does not fit together.

    spawns: those of the land, by the name that a report gives them.
    """
    yield from _settings(land)
    yield from _places(land, verbs)
    yield from _ways(land)
    for name, kind in land.kinds.items():
        yield from _kind(land, name, kind, minds)
    for name, item in land.items.items():
        if item.blow is not None and item.slot != "hand":
            yield Found("item", name, "blow", 'strikes but is not held: set slot = "hand"')
        if item.gives and not item.slot:
            yield Found("item", name, "gives", "gives attributes but cannot be worn: set a slot")
    for name, quest in land.quests.items():
        yield from _quest(land, name, quest)
    yield from _spawns(land, spawns)
    yield from _reactions(land)


def _settings(land: Land) -> Iterator[Found]:
    settings = land.settings
    for key, place in (("start", settings.start), ("home", settings.home)):
        if place not in land.places:
            yield Found(
                "settings", "settings", key, f"{key}: there is no place {place!r}{_near(place, land.places)}"
            )
    if settings.player not in land.kinds:
        yield Found("settings", "settings", "player", f"player: there is no kind {settings.player!r}")
    yield from _queue("settings", "settings", merged(settings.queue))
    for item in settings.items:
        if item not in land.items:
            yield Found(
                "settings", "settings", "items", f"items: there is no item {item!r}{_near(item, land.items)}"
            )


def _places(land: Land, verbs: Container[str]) -> Iterator[Found]:
    for name, place in land.places.items():
        for way, target in place.exits.items():
            if target not in land.places:
                hint = _near(target, land.places)
                yield Found("place", name, "exits", f"exit {way}: there is no place {target!r}{hint}")
            elif target == name:
                yield Found("place", name, "exits", f"exit {way} leads back into the same place")
        for way, door in place.doors.items():
            if way not in place.exits:
                yield Found("place", name, "doors", f"door {way}: there is no such exit")
            if door.key and door.key not in land.items:
                yield Found("place", name, "doors", f"door {way}: there is no item {door.key!r}")
        for verb, items in place.yields.items():
            if verb not in verbs:
                yield Found("place", name, "yields", f"yields: there is no verb {verb!r}")
            for item in items:
                if item not in land.items:
                    yield Found("place", name, "yields", f"yields: there is no item {item!r}")


def _ways(land: Land) -> Iterator[Found]:
    """Warn of ways that nobody can want: places out of reach, ways back that lead elsewhere, traps."""
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
            yield Found("place", name, "", "has no exits: whoever comes here stays", False)
        for way, target in place.exits.items():
            back = places[target].exits.get(_BACK[way]) if target in places else None
            if back is not None and back != name:
                text = f"exit {way} leads to {target!r}, but {_BACK[way]} from there leads to {back!r}"
                yield Found("place", name, "exits", text, False)


def _kind(land: Land, name: str, kind: KindRow, minds: Container[str]) -> Iterator[Found]:
    if kind.mind and kind.mind not in minds:
        yield Found("kind", name, "mind", f"mind: there is no minds/{kind.mind}.py")
    for key, items in (("sells", kind.sells), ("drops", kind.drops)):
        for item in items:
            if item not in land.items:
                yield Found("kind", name, key, f"{key}: there is no item {item!r}{_near(item, land.items)}")
    yield from _queue("kind", name, merged(kind.queue, merged(land.settings.queue)))
    if kind.money[0] > kind.money[1]:
        yield Found(
            "kind", name, "money", f"money is least and most; {list(kind.money)} is the wrong way round"
        )


def _queue(table: str, name: str, row: QueueRow) -> Iterator[Found]:
    """Yield what contradicts itself in a queue without gaps."""
    least, window, most = row.window_min_ms or 0, row.window_ms or 0, row.window_max_ms or 0
    if not least <= window <= most:
        text = f"queue: window_ms {window} is not within window_min_ms {least} and window_max_ms {most}"
        yield Found(table, name, "queue", text)
    places, most = row.capacity or 0, row.capacity_max or 0
    if places > most:
        yield Found(table, name, "queue", f"queue: capacity {places} is more than capacity_max {most}")


def _quest(land: Land, name: str, quest: Quest) -> Iterator[Found]:
    if sum(map(bool, (quest.bring, quest.slay, quest.visit))) != 1:
        yield Found("quest", name, "", "wants exactly one of bring, slay and visit")
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
        if value and value not in there:
            yield Found("quest", name, key, f"{key}: there is no {what} {value!r}{_near(value, there)}")
    seen, before = [name], quest.after
    while before in land.quests and before not in seen:
        seen.append(before)
        before = land.quests[before].after
    if before == name:
        yield Found(
            "quest", name, "after", f"after: it can never begin, {' → '.join([*seen, name])} is a circle"
        )


def _spawns(land: Land, spawns: Mapping[str, Spawn]) -> Iterator[Found]:
    total = 0
    for name, spawn in spawns.items():
        total += spawn.count
        if bool(spawn.kind) == bool(spawn.item):
            yield Found("spawn", name, "", "wants either a kind or an item")
        if spawn.place not in land.places:
            hint = _near(spawn.place, land.places)
            yield Found("spawn", name, "place", f"there is no place {spawn.place!r}{hint}")
        if spawn.kind and spawn.kind not in land.kinds:
            yield Found(
                "spawn", name, "kind", f"there is no kind {spawn.kind!r}{_near(spawn.kind, land.kinds)}"
            )
        if spawn.item and spawn.item not in land.items:
            yield Found(
                "spawn", name, "item", f"there is no item {spawn.item!r}{_near(spawn.item, land.items)}"
            )
        if total - spawn.count <= SPAWNED_MAX < total:
            yield Found("spawn", name, "count", f"there are more than {SPAWNED_MAX} creatures and items now")


def _reactions(land: Land) -> Iterator[Found]:
    """Warn of blows that nothing helps against."""
    if not land.reactions or any(not row.kinds for row in land.reactions.values()):
        return
    known = {kind: None for row in land.reactions.values() for kind in row.kinds}
    for name, row in land.kinds.items():
        for blow in row.blows:
            if blow.kind not in known:
                yield _helpless("kind", name, "blows", blow)


def _helpless(table: str, name: str, key: str, blow: BlowRow) -> Found:
    return Found(table, name, key, f"no reaction helps against {blow.kind!r}", False)


def _near(name: str, there: Container[str]) -> str:
    """Return a hint at an id that looks alike."""
    if not isinstance(there, Mapping):
        return ""
    close = [other for other in there if _alike(name, other)]
    return f"; did you mean {close[0]!r}?" if close else ""


def _alike(name: str, other: str) -> bool:
    """Return whether two ids begin alike, or differ in at most two letters of the same length."""
    if len(name) == len(other):
        return sum(a != b for a, b in zip(name, other, strict=True)) <= 2
    return abs(len(name) - len(other)) <= 2 and name[:4] == other[:4]
