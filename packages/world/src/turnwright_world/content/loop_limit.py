"""Limits the rounds of all loops in one call of a verb's function.

A verb that never ends would stop the world. A time limit could stop the verb, but a replay would not stop it
at the same point. So the server counts rounds. When it loads a file, it inserts this code at the beginning of
each loop's body:

    while True:                      while True:
        ...                              rounds += 1
                                         if rounds > ROUNDS_MAX: raise Endless(...)
                                         ...

`rounds` is a variable of the function, with a name that no source can use. It counts the rounds of all loops
of the function. Each comprehension counts its own items. Python itself ends endless recursion. A long call
into C is not noticed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

ROUNDS_MAX = 100_000
"""The most rounds of all loops in one call. A world may begin with 20,000 creatures and items."""
_ROUNDS, _ENDLESS, _COUNTED = ".rounds", ".Endless", ".counted"
_SAID = f"a loop has more than {ROUNDS_MAX:,} rounds"
_Loop = ast.For | ast.AsyncFor | ast.While
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Endless(Exception):
    """The loops of a function have too many rounds."""


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the items of a comprehension. If there are more than ROUNDS_MAX, raise Endless."""
    for number, item in enumerate(items):
        if number >= ROUNDS_MAX:
            raise Endless(_SAID)
        yield item


NAMES = {_ENDLESS: Endless, _COUNTED: _counted}
"""Globals that the code returned by `bounded` needs."""


def bounded(tree: ast.Module) -> ast.Module:
    """Add the count of rounds to all loops of a file. This changes `tree` and returns it."""
    for scope in [node for node in _statements(tree) if isinstance(node, _Scope)]:
        loops = [node for node in _statements(scope, inner=False) if isinstance(node, _Loop)]
        for loop in loops:
            loop.body[:0] = _counting(loop)
        if loops:
            scope.body.insert(_head(scope), _parsed("_rounds = 0", scope.body[-1])[0])
    for part in [
        node for node in ast.walk(tree) if isinstance(node, ast.comprehension) and not node.is_async
    ]:
        counted = ast.copy_location(ast.Name(_COUNTED, ast.Load()), part.iter)
        part.iter = ast.copy_location(ast.Call(counted, [part.iter], []), part.iter)
    return tree


def _statements(node: ast.AST, *, inner: bool = True) -> Iterator[ast.AST]:
    """Yield a node and the statements in it.

    Args:
        inner: whether to include the statements of functions and classes inside the node.
    """
    open_nodes = [node]
    while open_nodes:
        one = open_nodes.pop()
        yield one
        if one is node or inner or not isinstance(one, _Scope):
            open_nodes += [
                child
                for child in ast.iter_child_nodes(one)
                if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            ]


def _counting(loop: _Loop) -> list[ast.stmt]:
    source = f"_rounds += 1\nif _rounds > {ROUNDS_MAX}: raise _Endless({_SAID!r})"
    return _parsed(source, loop)


def _parsed(source: str, place: ast.stmt) -> list[ast.stmt]:
    """Return the statements of a source. They get the line of `place`, and names that no source can use."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = {"_rounds": _ROUNDS, "_Endless": _ENDLESS}[node.id]
        if isinstance(node, ast.expr | ast.stmt):
            ast.copy_location(node, place)
    return tree.body


def _head(scope: _Scope) -> int:
    """Return how many statements must stay first: the docstring, and imports from __future__."""
    head = 0
    for statement in scope.body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and not head
        if not text and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        head += 1
    return head
