"""Bounds the loops of verbs: a limited number of rounds a call.

A verb that never ends would stop the world. A clock could tell, but not when a turn is played again: what was
cut off here would run on there, for ever. So rounds are counted, by a line that is put at the beginning of
each loop's body when a file is loaded:

    while True:                      while True:
        ...                              rounds += 1
                                         if rounds > ROUNDS_MAX: raise Endless(...)
                                         ...

`rounds` is a variable of the function, of a name that no source can have. It counts all its loops together.
What a comprehension goes through is counted on its way to it, each comprehension for itself. A function that
calls itself is ended by Python. What takes long within one call into C is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

ROUNDS_MAX = 100_000
"""Rounds of all loops in one call of a function; content may place 20,000 creatures and items."""
_ROUNDS, _ENDLESS, _COUNTED = ".rounds", ".Endless", ".counted"
_SAID = f"a loop has more than {ROUNDS_MAX:,} rounds"
_Loop = ast.For | ast.AsyncFor | ast.While
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Endless(Exception):
    """A loop went round and round."""


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    """Yield what a comprehension goes through, ROUNDS_MAX of it at most."""
    for number, item in enumerate(items):
        if number >= ROUNDS_MAX:
            raise Endless(_SAID)
        yield item


NAMES = {_ENDLESS: Endless, _COUNTED: _counted}
"""Globals that code which is `bounded` needs."""


def bounded(tree: ast.Module) -> ast.Module:
    """Count the rounds of all loops in a file's statements.

    Changes `tree`, and returns it.
    """
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
    """Yield a node and the statements in it;

    Args:
        inner: those of functions and classes within, too.
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
    """Return statements with the line of another one, and with names that cannot be in a source."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = {"_rounds": _ROUNDS, "_Endless": _ENDLESS}[node.id]
        if isinstance(node, ast.expr | ast.stmt):
            ast.copy_location(node, place)
    return tree.body


def _head(scope: _Scope) -> int:
    """Return how many statements must stay the first: what a file or function says of itself."""
    head = 0
    for statement in scope.body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and not head
        if not text and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        head += 1
    return head
