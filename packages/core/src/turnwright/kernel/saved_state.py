"""Makes the canonical bytes of a state, and saves and restores a state.

States are dataclasses or msgspec structures.

A field contains a number, a text, None, or a list, tuple or structure of such values. Sets and dictionaries
are allowed, too. They are written in the order of their keys, so the rules must not depend on any other order
of a dictionary.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from ntpath import basename
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from turnwright.errors import GameError

BY_SEAT = "one value a seat"
"""Marks a field of type `PerSeat`."""
SEATS = "seats"
"""The name of the table with the `PerSeat` fields."""
_INT_MAX = 2**63
_LEVELS_MAX = 20
"""The number of levels to which a state is searched for a field with a mistake."""


@dataclasses.dataclass(frozen=True)
class _StateLayout:
    """The fields of a type of state.

    Attributes:
        fixed: fields that never change (Final).
        single: fields with one value.
        by_seat: fields with one value for each seat.
        rows: for each field with one structure for each seat, the names of the structure's fields.
    """

    fixed: tuple[str, ...]
    single: tuple[str, ...]
    by_seat: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]


def field_names(kind: Any) -> tuple[str, ...]:
    """Return the fields of a dataclass or a msgspec structure. For any other type, return ().

    Fields of a dataclass whose names begin with _ are left out.
    """
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return tuple(f.name for f in dataclasses.fields(kind) if not f.name.startswith("_"))
    return ()


@cache
def _layout_of(kind: type) -> _StateLayout:
    names = field_names(kind)
    if not names:
        raise TypeError(f"a state is a dataclass or a msgspec structure with fields, not {kind.__name__}")
    hints = get_type_hints(kind, include_extras=True)
    fixed = tuple(name for name in names if hints[name] is Final or get_origin(hints[name]) is Final)
    by_seat = tuple(name for name in names if BY_SEAT in getattr(hints[name], "__metadata__", ()))
    rows = {name: field_names(get_args(get_args(hints[name])[0])[0]) for name in by_seat}
    single = tuple(name for name in names if name not in fixed and name not in by_seat)
    return _StateLayout(fixed, single, by_seat, {name: columns for name, columns in rows.items() if columns})


# ---- the canonical state --------------------------------------------------------------------------------


def packed_tables(state: Any) -> Iterator[tuple[str, tuple[str, ...], bytes]]:
    """Yield name, columns and rows of the tables of a state.

    See `StateTable` and `Game.tables`.

    Whole numbers of 64 bits and truth values take 8 bytes. Floats are written in IEEE 754 form. Other values
    are replaced by a hash.

    Raises:
        GameError: a field has a value that is not allowed in a state. The message names the field.
        TypeError: the state is not a dataclass or a msgspec structure.
        ValueError: the `PerSeat` fields have different lengths.
    """
    try:
        yield from _packed_tables(state)
    except TypeError as error:
        raise _unsaved(state, error) from error


def _packed_tables(state: Any) -> Iterator[tuple[str, tuple[str, ...], bytes]]:
    kind: Any = type(state)
    layout = _layout_of(kind)
    if layout.single:
        yield "state", layout.single, b"".join([_word(getattr(state, name)) for name in layout.single])
    if not layout.by_seat:
        return
    columns: list[str] = []
    values: list[Sequence[Any]] = []
    for name in layout.by_seat:
        items = getattr(state, name)
        inner = layout.rows.get(name)
        columns += [name] if inner is None else [f"{name}.{field}" for field in inner]
        values += [items] if inner is None else [[getattr(item, field) for item in items] for field in inner]
    if len({len(column) for column in values}) > 1:
        lengths = ", ".join(f"{name}: {len(column)}" for name, column in zip(columns, values, strict=True))
        raise ValueError(f"fields of type PerSeat have one value for each seat, not {lengths}")
    yield SEATS, tuple(columns), b"".join([_word(v) for row in zip(*values, strict=True) for v in row])


def _word(value: Any) -> bytes:
    """Return a value as 8 bytes (see `packed_tables`)."""
    kind = type(value)
    if (kind is int and -_INT_MAX <= value < _INT_MAX) or kind is bool:
        return struct.pack("<q", value)
    if kind is float:
        return struct.pack("<d", value)
    return hashlib.blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=8).digest()


def _unsaved(state: Any, error: TypeError) -> Exception:
    """Return an error that names the field which cannot be saved, or `error` for a type without fields."""
    kind = type(state)
    if not field_names(kind):
        return error
    where = kind.__qualname__
    path, value = _found("state", state, _LEVELS_MAX) or ("state", state)
    bad = type(value)
    name = bad.__qualname__ if bad.__module__ == "builtins" else f"{bad.__module__}.{bad.__qualname__}"
    with suppress(TypeError, OSError):  # a class without a file
        where = f"{kind.__qualname__}, {basename(inspect.getfile(kind))}"
    return GameError(
        f"{path} is a {name}; a state holds numbers, texts, None, and lists, tuples and structures of them"
        f" (class {where})"
    )


def _found(path: str, value: Any, levels: int) -> tuple[str, Any] | None:
    """Return the first part of `value` that cannot be written as JSON, with its path, or None."""
    try:
        msgspec.json.encode(value)
    except TypeError:
        parts = _parts(path, value) if levels else ()
        inner = (_found(where, part, levels - 1) for where, part in parts)
        return next((one for one in inner if one is not None), (path, value))
    return None


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list | tuple):
        yield from ((f"{path}[{k}]", item) for k, item in enumerate(value))
    elif isinstance(value, dict):
        yield from ((f"{path}[{key!r:.40}]", item) for key, item in value.items())
    else:
        yield from ((f"{path}.{name}", getattr(value, name)) for name in field_names(type(value)))


# ---- saving ---------------------------------------------------------------------------------------------


def save_state(state: Any) -> bytes:
    """Return a state as JSON on one line. `Game.save` calls this function.

    Raises:
        GameError: as for `packed_tables`.
    """
    try:
        return msgspec.json.encode(state, order="deterministic")
    except TypeError as error:
        raise _unsaved(state, error) from error


def restore_state(state: Any, data: bytes) -> None:
    """Put `data`, a result of `save_state`, into a new state. `Game.restore` calls this function.

    Every value must have the type of its field. A list of type PerSeat must have the same length as in
    `state`, and a field of type Final must have the same value as in `state`.

    Raises:
        ValueError: the data breaks one of these rules.
    """
    kind: Any = type(state)
    layout = _layout_of(kind)
    saved = msgspec.json.decode(data, type=kind)
    if msgspec.json.decode(save_state(saved)) != msgspec.json.decode(data):
        raise ValueError(f"its fields are not {', '.join(field_names(kind))}")
    for name in layout.fixed:
        if getattr(saved, name) != getattr(state, name):
            raise ValueError(f"its {name} is not {getattr(state, name)!r:.40}, as the battle was set up")
    for name in layout.by_seat:
        if len(getattr(saved, name)) != len(getattr(state, name)):
            raise ValueError(f"its {name} has not one value for each seat")
    for name in (*layout.single, *layout.by_seat):
        setattr(state, name, getattr(saved, name))
