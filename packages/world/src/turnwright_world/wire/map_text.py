"""A map drawn with characters for terminals, and as a message for programs.

    [1 ]--[@ ]->[2 ]--?        numbers refer to a list below; @: the body; ?: not seen yet
            |                  > < ^ v: the way leads only in this direction

Only ways between neighbouring cells are drawn. The list names all other ways.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from turnwright_world.rules.seen_map import OPPOSITE, STEPS, MapLink, SeenMap
from turnwright_world.wire.server_messages import MapMessage

ROWS_MAX = 11
"""The largest number of rows of places in a drawing."""
COLUMNS_MAX = 13
"""The largest number of columns of places in a drawing. A narrow terminal gets fewer."""
_ONE_WAY = "> < ^ v in the picture: no way straight back."
_PITCH = 6
"""The distance in characters from one place to the next."""


def map_message(seen: SeenMap) -> MapMessage:
    """Return a map as a message."""
    return MapMessage(seen.places, seen.links, seen.stubs, seen.more)


def map_words(seen: SeenMap) -> str:
    """Return a map as one line for each place."""
    ways = _ways_of(seen, seen.links)
    return "\n".join(
        f"{place.name}{' (you are here)' if k == seen.here else ''}: {', '.join(ways[k]) or 'no way out'}."
        for k, place in enumerate(seen.places)
    )


def map_drawn(seen: SeenMap, width: int) -> str:
    """Return a picture of a map around the body, at most `width` characters wide, and a list of its places.

    If the body is in no place of the map, return `map_words`.
    """
    if seen.here < 0:
        return map_words(seen)
    columns = max(1, min(COLUMNS_MAX, (width - 2) // _PITCH))
    left, top = _corner(seen, columns)
    inside = [
        k
        for k, place in enumerate(seen.places)
        if left <= place.x < left + columns and top <= place.y < top + ROWS_MAX
    ]
    numbers = {k: str(nth) for nth, k in enumerate((k for k in inside if k != seen.here), 1)}
    numbers[seen.here] = "@"
    drawn = [link for link in seen.links if _is_drawn(seen, link)]
    canvas: dict[tuple[int, int], str] = {}
    inside_links = [link for link in drawn if link.start in numbers and link.end in numbers]
    for link in inside_links:
        _draw_link(canvas, seen, link, left, top)
    for k, way in seen.stubs:
        if k in numbers and way in STEPS:
            _draw_stub(canvas, *_at(seen, k, left, top), *STEPS[way])
    for k, number in numbers.items():
        x, y = _at(seen, k, left, top)
        canvas |= {(x + nth, y): letter for nth, letter in enumerate(f"[{number:<2}]")}
    words = _ways_of(seen, seen.links, without=drawn, straight_stubs=False)
    names = [
        _legend(seen, k, numbers[k], words[k]) for k in (seen.here, *(k for k in inside if k != seen.here))
    ]
    left_out = len(seen.places) - len(inside) + seen.more
    more = [f"{left_out} more that you have seen are beyond this picture."] if left_out else []
    note = [] if all(_is_both_ways(link) for link in inside_links) else [_ONE_WAY]
    return "\n".join([*_rows(canvas), *names, *note, *more])


def _legend(seen: SeenMap, k: int, number: str, ways: list[str]) -> str:
    return f"{number:>3} {seen.places[k].name}{': ' if ways else ''}{', '.join(ways)}"


def _corner(seen: SeenMap, columns: int) -> tuple[int, int]:
    """Return the cell at the upper left corner of the picture.

    The picture shows the whole map if it fits, otherwise the part around the body.
    """
    here = seen.places[seen.here]

    def first(values: list[int], middle: int, room: int) -> int:
        least, most = min(values), max(values)
        return min(max(middle - room // 2, least), max(least, most - room + 1))

    xs, ys = [place.x for place in seen.places], [place.y for place in seen.places]
    return first(xs, here.x, columns), first(ys, here.y, ROWS_MAX)


def _at(seen: SeenMap, k: int, left: int, top: int) -> tuple[int, int]:
    place = seen.places[k]
    return 2 + (place.x - left) * _PITCH, 1 + (place.y - top) * 2


def _is_drawn(seen: SeenMap, link: MapLink) -> bool:
    """Return whether a way leads to the neighbouring cell in the direction of its name."""
    start, end = seen.places[link.start], seen.places[link.end]
    return STEPS.get(link.way) == (end.x - start.x, end.y - start.y)


def _is_both_ways(link: MapLink) -> bool:
    """Return whether a way is drawn without an arrow, because the opposite way leads back."""
    return link.back == OPPOSITE.get(link.way)


def _draw_link(canvas: dict[tuple[int, int], str], seen: SeenMap, link: MapLink, left: int, top: int) -> None:
    x, y = _at(seen, link.start, left, top)
    dx, dy = STEPS[link.way]
    both = _is_both_ways(link)
    if dx:
        side = x + 4 if dx > 0 else x - 2
        left_end, right_end = "-" if both or dx > 0 else "<", "-" if both or dx < 0 else ">"
        canvas |= {(side, y): left_end, (side + 1, y): right_end}
    else:
        canvas[x + 1, y + dy] = "|" if both else "v" if dy > 0 else "^"


def _draw_stub(canvas: dict[tuple[int, int], str], x: int, y: int, dx: int, dy: int) -> None:
    where = (x + 4 if dx > 0 else x - 1, y) if dx else (x + 1, y + dy)
    canvas.setdefault(where, "?")


def _ways_of(
    seen: SeenMap, links: Sequence[MapLink], *, without: Container[MapLink] = (), straight_stubs: bool = True
) -> list[list[str]]:
    """Return the ways of each place in words.

    Args:
        without: ways to leave out, because they are drawn.
        straight_stubs: whether to include ways to unseen places in the directions of STEPS.
    """
    found: list[list[str]] = [[] for _ in seen.places]
    returns = {(link.end, link.start) for link in seen.links}
    returns |= {(link.start, link.end) for link in seen.links if link.back}
    for link in links:
        if link not in without:
            only = "" if (link.start, link.end) in returns else " (no way back)"
            found[link.start].append(f"{link.way} {seen.places[link.end].name}{only}")
        if link.back and not (link in without and _is_both_ways(link)):
            found[link.end].append(f"{link.back} {seen.places[link.start].name}")
    for k, way in seen.stubs:
        if straight_stubs or way not in STEPS:
            found[k].append(f"{way} (not seen yet)")
    return found


def _rows(canvas: dict[tuple[int, int], str]) -> Iterator[str]:
    """Yield the lines of a picture, without empty lines at its edges."""
    used = [y for _, y in canvas]
    for y in range(min(used), max(used) + 1):
        row = {x: letter for (x, at), letter in canvas.items() if at == y}
        yield "".join(row.get(x, " ") for x in range(max(row, default=-1) + 1))
