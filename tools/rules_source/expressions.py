"""Translates expressions of the rules to another language. The order of operations stays the same, so that
every sum is rounded in the same way.

The class of a language derives from `Translator`. It defines what languages write differently. Division,
negation of 0 and truth of numbers could give other results than in Python. Types decide how these are
translated. If the types do not decide it, the expression is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from rules_source.types import Known, Refused

OR, AND, EQUAL, COMPARE, SUM, PRODUCT, UNARY, WHOLE = range(1, 9)
CHOICE = 0
"""How tightly an expression binds. A larger number binds more tightly, and CHOICE least."""
_NUMBERS = ("int", "float")
_ARITHMETIC: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM),
    ast.Sub: ("-", SUM),
    ast.Mult: ("*", PRODUCT),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, int]] = {
    ast.Eq: ("==", EQUAL),
    ast.NotEq: ("!=", EQUAL),
    ast.Lt: ("<", COMPARE),
    ast.LtE: ("<=", COMPARE),
    ast.Gt: (">", COMPARE),
    ast.GtE: (">=", COMPARE),
}
_EXACT_MAX = 2**53


@dataclass(frozen=True)
class Text:
    """An expression in the other language: its text, how tightly it binds, and its type in Python."""

    text: str
    binds: int
    kind: str

    def within(self, binds: int) -> str:
        """Return the text, in parentheses if it binds less tightly than `binds`."""
        return self.text if self.binds >= binds else f"({self.text})"


class Translator:
    """Translates the expressions of one function. Every method raises Refused for what it cannot translate.

    Args:
        source: the source of the function's module.
        names: the types of the variables that are known so far. The writer of the function adds to them.
    """

    def __init__(self, source: str, known: Known, names: dict[str, str]) -> None:
        self.source = source
        self.known = known
        self.names = names

    # ---- for a language to say ---------------------------------------------------------------------------

    def comparison(self, sign: str) -> str:
        """Return the sign of a comparison in this language.

        Args:
            sign: the sign in Python.
        """
        return sign

    def divided(self, left: Text, right: Text) -> str:
        """Return the text of the quotient of two numbers. Its type is float."""
        raise NotImplementedError

    def divided_down(self, left: Text, right: Text) -> Text:
        """Return the quotient of two whole numbers, rounded down."""
        raise NotImplementedError

    def field(self, owner: Text, name: str) -> str:
        """Return the text of a field of a row."""
        raise NotImplementedError

    def item(self, table: Text, place: Text) -> Text:
        """Return the row or the number at a place of a table."""
        raise NotImplementedError

    def length(self, table: Text) -> str:
        """Return the text of the number of rows of a table."""
        raise NotImplementedError

    def cut(self, number: Text) -> str:
        """Return the text of a float without its fraction, as a whole number."""
        raise NotImplementedError

    def parts(self, texts: Sequence[Text], kind: str) -> str:
        """Return the text of a tuple.

        Args:
            kind: the type of the tuple.
        """
        raise NotImplementedError

    # ---- what all have in common -------------------------------------------------------------------------

    def translate(self, node: ast.expr) -> Text:
        """Return the text and the type of an expression in the other language."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Refused(node, "this kind of expression is not known")
        text: Text = method(node)
        return text

    def condition(self, node: ast.expr) -> Text:
        """Return the text of an expression of the type bool. Other types are refused."""
        return self._of(node, "bool")

    def _of(self, node: ast.expr, *kinds: str) -> Text:
        text = self.translate(node)
        if text.kind not in kinds:
            raise Refused(node, f"this is of type {text.kind}, not {' or '.join(kinds)}")
        return text

    def _constant(self, node: ast.Constant) -> Text:
        value = node.value
        if isinstance(value, bool):
            return Text("true" if value else "false", WHOLE, "bool")
        if isinstance(value, int) and abs(value) < _EXACT_MAX:
            return Text(str(value), WHOLE, "int")
        if isinstance(value, float):
            said = ast.get_source_segment(self.source, node) or repr(value)
            return Text(said.replace("_", ""), WHOLE, "float")
        raise Refused(node, "only numbers and truths are known")

    def _name(self, node: ast.Name) -> Text:
        if node.id in self.names:
            return Text(node.id, WHOLE, self.names[node.id])
        if node.id in self.known.constants:
            name, kind = self.known.constants[node.id]
            return Text(name, WHOLE, kind)
        raise Refused(node, "this name is not known")

    def _attribute(self, node: ast.Attribute) -> Text:
        owner = self.translate(node.value)
        fields = self.known.rows.get(owner.kind, {})
        if node.attr not in fields:
            raise Refused(node, f"{owner.kind} has no field {node.attr}")
        return Text(self.field(owner, node.attr), WHOLE, fields[node.attr])

    def _subscript(self, node: ast.Subscript) -> Text:
        table = self.translate(node.value)
        if not table.kind.startswith("["):
            raise Refused(node, f"{table.kind} is no table")
        if isinstance(node.slice, ast.UnaryOp):
            raise Refused(node, "places count from the front")
        return self.item(table, self._of(node.slice, "int"))

    def _binop(self, node: ast.BinOp) -> Text:
        if isinstance(node.op, ast.FloorDiv):
            return self.divided_down(self._of(node.left, "int"), self._of(node.right, "int"))
        left, right = self._of(node.left, *_NUMBERS), self._of(node.right, *_NUMBERS)
        if isinstance(node.op, ast.Div):
            return Text(self.divided(left, right), PRODUCT, "float")
        if type(node.op) not in _ARITHMETIC:
            raise Refused(node, "this operator is not known")
        sign, binds = _ARITHMETIC[type(node.op)]
        text = f"{left.within(binds)} {sign} {right.within(binds + 1)}"
        return Text(text, binds, "int" if left.kind == right.kind == "int" else "float")

    def _unaryop(self, node: ast.UnaryOp) -> Text:
        if isinstance(node.op, ast.Not):
            return Text(f"!{self.condition(node.operand).within(WHOLE)}", UNARY, "bool")
        if not isinstance(node.op, ast.USub):
            raise Refused(node, "this operator is not known")
        text = self._of(node.operand, *_NUMBERS)
        if text.kind == "int" and not isinstance(node.operand, ast.Constant):
            return Text(f"0 - {text.within(PRODUCT)}", SUM, "int")  # whole numbers have no -0
        return Text(f"-{text.within(WHOLE)}", UNARY, text.kind)

    def _boolop(self, node: ast.BoolOp) -> Text:
        sign, binds = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        parts = [self.condition(part).within(binds + 1) for part in node.values]
        return Text(f" {sign} ".join(parts), binds, "bool")

    def _compare(self, node: ast.Compare) -> Text:
        terms = [node.left, *node.comparators]
        for term in terms[1:-1]:
            if any(isinstance(part, ast.Call) for part in ast.walk(term)):
                raise Refused(node, "what stands between two comparisons is worked out twice: no call there")
        texts = [self._of(term, *_NUMBERS) for term in terms]
        parts = []
        for k, op in enumerate(node.ops):
            if type(op) not in _COMPARISONS:
                raise Refused(node, "this comparison is not known")
            sign, binds = _COMPARISONS[type(op)]
            parts.append(f"{texts[k].within(SUM)} {self.comparison(sign)} {texts[k + 1].within(SUM)}")
        return Text(" && ".join(parts), binds if len(parts) == 1 else AND, "bool")

    def _ifexp(self, node: ast.IfExp) -> Text:
        test, one, two = self.condition(node.test), self.translate(node.body), self.translate(node.orelse)
        if one.kind != two.kind:
            raise Refused(node, f"this is of type {one.kind} or {two.kind}")
        return Text(f"{test.within(OR)} ? {one.within(OR)} : {two.within(OR)}", CHOICE, one.kind)

    def _tuple(self, node: ast.Tuple) -> Text:
        texts = [self.translate(part) for part in node.elts]
        kind = f"({', '.join(part.kind for part in texts)})"
        return Text(self.parts(texts, kind), WHOLE, kind)

    def _call(self, node: ast.Call) -> Text:
        if not isinstance(node.func, ast.Name) or node.keywords or node.func.id in self.names:
            raise Refused(node, "only functions are called, without keywords")
        name = node.func.id
        if name == "len" and len(node.args) == 1:
            table = self.translate(node.args[0])
            if table.kind.startswith("["):
                return Text(self.length(table), WHOLE, "int")
        if name == "int" and len(node.args) == 1:
            return Text(self.cut(self._of(node.args[0], "float")), WHOLE, "int")
        if name not in self.known.functions:
            raise Refused(node, "this function is not known")
        return self._rule_call(node, name)

    def _rule_call(self, node: ast.Call, name: str) -> Text:
        function = self.known.functions[name]
        if len(node.args) != len(function.takes):
            raise Refused(node, f"{name} takes {len(function.takes)} arguments")
        texts = []
        for argument, kind in zip(node.args, function.takes, strict=True):
            text = self.translate(argument)
            if text.kind != kind:
                raise Refused(argument, f"this is of type {text.kind}, not {kind}")
            texts.append(text.text)
        return Text(f"{function.name}({', '.join(texts)})", WHOLE, function.returns)
