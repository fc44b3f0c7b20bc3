"""Translates functions of the rules to another language, statement by statement.

The class of a language derives from `FunctionWriter`. It defines how the language declares variables, counts,
and takes tuples apart.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from rules_source.expressions import Text, Translator
from rules_source.types import Known, Refused, of_annotation, parts_of
from rules_source.variables import Variable, variables_of


class FunctionWriter:
    """Writes one function. The constructor and `written` raise Refused for what cannot be translated.

    Attributes:
        names: the types of the parameters, and of the variables that have been read so far.
        lines: the lines of the body so far.
    """

    language = ""
    reserved: Collection[str] = ()
    """Names that a parameter or variable of a rule cannot have in this language."""

    def __init__(self, function: ast.FunctionDef, source: str, known: Known) -> None:
        self.function = function
        self.known = known
        self.variables = variables_of(function)
        self.names = {a.arg: self.kind_of(a.annotation) for a in function.args.args}
        self.parameters = dict(self.names)
        self.translator = self.new_translator(source)
        self.lines: list[str] = []
        self.depth = 1
        self._parts = 0
        taken = known.functions.keys() | set(self.reserved)
        for name in (*self.names, *self.variables):
            if name in self.reserved or (name in taken and name in self._called()):
                raise Refused(function, f"the name {name} is taken in {self.language}")

    def _called(self) -> set[str]:
        nodes = ast.walk(self.function)
        return {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}

    # ---- for a language to say ---------------------------------------------------------------------------

    def new_translator(self, source: str) -> Translator:
        """Return the translator of this function's expressions."""
        raise NotImplementedError

    def head(self, doc: Sequence[str]) -> list[str]:
        """Return the lines before the body.

        Args:
            doc: the lines of the docstring.
        """
        raise NotImplementedError

    def tops(self, names: Sequence[str]) -> list[str]:
        """Return the lines that declare variables at the top of the function (`Variable.at` is None)."""
        raise NotImplementedError

    def declared(self, variable: Variable, kind: str) -> str:
        """Return the words that declare a variable at its first assignment, with a space at the end."""
        raise NotImplementedError

    def counted(self, name: str, first: str, last: str, sign: str, change: str, *, fixed: bool) -> str:
        """Return the head of a loop that counts the variable `name` from `first` to before `last`.

        Args:
            sign: the comparison with `last`: "<" or ">".
            change: "++" or "--".
            fixed: whether `last` cannot change in the loop. Otherwise the loop needs a variable for it.
        """
        raise NotImplementedError

    def walked(self, name: str, table: Text) -> list[str]:
        """Return the lines with which a loop over a table begins. The first line is the head of the loop."""
        raise NotImplementedError

    def taken_apart(self, name: str, value: Text, kinds: Sequence[str]) -> tuple[str, list[str]]:
        """Return the line that stores a tuple in a variable, and the texts of the tuple's parts."""
        raise NotImplementedError

    def kept(self, names: Sequence[str], texts: Sequence[Text]) -> str:
        """Return the line that stores several values, each in a new variable."""
        raise NotImplementedError

    def assigned(self, target: str, value: Text, *, whole_row: bool) -> str:
        """Return an assignment.

        Args:
            whole_row: whether a row of a table gets the values of another row.
        """
        return f"{target} = {value.text};"

    def parts_of(self, kind: str) -> list[str]:
        """Return the types of the parts of a tuple, or an empty list for another type."""
        return parts_of(kind)

    # ---- what all have in common -------------------------------------------------------------------------

    def written(self) -> str:
        """Return the text of the whole function. Call it once."""
        function = self.function
        plain = function.args
        if function.decorator_list or plain.kwonlyargs or plain.defaults or plain.vararg:
            raise Refused(function, "only plain parameters are known")
        doc = (ast.get_docstring(function) or "").splitlines()
        for statement in function.body[1:] if doc else function.body:
            self._statement(statement)
        deeper = [v.name for v in self.variables.values() if v.at is None]
        return "\n".join([*self.head(doc), *self.tops(deeper), *self.lines, "}"])

    def put(self, text: str) -> None:
        """Add a line to the body, with the current indentation."""
        self.lines.append("  " * self.depth + text)

    @property
    def returns(self) -> str:
        """The type of what the function returns."""
        return self.kind_of(self.function.returns)

    def kind_of(self, annotation: ast.expr | None) -> str:
        """Return the type that an annotation names."""
        return of_annotation(annotation, self.known.rows)

    def _statement(self, node: ast.stmt) -> None:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Refused(node, "this kind of statement is not known")
        method(node)

    def _block(self, body: list[ast.stmt], first: Sequence[str] = ()) -> None:
        self.depth += 1
        for line in first:
            self.put(line)
        for statement in body:
            self._statement(statement)
        self.depth -= 1

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self.put("return;")
            return
        text = self.translator.translate(node.value)
        if text.kind != self.returns:
            raise Refused(node, f"this is of type {text.kind}, not {self.returns}")
        self.put(f"return {text.text};")

    def _break(self, _node: ast.Break) -> None:
        self.put("break;")

    def _continue(self, _node: ast.Continue) -> None:
        self.put("continue;")

    def _expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Call):
            raise Refused(node, "only a call stands for itself")
        self.put(self.translator.translate(node.value).text + ";")

    def _if(self, node: ast.If, word: str = "if") -> None:
        self.put(f"{word} ({self.translator.condition(node.test).text}) {{")
        self._block(node.body)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self._if(node.orelse[0], "} else if")
            return
        if node.orelse:
            self.put("} else {")
            self._block(node.orelse)
        self.put("}")

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            raise Refused(node, "a loop has no else")
        self.put(f"while ({self.translator.condition(node.test).text}) {{")
        self._block(node.body)
        self.put("}")

    def _for(self, node: ast.For) -> None:
        if node.orelse or not isinstance(node.target, ast.Name):
            raise Refused(node, "a loop has one variable and no else")
        name, source = node.target.id, node.iter
        first: Sequence[str] = ()
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range":
            self._know(node, name, "int")
            self.put(self._count(node, name, source.args))
        else:
            table = self.translator.translate(source)
            if not table.kind.startswith("["):
                raise Refused(node, f"{table.kind} is no table")
            self._know(node, name, table.kind[1:-1])
            line, *first = self.walked(name, table)
            self.put(line)
        self._block(node.body, first)
        self.put("}")

    def _count(self, node: ast.For, name: str, limits: list[ast.expr]) -> str:
        """Return the head of a loop over a range. Its limits are evaluated once, as in Python."""
        step = ast.unparse(limits[2]) if len(limits) == 3 else "1"
        if step not in ("1", "-1"):
            raise Refused(node, "a loop counts in steps of 1 or -1")
        texts = [self.translator.translate(limit) for limit in limits[:2]]
        if any(text.kind != "int" for text in texts):
            raise Refused(node, "a loop counts whole numbers")
        first, last = ("0", texts[0].text) if len(texts) == 1 else (texts[0].text, texts[1].text)
        sign, change = ("<", "++") if step == "1" else (">", "--")
        return self.counted(
            name, first, last, sign, change, fixed=self._stays(limits[min(1, len(texts) - 1)])
        )

    def _stays(self, limit: ast.expr) -> bool:
        """Return whether the limit of a loop certainly stays the same during the loop."""
        if isinstance(limit, ast.Name):
            variable = self.variables.get(limit.id)
            return variable is not None and variable.fixed
        return isinstance(limit, ast.Constant | ast.UnaryOp)

    def _know(self, node: ast.AST, name: str, kind: str) -> None:
        before = self.names.setdefault(name, kind)
        if before != kind:
            raise Refused(node, f"{name} is of type {before} elsewhere, here {kind}")

    def _assign(self, node: ast.Assign) -> None:
        (target,) = node.targets if len(node.targets) == 1 else (None,)
        if isinstance(target, ast.Tuple):
            self._assign_parts(node, target)
        elif target is not None:
            self._assign_one(node, target, self.translator.translate(node.value))
        else:
            raise Refused(node, "one thing is assigned at a time")

    def _assign_one(self, node: ast.stmt, target: ast.expr, value: Text) -> None:
        whole_row = isinstance(target, ast.Subscript) and value.kind in self.known.rows
        self.put(self.assigned(self._target(node, target, value.kind), value, whole_row=whole_row))

    def _assign_parts(self, node: ast.Assign, target: ast.Tuple) -> None:
        """Assign several values at once. All values are evaluated before the first assignment."""
        self._parts += 1
        name = f"parts_{self._parts}"
        if isinstance(node.value, ast.Tuple):
            texts = [self.translator.translate(value) for value in node.value.elts]
            kinds = [text.kind for text in texts]
            values = [f"{name}_{k}" for k in range(len(texts))]
            line = self.kept(values, texts)
        else:
            text = self.translator.translate(node.value)
            kinds = self.parts_of(text.kind)
            line, values = self.taken_apart(name, text, kinds)
        if len(kinds) != len(target.elts):
            raise Refused(node, f"{len(kinds)} values for {len(target.elts)} names")
        self.put(line)
        for part, kind, value in zip(target.elts, kinds, values, strict=True):
            self._assign_one(node, part, Text(value, 9, kind))

    def _augassign(self, node: ast.AugAssign) -> None:
        together = ast.copy_location(ast.BinOp(as_read(node.target), node.op, node.value), node)
        kind = self.translator.translate(ast.fix_missing_locations(together)).kind
        signs = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*="}
        if type(node.op) not in signs:
            raise Refused(node, "this operator is not known")
        target = self._target(node, node.target, kind)
        self.put(f"{target} {signs[type(node.op)]} {self.translator.translate(node.value).text};")

    def _target(self, node: ast.stmt, target: ast.expr, kind: str) -> str:
        """Return the text of an assignment's target, with its declaration if this is the first assignment.

        Raises:
            Refused: the type of the target is not `kind`, or the target is a constant.
        """
        if isinstance(target, ast.Name):
            if target.id in self.known.constants and target.id not in self.variables:
                raise Refused(node, "a constant is not assigned")
            self._know(node, target.id, kind)
            variable = self.variables.get(target.id)
            is_first = variable is not None and variable.at is node
            return (self.declared(variable, kind) if is_first and variable else "") + target.id
        text = self.translator.translate(as_read(target))
        if text.kind != kind:
            raise Refused(node, f"{text.text} is of type {text.kind}, the value of type {kind}")
        return text.text


def as_read(target: ast.expr) -> ast.expr:
    """Return the target of an assignment as an expression that reads its value."""
    copy = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(copy, target)
