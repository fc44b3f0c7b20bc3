"""Checks the source of a mind without running it.

A mind file defines `plan(view, random)`, or one class with that method. Reading a hostile file can take much
time and memory, so the server reads a player's file in a process that it can kill.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

Note = Callable[[int, str], None]
"""Receives a mistake: its line, and a text that names the mistake and what to do about it."""


def check_mind(file: str, source: str, note: Note) -> bool:
    """Return whether a file compiles and defines exactly one plan. The file is not run.

    A plan is a function plan(view, random), or the method plan(self, view, random) of a class. If the file
    has a mistake, `note` receives it.
    """
    tree = parsed(file, source, note)
    if tree is None:
        return False
    plans = [(node, 2) for node in tree.body if _is_plan(node)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            plans += [(inner, 3) for inner in node.body if _is_plan(inner)]
    if len(plans) != 1:
        text = "expected one: def plan(view, random) that returns a command"
        note(1, f"found {len(plans)} functions plan, {text}")
        return False
    plan, wanted = plans[0]
    assert isinstance(plan, ast.FunctionDef)
    count = len(plan.args.posonlyargs) + len(plan.args.args)
    if count != wanted:
        note(plan.lineno, f"plan has {count} arguments; the server calls plan(view, random)")
        return False
    return True


def _is_plan(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "plan"


def parsed(file: str, source: str, note: Note) -> ast.Module | None:
    """Return the syntax tree of a file, or None if it does not compile. Then `note` receives the reason."""
    try:
        compile(source, file, "exec", dont_inherit=True)
        return ast.parse(source, file)
    except SyntaxError as error:
        note(error.lineno or 1, f"this is not Python: {error.msg}")
    except ValueError as error:
        note(1, f"this is not Python: {error}")
    except (RecursionError, MemoryError):
        note(1, "this is not Python: too deeply nested")
    return None
