"""Finds the place at which each variable of a function is declared.

A variable belongs to a function in Python, but to a block in JavaScript and C. So a variable is declared at
its first assignment if all other uses are later in the same block or deeper. Otherwise it is declared at the
top of the function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from rules_source.types import Refused

_Block = tuple[int, ...]


@dataclass
class Variable:
    """A variable.

    Attributes:
        block: the block in which it is declared, as the path of its enclosing statements.
        at: the statement that declares it. None means the top of the function.
        assigned: the number of assignments.
    """

    name: str
    block: _Block
    at: ast.stmt | None
    assigned: int = 0
    loop: bool = False
    """Whether it is the variable of a `for` loop."""

    @property
    def fixed(self) -> bool:
        """Whether only one statement assigns it."""
        return self.assigned == 1


def variables_of(function: ast.FunctionDef) -> dict[str, Variable]:
    """Return the variables of a function by name, without its parameters.

    Raises:
        Refused: the variable of a loop is a parameter, or is used outside of the loop or assigned in it.
    """
    parameters = {a.arg for a in function.args.args}
    found: dict[str, Variable] = {}
    for name, node, statement, block, is_store in _mentions(function.body, ()):
        if name in parameters:
            if isinstance(statement, ast.For) and is_store:
                raise Refused(node, "a loop does not count with a parameter")
            continue
        if name not in found:
            if is_store:
                found[name] = Variable(name, block, statement, loop=isinstance(statement, ast.For))
                found[name].assigned = 1
            continue  # else a name of the module, or one that Python refuses
        variable = found[name]
        variable.assigned += is_store
        if block[: len(variable.block)] != variable.block:
            if variable.loop and not (is_store and isinstance(statement, ast.For)):
                raise Refused(node, "the variable of a loop is not used behind it")
            variable.at = statement if variable.loop else None
            variable.block = block if variable.loop else ()
        if variable.loop and is_store and not isinstance(statement, ast.For):
            raise Refused(node, "the variable of a loop is not assigned")
    return found


def _mentions(body: list[ast.stmt], block: _Block) -> Iterator[tuple[str, ast.AST, ast.stmt, _Block, bool]]:
    """Yield every name in the order of execution. Names that a statement reads come before its targets."""
    for statement in body:
        inner = (*block, id(statement))
        if isinstance(statement, ast.If | ast.While):
            yield from _names(statement.test, statement, block)
            yield from _mentions(statement.body, (*inner, 1))
            yield from _mentions(statement.orelse, (*inner, 2))
        elif isinstance(statement, ast.For):
            yield from _names(statement.iter, statement, block)
            yield from _names(statement.target, statement, (*inner, 1))
            yield from _mentions(statement.body, (*inner, 1))
        elif isinstance(statement, ast.Assign):
            yield from _names(statement.value, statement, block)
            for target in statement.targets:
                yield from _names(target, statement, block)
        else:
            yield from _names(statement, statement, block)


def _names(
    node: ast.AST, statement: ast.stmt, block: _Block
) -> Iterator[tuple[str, ast.AST, ast.stmt, _Block, bool]]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id, part, statement, block, isinstance(part.ctx, ast.Store)
