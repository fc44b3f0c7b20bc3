"""Rules of shapes: names used twice, protocols with one implementation, circles of imports."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.house.source import Module, imported_modules, modules

SEAMS = {
    ("net/files/battle_record.py", "SpectatorFiles"): (
        "a game's own format of recordings, offered by `GameRecords.writer`; of ours, the tank alone has one"
    ),
}
"""Protocols and abstract classes that users implement, with their purpose."""

CIRCLES: dict[str, str] = {}
"""Modules in an accepted circle of imports, and the reason. Imports for type checkers alone do not count."""

Found = Iterator[str]
"""Descriptions of what breaks a rule, each with its place."""


def wrong() -> list[str]:
    """Return a line for each place that breaks a rule."""
    finders = (_names_twice, _lonely_protocols, _circles)
    return [entry for find in finders for entry in find()]


def _classes() -> Iterator[tuple[Module, ast.ClassDef]]:
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                yield module, node


def _names_twice() -> Found:
    where: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for module, node in _classes():
        where[module.package, node.name.lstrip("_")].append((module.path, node.name))
    for places in where.values():
        if len(places) > 1:
            yield from (f"name twice: {path} {name}" for path, name in places)


def _lonely_protocols() -> Found:
    """Yield protocols that one class fits, and abstract classes that one class derives from."""
    offered = {}
    asked = {}
    bases = {}
    for module, node in _classes():
        key = (module.path, node.name)
        bases[key] = [ast.unparse(base).split("[")[0] for base in node.bases]
        (asked if "Protocol" in bases[key] else offered)[key] = _members(node)
    filled = {}
    for key, members in asked.items():
        wanted = members.union(*_inherited(asked, bases[key]))
        filled[key] = sum(wanted <= offered[k].union(*_inherited(offered, bases[k])) for k in offered)
    for key in offered:
        if "ABC" in bases[key]:
            filled[key] = sum(base.rpartition(".")[2] == key[1] for names in bases.values() for base in names)
    for (path, name), count in filled.items():
        if count < 2 and (path, name) not in SEAMS:
            yield f"one implementation: {path} {name}"


def _inherited(members: dict[tuple[str, str], set[str]], bases: list[str]) -> list[set[str]]:
    return [offered for (_, name), offered in members.items() if name in bases]


def _members(node: ast.ClassDef) -> set[str]:
    """Return the names of a class's methods and attributes."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(inner.name)
        elif isinstance(inner, ast.Attribute) and getattr(inner.value, "id", "") == "self":
            names.add(inner.attr)
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign):
            names.add(ast.unparse(statement.target))
        elif isinstance(statement, ast.Assign):
            names.update(ast.unparse(target) for target in statement.targets)
    return names - {"__init__", "__slots__", "__doc__"}


def _circles() -> Found:
    paths = {module.name: module.path for module in modules()}
    imports = {}
    for module in modules():
        unseen = set(_lines_for_types(module))
        imported = {name for name, line in imported_modules(module) if line not in unseen}
        imports[module.name] = imported & paths.keys() - {module.name}
    reached = {name: _reached(imports, name) for name in imports}
    for name, path in paths.items():
        if name in reached[name] and path not in CIRCLES:
            yield f"circle: {path}"


def _lines_for_types(module: Module) -> Iterator[int]:
    """Yield the lines that only a type checker reads."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for inner in node.body:
                yield from range(inner.lineno, (inner.end_lineno or inner.lineno) + 1)


def _reached(imports: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    ahead = list(imports[start])
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += imports[name]
    return reached
