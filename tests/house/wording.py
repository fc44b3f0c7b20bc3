"""Finds texts of five or more words with which tests compare what a program says.

.venv/bin/python -m tests.house.wording          lists them, and shortens `pinned_texts.txt` to them
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import files_of_tests

PINNED_TEXTS = Path(__file__).with_name("pinned_texts.txt")
"""Texts that are contracts: how many each file may have, and why. A list that only shrinks."""
WORDS_MAX = 4
"""Words in a row with which a test may compare a text: enough for a name, a value or an advice."""
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*|[aI]")
_GAP = re.compile(r"…|\.[*+]\??|\\[dsw][*+]")
"""Between parts of a text that are compared each by itself."""
_COMPARING = frozenset({"any", "all", "missing", "naming", "says", "startswith", "endswith", "str"})
"""Functions whose arguments are compared."""
_EDGES = ".,;:!?()[]{}'\"`^$*+|\\"

Pinned = tuple[int, str]
"""A line and the text that stands there."""


def pinned(tree: ast.Module) -> list[Pinned]:
    """Return the texts of a module's asserts and `match=` that pin a wording.

    Also those of the tables of a test's parameters and loops, where their names are compared.
    """
    compared = list(_compared(tree))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            tables = dict(_tables(function))
            names = {name for one in _compared(function) for name in _names(one)}
            compared += [text for name in names for text in tables.get(name, ())]
    found = {(node.lineno, node.col_offset): text for one in compared for node, text in _texts(one)}
    return [(line, text) for (line, _), text in sorted(found.items()) if _words(text) > WORDS_MAX]


def _compared(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the tests of asserts and the patterns of `match=`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield node.test
        elif isinstance(node, ast.keyword) and node.arg == "match":
            yield node.value


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names in a comparison, without arguments of calls that play, read or write."""
    if isinstance(node, ast.Name):
        yield node.id
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Call) and child in node.args) or _compares(node.func):
            yield from _names(child)


def _compares(function: ast.expr) -> bool:
    return ast.unparse(function).rpartition(".")[2] in _COMPARING


def _tables(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield the names of a function's parameters and loops, and the literals that they stand for."""
    bound: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.comprehension):
            _bind(bound, node.target, getattr(node.iter, "elts", []))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("parametrize"):
            names = ast.unparse(node.args[0]).replace("'", "").strip("()[]").replace(" ", "").split(",")
            target = ast.Tuple([ast.Name(name) for name in names]) if len(names) > 1 else ast.Name(names[0])
            _bind(bound, target, getattr(node.args[1], "elts", []))
    yield from bound.items()


def _bind(bound: dict[str, list[ast.expr]], target: ast.expr, rows: list[ast.expr]) -> None:
    """Note for each name of a target the literals that a row has in its place."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    for row in rows:
        whole = row.args if isinstance(row, ast.Call) else getattr(row, "elts", [])
        for name, value in zip(names, whole if len(names) > 1 else [row], strict=False):
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant | ast.JoinedStr):
                bound.setdefault(name.id, []).append(value)


def _texts(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the literals below a node; of an f-string the text between its values."""
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "\0" for part in node.values]
        yield node, "".join(map(str, parts))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        yield node, node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    else:
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def _words(text: str) -> int:
    """Return the number of words in the longest part of a text."""
    parts = (part.split() for part in _GAP.split(text))
    return max(sum(bool(_WORD.fullmatch(word.strip(_EDGES))) for word in words) for words in parts)


def allowed() -> dict[str, int]:
    """Return for each file of the list how many texts it may have."""
    rows = (line.split(maxsplit=2) for line in PINNED_TEXTS.read_text(encoding="utf-8").splitlines())
    return {path: int(count) for count, path, _reason in rows}


def trim(modules: dict[str, ast.Module]) -> None:
    """Write down the texts of each file, and shorten the list."""
    lines = []
    for line in PINNED_TEXTS.read_text(encoding="utf-8").splitlines():
        count, path, reason = line.split(maxsplit=2)
        left = min(int(count), len(pinned(modules[path]))) if path in modules else 0
        lines += [f"{left} {path} {reason}\n"] if left else []
    PINNED_TEXTS.write_text("".join(lines), encoding="utf-8")
    for path, tree in modules.items():
        for number, text in pinned(tree):
            print(f"tests/{path}:{number}: {text!r}")


if __name__ == "__main__":
    trim(files_of_tests())
