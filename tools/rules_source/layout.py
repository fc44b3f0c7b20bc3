"""The classes of rows: their fields in order."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from rules_source.types import Refused, of_annotation


@dataclass(frozen=True)
class RowClass:
    """A class of rows.

    Attributes:
        doc: the first line of its docstring.
        fields: the name, type and initial value of each field.
        state: the number of fields, from the first, that decide the future of the battle.
    """

    name: str
    doc: str
    fields: tuple[tuple[str, str, str], ...]
    state: int


def row_classes(tree: ast.Module) -> dict[str, RowClass]:
    """Return the classes of rows in `rows.py` by name. These are the dataclasses that contain only numbers.

    Raises:
        Refused: such a class contains something other than numbers with initial values.
    """
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(
            "slots=True, eq=False" in ast.unparse(d) for d in node.decorator_list
        ):
            found[node.name] = _row_class(node)
    return found


def _row_class(node: ast.ClassDef) -> RowClass:
    fields: list[tuple[str, str, str]] = []
    scratch = ""
    for item in node.body:
        if not isinstance(item, ast.AnnAssign):
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant):
                continue
            raise Refused(item, "a row has fields only")
        name, value = ast.unparse(item.target), ast.unparse(item.value) if item.value else ""
        if name == "SCRATCH":
            scratch = ast.literal_eval(value)
            continue
        kind = of_annotation(item.annotation, {})
        if kind not in ("int", "float") or not value:
            raise Refused(item, "a field is a number with a value at first")
        fields.append((name, kind, value))
    names = [name for name, _, _ in fields]
    doc = (ast.get_docstring(node) or "").splitlines()[0]
    return RowClass(node.name, doc, tuple(fields), names.index(scratch) if scratch else len(names))


def rows_known(tree: ast.Module, classes: dict[str, RowClass]) -> dict[str, dict[str, str]]:
    """Return the types of the fields of each class of rows, and of the tables in `Rows`."""
    rows = {name: {field: kind for field, kind, _ in row.fields} for name, row in classes.items()}
    (world,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Rows")
    rows["Rows"] = {
        ast.unparse(item.target): of_annotation(item.annotation, rows)
        for item in world.body
        if isinstance(item, ast.AnnAssign)
    }
    return rows
