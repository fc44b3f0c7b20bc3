"""Translates statements of the rules to JavaScript."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rules_source.expressions import Text, Translator
from rules_source.statements import FunctionWriter
from rules_source.types import Known, parts_of
from rules_source.variables import Variable

from rules_to_js.expressions import JsTranslator

_RESERVED = """
await break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected
public return static super switch this throw true try typeof undefined var void while with yield
arguments whole Math Number
"""
RESERVED = frozenset(_RESERVED.split())
"""Names that JavaScript reserves, and names that the generated file uses itself."""


def function_to_js(function: ast.FunctionDef, source: str, known: Known) -> str:
    """Return a function of the rules in JavaScript.

    Raises:
        Refused: the function cannot be translated.
    """
    return _JsWriter(function, source, known).written()


def to_jsdoc(kind: str) -> str:
    """Return a type of the rules as JSDoc writes it."""
    if kind in ("int", "float"):
        return "number"
    if kind in ("bool", "None"):
        return {"bool": "boolean", "None": "void"}[kind]
    if kind.startswith("["):
        return to_jsdoc(kind[1:-1]) + "[]"
    if kind.startswith("("):
        return f"[{', '.join(map(to_jsdoc, parts_of(kind)))}]"
    return kind


class _JsWriter(FunctionWriter):
    language = "JavaScript"
    reserved = RESERVED

    def new_translator(self, source: str) -> Translator:
        return JsTranslator(source, self.known, self.names)

    def head(self, doc: Sequence[str]) -> list[str]:
        lines = ["/**", *(f" * {line}".rstrip() for line in doc), *([" *"] if len(doc) > 1 else [])]
        lines += [f" * @param {{{to_jsdoc(kind)}}} {name}" for name, kind in self.parameters.items()]
        said = self.known.functions[self.function.name]
        signature = f"export function {said.name}({', '.join(self.parameters)}) {{"
        return [*lines, f" * @returns {{{to_jsdoc(self.returns)}}}", " */", signature]

    def tops(self, names: Sequence[str]) -> list[str]:
        return [f"  let {', '.join(names)};"] if names else []

    def declared(self, variable: Variable, kind: str) -> str:
        return "const " if variable.fixed else "let "

    def counted(self, name: str, first: str, last: str, sign: str, change: str, *, fixed: bool) -> str:
        if fixed:
            return f"for (let {name} = {first}; {name} {sign} {last}; {name}{change}) {{"
        ends = f"{name} = {first}, {name}_end = {last}"
        return f"for (let {ends}; {name} {sign} {name}_end; {name}{change}) {{"

    def walked(self, name: str, table: Text) -> list[str]:
        return [f"for (const {name} of {table.text}) {{"]

    def taken_apart(self, name: str, value: Text, kinds: Sequence[str]) -> tuple[str, list[str]]:
        return f"const {name} = {value.text};", [f"{name}[{k}]" for k in range(len(kinds))]

    def kept(self, names: Sequence[str], texts: Sequence[Text]) -> str:
        pairs = (f"{name} = {text.text}" for name, text in zip(names, texts, strict=True))
        return f"const {', '.join(pairs)};"
