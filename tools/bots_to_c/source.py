"""Reads the Python source of the bots: the definitions and imports of modules, and the methods of classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rules_source.files import RULES

TANK = RULES.parent
_PACKAGE = "turnwright_tank."


@dataclass(frozen=True)
class Module:
    """A module.

    Attributes:
        imported: for each imported name, the module and the name there. "" means the module itself.
        items: the functions, the classes and the values of constants, by name.
    """

    name: str
    source: str
    imported: dict[str, tuple[str, str]]
    items: dict[str, ast.FunctionDef | ast.ClassDef | ast.expr]


@dataclass(frozen=True)
class Class:
    """A class.

    Attributes:
        bases: the class itself and its bases, the nearest first, each with its module.
    """

    name: str
    bases: list[tuple[Module, ast.ClassDef]]

    @property
    def is_tuple(self) -> bool:
        """Whether the class is a NamedTuple. C passes its objects by value."""
        return any(ast.unparse(base) == "NamedTuple" for base in self.bases[0][1].bases)

    def method(self, name: str, after: str = "") -> tuple[Module, str, ast.FunctionDef] | None:
        """Return the module, the class and the definition of a method, or None if the method does not exist.

        Args:
            after: the name of a class. Only bases after this class are searched, as by `super()`.
        """
        skipping = after != ""
        for module, node in self.bases:
            if not skipping:
                for item in node.body:
                    if isinstance(item, ast.FunctionDef) and item.name == name:
                        return module, node.name, item
            skipping = skipping and node.name != after
        return None


@cache
def module(name: str) -> Module:
    """Return a module of the tank by its name below the package, e.g. "bots.bot"."""
    path = TANK.joinpath(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    source = path.read_text(encoding="utf-8")
    found = Module(name, source, {}, {})
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found.imported[alias.asname or alias.name] = _imported(node.module or "", alias.name)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.items[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.items[node.targets[0].id] = node.value
    return found


def _imported(package: str, name: str) -> tuple[str, str]:
    if not f"{package}.".startswith(_PACKAGE):
        return package, name
    below = package[len(_PACKAGE) :]
    is_module = (TANK.joinpath(*below.split(".")) / f"{name}.py").is_file()
    return (f"{below}.{name}", "") if is_module else (below, name)


def origin(home: Module, name: str) -> tuple[Module, str]:
    """Follow the imports of a name in a module. Return the module with its definition, and its name there."""
    while name in home.imported and _is_ours(home.imported[name][0]):
        package, name = home.imported[name]
        home = module(package)
    return home, name


def class_of(home: Module, name: str) -> Class | None:
    """Return the class that a name means in a module, or None if it does not mean a class of the tank."""
    home, name = origin(home, name)
    node = home.items.get(name)
    if not isinstance(node, ast.ClassDef):
        return None
    return Class(name, list(_bases(home, node)))


def _is_ours(package: str) -> bool:
    path = TANK.joinpath(*package.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def _bases(home: Module, node: ast.ClassDef) -> Iterator[tuple[Module, ast.ClassDef]]:
    yield home, node
    for base in node.bases:
        if isinstance(base, ast.Name) and (found := class_of(home, base.id)) is not None:
            yield from found.bases
