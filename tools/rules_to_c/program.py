"""The whole file in C: rows, tables, and what the stages of a turn need."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rules_source.expressions import Text
from rules_source.files import RULES, Item, Rules, read_rules, texts_of
from rules_source.layout import RowClass
from rules_source.types import Known

from rules_to_c.expressions import CTranslator
from rules_to_c.statements import function_to_c, parts_struct, signature_of
from rules_to_c.types import table_type, to_c, value_type

__all__ = ["render"]

_HEAD = """\
/*
 * The rules of the tank arena. GENERATED from src/turnwright/games/tank/rules: change those, never this file.
 *
 * The same arithmetic in the same order gives the same bits as Python. Compile with -ffp-contract=off, and
 * without -ffast-math.
 */
#include <stdbool.h>
#include <stdint.h>

#define sincos sincos_of_rules /* a name of some C libraries */

static inline int64_t divided_down(int64_t above, int64_t below) {
  int64_t whole = above / below;
  return whole * below != above && (above < 0) != (below < 0) ? whole - 1 : whole;
}
"""


def render(rules: Path = RULES) -> str:
    """Return the text of the file. Raises: ValueError, with the file, for what is not translated."""
    known = read_rules(rules, frozenset(), _constant)
    every = [item for items in known.items.values() for item in items]
    parts = [_HEAD, *(_row(row) for row in known.classes.values())]
    parts += [*_tables(known), *_tuples(every), *_prototypes(every)]
    for name, items in known.items.items():
        parts += [f"/* ---- {name}.py */\n", *texts_of(name, items, _text)]
    parts.append(_turn(known))
    return "\n".join(parts)


def _constant(source: str, known: Known, value: ast.expr) -> Text:
    return CTranslator(source, known, {}).translate(value)


def _row(row: RowClass) -> str:
    fields = "\n".join(f"  {to_c(kind)} {name};" for name, kind, _ in row.fields)
    return f"/* {row.doc} */\ntypedef struct {{\n{fields}\n}} {row.name};\n"


def _tables(known: Rules) -> Iterator[str]:
    """Yield the types of the tables, and of all tables of a battle."""
    fields = known.rows["Rows"]
    for kind in dict.fromkeys(kind for kind in fields.values() if kind.startswith("[")):
        yield f"typedef struct {{ {value_type(kind[1:-1])} *row; int64_t length; }} {table_type(kind)};"
    lines = "\n".join(f"  {to_c(kind)} {name};" for name, kind in fields.items())
    yield f"\ntypedef struct {{\n{lines}\n}} Rows;\n"


def _tuples(items: list[Item]) -> Iterator[str]:
    kinds = (function.returns for item in items for function in item.known.functions.values())
    for kind in sorted({kind for kind in kinds if kind.startswith("(")}):
        yield parts_struct(kind)
    yield ""


def _prototypes(items: list[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item.node, ast.FunctionDef):
            said = item.known.functions[item.node.name]
            yield signature_of(said, [a.arg for a in item.node.args.args]) + ";"
    yield ""


def _text(item: Item) -> str:
    if isinstance(item.node, ast.FunctionDef):
        return function_to_c(item.node, item.file.source, item.known)
    value = _constant(item.file.source, item.known, item.node.value)
    return (f"/* {item.doc} */\n" if item.doc else "") + f"#define {item.name} ({value.text})"


def _turn(known: Rules) -> str:
    """Return the turn: the stages in order, from a given one on, over tables given one by one."""
    tables = {name: kind for name, kind in known.rows["Rows"].items() if kind.startswith("[")}
    takes = ["Arena *arena"]
    takes += [f"{value_type(kind[1:-1])} *{name}, int64_t {name}_length" for name, kind in tables.items()]
    lines = [
        "/*",
        " * Runs the stages from number `first` on; returns as `Step` of backends/compile.py says.",
        " */",
        f"int64_t turnwright_step({', '.join([*takes, 'int64_t first'])}) {{",
        f"  Rows tables = {{arena, {', '.join(f'{{{name}, {name}_length}}' for name in tables)}}};",
        "  int64_t need = 0;",
    ]
    for k, (_, stage) in enumerate(known.stages):
        lines.append(f"  if (first <= {k} && (need = {stage}(&tables)) != 0) return -(16 * {k} + need) - 1;")
    lines += ["  return (arena->round_over != 0 ? 1 : 0) + (arena->deaths > 0 ? 2 : 0);", "}"]
    return "\n".join(lines) + "\n"
