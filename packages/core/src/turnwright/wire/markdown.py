"""Makes Markdown tables for reference pages, and describes JSON types in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec import inspect

from turnwright.wire.plain_json import camel

_JSON_TYPES: tuple[tuple[type, str], ...] = (
    (inspect.StrType, "string"),
    (inspect.IntType, "integer"),
    (inspect.FloatType, "number"),
    (inspect.BoolType, "boolean"),
    (inspect.BytesType, "base64 string"),
    (inspect.AnyType, "any"),
    (inspect.RawType, "any"),
)
_SNAKE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


@dataclass(frozen=True, slots=True)
class FieldRow:
    """The description of a structure's field, for a reference page.

    `limits` and `meaning` are empty if the type does not declare them.
    """

    name: str
    json_type: str
    required: bool
    limits: str
    meaning: str


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def paragraphs(structure: type) -> str:
    """Return the docstring of a structure, with each paragraph on one line.

    Names are written as in JSON (camelCase).
    """
    text = (structure.__doc__ or "").strip()
    joined = "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
    return _SNAKE.sub(lambda name: camel(name.group()), joined)


def field_rows(structure: type, name_of: Callable[[type], str], *, nulls: bool = False) -> Iterator[FieldRow]:
    """Yield the fields of a struct or dataclass.

    Args:
        name_of: returns the heading of another structure. The table links to this heading.
        nulls: whether the JSON type of an optional field names null.
    """
    info = inspect.type_info(structure)
    assert isinstance(info, (inspect.StructType, inspect.DataclassType))
    for field in info.fields:
        json_type, limits, meaning = _described(field.type, name_of)
        kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
        if nulls and isinstance(kind, inspect.UnionType) and kind.includes_none:
            json_type += " or null"
        yield FieldRow(field.encode_name, json_type, field.required, limits, meaning)


def _described(kind: inspect.Type, name_of: Callable[[type], str]) -> tuple[str, str, str]:
    """Return a type's name in JSON, its limits, and its description."""
    if isinstance(kind, inspect.Metadata):
        text, limits, inner = _described(kind.type, name_of)
        return text, limits, str((kind.extra_json_schema or {}).get("description", inner))
    if isinstance(kind, inspect.UnionType):
        members = [_described(t, name_of) for t in kind.types if not isinstance(t, inspect.NoneType)]
        return " or ".join(m[0] for m in members), members[0][1], members[0][2]
    return _json_type(kind, name_of), _limits(kind, name_of), ""


def _json_type(kind: Any, name_of: Callable[[type], str]) -> str:
    for known, name in _JSON_TYPES:
        if isinstance(kind, known):
            return name
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, inspect.EnumType):
        return " or ".join(f'"{one.value}"' for one in kind.cls)
    if isinstance(kind, (inspect.StructType, inspect.DataclassType)):
        heading = name_of(kind.cls)
        return f"[{heading}](#{heading.lower()})"
    if isinstance(kind, inspect.DictType):
        return f"object of {_described(kind.value_type, name_of)[0]}"
    if isinstance(kind, inspect.TupleType):
        return f"array of {len(kind.item_types)}"
    if isinstance(kind, inspect.NamedTupleType):
        return f"array of {len(kind.fields)}"
    if isinstance(kind.item_type, inspect.UnionType) and isinstance(
        kind.item_type.types[0], inspect.StructType
    ):
        return "array of [events](#events-in-ticks)"
    return f"array of {_described(kind.item_type, name_of)[0]}"


def _limits(kind: Any, name_of: Callable[[type], str]) -> str:
    unit = "items" if isinstance(kind, (inspect.VarTupleType, inspect.ListType)) else "characters"
    found = []
    low, high = getattr(kind, "min_length", None), getattr(kind, "max_length", None)
    if low or high:
        found.append(f"{low}…{high} {unit}" if low else f"at most {high} {unit}")
    low, high = getattr(kind, "ge", None), getattr(kind, "le", None)
    if low is not None or high is not None:
        found.append(f"{_number(low)}…{_number(high)}")
    if unit == "items" and (inner := _described(kind.item_type, name_of)[1]):
        found.append(f"each {inner}")
    return ", ".join(found)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}".replace("-", "−")
