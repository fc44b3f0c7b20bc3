"""Types of the rules in C: whole numbers have 64 bits, floats are doubles, rows are reached by pointers."""

from __future__ import annotations

from rules_source.types import parts_of

_NUMBERS = {"int": "int64_t", "float": "double", "bool": "bool", "None": "void"}

BY_VALUE: set[str] = set()
"""Classes whose objects are passed by value. `bots_to_c` adds the NamedTuples of the bots."""


def to_c(kind: str) -> str:
    """Return the C type of a variable. A variable for a row is a pointer, unless the class is in BY_VALUE."""
    if kind.startswith("["):
        return table_type(kind)
    if kind.startswith("("):
        return parts_type(kind)
    kind = kind.rstrip("?")
    if kind in BY_VALUE:
        return kind
    return _NUMBERS.get(kind, f"{kind} *")


def value_type(kind: str) -> str:
    """Return the C type of a number, or of a row itself."""
    return _NUMBERS.get(kind, kind)


def table_type(kind: str) -> str:
    """Return the C type of a table, which has a pointer to the first row and the number of rows."""
    return f"{value_type(kind[1:-1])}_table"


def parts_type(kind: str) -> str:
    """Return the C type of a tuple."""
    return "parts_" + "_".join(parts_of(kind))
