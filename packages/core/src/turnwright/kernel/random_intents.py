"""Random intents, drawn from the type that a game declares."""

from __future__ import annotations

from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from turnwright.kernel.rng import Stream
from turnwright.kernel.saved_state import field_names

_RANGE = 1_000_000
_ITEMS_MAX = 4


def intent_type(game: type) -> Any:
    """Return the intent type of a class derived from Game[State, Intent].

    Return None if the class does not name one.
    """
    for base in (base for kind in game.__mro__ for base in getattr(kind, "__orig_bases__", ())):
        if getattr(get_origin(base), "__name__", "") == "Game" and len(args := get_args(base)) == 2:
            return args[1]
    return None


def random_value(kind: Any, rng: Stream) -> Any:
    """Return a random value of a type.

    The type can be Literal, Enum, bool, None, a number, a tuple, a list, a union or a structure.

    `msgspec.Meta` (ge, le) can set the range of a number. By default it is from -1,000,000 to 1,000,000.

    Raises:
        TypeError: the type is not one of these.
    """
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return args[rng.below(len(args))]
    if origin in (Union, UnionType):
        return random_value(args[rng.below(len(args))], rng)
    if origin is Annotated:
        metas = [meta for meta in args[1:] if isinstance(meta, msgspec.Meta)]
        return _number(args[0], metas[0], rng) if metas else random_value(args[0], rng)
    if origin is tuple and Ellipsis not in args:
        return tuple([random_value(arg, rng) for arg in args])
    if origin in (list, tuple):
        return origin(random_value(args[0], rng) for _ in range(rng.below(_ITEMS_MAX)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)[rng.below(len(kind))]
    if kind is None or kind is type(None):
        return None
    if kind is bool:
        return bool(rng.below(2))
    if names := field_names(kind):
        hints = get_type_hints(kind, include_extras=True)
        return kind(**{name: random_value(hints[name], rng) for name in names})
    return _number(kind, msgspec.Meta(), rng)


def _number(kind: Any, meta: msgspec.Meta, rng: Stream) -> Any:
    if kind not in (int, float):
        said = getattr(kind, "__name__", str(kind)) if kind is not None else "an unknown type"
        raise TypeError(f"values of {said} cannot be drawn at random")
    least = -_RANGE if meta.ge is None else meta.ge
    most = _RANGE if meta.le is None else meta.le
    if kind is int:
        return int(least) + rng.below(int(most) - int(least) + 1)
    return least + (most - least) * rng.uniform()
