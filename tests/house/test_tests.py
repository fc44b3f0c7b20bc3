"""The tests as a house: helpers by their full names, claims from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.source import ROOT

TESTS = ROOT / "tests"
PRIVATE_USES = Path(__file__).with_name("private_uses.txt")
"""How often at most, the files that reach into private attributes, and why: a list that only shrinks."""
OWN = frozenset({"self", "cls"})
GIVEN = frozenset({"_replace", "_asdict", "_fields", "_exit", "_getframe"})
"""Names that are public in spite of their first character."""
PATHS_CHANGED = {
    "net/attacker.py": "a program of its own",
    "tools/test_rules_to_js.py": "the tool that it tests is in no package",
}


def test_tests_reach_into_nothing_private_but_where_it_is_listed() -> None:
    lines = PRIVATE_USES.read_text(encoding="utf-8").splitlines()
    most = {path: count for count, path, *_ in map(str.split, lines)}
    found = {path: len(list(_private_uses(tree))) for path, tree in _files().items()}
    wrong = {path: count for path, count in found.items() if count > int(most.get(path, 0))}
    assert not wrong, "say it from outside, or make public what others need"
    assert not [path for path in most if not found.get(path)], "delete these lines: nothing is left there"


def test_helpers_are_imported_by_their_full_names() -> None:
    wrong = []
    for path, tree in _files().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.level or _is_bare(node.module or "")):
                wrong.append(f"{path}:{node.lineno} from {'.' * node.level}{node.module or ''}")
            elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.path":
                wrong += [f"{path}:{node.lineno} sys.path"] if path not in PATHS_CHANGED else []
    assert not wrong, "write from tests.…"


def test_a_file_is_named_after_a_module_or_says_its_claim() -> None:
    """A module stands in the same folder of the source, or is a helper beside the file."""
    wrong = []
    for path, tree in _files().items():
        folder, _, name = path.rpartition("/")
        if not name.startswith("test_") or ast.get_docstring(tree):
            continue
        places = (TESTS / folder, ROOT / "src" / "turnwright" / folder)
        files = [file.stem for place in places for file in place.glob("*.py")]
        modules = {stem.strip("_") for stem in files if not stem.startswith("test_")}
        if not any(f"{name[5:-3]}_".startswith(f"{module}_") for module in modules):
            wrong.append(path)
    assert not wrong, "name it after the module that it tests, or say in its first line what it claims"


@cache
def _files() -> dict[str, ast.Module]:
    """Return the modules of the tests by path, without the programs that other projects' tools run."""
    files = sorted(file for file in TESTS.rglob("*.py") if TESTS / "peers" / "bots" not in file.parents)
    return {file.relative_to(TESTS).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def _is_bare(module: str) -> bool:
    """Return whether a module is one of the tests without their package's name before it."""
    first = module.partition(".")[0]
    return (TESTS / f"{first}.py").is_file() and first != "tests"


def _private_uses(tree: ast.AST) -> Iterator[ast.Attribute]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr in GIVEN:
            continue
        if node.attr.startswith("__") or (isinstance(node.value, ast.Name) and node.value.id in OWN):
            continue
        yield node
