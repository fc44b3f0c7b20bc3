"""Loads verbs from Python files.

A verb file defines classes that inherit from `turnwright_world.rules.verbs.Verb`. The server runs these files
in its own process, so their authors must be trusted. `mind_source` checks minds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from turnwright_world.content.loop_limit import NAMES, bounded
from turnwright_world.content.mind_source import Note, check_mind, parsed
from turnwright_world.rules.verbs import DURATION_TURNS_MAX, Verb

__all__ = ["Note", "check_mind", "load_verbs"]

_FAILURES = (Exception, SystemExit)
"""Exceptions of a file that is loaded. An exit is a mistake like any other exception."""
_WORD = re.compile("^[a-z][a-z_]{0,19}$|^[?!'.,]$")


def load_verbs(file: str, source: str, note: Note) -> Iterator[Verb]:
    """Run a file, and yield a verb for each of its public classes. `note` receives the mistakes."""
    tree = parsed(file, source, note)
    if tree is None:
        return
    lines = {node.name: node.lineno for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    code = compile(bounded(tree), file, "exec", dont_inherit=True)
    space: dict[str, Any] = {"__name__": f"verbs:{file}", "__file__": file, **NAMES}
    try:
        exec(code, space)
    except _FAILURES as error:
        note(_line_in(file, error), f"{type(error).__name__}: {error}; raised while the file was loaded")
        return
    for name, kind in space.items():
        if not isinstance(kind, type) or kind.__module__ != space["__name__"] or name.startswith("_"):
            continue
        if not issubclass(kind, Verb):
            note(
                lines.get(name, 1),
                f"class {name} is not a Verb; write class {name}(Verb), or begin it with _",
            )
            continue
        verb = _made(kind, lines.get(name, 1), note)
        if verb is not None:
            yield verb


def _made(kind: type[Verb], line: int, note: Note) -> Verb | None:
    try:
        verb = kind()
        problem = _problem(verb)
    except _FAILURES as error:
        note(line, f"class {kind.__name__} cannot be made without arguments: {type(error).__name__}: {error}")
        return None
    if problem is not None:
        note(line, f"class {kind.__name__}: {problem}")
        return None
    return verb


def _problem(verb: Verb) -> str | None:
    names = (verb.name, *verb.aliases) if isinstance(verb.aliases, tuple) else None
    if names is None:
        return f"aliases is {verb.aliases!r}; give a tuple of words"
    for name in names:
        if not isinstance(name, str) or not _WORD.match(name):
            return f"{name!r} is not a name for a command; give one lower case word of 1 to 20 letters"
    turns = verb.duration_turns
    if type(turns) is not int or not 1 <= turns <= DURATION_TURNS_MAX:
        return f"duration_turns is {turns!r}; give 1 to {DURATION_TURNS_MAX}"
    if not isinstance(verb.group, str):
        return f"group is {verb.group!r}; give a word, e.g. 'things'"
    return None if isinstance(verb.help, str) else f"help is {verb.help!r}; give a text"


def _line_in(file: str, error: BaseException) -> int:
    """Return the innermost line of this file in the traceback of an error, or 1 if it has none."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
