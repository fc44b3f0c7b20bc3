"""Translates statements of the rules to C."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rules_source.expressions import Text, Translator
from rules_source.statements import FunctionWriter
from rules_source.types import Function, Known, parts_of
from rules_source.variables import Variable

from rules_to_c.expressions import CTranslator
from rules_to_c.types import to_c

_RESERVED = """
alignas alignof auto bool break case char const constexpr continue default do double else enum extern false
float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert
struct switch thread_local true typedef typeof union unsigned void volatile while int64_t divided_down
"""
RESERVED = frozenset(_RESERVED.split())
"""Names that C reserves, and names that the generated file uses itself."""


def function_to_c(function: ast.FunctionDef, source: str, known: Known) -> str:
    """Return a function of the rules in C.

    Raises:
        Refused: the function cannot be translated.
    """
    return CWriter(function, source, known).written()


def signature_of(said: Function, names: Sequence[str]) -> str:
    """Return the head of a function in C, without its body.

    Args:
        names: the names of the parameters.
    """
    pairs = zip(said.takes, names, strict=True)
    takes = ", ".join(f"{spaced(to_c(kind))}{name}" for kind, name in pairs)
    return f"static {spaced(to_c(said.returns))}{said.name}({takes or 'void'})"


def spaced(kind: str) -> str:
    """Return a type with the space before a name. A pointer type gets no space."""
    return kind if kind.endswith("*") else f"{kind} "


class CWriter(FunctionWriter):
    language = "C"
    reserved = RESERVED
    _walks = 0
    """The number of loops over tables so far."""

    def new_translator(self, source: str) -> Translator:
        return CTranslator(source, self.known, self.names)

    def head(self, doc: Sequence[str]) -> list[str]:
        lines = ["/*", *(f" * {line}".rstrip() for line in doc), " */"] if doc else []
        return [*lines, signature_of(self.known.functions[self.function.name], list(self.parameters)) + " {"]

    def tops(self, names: Sequence[str]) -> list[str]:
        return [f"  {spaced(to_c(self.names[name]))}{name} = 0;" for name in names]

    def declared(self, variable: Variable, kind: str) -> str:
        return spaced(to_c(kind))

    def counted(self, name: str, first: str, last: str, sign: str, change: str, *, fixed: bool) -> str:
        begins = f"for (int64_t {name} = {first}"
        if fixed:
            return f"{begins}; {name} {sign} {last}; {name}{change}) {{"
        return f"{begins}, {name}_end = {last}; {name} {sign} {name}_end; {name}{change}) {{"

    def walked(self, name: str, table: Text) -> list[str]:
        self._walks += 1
        at, rows = f"{name}_at", f"{name}_rows_{self._walks}"
        self.put(f"{to_c(table.kind)} {rows} = {table.text};")
        found = self.translator.item(Text(rows, 8, table.kind), Text(at, 8, "int"))
        return [
            f"for (int64_t {at} = 0; {at} < {rows}.length; {at}++) {{",
            f"{spaced(to_c(found.kind))}{name} = {found.text};",
        ]

    def taken_apart(self, name: str, value: Text, kinds: Sequence[str]) -> tuple[str, list[str]]:
        return f"{to_c(value.kind)} {name} = {value.text};", [f"{name}.part_{k}" for k in range(len(kinds))]

    def kept(self, names: Sequence[str], texts: Sequence[Text]) -> str:
        pairs = zip(names, texts, strict=True)
        return " ".join(f"{spaced(to_c(text.kind))}{name} = {text.text};" for name, text in pairs)

    def assigned(self, target: str, value: Text, *, whole_row: bool) -> str:
        return (
            f"*({target}) = *({value.text});"
            if whole_row
            else super().assigned(target, value, whole_row=False)
        )


def parts_struct(kind: str) -> str:
    """Return the declaration of a tuple's type."""
    fields = " ".join(f"{to_c(part)} part_{k};" for k, part in enumerate(parts_of(kind)))
    return f"typedef struct {{ {fields} }} {to_c(kind)};"
