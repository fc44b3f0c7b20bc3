"""Checks the source of a mind without running it.

A mind file defines `plan(view, random)`, or one class with that method. To read a hostile one takes time and
memory: a player's is read in a process that can be killed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

Note = Callable[[int, str], None]
"""Takes a mistake: line, what is wrong and what to do."""


def check_mind(file: str, source: str, note: Note) -> bool:
    """Return whether a file can be a mind: it compiles and has a plan. It is not run.

    That is a function plan(view, random), or one class with the method plan(self, view, random).
    """
    tree = parsed(file, source, note)
    if tree is None:
        return False
    plans = [(node, 2) for node in tree.body if _is_plan(node)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            plans += [(inner, 3) for inner in node.body if _is_plan(inner)]
    if len(plans) != 1:
        note(
            1, f"it has {len(plans)} functions plan; write one: def plan(view, random) that returns a command"
        )
        return False
    plan, wanted = plans[0]
    assert isinstance(plan, ast.FunctionDef)
    count = len(plan.args.posonlyargs) + len(plan.args.args)
    if count != wanted:
        note(plan.lineno, f"plan takes {count} arguments; it is called as plan(view, random)")
        return False
    return True


def _is_plan(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "plan"


def parsed(file: str, source: str, note: Note) -> ast.Module | None:
    """Return what a file says, if it can be compiled."""
    try:
        compile(source, file, "exec", dont_inherit=True)
        return ast.parse(source, file)
    except SyntaxError as error:
        note(error.lineno or 1, f"this is not Python: {error.msg}")
    except ValueError as error:
        note(1, f"this is not Python: {error}")
    except (RecursionError, MemoryError):
        note(1, "this is not Python: too much inside each other")
    return None
