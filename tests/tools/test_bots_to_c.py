"""The built-in bots in C: each construct has its form. test_batch.py shows that they play alike."""

from __future__ import annotations

import ast

import pytest
from bots_to_c.program import Program
from bots_to_c.source import Module, class_of
from rules_source.types import Refused

SOURCE = """
MIDDLE = 3
POWERS = (2.0, 1.0)

class Wave:
    speed: float

    def __init__(self, speed: float) -> None:
        self.speed = speed

class New(Bot):
    way: float | None
    last: Wave | None
    waves: Annotated[list[Wave], MIDDLE]
    heights: Annotated[list[float], MIDDLE]
    energies: dict[int, float]

    def on_tick(self, observation: Observation) -> None:
        x, n = self.turn_rate, observation.turn_number
        {}

    def pick(self, of: int = MIDDLE) -> float:
        return 1.0
"""


def translated(line: str) -> str:
    """Return a bot in C that has a line of Python in its handler."""
    source = SOURCE.format(line.replace("\n", "\n        "))
    tree = ast.parse(source)
    items = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    numbers = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    bot = ("bots.bot", "Bot"), ("observation", "Observation")
    home = Module("new", source, {name: (package, name) for package, name in bot}, {**items, **numbers})
    program = Program()
    found = class_of(home, "New")
    assert found is not None
    program.register(found)
    program.method(tree, found, "on_tick")
    return program.bodies()


@pytest.mark.parametrize(
    ("python", "c"),
    [
        ("self.turn_rate = x % 360.0", "self->bot.turn_rate = modulo_of_float(x, 360.0);"),
        ("self.turn_rate = min(x, 1.0, 2.0)", "least_float(least_float(x, 1.0), 2.0)"),
        ("self.way = None", "self->way = NAN;"),
        ("if self.way is None:\n    return", "if (isnan(self->way)) {"),
        ("self.last = Wave(x)", "self->last_kept = *(Wave___init__(&(Wave){0}, x));"),
        ("if self.last is not None:\n    x = self.last.speed", "if (self->last != NULL) {"),
        ("self.waves.append(Wave(x))", "self->waves.row[self->waves.length++] = *(Wave___init__("),
        ("self.waves = [w for w in self.waves if w.speed > x]", "if (w->speed > x) self->waves.row["),
        ("del self.waves[0]", "self->waves.length -= 1;"),
        ("self.heights = [0.0] * MIDDLE", "self->heights.length = new_MIDDLE;"),
        ("self.heights = [0.0] * 4", "_Static_assert(4 <= ROOM_OF(self->heights)"),
        ("self.heights.append(x)", "if (self->heights.length < ROOM_OF(self->heights))"),
        ("h = self.heights\nh[n] += x", "self->heights.row[n] += x;"),
        ("x = self.energies.get(n, 1.0)", "found_or(self->energies.row[n], 1.0)"),
        ("for power in POWERS:\n    x += power", "double power = new_POWERS.row[power_at];"),
        ("self.fire(self.pick())", "fire_with(&self->bot, New_pick(self, new_MIDDLE));"),
        ('self.set_colors(turret="#123456")', "self->bot.colors[1] = 0x123456;"),
    ],
)  # fmt: skip
def test_each_construct_has_its_form(python: str, c: str) -> None:
    assert c in translated(python)


@pytest.mark.parametrize(
    "python",
    [
        "self.unknown = x",
        "x = unknown(x)",
        "self.heights = [h for h in self.energies]",
        "if n:\n    return",
        "x = self.way.speed",
        "x = self.random.random()",
        "with x:\n    pass",
    ],
)
def test_unknown_constructs_are_refused(python: str) -> None:
    with pytest.raises((Refused, ValueError)):
        translated(python)
