"""Templates of the JSON of observations, worked out from `observation`.

A form is a run of steps over a line of 64-bit words; the line has one place for each value that any form may
ask for. So fields, their order and their types are declared once, in `observation`. What is compiled is
only `write_form`, with the steps as constants.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

import msgspec

from turnwright.games.tank import observation as view
from turnwright.games.tank.rules import events as kinds
from turnwright.games.tank.rules.rows import TANK, TANK_SHOWN
from turnwright.games.tank.wire.royale_fast.floats import FLOAT_BYTES_MAX, u64, write_count, write_float

__all__ = ["BETWEEN", "BULLET", "CLOSE", "EVENT", "FORM_BYTES_MAX", "LINE", "OPEN", "place", "write_form"]

OPEN = 0
"""An observation up to its first own bullet."""
BETWEEN = 1
"""From behind the last own bullet to the first event."""
CLOSE = 2
"""The bytes behind the last event."""
BULLET = 3
"""An own bullet and a comma."""
EVENT = 3
"""EVENT + kind: an event of that kind and a comma."""

Naming = Callable[[str], str]
"""The place in a line of a field, which is given by its path, e.g. bot_state.energy."""

_BULLET_NAMES = tuple(field.name for field in msgspec.structs.fields(view.BulletState))
LINE = (
    *("round_number", "turn_number", "is_droid", "enemy_count", "is_debugging_enabled"),
    *TANK.names[TANK.names.index("energy") : TANK_SHOWN],
    *(f"event.{name}" for name in ("first", "second", "flag", "energy", "x", "y", "direction", "value")),
    *(f"bullet.{name}" for name in _BULLET_NAMES),
    *(f"hit_bullet.{name}" for name in _BULLET_NAMES),
)
"""The words of a line. Seats are given as bot ids; colours as 0xRRGGBB, or more: never set."""

_EVENTS: tuple[tuple[int, type[msgspec.Struct], dict[str, str]], ...] = (
    (kinds.FIRED, view.BulletFiredEvent, {}),
    (kinds.HIT_WALL, view.BotHitWallEvent, {"victim_id": "first"}),
    (kinds.HIT_TANK, view.BotHitBotEvent, {"bot_id": "first", "victim_id": "second", "rammed": "flag"}),
    (
        kinds.SCANNED,
        view.ScannedBotEvent,
        {"scanned_by_bot_id": "first", "scanned_bot_id": "second", "speed": "value"},
    ),
    (kinds.BULLET_WALL, view.BulletHitWallEvent, {}),
    (kinds.BULLET_BULLET, view.BulletHitBulletEvent, {}),
    (kinds.BULLET_TANK, view.BulletHitBotEvent, {"victim_id": "second", "damage": "value"}),
    (kinds.DEATH, view.BotDeathEvent, {"victim_id": "first"}),
)
"""Of each kind of event its structure, and the columns of its row that have another name there."""

_NOTHING = 0
_COUNT = 1
_FLOAT = 2
_FLAG = 3
_COLOR = 4
_KINDS: dict[Any, int] = {int: _COUNT, float: _FLOAT, bool: _FLAG, str | None: _COLOR}
_WHITE = 0xFF_FF_FF


def place(name: str) -> int:
    """Return where in a line a value is."""
    return LINE.index(name)


class _Maker:
    """Gathers the steps of all forms.

    pending: the text that the next value comes behind.
    """

    def __init__(self) -> None:
        self.text = b""
        self.steps: list[int] = []
        self.forms = [0]
        self.pending = ""

    def add(self, struct: type[msgspec.Struct], naming: Naming, path: str = "") -> None:
        """Add a structure. A list ends the form; the next one begins behind its last item."""
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
        """End a form, with a last text."""
        self.pending += text
        self._flush()
        self.forms.append(len(self.steps) // 4)


def _named_as_event(others: dict[str, str]) -> Naming:
    def naming(path: str) -> str:
        return path if path == "turn_number" or "." in path else f"event.{others.get(path, path)}"

    return naming


def _make() -> _Maker:
    maker = _Maker()
    maker.add(view.Observation, lambda path: path.rpartition(".")[2])
    maker.end()
    maker.add(view.BulletState, lambda path: f"bullet.{path}")
    maker.end(",")
    for kind, struct, others in _EVENTS:
        assert len(maker.forms) - 1 == EVENT + kind
        maker.add(struct, _named_as_event(others))
        maker.end(",")
    return maker


_made = _make()
_RUN = 16
TEXT = _made.text + bytes(_RUN)
STEPS = tuple(_made.steps)
"""Four numbers a step: kind of value, word of the line, and the text before it: from, to."""
FORMS = tuple(_made.forms)
"""The first step of each form, and the end."""
FORM_BYTES_MAX = _RUN + len(TEXT) + FLOAT_BYTES_MAX * len(LINE)
"""No form, written out, is longer."""


def _write_color(out: MutableSequence[int], at: int, color: int) -> int:
    """Write a colour as "#RRGGBB"."""
    out[at] = out[at + 8] = 34
    out[at + 1] = 35
    for k in range(6):
        digit = (color >> u64(20 - 4 * k)) & u64(15)
        out[at + 2 + k] = digit + u64(48 if digit < u64(10) else 55)
    return at + 9


def _write_text(out: MutableSequence[int], at: int, start: int, end: int) -> int:
    """Write a piece of TEXT, in runs of 16 bytes: what is written behind its end is written over."""
    for k in range(0, end - start, _RUN):
        for b in range(k, k + _RUN):
            out[u64(at + b)] = TEXT[u64(start + b)]
    return at + end - start


def write_form(out: MutableSequence[int], at: int, form: int, line: Sequence[Any]) -> int:
    """Write a form and return where it ends. There must be room for FORM_BYTES_MAX."""
    for step in range(FORMS[form], FORMS[form + 1]):
        kind, value = STEPS[u64(4 * step)], line[u64(STEPS[u64(4 * step + 1)])]
        if kind == _COLOR and value > u64(_WHITE):
            continue
        at = _write_text(out, at, STEPS[u64(4 * step + 2)], STEPS[u64(4 * step + 3)])
        if kind == _FLOAT:
            at = write_float(out, at, value)
        elif kind == _COUNT:
            at = write_count(out, at, value)
        elif kind == _COLOR:
            at = _write_color(out, at, value)
        elif kind == _FLAG:
            at = _write_flag(out, at, value)
    return at


def _write_flag(out: MutableSequence[int], at: int, value: int) -> int:
    if value != u64(0):
        out[at], out[at + 1], out[at + 2], out[at + 3] = 116, 114, 117, 101
        return at + 4
    out[at], out[at + 1], out[at + 2], out[at + 3], out[at + 4] = 102, 97, 108, 115, 101
    return at + 5
