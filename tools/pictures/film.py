"""The picture of the README: a battle of built-in bots as a moving SVG.

The battle follows from its seed, so the same rules give the same bytes. When the rules change, `make docs`
renders the picture again, and a test fails until then.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turnwright import run_battle
from turnwright.catalog import load
from turnwright.kernel.replay import replay
from turnwright.net.files.reader import read_record

BOTS = ("Ace", "Dodger", "Crawler", "Tracker", "Rammer", "Spinner")
SEED = 1
TURNS_PER_SECOND = 60
TURNS_MAX = 900
STEP = 4
"""The number of turns from one drawn position to the next. The browser draws the positions in between."""
STILL_S = 2.0
"""How long the last turn is shown before the film begins again."""
WIDTH, HEIGHT, MARGIN = 800, 600, 4
COLORS = ("#56b4e9", "#e69f00", "#17b384", "#e58bc0", "#e8dc3c", "#8aa0ff")


def frames_of_battle() -> list[Any]:
    """Play the battle, and return its first TURNS_MAX frames. A frame is what spectators see in a turn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battle.twr"
        run_battle(*BOTS, rounds=1, seed=SEED, record=path, game="tank")
        record = read_record(path)
    game = load("tank")
    return [game.frame(battle.state) for _, _, battle in replay(record, game)][:TURNS_MAX]


def render() -> str:
    """Return the film as SVG."""
    frames = frames_of_battle()
    shown = [*range(0, len(frames), STEP)]
    if shown[-1] != len(frames) - 1:
        shown.append(len(frames) - 1)
    seconds = len(frames) / TURNS_PER_SECOND + STILL_S
    clock = Clock(seconds, len(frames))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN}'
        f' {HEIGHT + 2 * MARGIN}" font-family="system-ui, sans-serif" font-size="13" text-anchor="middle">',
        f"<title>A battle of {', '.join(BOTS)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#101725" stroke="#3a4a66" stroke-width="4"/>',
        *bullets(frames, clock),
        *(line for seat in range(len(BOTS)) for line in tank(seat, frames, shown, clock)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class Clock:
    """Converts turns to times, as parts of the film's length.

    Attributes:
        attributes: the SVG attributes of every animation of the film.
    """

    def __init__(self, seconds: float, turns: int) -> None:
        self.attributes = f'dur="{seconds:.2f}s" repeatCount="indefinite"'
        self._played = turns / TURNS_PER_SECOND / seconds / turns

    def at(self, turn: int) -> float:
        """Return when a turn is shown, from 0 to 1."""
        return round(turn * self._played, 4)

    def animate(self, kind: str, turns: Sequence[int], values: Sequence[str], extra: str = "") -> str:
        """Return an SVG animation with a value at each of the turns. The last value stays to the end."""
        times = [*(self.at(turn) for turn in turns), 1]
        if times[0] != 0:
            times, values = [0, *times], [values[0], *values]
        listed = ";".join([*values, values[-1]])
        at = ";".join(f"{time:g}" for time in times)
        return f'<{kind} values="{listed}" keyTimes="{at}" {self.attributes} {extra}/>'


def tank(seat: int, frames: Sequence[Any], shown: Sequence[int], clock: Clock) -> list[str]:
    """Return the SVG lines of a tank with its name and its energy. When it dies, it fades and explodes."""
    seen = [turn for turn in shown if seat_of(frames[turn], seat) is not None]
    states = [seat_of(frames[turn], seat) for turn in seen]
    places = [f"{s.x:.0f} {HEIGHT - s.y:.0f}" for s in states]
    bodies = unwound([s.direction for s in states])
    guns = unwound([s.gun_direction for s in states])
    energies = [f"{max(0.0, min(100.0, s.energy)) * 0.4:.0f}" for s in states]
    color, name = COLORS[seat], BOTS[seat]
    move = clock.animate("animateTransform", seen, places, 'attributeName="transform" type="translate"')
    turn = 'attributeName="transform" type="rotate"'
    left = clock.animate("animate", seen, energies, 'attributeName="width"')
    dead = seen[-1] < shown[-1]
    fade = 'attributeName="opacity" calcMode="discrete"'
    return [
        f"<g>{move}",
        clock.animate("animate", [0, seen[-1]], ["1", "0.2"], fade) if dead else "",
        f'<g><rect x="-18" y="-18" width="36" height="36" rx="6" fill="{color}"/>'
        f'<path d="M8-10 16 0 8 10" fill="none" stroke="#101725" stroke-width="2"/>'
        f"{clock.animate('animateTransform', seen, bodies, turn)}</g>",
        f'<g><circle r="9" fill="#fff4d6"/><rect y="-3" width="27" height="6" rx="2" fill="#fff4d6"/>'
        f"{clock.animate('animateTransform', seen, guns, turn)}</g>",
        f'<rect x="-20" y="-33" width="40" height="4" fill="{color}">{left}</rect>',
        f'<text y="-38" fill="#dfe7f5">{name}</text></g>',
        blast(states[-1], seen[-1], clock) if dead else "",
    ]


def blast(state: Any, turn: int, clock: Clock) -> str:
    """Return the SVG circle of the explosion of a tank that died in a turn."""
    radius = clock.animate("animate", [turn, turn + 24], ["0", "60"], 'attributeName="r"')
    faded = clock.animate("animate", [turn, turn + 24], ["1", "0"], 'attributeName="opacity"')
    return (
        f'<circle cx="{state.x:.0f}" cy="{HEIGHT - state.y:.0f}" r="0" fill="none" stroke="#ffb454"'
        f' stroke-width="6">{radius}{faded}</circle>'
    )


def bullets(frames: Sequence[Any], clock: Clock) -> list[str]:
    """Return an SVG circle for each bullet that is seen in two turns or more."""
    flights: dict[tuple[int, int], list[tuple[int, Any]]] = {}
    for turn, frame in enumerate(frames):
        for bullet in frame.bullet_states:
            flights.setdefault((bullet.owner_id, bullet.bullet_id), []).append((turn, bullet))
    return [flight(steps, clock) for steps in flights.values() if len(steps) > 1]


def flight(steps: Sequence[tuple[int, Any]], clock: Clock) -> str:
    """Return the SVG circle of a bullet, which flies straight from its first place to its last place."""
    (begin, first), (end, last) = steps[0], steps[-1]
    xs = clock.animate("animate", [begin, end], [f"{first.x:.0f}", f"{last.x:.0f}"], 'attributeName="cx"')
    ys = [f"{HEIGHT - first.y:.0f}", f"{HEIGHT - last.y:.0f}"]
    seen = clock.animate(
        "animate", [0, begin, end], ["0", "1", "0"], 'attributeName="opacity" calcMode="discrete"'
    )
    up = clock.animate("animate", [begin, end], ys, 'attributeName="cy"')
    return (
        f'<circle r="{1.5 + first.power:.1f}" opacity="0" fill="{COLORS[first.owner_id - 1]}">'
        f"{xs}{up}{seen}</circle>"
    )


def seat_of(frame: Any, seat: int) -> Any:
    """Return the tank of a seat in a frame, or None when it is dead."""
    return next((state for state in frame.bot_states if state.id == seat + 1), None)


def unwound(directions: Sequence[float]) -> list[str]:
    """Return directions as angles of SVG, so that each turn to the next angle takes the shorter way."""
    turned, last = [], 0.0
    for direction in directions:
        last += math.remainder(-direction - last, 360)
        turned.append(f"{last:.0f}")
    return turned
