"""The tests as a house: helpers in modules of their own, claims from outside, no wording pinned."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import wording
from tests.house.source import ROOT, TESTS, files_of_tests

PRIVATE_USES = Path(__file__).with_name("private_uses.txt")
"""Private uses that a file may have at most, and why: a list that only shrinks."""
OWN = frozenset({"self", "cls"})
GIVEN = frozenset({"_replace", "_asdict", "_fields", "_exit", "_getframe"})
"""Names that are public in spite of their first character."""
OURS = frozenset({"turnwright", "tests", "bench", "tools"})
BY_TEXT = frozenset({"setattr", "getattr", "delattr", "hasattr", "patch"})
"""Functions that take the name of an attribute as a text."""
PATHS_CHANGED = {
    "net/attacker.py": "a program of its own",
    "house/test_texts.py": "the tool that it tests is in no package",
    "tools/test_rules_to_c.py": "the tool that it tests is in no package",
    "tools/test_rules_to_js.py": "the tool that it tests is in no package",
}


def test_tests_reach_into_nothing_private_but_where_it_is_listed() -> None:
    lines = PRIVATE_USES.read_text(encoding="utf-8").splitlines()
    most = {path: count for count, path, *_ in map(str.split, lines)}
    found = {path: len(list(_private_uses(tree))) for path, tree in files_of_tests().items()}
    wrong = {path: count for path, count in found.items() if count > int(most.get(path, 0))}
    assert not wrong, "say it from outside, or make public what others need"
    assert not [path for path in most if not found.get(path)], "delete these lines: nothing is left there"


def test_helpers_are_imported_by_their_full_names() -> None:
    wrong = []
    for path, tree in files_of_tests().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.level or _is_bare(node.module or "")):
                wrong.append(f"{path}:{node.lineno} from {'.' * node.level}{node.module or ''}")
            elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.path":
                wrong += [f"{path}:{node.lineno} sys.path"] if path not in PATHS_CHANGED else []
    assert not wrong, "write from tests.…"


def test_a_file_is_named_after_a_module_or_says_its_claim() -> None:
    """A module stands in the same folder of the source, or is a helper beside the file."""
    wrong = []
    for path, tree in files_of_tests().items():
        folder, _, name = path.rpartition("/")
        if not name.startswith("test_") or ast.get_docstring(tree):
            continue
        places = (TESTS / folder, ROOT / "src" / "turnwright" / folder)
        files = [file.stem for place in places for file in place.glob("*.py")]
        modules = {stem.strip("_") for stem in files if not stem.startswith("test_")}
        if not any(f"{name[5:-3]}_".startswith(f"{module}_") for module in modules):
            wrong.append(path)
    assert not wrong, "name it after the module that it tests, or say in its first line what it claims"


def test_helpers_live_in_modules_that_are_no_tests() -> None:
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
    """Yield the modules of tests from which a module imports, and what."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [alias.name for alias in node.names]
            whole = [f"{node.module}.{name}" for name in names if name.startswith("test_")]
            for module in (node.module, *whole):
                if module.startswith("tests.") and module.rpartition(".")[2].startswith("test_"):
                    yield module, ", ".join(names)
        elif isinstance(node, ast.Import):
            yield from ((a.name, "it") for a in node.names if re.match(r"tests\.(.*\.)?test_", a.name))


def test_no_wording_is_pinned_but_where_it_is_a_contract() -> None:
    """A text of five or more words that an assert compares is listed, with its reason, or names less."""
    most, found = wording.allowed(), {path: wording.pinned(tree) for path, tree in files_of_tests().items()}
    wrong = {path: texts for path, texts in found.items() if len(texts) > most.get(path, 0)}
    assert not wrong, "assert names, values and advice (tests/messages.py), not the wording"
    wide = {path: count for path, count in most.items() if len(found.get(path, ())) < count}
    assert not wide, "run python -m tests.house.wording, which shortens the list"


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("assert said == 'one two three four five'", 1),
        ("assert 'one two three four' in said", 0),
        ("assert f'one two {x} three four five' in said", 1),
        ("assert says(said, 'one two three … four five')", 0),
        ("assert b'one two three four five' in said, 'why it is so that this is'", 1),
        ("assert [say for say in said] == ['x', 'one two three, four: five!']", 1),
        ("with raises(E, match='one two three four.* five'): pass", 0),
        ("with raises(E, match=r'one two\\. three four five'): pass", 1),
        ("said = 'one two three four five'", 0),
        ("def f():\n for x in ('one two three four five',): assert x in said", 1),
        ("def f():\n for n, x in ((1, 'one two three four five'),): assert says(said, x)", 1),
        ("def f():\n for x in ('one two three four five',): assert said(x) == 1", 0),
        ("@mark.parametrize('x', ['one two three four five'])\ndef f(x): assert x in said", 1),
        ("@mark.parametrize('n, x', [(1, 'one two three four five')])\ndef f(n, x): assert said(x)", 0),
    ],
)
def test_a_wording_is_five_words_in_a_row_that_are_compared(code: str, count: int) -> None:
    assert len(wording.pinned(ast.parse(code))) == count


def _is_bare(module: str) -> bool:
    """Return whether a module is one of the tests without their package's name before it."""
    first = module.partition(".")[0]
    return (TESTS / f"{first}.py").is_file() and first != "tests"


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("it._x = 1", 1),
        ("self._x, it.x, it.__doc__, it._replace(x=1)", 0),
        ("patch.setattr(it, '_x', 1)", 1),
        ("patch.setattr('turnwright.net._x', 1)", 1),
        ("patch.setattr(it, 'x', '_y')", 0),
        ("getattr(it, '_x')", 1),
        ("from turnwright.net.server import _X, Y", 1),
        ("import _thread\nfrom os import _exit", 0),
    ],
)
def test_a_private_use_is_one_by_attribute_by_text_and_by_import(code: str, count: int) -> None:
    assert len(list(_private_uses(ast.parse(code)))) == count


def _private_uses(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a module reaches into: as an attribute, by a text, or by an import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in OWN
            names = [] if is_own else [node.attr]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in OURS:
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in BY_TEXT:
            texts = [one.value for one in node.args[:2] if isinstance(one, ast.Constant)]
            names = [text.rpartition(".")[2] for text in texts if isinstance(text, str)]
        else:
            continue
        for name in names:
            if name.startswith("_") and not name.startswith("__") and name not in GIVEN:
                yield name
