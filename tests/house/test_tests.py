"""Helpers of tests are in separate modules. Names of files and tests say what they claim."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.source import ROOT, TEST_FOLDERS, TESTS, file_of, files_of_tests

PATHS_CHANGED = {
    "turnwright/net/attacker.py": "a program of its own",
    "house/test_texts.py": "the tool that it tests is in no package",
    "tools/test_rules_to_c.py": "the tool that it tests is in no package",
    "tools/test_rules_to_js.py": "the tool that it tests is in no package",
}
NOT_PLAIN = re.compile(
    r"^test_(what|of|it|they|as_the)_|_(is|are)_told(_|$)|_goes_on|_at_once|_no_more|_anew(_|$)|_beside_"
    r"|_(so_many|whom|anybody|let_go|(is|are)_[0-5])(_|$)"
)
"""Parts of names that have to be read twice."""


def test_helpers_are_imported_by_their_full_names() -> None:
    wrong = []
    for path, tree in files_of_tests().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.level or _is_bare(node.module or "")):
                wrong.append(f"{path}:{node.lineno} from {'.' * node.level}{node.module or ''}")
            elif isinstance(node, ast.Attribute) and node.attr == "path" and ast.unparse(node) == "sys.path":
                wrong += [f"{path}:{node.lineno} sys.path"] if path not in PATHS_CHANGED else []
    assert not wrong, "write from tests.…"


def test_a_file_is_named_after_a_module_or_says_its_claim() -> None:
    """A module is in the same folder of the source, or is a helper next to the file."""
    wrong = []
    for path, tree in files_of_tests().items():
        folder, _, name = path.rpartition("/")
        if not name.startswith("test_") or ast.get_docstring(tree):
            continue
        first, _, rest = f"{folder}/".partition("/")
        beside = TEST_FOLDERS[f"{first}/"] / rest if f"{first}/" in TEST_FOLDERS else TESTS / folder
        places = (beside, file_of(folder))
        files = [file.stem for place in places for file in place.glob("*.py")]
        modules = {stem.strip("_") for stem in files if not stem.startswith("test_")}
        if not any(f"{name[5:-3]}_".startswith(f"{module}_") for module in modules):
            wrong.append(path)
    assert not wrong, "name it after the module that it tests, or say in its first line what it claims"


def test_names_of_tests_are_plain_english() -> None:
    wrong = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in files_of_tests().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and NOT_PLAIN.search(node.name)
    ]
    assert not wrong, "say who does what with which outcome: test_a_wrong_secret_is_refused"


def test_helpers_live_in_modules_without_tests() -> None:
    files = {f"tests/{path}": tree for path, tree in files_of_tests().items()}
    for file in sorted((ROOT / "bench").glob("*.py")):
        files[f"bench/{file.name}"] = ast.parse(file.read_text(encoding="utf-8"))
    wrong = [
        f"{path} takes {names} from {module}"
        for path, tree in files.items()
        for module, names in _from_tests(tree)
    ]
    assert not wrong, "move them to a module beside it that is named after what they are"


def _from_tests(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the test modules from which a module imports, and the imported names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [alias.name for alias in node.names]
            whole = [f"{node.module}.{name}" for name in names if name.startswith("test_")]
            for module in (node.module, *whole):
                if module.startswith(("tests.", "packages.")) and module.rpartition(".")[2].startswith(
                    "test_"
                ):
                    yield module, ", ".join(names)
        elif isinstance(node, ast.Import):
            yield from ((a.name, "it") for a in node.names if re.match(r"tests\.(.*\.)?test_", a.name))


def _is_bare(module: str) -> bool:
    """Return whether a module is one of the tests without their package's name before it."""
    first = module.partition(".")[0]
    return (TESTS / f"{first}.py").is_file() and first != "tests"
