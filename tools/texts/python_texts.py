"""Finds the texts of Python modules: literals with two words or more, and single words that are shown."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from texts.found_text import FoundText, is_prose, is_shown_word

_KINDS = {
    "option": "option",
    "argument": "option",
    "print": "output",
    "say": "output",
    "says": "output",
    "tell": "output",
    "show": "output",
    "note": "output",
    "write": "output",
    "stimulus": "output",
    "debug": "log",
    "info": "log",
    "warning": "log",
    "error": "log",
    "exception": "log",
    "log": "log",
    "Log": "log",
    "add_column": "heading",
    "heading": "heading",
    "Column": "heading",
}
"""By name of a called function, the kind of the texts among its arguments."""
_NAMES = re.compile(
    r"(?i)text|help|title|label|head|column|advice|message|reason|description|caption|hint|note|aliases"
)
"""Names of constants, keywords and keys whose single words people read."""
_NO_TEXTS = {
    "compile",
    "sub",
    "match",
    "search",
    "fullmatch",
    "split",
    "execute",
    "import_module",
    "TypeVar",
    "cast",
}
"""Functions that take patterns, statements and names, not texts."""
_ERROR = "error"


def python_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield the texts of a module."""
    finder = _Finder(path)
    finder.visit(ast.parse(source))
    yield from finder.found


def template_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield the comments and texts of a template for `turnwright new`."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING) and is_prose(token.string):
            yield FoundText(path, token.start[0], "template", token.string)


class _Finder(ast.NodeVisitor):
    """Visits the literals of a module, and adds each text with its kind to `found`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[FoundText] = []
        self._kind = ""

    def _visit_all(self, kind: str, *nodes: ast.AST | None) -> None:
        before, self._kind = self._kind, kind or self._kind
        for node in nodes:
            if node is not None:
                self.visit(node)
        self._kind = before

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring otherwise
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all("", node.args, *node.decorator_list, *node.body)  # no annotation of what it returns

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> None:
        """Do nothing, because annotations have no texts."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_all(_kind_of_name(node.target), node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(getattr(target, "id", "") == "__all__" for target in node.targets):
            self._visit_all(_kind_of_name(node.targets[0]), node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        self._visit_all("named" if node.arg and _NAMES.search(node.arg) else "", node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._visit_all(_ERROR, node.exc)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in _NO_TEXTS and not isinstance(node.func, ast.Attribute | ast.Call | ast.Constant):
            return
        if name in _NO_TEXTS and ast.unparse(node.func).startswith("re."):
            return
        kind = _ERROR if name.endswith(("Error", "Refusal")) else _KINDS.get(name, "")
        self.visit(node.func)
        self._visit_all(kind, *node.args, *node.keywords)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add) and (text := _joined(node)) is not None:
            self._add(node, text)
        else:
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._add(node, _literal(node) or "")
        for part in node.values:  # texts within placeholders: {"a" if one else "b"}
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._add(node, node.value)
        elif isinstance(node.value, bytes) and b" " in node.value:
            self._add(node, node.value.decode("latin-1"))

    def _add(self, node: ast.expr, text: str) -> None:
        if is_prose(text) or (self._kind and is_shown_word(text)):
            self.found.append(FoundText(self.path, node.lineno, self._kind or "text", text))


def _kind_of_name(target: ast.expr) -> str:
    return "named" if _NAMES.search(ast.unparse(target)) else ""


def _joined(node: ast.expr) -> str | None:
    """Return the text of a sum of literals and values, or None if it has no literal."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _joined(node.left), _joined(node.right)
        if left is None and right is None:
            return None
        return (left if left is not None else _placeholder(node.left)) + (
            right if right is not None else _placeholder(node.right)
        )
    return _literal(node)


def _literal(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _placeholder(part.value)
            if isinstance(part, ast.FormattedValue)
            else str(getattr(part, "value", ""))
            for part in node.values
        )
    return None


def _placeholder(value: ast.expr) -> str:
    """Return the expression of a placeholder in braces."""
    return "{" + re.sub(r"[{}]", "", ast.unparse(value)) + "}"
