"""Declarations of settings as dataclass fields, with their form on a command line.

The name of a field is the setting's name in Python. The default of a field applies in Python and on command
lines. `option` and `argument` add the data that a command line needs. `cli.parser` reads the fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from turnwright.errors import SetupError

OFFICIAL = "as on the official server"
"""The heading for options that the official server has, too, with the same names."""

_TYPES: dict[Any, tuple[type | tuple[type, ...], str]] = {
    int: (int, "a whole number"),
    float: ((int, float), "a number"),
    bool: (bool, "True or False"),
    str: (str, "a string"),
    Path: (Path, "a pathlib.Path"),
}
"""The values that a field of each type may have, and the type's name in an error."""


@dataclass(frozen=True)
class DeclaredOption:
    """The command-line form of a setting.

    The type of the field determines how a value is read.

    Attributes:
        help: one or two lines. "{default}" is replaced by the default.
        names: the names of the option, e.g. "--tps", "-t". If empty, the field's name is used.
        metavar: the placeholder of the value in the help.
        read: a function that makes the value from its text. It replaces the reader for the field's type. For
            a wrong text it raises a ValueError with the reason.
        many: whether the option may be repeated. The field then contains all values.
        positional: whether the setting is an argument without a name.
        required: whether the setting must be given.
        bare: the value if the option is given without a value (`--watch`). Such an option takes a value only
            after "=" (`--watch=VALUE`).
        fills: the fields that get the parts of the value, in this order, instead of the field of the option.
        expected: other names that people may use for the option. If the command has no option with such a
            name, the error message suggests this option.
        group: the heading of the option in the help.
        often: whether most people need the option. In a long list, `-h` shows only such options.
    """

    help: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    read: Callable[[str], Any] | None = None
    many: bool = False
    positional: bool = False
    required: bool = False
    bare: str | None = None
    fills: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    group: str = "options"
    often: bool = False


def option(default: Any, text: str, *names: str, **how: Any) -> Any:
    """Return a dataclass field that is an option.

    Args:
        text: the help of the option.
        how: see DeclaredOption.
    """
    return field(default=default, metadata={"option": DeclaredOption(text, names, **how)})


def argument(metavar: str, text: str, **how: Any) -> Any:
    """Return a dataclass field that is a positional argument.

    It is required unless `how` has a default.
    """
    default = {"default": how.pop("default")} if "default" in how else {}
    declared = DeclaredOption(text, metavar=metavar, positional=True, required=not default, **how)
    return field(**default, metadata={"option": declared})


@cache
def types_of(cls: Any) -> dict[str, tuple[Any, bool]]:
    """Return the types of a dataclass's fields by name.

    For each field, the result has the type without None, and whether None is allowed.
    """
    found = {}
    for name, hint in get_type_hints(cls).items():
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        others = [part for part in parts if part is not type(None)]
        found[name] = (others[0] if len(others) == 1 else hint, len(others) < len(parts))
    return found


def check_types(options: Any) -> None:
    """Raise SetupError for a setting whose value does not have the declared type of its dataclass field.

    Only fields whose type is in `_TYPES` or a Literal are checked.
    """
    types = types_of(type(options))  # type: ignore[arg-type]  # a class is hashable
    for one in fields(options):
        declared, optional = types[one.name]
        value = getattr(options, one.name)
        if value is None and optional:
            continue
        if get_origin(declared) is Literal:
            if value not in get_args(declared):
                choices = ", ".join(map(str, get_args(declared)))
                raise SetupError(f"{one.name} is {value!r}: choose one of {choices}")
        elif declared in _TYPES:
            accepted, words = _TYPES[declared]
            if not isinstance(value, accepted) or (isinstance(value, bool) and declared is not bool):
                given = f"{value!r:.40} ({type(value).__name__})"
                none = " or None" if optional else ""
                raise SetupError(f"{one.name} is {given}: give {words}{none}")
