"""Statements: a Python function to a JavaScript one, line by line."""

from __future__ import annotations

import ast

from rules_to_js.expressions import Translator
from rules_to_js.types import Known, Refused, of_annotation, parts_of, to_jsdoc
from rules_to_js.variables import Variable, variables_of

__all__ = ["function_to_js"]

_RESERVED = """
await break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected
public return static super switch this throw true try typeof undefined var void while with yield
arguments whole Math Number
"""
RESERVED = frozenset(_RESERVED.split())
"""Names that JavaScript keeps for itself, and those that the generated file needs."""


def function_to_js(function: ast.FunctionDef, source: str, known: Known) -> str:
    """Return a function of the rules in JavaScript. Raises: Refused."""
    return _Writer(function, source, known).written()


class _Writer:
    def __init__(self, function: ast.FunctionDef, source: str, known: Known) -> None:
        self.function = function
        self.known = known
        self.variables = variables_of(function)
        self.names = {a.arg: of_annotation(a.annotation, known.rows) for a in function.args.args}
        self.translator = Translator(source, known, self.names)
        self.lines: list[str] = []
        self.depth = 1
        self.parts = 0
        taken = known.functions.keys() | RESERVED
        for name in (*self.names, *self.variables):
            if name in RESERVED or (name in taken and name in self._called()):
                raise Refused(function, f"the name {name} is taken in JavaScript")

    def _called(self) -> set[str]:
        nodes = ast.walk(self.function)
        return {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}

    def written(self) -> str:
        function = self.function
        if (
            function.decorator_list
            or function.args.kwonlyargs
            or function.args.defaults
            or function.args.vararg
        ):
            raise Refused(function, "only plain parameters are known")
        returns = of_annotation(function.returns, self.known.rows)
        doc = (ast.get_docstring(function) or "").splitlines()
        head = ["/**", *(f" * {line}".rstrip() for line in doc), *([" *"] if len(doc) > 1 else [])]
        head += [f" * @param {{{to_jsdoc(kind)}}} {name}" for name, kind in self.names.items()]
        head += [f" * @returns {{{to_jsdoc(returns)}}}", " */"]
        said = self.known.functions[function.name]
        head.append(f"export function {said.name}({', '.join(self.names)}) {{")
        body = function.body[1:] if doc else function.body
        self._hoist()
        for statement in body:
            self._statement(statement)
        return "\n".join([*head, *self.lines, "}"])

    def _hoist(self) -> None:
        """Declare at the top what is first assigned somewhere deeper."""
        names = [v.name for v in self.variables.values() if v.at is None]
        if names:
            self._put(f"let {', '.join(names)};")

    def _put(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def _statement(self, node: ast.stmt) -> None:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Refused(node, "this kind of statement is not known")
        method(node)

    def _block(self, body: list[ast.stmt]) -> None:
        self.depth += 1
        for statement in body:
            self._statement(statement)
        self.depth -= 1

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self._put("return;")
            return
        text = self.translator.translate(node.value)
        wanted = of_annotation(self.function.returns, self.known.rows)
        if text.kind != wanted:
            raise Refused(node, f"this is of type {text.kind}, not {wanted}")
        self._put(f"return {text.text};")

    def _break(self, _node: ast.Break) -> None:
        self._put("break;")

    def _continue(self, _node: ast.Continue) -> None:
        self._put("continue;")

    def _expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Call):
            raise Refused(node, "only a call stands for itself")
        self._put(self.translator.translate(node.value).text + ";")

    def _if(self, node: ast.If, word: str = "if") -> None:
        self._put(f"{word} ({self.translator.condition(node.test).text}) {{")
        self._block(node.body)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self._if(node.orelse[0], "} else if")
            return
        if node.orelse:
            self._put("} else {")
            self._block(node.orelse)
        self._put("}")

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            raise Refused(node, "a loop has no else")
        self._put(f"while ({self.translator.condition(node.test).text}) {{")
        self._block(node.body)
        self._put("}")

    def _for(self, node: ast.For) -> None:
        if node.orelse or not isinstance(node.target, ast.Name):
            raise Refused(node, "a loop has one variable and no else")
        name, source = node.target.id, node.iter
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range":
            self._know(node, name, "int")
            self._put(self._count(node, name, source.args))
        else:
            table = self.translator.translate(source)
            if not table.kind.startswith("["):
                raise Refused(node, f"{table.kind} is no table")
            self._know(node, name, table.kind[1:-1])
            self._put(f"for (const {name} of {table.text}) {{")
        self._block(node.body)
        self._put("}")

    def _count(self, node: ast.For, name: str, limits: list[ast.expr]) -> str:
        """Return the head of a loop that counts; its limits are worked out once, as in Python."""
        step = ast.unparse(limits[2]) if len(limits) == 3 else "1"
        if step not in ("1", "-1"):
            raise Refused(node, "a loop counts in steps of 1 or -1")
        texts = [self.translator.translate(limit) for limit in limits[:2]]
        if any(text.kind != "int" for text in texts):
            raise Refused(node, "a loop counts whole numbers")
        first, last = ("0", texts[0].text) if len(texts) == 1 else (texts[0].text, texts[1].text)
        sign, change = ("<", "++") if step == "1" else (">", "--")
        if self._stays(limits[min(1, len(texts) - 1)]):
            return f"for (let {name} = {first}; {name} {sign} {last}; {name}{change}) {{"
        return f"for (let {name} = {first}, {name}_end = {last}; {name} {sign} {name}_end; {name}{change}) {{"

    def _stays(self, limit: ast.expr) -> bool:
        """Return whether a limit is sure to be the same all through the loop."""
        if isinstance(limit, ast.Name):
            variable = self.variables.get(limit.id)
            return variable is not None and variable.fixed
        return isinstance(limit, ast.Constant | ast.UnaryOp)

    def _know(self, node: ast.AST, name: str, kind: str) -> None:
        before = self.names.setdefault(name, kind)
        if before != kind:
            raise Refused(node, f"{name} is of type {before} elsewhere, here {kind}")

    def _declared(self, node: ast.stmt, name: str) -> str:
        """Return the word that declares a variable with this statement, or none."""
        variable: Variable | None = self.variables.get(name)
        if variable is None or variable.at is not node:
            return ""
        return "const " if variable.fixed else "let "

    def _assign(self, node: ast.Assign) -> None:
        (target,) = node.targets if len(node.targets) == 1 else (None,)
        if isinstance(target, ast.Tuple):
            self._assign_parts(node, target)
        elif target is not None:
            text = self.translator.translate(node.value)
            self._put(f"{self._target(node, target, text.kind)} = {text.text};")
        else:
            raise Refused(node, "one thing is assigned at a time")

    def _assign_parts(self, node: ast.Assign, target: ast.Tuple) -> None:
        """Assign several things at once: all values are worked out before the first is assigned."""
        self.parts += 1
        parts = f"parts_{self.parts}"
        if isinstance(node.value, ast.Tuple):
            texts = [self.translator.translate(value) for value in node.value.elts]
            values = [f"{parts}_{k}" for k in range(len(texts))]
            pairs = (f"{v} = {t.text}" for v, t in zip(values, texts, strict=True))
            self._put(f"const {', '.join(pairs)};")
            kinds = [text.kind for text in texts]
        else:
            text = self.translator.translate(node.value)
            kinds = parts_of(text.kind)
            values = [f"{parts}[{k}]" for k in range(len(kinds))]
            self._put(f"const {parts} = {text.text};")
        if len(kinds) != len(target.elts):
            raise Refused(node, f"{len(kinds)} values for {len(target.elts)} names")
        for part, kind, value in zip(target.elts, kinds, values, strict=True):
            self._put(f"{self._target(node, part, kind)} = {value};")

    def _augassign(self, node: ast.AugAssign) -> None:
        together = ast.copy_location(ast.BinOp(_as_read(node.target), node.op, node.value), node)
        kind = self.translator.translate(ast.fix_missing_locations(together)).kind
        signs = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*="}
        if type(node.op) not in signs:
            raise Refused(node, "this operator is not known")
        target = self._target(node, node.target, kind)
        self._put(f"{target} {signs[type(node.op)]} {self.translator.translate(node.value).text};")

    def _target(self, node: ast.stmt, target: ast.expr, kind: str) -> str:
        """Return what is assigned to, with the word that declares it. The types have to agree."""
        if isinstance(target, ast.Name):
            if target.id in self.known.constants and target.id not in self.variables:
                raise Refused(node, "a constant is not assigned")
            self._know(node, target.id, kind)
            return self._declared(node, target.id) + target.id
        text = self.translator.translate(_as_read(target))
        if text.kind != kind:
            raise Refused(node, f"{text.text} is of type {text.kind}, the value of type {kind}")
        return text.text


def _as_read(target: ast.expr) -> ast.expr:
    """Return what is assigned to as an expression that reads it."""
    copy = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(copy, target)
