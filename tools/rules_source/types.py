"""Types of the rules. They show where another language differs from Python.

A type is a text: "int", "float", "bool", "None", the name of a class of rows ("Tank"), a table ("[Tank]",
"[int]"), or a tuple ("(float, float)").
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

_TABLES = ("MutableSequence", "Sequence", "list")


class Refused(Exception):
    """A construct cannot be translated. The message has its line, the reason and the source."""

    def __init__(self, node: ast.AST, what: str) -> None:
        super().__init__(f"line {getattr(node, 'lineno', '?')}: {what}: {ast.unparse(node)[:80]}")


@dataclass(frozen=True)
class Function:
    """A function, as its callers need it.

    Attributes:
        name: the name in the other language.
        takes: the types of the parameters.
    """

    name: str
    takes: tuple[str, ...]
    returns: str


@dataclass
class Known:
    """Names that a module's functions use.

    Attributes:
        rows: for each class of rows, the types of its fields by name.
        constants: by name in Python, the name in the other language and the type.
        functions: the functions by name in Python.
    """

    rows: dict[str, dict[str, str]]
    constants: dict[str, tuple[str, str]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


def of_annotation(node: ast.expr | None, rows: dict[str, dict[str, str]]) -> str:
    """Return the type that an annotation names.

    Args:
        rows: the classes of rows.

    Raises:
        Refused: the annotation is missing or not known.
    """
    if isinstance(node, ast.Constant) and node.value is None:
        return "None"
    if isinstance(node, ast.Name) and (node.id in ("int", "float", "bool") or node.id in rows):
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        if node.value.id in _TABLES:
            return f"[{of_annotation(node.slice, rows)}]"
        if node.value.id == "tuple" and isinstance(node.slice, ast.Tuple):
            return f"({', '.join(of_annotation(part, rows) for part in node.slice.elts)})"
    if node is None:
        raise Refused(ast.Name("nothing"), "an annotation is missing")
    raise Refused(node, "this annotation is not known")


def parts_of(kind: str) -> list[str]:
    """Return the types of the parts of a tuple, or an empty list for another type."""
    return kind[1:-1].split(", ") if kind.startswith("(") else []
