"""Translates the classes of rows to JavaScript, with functions that write their state to be hashed."""

from __future__ import annotations

from rules_source.layout import RowClass

from rules_to_js.statements import to_jsdoc


def world_to_js(fields: dict[str, str]) -> str:
    """Return the JSDoc type of all tables of a battle."""
    lines = [f" * @property {{{to_jsdoc(kind)}}} {name}" for name, kind in fields.items()]
    return "\n".join(["/**", " * All tables of a battle.", " * @typedef {object} Rows", *lines, " */"])


def row_to_js(row: RowClass) -> str:
    """Return the JavaScript class of a class of rows, and the function that writes the state of a row."""
    lines = [f"/** {row.doc} */", f"export class {row.name} {{", "  constructor() {"]
    lines += [f"    this.{name} = {value};" for name, _, value in row.fields]
    lines += ["  }", "}"]
    state = row.fields[: row.state]
    low = row.name.lower()
    lines += [
        "",
        "/**",
        f" * Write down what decides the future of one {row.name}, 8 bytes a field, little-endian.",
    ]
    lines += [
        f" * @param {{{row.name}}} {low}",
        " * @param {Float64Array} floats",
        " * @param {Int32Array} halves the same bytes",
    ]
    lines += [
        " * @param {number} at the first place, in units of 8 bytes",
        " * @returns {number} the place behind it",
        " */",
    ]
    lines += [f"export function write_{low}({low}, floats, halves, at) {{"]
    for k, (name, kind, _) in enumerate(state):
        if kind == "float":
            lines.append(f"  floats[at + {k}] = {low}.{name};")
        else:
            lines.append(f"  write_whole(halves, at + {k}, {low}.{name});")
    return "\n".join([*lines, f"  return at + {len(state)};", "}"])
