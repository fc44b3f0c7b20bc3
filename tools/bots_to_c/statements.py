"""Translates statements of bots to C. In addition to the statements of rules, these use lists, objects in
attributes, and colours.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard

from rules_source.expressions import Text, Translator
from rules_source.statements import as_read
from rules_source.types import Refused
from rules_to_c.statements import CWriter, spaced
from rules_to_c.types import BY_VALUE, to_c

from bots_to_c.expressions import BotTranslator
from bots_to_c.source import Class, Module

if TYPE_CHECKING:
    from bots_to_c.program import Program, Signature

_PARTS = ("body", "turret", "radar", "bullet", "scan", "tracks", "gun")


class BotWriter(CWriter):
    """Writes one function or method in C. Every method raises Refused for what it cannot translate.

    Args:
        said: the function's signature in C.
        me: the class of `self`, or None if the function is not a method.
    """

    def __init__(
        self, program: Program, home: Module, function: ast.FunctionDef, said: Signature, me: Class | None
    ) -> None:
        self.program, self.home, self.said, self.me = program, home, said, me
        super().__init__(function, home.source, program.known)

    def kind_of(self, annotation: ast.expr | None) -> str:
        """Return the type that an annotation names. `self` has no annotation. Its type is the class."""
        if annotation is None:
            assert self.me is not None
            return self.me.name
        return self.program.kind(self.home, annotation)

    def new_translator(self, source: str) -> Translator:
        """Return the translator of this function's expressions."""
        return BotTranslator(self.program, self.home, self.names, self.me, self.said.defined_in)

    @property
    def bot(self) -> BotTranslator:
        """The translator of this function, as a `BotTranslator`."""
        assert isinstance(self.translator, BotTranslator)
        return self.translator

    def head(self, doc: Sequence[str]) -> list[str]:
        """Return the lines before the body."""
        read = {node.id for node in ast.walk(self.function) if isinstance(node, ast.Name)}
        lines = [f"  (void){name};" for name in self.parameters if name not in read]
        if self.said.is_handler:
            assert self.me is not None
            lines.insert(0, f"  {self.me.name} *self = ({self.me.name} *)bot;")
        return [*(f"/* {line} */" for line in doc[:1]), self.said.signature + " {", *lines]

    def written(self) -> str:
        """Return the function in C. A constructor returns its object."""
        text = super().written()
        return text[:-1] + "  return self;\n}" if self.function.name == "__init__" else text

    def walked(self, name: str, table: Text) -> list[str]:
        """Return the lines with which a loop over a table begins."""
        found = self.translator.item(table, Text(f"{name}_at", 8, "int"))
        return [
            f"for (int64_t {name}_at = 0; {name}_at < {table.within(8)}.length; {name}_at++) {{",
            f"{spaced(to_c(found.kind))}{name} = {found.text};",
        ]

    def parts_of(self, kind: str) -> list[str]:
        """Return the types of the parts of a tuple."""
        return list(self.program.rows[kind].values()) if kind in BY_VALUE else super().parts_of(kind)

    def taken_apart(self, name: str, value: Text, kinds: Sequence[str]) -> tuple[str, list[str]]:
        """Return the line that stores a tuple in a variable, and the texts of the tuple's parts."""
        line, parts = super().taken_apart(name, value, kinds)
        if value.kind in BY_VALUE:
            parts = [f"{name}.{field}" for field in self.program.rows[value.kind]]
        return line, parts

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self.put("return;")
        else:
            text = self.translator.translate(node.value)
            self.put(f"return {self.bot.fit(node, text, self.returns)};")

    # ---- assignments -------------------------------------------------------------------------------------

    def _assign(self, node: ast.Assign) -> None:
        target, value = node.targets[0], node.value
        if len(node.targets) > 1:
            if not isinstance(value, ast.Constant):
                raise Refused(node, "only a number is given to several")
            for each in node.targets:
                self._assign_one(node, each, self.translator.translate(value))
        elif isinstance(target, ast.Attribute):
            self._assign_field(node, target, value)
        else:
            super()._assign(node)

    def _assign_field(self, node: ast.Assign, target: ast.Attribute, value: ast.expr) -> None:
        place = self.translator.translate(target)
        if isinstance(value, ast.List):
            self._fill(place, value)
        elif isinstance(value, ast.Dict) and not value.keys:
            self.put(f"for (int64_t k = 0; k < NUMBERS; k++) {place.text}.row[k] = NAN;")
        elif isinstance(value, ast.BinOp) and isinstance(value.left, ast.List):
            self._repeat(place, value)
        elif isinstance(value, ast.ListComp):
            self._sift(target, value)
        elif self._is_new(value, place.kind):
            self.put(self.bot.begun(value, place.text) + ";")
        else:
            super()._assign(node)

    def _is_new(self, value: ast.expr, kind: str) -> TypeGuard[ast.Call]:
        """Return whether a value makes a new object for a place that contains an object of this type."""
        return (
            isinstance(value, ast.Call) and ast.unparse(value.func) == kind and self.program.is_inside(kind)
        )

    def _assign_one(self, node: ast.stmt, target: ast.expr, value: Text) -> None:
        if isinstance(target, ast.Name):
            if value.kind == "None":
                raise Refused(node, "a variable begins with a value")
            if value.kind.startswith("["):
                self._know(node, target.id, value.kind)
                self.bot.aliases[target.id] = value.text
                return
            super()._assign_one(node, target, value)
            return
        place = self.translator.translate(as_read(target))
        text = self.bot.fit(node, value, place.kind)
        kind = place.kind.rstrip("?")
        if self.program.is_inside(place.kind) or (
            isinstance(target, ast.Subscript) and kind in self.known.rows
        ):
            self.put(f"*({place.text}) = *({text});")
        elif place.kind.endswith("?") and kind in self.program.rows:
            if text == "NULL":
                self.put(f"{place.text} = NULL;")
                return
            self.put(f"{place.text}_kept = *({text});")
            self.put(f"{place.text} = &{place.text}_kept;")
        else:
            self.put(f"{place.text} = {text};")

    def _fill(self, table: Text, value: ast.List) -> None:
        for k, item in enumerate(value.elts):
            text = self.bot.fit(item, self.translator.translate(item), table.kind[1:-1])
            self.put(f"{table.text}.row[{k}] = {text};")
        self._put_length(table.text, str(len(value.elts)))

    def _repeat(self, table: Text, value: ast.BinOp) -> None:
        """Assign `[number] * count`."""
        assert isinstance(value.left, ast.List)
        (one,), count = value.left.elts, self.translator.translate(value.right)
        self._put_length(table.text, count.text)
        text = self.bot.fit(one, self.translator.translate(one), table.kind[1:-1])
        self.put(f"for (int64_t k = 0; k < {table.text}.length; k++) {table.text}.row[k] = {text};")

    def _put_length(self, table: str, length: str) -> None:
        self.put(f'_Static_assert({length} <= ROOM_OF({table}), "too long for its bound");')
        self.put(f"{table}.length = {length};")

    def _sift(self, target: ast.Attribute, value: ast.ListComp) -> None:
        """Assign `[each for each in table if …]` to the table itself."""
        (loop,) = value.generators
        if ast.unparse(loop.iter) != ast.unparse(target) or ast.unparse(value.elt) != ast.unparse(
            loop.target
        ):
            raise Refused(value, "a table is only made of its own rows")
        table, name = self.translator.translate(target), ast.unparse(loop.target)
        self._know(value, name, table.kind[1:-1])
        (test,) = loop.ifs
        kept = f"{name}_kept"
        self.put(f"int64_t {kept} = 0;")
        head, first = self.walked(name, table)
        self.put(head)
        self.put(f"  {first}")
        self.put(f"  if ({self.translator.condition(test).text}) {table.text}.row[{kept}++] = *{name};")
        self.put("}")
        self.put(f"{table.text}.length = {kept};")

    # ---- calls and deletions -----------------------------------------------------------------------------

    def _expr(self, node: ast.Expr) -> None:
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            owner, name = call.func.value, call.func.attr
            if name == "set_colors":
                for word in call.keywords:
                    color = str(ast.literal_eval(word.value))[1:]
                    self.put(f"self->bot.colors[{_PARTS.index(word.arg or '')}] = 0x{color};")
                return
            if name in ("append", "clear"):
                table = self.translator.translate(owner)
                if name == "clear":
                    self.put(f"{table.text}.length = 0;")
                    return
                value = self.translator.translate(call.args[0])
                star = "*" if value.kind in self.program.rows else ""
                text = self.bot.fit(call, value, table.kind[1:-1])
                self.put(f"if ({table.text}.length < ROOM_OF({table.text}))")
                self.put(f"  {table.text}.row[{table.text}.length++] = {star}({text});")
                return
        super()._expr(node)

    def _delete(self, node: ast.Delete) -> None:
        (target,) = node.targets
        if not isinstance(target, ast.Subscript):
            raise Refused(node, "only rows of a table are deleted")
        table = self.translator.translate(target.value).text
        if isinstance(target.slice, ast.Slice):
            if target.slice.lower is not None or target.slice.upper is None:
                raise Refused(node, "a slice begins with the first row")
            at, count = "0", self.translator.translate(target.slice.upper).text
        else:
            at, count = self.translator.translate(target.slice).text, "1"
        self.put(f"{table}.length -= {count};")
        places = f"&{table}.row[{at}], &{table}.row[{at} + {count}]"
        self.put(f"memmove({places}, (size_t)({table}.length - {at}) * sizeof {table}.row[0]);")
