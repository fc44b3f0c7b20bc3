"""Translates expressions of bots to C. In addition to the expressions of rules, these are calls of methods
and of Python's own functions, and None.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules_source.expressions import CHOICE, EQUAL, UNARY, WHOLE, Text
from rules_source.types import Known, Refused, parts_of
from rules_to_c.expressions import CTranslator
from rules_to_c.types import BY_VALUE

from bots_to_c.source import Class, Module, class_of, module

if TYPE_CHECKING:
    from bots_to_c.program import Program, Signature

_MATH = frozenset({"asin", "atan2", "copysign", "cos", "degrees", "radians", "sin", "sqrt"})
_MATH_CONSTANTS = {"pi": "PI_OF_PYTHON", "inf": "INFINITY"}
_DRAWN = {
    "self.random.choice((-1.0, 1.0))": ("(double)self->bot.chance.lot", "float"),
    "self.random.choice((-1, 1))": ("self->bot.chance.lot", "int"),
    "self.random.random() < DODGED": ("next_draw(&self->bot.chance)", "bool"),
}
"""The expressions with which bots draw random numbers, each with its C text and its type. Python draws the
numbers in advance (see SeededBatch).
"""


class BotTranslator(CTranslator):
    """Translates the expressions of one function. Every method raises Refused for what it cannot translate.

    Args:
        home: the module of the function.
        me: the class of `self`, or None if the function is not a method.
        defined_in: the name of the class whose body contains the function, or "".
    """

    def __init__(
        self, program: Program, home: Module, names: dict[str, str], me: Class | None, defined_in: str
    ) -> None:
        super().__init__(home.source, Known(program.rows), names)
        self.program = program
        self.home = home
        self.me = me
        self.defined_in = defined_in
        self.aliases: dict[str, str] = {}
        """By name, the C text of each variable that is another name of a table."""

    def fit(self, node: ast.AST, text: Text, kind: str) -> str:
        """Return the C text of a value for a place of the type `kind`. None becomes NAN or NULL."""
        if text.kind == "None" and kind.endswith("?"):
            return "NAN" if kind == "float?" else "NULL"
        if text.kind.rstrip("?") == kind.rstrip("?") or (text.kind, kind) in (
            ("int", "float"),
            ("bool", "float"),
        ):
            return text.text
        raise Refused(node, f"this is of type {text.kind}, not {kind}")

    def field(self, owner: Text, name: str) -> str:
        """Return a field of a row or bot. For an object inside the structure, return its address."""
        kind = self.program.rows[owner.kind.rstrip("?")][name]
        arrow = "." if owner.kind in BY_VALUE else "->"
        place = f"{owner.within(WHOLE)}{arrow}{self.program.path_of(owner.kind.rstrip('?'), name)}"
        return f"&{place}" if self.program.is_inside(kind) else place

    def translate(self, node: ast.expr) -> Text:
        """Return the C text and the type of an expression."""
        if drawn := _DRAWN.get(ast.unparse(node)):
            return Text(drawn[0], WHOLE, drawn[1])
        return super().translate(node)

    def _of(self, node: ast.expr, *kinds: str) -> Text:
        text = self.translate(node)
        if text.kind.rstrip("?") not in kinds:
            raise Refused(node, f"this is of type {text.kind}, not {' or '.join(kinds)}")
        return Text(text.text, text.binds, text.kind.rstrip("?"))

    def _constant(self, node: ast.Constant) -> Text:
        return Text("NULL", WHOLE, "None") if node.value is None else super()._constant(node)

    def _name(self, node: ast.Name) -> Text:
        if node.id in self.aliases:
            return Text(self.aliases[node.id], WHOLE, self.names[node.id])
        if node.id in self.names:
            return super()._name(node)
        return self.program.constant(node, self.home, node.id)

    def _attribute(self, node: ast.Attribute) -> Text:
        if (package := self._package(node.value)) is not None:
            if package == "math" and node.attr in _MATH_CONSTANTS:
                return Text(_MATH_CONSTANTS[node.attr], WHOLE, "float")
            return self.program.constant(node, module(package), node.attr)
        owner = self.translate(node.value)
        fields = self.program.rows.get(owner.kind.rstrip("?"), {})
        if node.attr not in fields:
            if (found := self.program.classes.get(owner.kind.rstrip("?"))) is not None:
                said = self.program.method(node, found, node.attr)  # a property
                return self._method_call(ast.Call(node, [], []), owner, said)
            raise Refused(node, f"{owner.kind} has no field {node.attr}")
        kind = fields[node.attr]
        return Text(self.field(owner, node.attr), UNARY if self.program.is_inside(kind) else WHOLE, kind)

    def _package(self, node: ast.expr) -> str | None:
        """Return the name of the module that an expression names, or None if it does not name a module."""
        if not isinstance(node, ast.Name) or node.id in self.names:
            return None
        if node.id == "math":
            return "math"
        package, name = self.home.imported.get(node.id, ("", "?"))
        return package if name == "" else None

    def _subscript(self, node: ast.Subscript) -> Text:
        table = self.translate(node.value)
        if table.kind.startswith("{"):
            return Text(
                f"{table.within(WHOLE)}.row[{self._of(node.slice, 'int').text}]", WHOLE, table.kind[1:-1]
            )
        if table.kind.startswith("(") and isinstance(node.slice, ast.Constant):
            at = int(str(node.slice.value))
            return Text(f"{table.within(WHOLE)}.part_{at}", WHOLE, parts_of(table.kind)[at])
        return super()._subscript(node)

    def _binop(self, node: ast.BinOp) -> Text:
        if not isinstance(node.op, ast.Mod):
            return super()._binop(node)
        left, right = self._of(node.left, "int", "float"), self._of(node.right, "int", "float")
        kind = "int" if left.kind == right.kind == "int" else "float"
        return Text(f"modulo_of_{kind}({left.text}, {right.text})", WHOLE, kind)

    def _compare(self, node: ast.Compare) -> Text:
        if not isinstance(node.ops[0], ast.Is | ast.IsNot):
            return super()._compare(node)
        text = self.translate(node.left)
        if not text.kind.endswith("?"):
            raise Refused(node, f"{text.kind} is never None")
        is_none = isinstance(node.ops[0], ast.Is)
        if text.kind == "float?":
            return Text(f"{'' if is_none else '!'}isnan({text.text})", UNARY, "bool")
        return Text(f"{text.within(EQUAL + 1)} {'==' if is_none else '!='} NULL", EQUAL, "bool")

    def _ifexp(self, node: ast.IfExp) -> Text:
        one, two = self.translate(node.body), self.translate(node.orelse)
        if not any(text.kind == "None" or text.kind.endswith("?") for text in (one, two)):
            return super()._ifexp(node)
        kind = (two if one.kind == "None" else one).kind.rstrip("?") + "?"
        texts = self.fit(node, one, kind), self.fit(node, two, kind)
        return Text(f"{self.condition(node.test).within(1)} ? ({texts[0]}) : ({texts[1]})", CHOICE, kind)

    # ---- calls -------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Text:
        function = node.func
        if isinstance(function, ast.Name):
            return self._plain_call(node, function.id)
        if not isinstance(function, ast.Attribute):
            raise Refused(node, "this call is not known")
        if (package := self._package(function.value)) is not None:
            return self._imported_call(node, package, function.attr)
        if ast.unparse(function.value) == "super()":
            assert self.me is not None
            said = self.program.method(node, self.me, function.attr, after=self.defined_in)
            return self._method_call(node, Text("self", WHOLE, self.me.name), said)
        owner = self.translate(function.value)
        if owner.kind.startswith("{") and function.attr == "get" and len(node.args) == 2:
            key, other = self._of(node.args[0], "int"), self._of(node.args[1], "float")
            return Text(f"found_or({owner.text}.row[{key.text}], {other.text})", WHOLE, owner.kind[1:-1])
        found = self.program.classes.get(owner.kind.rstrip("?"))
        if found is None:
            raise Refused(node, f"this method of {owner.kind} is not known")
        return self._method_call(node, owner, self.program.method(node, found, function.attr))

    def _method_call(self, node: ast.Call, owner: Text, said: Signature) -> Text:
        first = f"&{owner.within(WHOLE)}->bot" if said.is_handler else owner.text
        return Text(f"{said.name}({', '.join([first, *self.arguments(node, said)])})", WHOLE, said.returns)

    def arguments(self, node: ast.Call, said: Signature) -> list[str]:
        """Return the C texts of all arguments of a call, including defaults."""
        given: dict[str, ast.expr] = dict(zip(said.names, node.args, strict=False))
        given |= {word.arg or "": word.value for word in node.keywords}
        if len(node.args) > len(said.names) or not given.keys() <= set(said.names):
            raise Refused(node, f"{said.name} takes {', '.join(said.names) or 'nothing'}")
        texts = []
        for name, kind in zip(said.names, said.takes, strict=True):
            if name in given:
                texts.append(self.fit(given[name], self.translate(given[name]), kind))
            elif name in said.defaults:
                texts.append(said.defaults[name])
            else:
                raise Refused(node, f"{name} is missing")
        return texts

    def _plain_call(self, node: ast.Call, name: str) -> Text:
        own = getattr(self, f"_python_{name}", None)
        if own is not None and not node.keywords:
            text: Text = own(node)
            return text
        if name in self.home.imported:
            package, there = self.home.imported[name]
            if package == "math":
                return self._imported_call(node, package, there)
        if (found := class_of(self.home, name)) is not None:
            return self._new(node, found)
        said = self.program.function(node, self.home, name)
        return Text(f"{said.name}({', '.join(self.arguments(node, said))})", WHOLE, said.returns)

    def _imported_call(self, node: ast.Call, package: str, name: str) -> Text:
        if package == "math" and name in _MATH and not node.keywords:
            texts = [self._of(argument, "float", "int").text for argument in node.args]
            return Text(f"{name}({', '.join(texts)})", WHOLE, "float")
        said = self.program.function(node, module(package), name)
        return Text(f"{said.name}({', '.join(self.arguments(node, said))})", WHOLE, said.returns)

    def _new(self, node: ast.Call, found: Class) -> Text:
        """Return a new object: a value for a NamedTuple, otherwise an unnamed variable."""
        kinds = self.program.rows[self.program.register(found)]
        if found.is_tuple:
            if len(node.args) != len(kinds) or node.keywords:
                raise Refused(node, f"{found.name} takes {', '.join(kinds)}")
            pairs = zip(node.args, kinds.values(), strict=True)
            texts = [self.fit(argument, self.translate(argument), kind) for argument, kind in pairs]
            return Text(f"ROW({found.name}, {', '.join(texts)})", WHOLE, found.name)
        return Text(self.begun(node, f"&({found.name}){{0}}"), WHOLE, found.name)

    def begun(self, node: ast.Call, place: str) -> str:
        """Return the call of a constructor, for the object at the address `place`."""
        found = class_of(self.home, ast.unparse(node.func))
        assert found is not None
        said = self.program.method(node, found, "__init__")
        return f"{said.name}({', '.join([place, *self.arguments(node, said)])})"

    # ---- functions of Python -----------------------------------------------------------------------------

    def _python_len(self, node: ast.Call) -> Text:
        table = self.translate(node.args[0])
        return Text(self.length(table), WHOLE, "int")

    def _python_int(self, node: ast.Call) -> Text:
        return Text(self.cut(self._of(node.args[0], "float")), WHOLE, "int")

    def _python_abs(self, node: ast.Call) -> Text:
        return Text(f"fabs({self._of(node.args[0], 'float').text})", WHOLE, "float")

    def _python_round(self, node: ast.Call) -> Text:
        return Text(f"(int64_t)rint({self._of(node.args[0], 'float').text})", UNARY, "int")

    def _python_min(self, node: ast.Call) -> Text:
        return self._extreme("least", node.args)

    def _python_max(self, node: ast.Call) -> Text:
        return self._extreme("most", node.args)

    def _extreme(self, name: str, arguments: Sequence[ast.expr]) -> Text:
        """Return the smallest or largest number. Of equal numbers it is the first, as in Python."""
        texts = [self._of(argument, "int", "float") for argument in arguments]
        if len(texts) < 2 or len({text.kind for text in texts}) > 1:
            raise Refused(arguments[0], "min and max take two or more numbers of one type")
        text = texts[0].text
        for other in texts[1:]:
            text = f"{name}_{texts[0].kind}({text}, {other.text})"
        return Text(text, WHOLE, texts[0].kind)
