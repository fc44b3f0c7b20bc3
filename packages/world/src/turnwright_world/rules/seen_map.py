"""The places that a body has seen, laid out as a map.

    seen_map(world, body)    places with integer coordinates, the ways between them, and ways not yet taken

Coordinates follow from the directions of the exits alone: x grows to the east, y to the south, and the same
places always get the same coordinates. Directions may contradict each other (two ways north to one place, a
circle of three steps). Each place still gets its own cell, and ways may cross. Nothing of a place that the
body has not seen is in the map, neither its id nor its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World

SEEN_MAX = 500
"""The most places that a body remembers. If there are more, the oldest places are forgotten."""
PLACES_MAX = 120
"""The most places on a map. The nearest to the body are shown, so that the message is within its limit."""
STEPS: Mapping[str, tuple[int, int]] = {
    "north": (0, -1),
    "east": (1, 0),
    "south": (0, 1),
    "west": (-1, 0),
}
"""The step (x, y) of each direction that a map can show."""
OPPOSITE: Mapping[str, str] = {
    **{"north": "south", "south": "north", "east": "west", "west": "east"},
    **{"up": "down", "down": "up", "in": "out", "out": "in"},
}
"""The direction that leads back."""
_SIDEWAYS: Mapping[str, tuple[int, int]] = {"in": (1, 1), "out": (-1, -1), "up": (1, -1), "down": (-1, 1)}
"""The steps for directions that a map cannot show, tried in this order."""
_DIAGONALS = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_STRETCH_MAX = 3
_Cell = tuple[int, int]
_Ways = Mapping[str, Mapping[str, str]]


class MapPlace(NamedTuple):
    """A place that was seen, and its cell."""

    id: str
    name: str
    area: str
    x: int
    y: int


class MapLink(NamedTuple):
    """A way between two places of a map. Each place is given by its position in the map's list of places.

    Attributes:
        back: the direction of the way back, or "" if there is none.
    """

    start: int
    end: int
    way: str
    back: str


class SeenMap(NamedTuple):
    """The map of the places that a body has seen.

    Attributes:
        stubs: ways to unseen places, by the position of the place where they begin.
        here: the position of the body's place, or -1 if the body is in no place.
        more: the number of seen places that are left out.
    """

    places: tuple[MapPlace, ...]
    links: tuple[MapLink, ...]
    stubs: tuple[tuple[int, str], ...]
    here: int
    more: int


def note_seen(body: Creature, *places: str) -> None:
    """Let a body remember places. The caller must have touched the body."""
    body.data["seen"] = list(dict.fromkeys([*body.data.get("seen", []), *places]))[-SEEN_MAX:]


def seen_places(world: World, body: Creature) -> list[str]:
    """Return the existing places that a body has seen, first visits first."""
    known = dict.fromkeys([*body.data.get("seen", []), body.place])
    return [name for name in known if name in world.places]


def seen_map(world: World, body: Creature, places_max: int = PLACES_MAX) -> SeenMap:
    """Return the map of the places that a body has seen, with at most the nearest `places_max`."""
    known = seen_places(world, body)
    inside = set(known)
    ways = {
        name: {way: there for way, there in world.places[name].exits.items() if there in inside}
        for name in known
    }
    near = set(list(_by_distance(ways, body.place))[:places_max])
    shown = [name for name in known if name in near]
    cells = layout({name: {w: t for w, t in ways[name].items() if t in near} for name in shown})
    index = {name: k for k, name in enumerate(shown)}
    places = [world.places[name] for name in shown]
    return SeenMap(
        tuple(MapPlace(place.id, place.name, place.area, *cells[place.id]) for place in places),
        tuple(_links({name: ways[name] for name in shown}, index)),
        tuple(
            (index[place.id], way)
            for place in places
            for way, there in place.exits.items()
            if there not in inside
        ),
        index.get(body.place, -1),
        len(known) - len(shown),
    )


def _links(ways: _Ways, index: Mapping[str, int]) -> Iterator[MapLink]:
    """Yield the ways between places, each with its way back."""
    done: set[tuple[str, str]] = set()
    for start, exits in ways.items():
        for way, end in exits.items():
            if end not in index or (start, way) in done:
                continue
            backs = [w for w, t in ways[end].items() if t == start and (end, w) not in done]
            opposite = OPPOSITE.get(way, "")
            back = opposite if opposite in backs else next(iter(backs), "")
            done |= {(start, way), (end, back)}
            yield MapLink(index[start], index[end], way, back)


def _by_distance(ways: _Ways, start: str) -> Iterator[str]:
    """Yield places in order of their distance in steps, then places to which no known way leads."""
    both: dict[str, dict[str, None]] = {name: {} for name in ways}
    for name, exits in ways.items():
        for there in exits.values():
            both[name][there] = both[there][name] = None
    reached = dict.fromkeys([start] if start in ways else [])
    waiting = list(reached)
    for name in waiting:
        for there in both[name]:
            if there not in reached:
                reached[there] = None
                waiting.append(there)
    yield from waiting
    yield from (name for name in ways if name not in reached)


def layout(ways: _Ways) -> dict[str, _Cell]:
    """Return a cell for each place.

    The first place of each connected part is its origin. Parts are put next to each other.

    Args:
        ways: the places behind the exits of each place. Each of these places is also a key of `ways`.
    """
    neighbours = _neighbours(ways)
    cells: dict[str, _Cell] = {}
    for first in ways:
        if first in cells:
            continue
        part = _part(first, neighbours)
        left = max((x for x, _ in cells.values()), default=-2) + 2 - min(x for x, _ in part.values())
        shift = left if cells else 0
        cells |= {name: (x + shift, y) for name, (x, y) in part.items()}
    return cells


def _neighbours(ways: _Ways) -> dict[str, list[tuple[str, _Cell, bool]]]:
    """Return for each place its neighbours, the step to each, and whether a map shows the step exactly."""
    found: dict[str, list[tuple[str, _Cell, bool]]] = {name: [] for name in ways}
    for name, exits in ways.items():
        for way, there in exits.items():
            dx, dy = STEPS.get(way) or _SIDEWAYS.get(way, (1, 1))
            found[name].append((there, (dx, dy), way in STEPS))
            found[there].append((name, (-dx, -dy), way in STEPS))
    return found


def _part(first: str, neighbours: Mapping[str, Sequence[tuple[str, _Cell, bool]]]) -> dict[str, _Cell]:
    """Return cells for all places connected with a place. Steps in exact directions are placed first."""
    cells: dict[str, _Cell] = {}
    taken: set[_Cell] = set()
    queue: list[tuple[int, int, int, str, _Cell, _Cell, bool]] = [(0, 0, 0, first, (0, 0), (0, 0), True)]
    count = 0
    while queue:
        aside, steps, _, name, origin, step, straight = heappop(queue)
        if name in cells:
            continue
        cell = cells[name] = _free(origin, step, straight, taken)
        taken.add(cell)
        for there, onward, is_straight in neighbours[name]:
            if there not in cells:
                count += 1
                entry = (aside + (not is_straight), steps + 1, count, there, cell, onward, is_straight)
                heappush(queue, entry)
    return cells


def _free(origin: _Cell, step: _Cell, straight: bool, taken: set[_Cell]) -> _Cell:
    """Return a free cell for the place one step from an origin: the exact cell, or a cell near it."""
    (x, y), (dx, dy) = origin, step
    tries = [(x + dx, y + dy)]
    if straight:
        tries += [(x + dx * far, y + dy * far) for far in range(2, _STRETCH_MAX + 1)]
    else:
        tries += [(x + right, y + down) for right, down in _DIAGONALS]
    found = next((cell for cell in tries if cell not in taken), None)
    return found or next(cell for cell in _around(tries[0]) if cell not in taken)


def _around(middle: _Cell) -> Iterator[_Cell]:
    """Yield the cells around a cell without end, the nearest first."""
    far = 0
    while True:
        far += 1
        ring = range(-far, far + 1)
        yield from (
            (middle[0] + dx, middle[1] + dy) for dy in ring for dx in ring if max(abs(dx), abs(dy)) == far
        )
