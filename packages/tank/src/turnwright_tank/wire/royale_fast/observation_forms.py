"""Forms of the JSON of observations, computed from `observation`.

A form is a sequence of steps over a line of 64-bit words. The line has one place for each value that a form
may need. So fields, their order and their types are declared once, in `observation`. The compiled code in
backends/c/observations.h fills the line and executes the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import msgspec

from turnwright_tank import structs as view
from turnwright_tank.event_table import EVENTS
from turnwright_tank.rules.rows import EVENT, TANK, TANK_SHOWN

_EVENT = 3
"""The number of the first form of an event, minus 1. See `FORMS`."""

Naming = Callable[[str], str]
"""Returns the place of a field in a line. The argument is the field's path, e.g. bot_state.energy."""

_BULLET_NAMES = tuple(field.name for field in fields(view.BulletState))
LINE = (
    *("round_number", "turn_number", "is_droid", "enemy_count", "is_debugging_enabled"),
    *TANK.names[TANK.names.index("energy") : TANK_SHOWN],
    *(f"event.{name}" for name in EVENT.names[1:]),
    *(f"bullet.{name}" for name in _BULLET_NAMES),
    *(f"hit_bullet.{name}" for name in _BULLET_NAMES),
)
"""The words of a line. Seats are bot ids. Colours are 0xRRGGBB, and larger values mean "never set"."""

_NOTHING = 0
_COUNT = 1
_FLOAT = 2
_FLAG = 3
_COLOR = 4
_KINDS: dict[Any, int] = {int: _COUNT, float: _FLOAT, bool: _FLAG, str | None: _COLOR}


def place(name: str) -> int:
    """Return the place of a value in a line."""
    return LINE.index(name)


class _Maker:
    """Gathers the steps of all forms.

    Attributes:
        text: the bytes of all steps, one after the other.
        steps, forms: see STEPS and FORMS.
        pending: the text before the next value.
    """

    def __init__(self) -> None:
        self.text = b""
        self.steps: list[int] = []
        self.forms = [0]
        self.pending = ""

    def add(self, struct: Any, naming: Naming, path: str = "") -> None:
        """Add a structure. A list ends the form, and the next form begins behind the list's last item."""
        config = struct.__struct_config__
        self.pending += "{" if config.tag is None else f'{{"{config.tag_field}":"{config.tag}"'
        for k, field in enumerate(msgspec.structs.fields(struct)):
            key = f'"{field.encode_name}":' if k == 0 and config.tag is None else f',"{field.encode_name}":'
            if field.type in _KINDS:
                self._add_value(key, _KINDS[field.type], place(naming(path + field.name)))
            elif isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
                self.pending += key
                self.add(field.type, naming, f"{path}{field.name}.")
            else:
                self.pending += key + "["
                self.end()
                self.pending = "]"
        self.pending += "}"

    def _add_value(self, key: str, kind: int, word: int) -> None:
        if kind == _COLOR:
            self._flush()
        self.pending += key
        self._step(kind, word)

    def _step(self, kind: int, word: int) -> None:
        start = len(self.text)
        self.text += self.pending.encode()
        self.pending = ""
        self.steps += (kind, word, start, len(self.text))

    def _flush(self) -> None:
        if self.pending:
            self._step(_NOTHING, 0)

    def end(self, text: str = "") -> None:
        """End a form with a last text."""
        self.pending += text
        self._flush()
        self.forms.append(len(self.steps) // 4)


def _named_as_event(sources: Mapping[str, str]) -> Naming:
    def naming(path: str) -> str:
        return path if path == "turn_number" or "." in path else f"event.{sources[path].split()[-1]}"

    return naming


def _make() -> _Maker:
    maker = _Maker()
    maker.add(view.Observation, lambda path: path.rpartition(".")[2])
    maker.end()
    maker.add(view.BulletState, lambda path: f"bullet.{path}")
    maker.end(",")
    for event in EVENTS:
        assert len(maker.forms) - 1 == _EVENT + event.kind
        maker.add(getattr(view, event.name), _named_as_event(event.fields))
        maker.end(",")
    return maker


_made = _make()
_RUN = 16
TEXT = _made.text + bytes(_RUN)
STEPS = tuple(_made.steps)
"""Four numbers for each step: the kind of value, the word of the line, and start and end of the text before
it.
"""
FORMS = tuple(_made.forms)
"""The first step of each form, and the end of the last form. An observation has three forms: one up to its
first bullet, one from its last bullet to the first event, and one after the last event. The other forms are a
bullet with a comma, and an event of each kind (from 1) with a comma.
"""
