"""Reads the files of rules. Finds the functions and constants that the stages of a turn need."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rules_source.expressions import Text
from rules_source.layout import RowClass, row_classes, rows_known
from rules_source.types import Function, Known, Refused, of_annotation
from turnwright_tank.backends.sources import RULE_FILES

ROOT = Path(__file__).parents[2]
RULES = ROOT / "packages/tank/src/turnwright_tank/rules"
_LEFT_OUT = {"Stage", "Stages"}
"""Names that the modules assign, but that are not rules."""

Key = tuple[str, str]
"""The key of a function or constant: its file, without ".py", and its name there."""


@dataclass
class RuleFile:
    """A file of rules.

    Attributes:
        imported: the keys of imported functions and constants, by name.
        items: the functions and constants of the file, by name.
    """

    name: str
    source: str
    imported: dict[str, Key]
    items: dict[str, ast.FunctionDef | ast.Assign]
    docs: dict[str, str]
    """The text after each constant, by the constant's name."""

    def key(self, name: str) -> Key:
        """Return the key of the object that a name means in this file."""
        return self.imported.get(name, (self.name, name))


@dataclass(frozen=True)
class Item:
    """A function or constant that will be translated.

    Attributes:
        name: the name in the other language.
        known: the names that it may use.
    """

    file: RuleFile
    name: str
    node: ast.FunctionDef | ast.Assign
    known: Known

    @property
    def doc(self) -> str:
        """The text after a constant, in one line. "" if it has none, and for a function."""
        (target,) = self.node.targets if isinstance(self.node, ast.Assign) else (None,)
        return " ".join(self.file.docs.get(ast.unparse(target), "").split()) if target is not None else ""


@dataclass(frozen=True)
class Rules:
    """The rules of a turn.

    Attributes:
        classes: the classes of rows, by name.
        rows: for each class of rows, and for `Rows`, the types of the fields.
        stages: the title and the function's name in the other language of each stage, in order.
        items: by file, its functions and constants that are needed, in the order of the source.
    """

    classes: dict[str, RowClass]
    rows: dict[str, dict[str, str]]
    stages: list[tuple[str, str]]
    items: dict[str, list[Item]]


def read_rules(rules: Path, roots: frozenset[str], constant: Callable[[str, Known, ast.expr], Text]) -> Rules:
    """Return the stages of a turn, with everything that they need.

    Args:
        roots: the names of further rules that are needed.
        constant: translates the value of a constant, given the source, the known names and the value.

    Raises:
        Refused, ValueError: something in the files cannot be translated, or one of `roots` is not a rule.
    """
    world = ast.parse((rules / "rows.py").read_text(encoding="utf-8"))
    classes = row_classes(world)
    rows = rows_known(world, classes)
    files = {name: _read(rules / f"{name}.py") for name in RULE_FILES}
    stages = _stages(rules, files["stages"])
    first = [(file.name, name) for file in files.values() for name in file.items if name in roots]
    if missing := roots - {name for _, name in first}:
        raise ValueError(f"these names are not rules: {', '.join(sorted(missing))}")
    wanted = _reachable(files, [*first, *(key for _, key in stages)])
    names = _names(wanted)
    items = _items(files, wanted, names, rows, constant)
    return Rules(classes, rows, [(title, names[key]) for title, key in stages], items)


def texts_of(name: str, items: list[Item], text: Callable[[Item], str]) -> Iterator[str]:
    """Yield the translation of each item of a file.

    Args:
        name: the name of the file, without ".py".
        text: translates an item.

    Raises:
        ValueError: an item cannot be translated. The message names the file.
    """
    for item in items:
        try:
            yield text(item) + "\n"
        except Refused as error:
            raise ValueError(f"{name}.py: {error}") from error


def _read(path: Path) -> RuleFile:
    source = path.read_text(encoding="utf-8")
    file = RuleFile(path.stem, source, {}, {}, {})
    last = ""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom):
            if (node.module or "").startswith("turnwright_tank."):
                module = (node.module or "").rpartition(".")[2]
                file.imported |= {alias.asname or alias.name: (module, alias.name) for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            file.items[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            last = node.targets[0].id
            file.items[last] = node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            file.docs[last] = str(node.value.value)
        elif not (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "STAGES"):
            raise Refused(node, f"{path.name} has something that is no rule")
    for name in _LEFT_OUT & file.items.keys():
        del file.items[name]
    return file


def _stages(rules: Path, step: RuleFile) -> list[tuple[str, Key]]:
    """Return the title and the function's key of each stage of a turn, in order."""
    for node in ast.parse((rules / "stages.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Tuple):
            pairs = [pair.elts for pair in node.value.elts if isinstance(pair, ast.Tuple)]
            return [(ast.literal_eval(title), step.key(ast.unparse(function))) for title, function in pairs]
    raise ValueError("stages.py has no list of stages")


def _speaks_of(node: ast.FunctionDef | ast.Assign) -> Iterator[str]:
    """Yield every name in a function's body or a constant's value."""
    for part in node.body if isinstance(node, ast.FunctionDef) else [node.value]:
        yield from (name.id for name in ast.walk(part) if isinstance(name, ast.Name))


def _reachable(files: dict[str, RuleFile], roots: list[Key]) -> set[Key]:
    """Return the roots and everything that they need, directly or indirectly."""
    reached: set[Key] = set()
    waiting = list(roots)
    while waiting:
        key = waiting.pop()
        if key in reached or key[0] not in files or key[1] not in files[key[0]].items:
            continue  # a variable, or a name that the translator will refuse
        reached.add(key)
        file = files[key[0]]
        waiting += [file.key(name) for name in _speaks_of(file.items[key[1]])]
    return reached


def _names(wanted: set[Key]) -> dict[Key, str]:
    """Return the names in the other language. They are Python's names, after the name of the file if two
    files have the same name.
    """
    counts = Counter(name for _, name in wanted)
    return {key: key[1] if counts[key[1]] == 1 else "_".join(key) for key in wanted}


def _items(
    files: dict[str, RuleFile],
    wanted: set[Key],
    names: dict[Key, str],
    rows: dict[str, dict[str, str]],
    constant: Callable[[str, Known, ast.expr], Text],
) -> dict[str, list[Item]]:
    """Return the wanted functions and constants by file, in the order of the source."""
    if len(set(names.values())) < len(names):
        raise ValueError("two rules would have the same name in the other language")
    functions = {
        key: _signature(node, names[key], rows)
        for key in wanted
        if isinstance(node := files[key[0]].items[key[1]], ast.FunctionDef)
    }
    constants: dict[Key, tuple[str, str]] = {}
    found: dict[str, list[Item]] = {}
    for file in files.values():
        found[file.name] = []
        for name, node in file.items.items():
            key = (file.name, name)
            if key not in wanted:
                continue
            seen = {n: file.key(n) for n in (*file.items, *file.imported)}
            known = Known(
                rows,
                {n: constants[other] for n, other in seen.items() if other in constants},
                {n: functions[other] for n, other in seen.items() if other in functions},
            )
            if isinstance(node, ast.Assign):
                try:
                    constants[key] = (names[key], constant(file.source, known, node.value).kind)
                except Refused as error:
                    raise ValueError(f"{file.name}.py: {error}") from error
            found[file.name].append(Item(file, names[key], node, known))
    return found


def _signature(node: ast.FunctionDef, name: str, rows: dict[str, dict[str, str]]) -> Function:
    takes = tuple(of_annotation(a.annotation, rows) for a in node.args.args)
    return Function(name, takes, of_annotation(node.returns, rows))
