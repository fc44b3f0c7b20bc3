"""Finds mistakes in a row of content.

A mistake names the key, the value, the expected values, and a similar name if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import inspect

_SHOWN_CHARS = 40
_CHOICES = re.compile(r"^\^\(([\w|]+)\)\$$")
_ID_PATTERN = "^[a-z]"
_ID = "an id: lower case letters, digits and _, 40 at most"


class RowMistake(NamedTuple):
    """A mistake in a row.

    Attributes:
        key: the path of the wrong value, e.g. "exits.north" or "blows[0].damage". "" means the whole row.
        place: the path whose line in the file is reported.
    """

    key: str
    text: str
    place: str


def row_mistakes(data: Any, wanted: Any, ids: Collection[str] = (), key: str = "") -> Iterator[RowMistake]:
    """Yield a mistake for each innermost value that does not have the type `wanted`.

    Args:
        wanted: a type that msgspec can convert to.
        ids: the ids of the content, for suggestions.
        key: the path of `data`.
    """
    try:
        msgspec.convert(data, wanted)
    except msgspec.ValidationError as error:
        inner = list(_inner_mistakes(data, _bare(wanted), ids, key))
        yield from inner or [RowMistake(key, _leaf_text(data, wanted, ids, error), key)]


def near_name(name: str, known: Collection[str]) -> str | None:
    """Return the most similar name, if possible one with the same letters, or None if none is similar."""
    near = get_close_matches(name, sorted(known))
    return min(near, key=lambda other: sorted(other) != sorted(name), default=None)


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return "; did you mean …?" with the most similar name, or "" if no name is similar."""
    near = near_name(name, known)
    return f"; did you mean {near!r}?" if near is not None else ""


def _bare(wanted: Any) -> Any:
    """Return a type without its limits and without None."""
    while get_origin(wanted) is Annotated:
        wanted = get_args(wanted)[0]
    if get_origin(wanted) in (Union, UnionType):
        kinds = [one for one in get_args(wanted) if one is not type(None)]
        return _bare(kinds[0]) if len(kinds) == 1 else wanted
    return wanted


def _inner_mistakes(data: Any, bare: Any, ids: Collection[str], key: str) -> Iterator[RowMistake]:
    """Yield the mistakes inside a table or list, if a table or list is expected."""
    origin, kinds = get_origin(bare), get_args(bare)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct) and isinstance(data, dict):
        yield from _field_mistakes(data, bare, ids, key)
    elif origin is dict and isinstance(data, dict):
        for name, value in data.items():
            yield from row_mistakes(name, kinds[0], ids, _below(key, name))
            yield from row_mistakes(value, kinds[1], ids, _below(key, name))
    elif origin is tuple and isinstance(data, list):
        every = kinds[0] if kinds[1:] == (...,) else None
        for number, value in enumerate(data):
            if every is not None or number < len(kinds):
                yield from row_mistakes(value, every or kinds[number], ids, f"{key}[{number}]")


def _field_mistakes(
    data: dict[str, Any], row_type: type[msgspec.Struct], ids: Collection[str], key: str
) -> Iterator[RowMistake]:
    """Yield unknown fields, missing fields, and mistakes inside the other fields.

    A missing field is not reported if an unknown field is probably a misspelling of it.
    """
    known = {one.name: one for one in msgspec.structs.fields(row_type)}
    meant: set[str | None] = set()
    for name in data:
        if name not in known:
            near = near_name(name, known.keys() - data.keys())
            meant.add(near)
            hint = f" (did you mean {near!r}?)" if near is not None else f"; there are {', '.join(known)}"
            yield RowMistake(key, f"unknown field {_shown(name)}{hint}", _below(key, name))
    for name, field in known.items():
        if name in data:
            yield from row_mistakes(data[name], field.type, ids, _below(key, name))
        elif field.required and name not in meant:
            text = f"the field {name!r} is missing; expected {_expected(field.type)}"
            yield RowMistake(key, text, key)


def _below(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _leaf_text(data: Any, wanted: Any, ids: Collection[str], error: msgspec.ValidationError) -> str:
    expected = _expected(wanted) or str(error)
    return f"found {_shown(data)}, expected {expected}{_near(data, wanted, ids)}"


def _near(data: Any, wanted: Any, ids: Collection[str]) -> str:
    """Return a hint with the choice or id that is similar to a text, or ""."""
    if not isinstance(data, str):
        return ""
    info = inspect.type_info(wanted)
    if choices := _choices(info):
        return did_you_mean(data.lower(), choices)
    if _is_id(info):
        return did_you_mean(re.sub(r"[^a-z0-9]+", "_", data.lower()), ids)
    return ""


def _shown(data: Any) -> str:
    """Return a value in the notation of TOML, on one line."""
    if isinstance(data, bool):
        return str(data).lower()
    if isinstance(data, str):
        return repr(data) if len(data) <= _SHOWN_CHARS else f"a text of {len(data):,} characters"
    if isinstance(data, dict):
        return "a table" if data else "an empty table"
    if isinstance(data, list):
        return f"a list of {len(data)}"
    return str(data) if isinstance(data, int | float) else f"a {type(data).__name__}"


# ---- what is expected --------------------------------------------------------------------------------------


def _expected(wanted: Any) -> str:
    """Return a description of the values of a type, or "" if there is no description."""
    info = inspect.type_info(wanted)
    if isinstance(info, inspect.UnionType):
        kinds = [one for one in info.types if not isinstance(one, inspect.NoneType)]
        return " or ".join(filter(None, map(_described, kinds)))
    return _described(info)


def _described(info: inspect.Type) -> str:
    if choices := _choices(info):
        return "one of " + ", ".join(one or '""' for one in choices)
    if _is_id(info):
        return _ID
    if isinstance(info, inspect.StrType):
        return "a text" + _range(info.min_length, info.max_length, " of {} characters")
    if isinstance(info, inspect.IntType):
        return "a whole number" + _range(info.ge, info.le, ", {}")
    if isinstance(info, inspect.FloatType):
        return "a number" + _range(info.ge, info.le, ", {}")
    if isinstance(info, inspect.StructType):
        return f"a table of {', '.join(one.name for one in info.fields)}"
    if isinstance(info, inspect.DictType):
        return "a table" + _range(info.min_length, info.max_length, " of {}")
    if isinstance(info, inspect.VarTupleType):
        return "a list" + _range(info.min_length, info.max_length, " of {}")
    if isinstance(info, inspect.TupleType):
        return f"a list of {len(info.item_types)}"
    return "true or false" if isinstance(info, inspect.BoolType) else ""


def _choices(info: inspect.Type) -> list[str]:
    """Return the allowed texts of a type, or an empty list if the type does not list them."""
    if isinstance(info, inspect.LiteralType):
        return [str(value) for value in info.values]
    found = _CHOICES.match(info.pattern or "") if isinstance(info, inspect.StrType) else None
    return found[1].split("|") if found is not None else []


def _is_id(info: inspect.Type) -> bool:
    return isinstance(info, inspect.StrType) and (info.pattern or "").startswith(_ID_PATTERN)


def _range(least: float | None, most: float | None, form: str) -> str:
    if least is None and most is None:
        return ""
    if most is None:
        return form.format(f"{least:,} at least")
    return form.format(f"{most:,} at most" if least is None else f"{least:,} to {most:,}")
