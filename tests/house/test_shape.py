"""Small functions, names that can be said aloud, no state in modules, no unfinished code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.source import (
    PURE_LAYERS,
    ROOT,
    Module,
    file_of,
    function_length,
    functions,
    modules,
    modules_below,
)

FUNCTION_LINES_MAX = 60
GAME_LINES_MAX = 65
"""The second game shows how small one can be."""

INHERITED = {
    "games/countdown/game.py": "the methods of the contract, kernel/game.py; it shows how small a game is",
    "games/snake/game.py": "the same",
}
"""Files whose methods take their docstrings from a contract."""

STATE_ALLOWED: dict[tuple[str, str], str] = {}


def test_factors_between_units_of_time_are_in_one_module() -> None:
    unit = re.compile(r"_?(?:NS|US|MS)_PER_(?:US|MS|S)\b")
    wrong = [
        f"{module.path}: {ast.unparse(node)}"
        for module in modules()
        for node in module.tree.body
        if isinstance(node, ast.Assign)
        and unit.match(ast.unparse(node.targets[0]))
        and module.path != "kernel/units.py"
    ]
    assert not wrong, "import it from turnwright.kernel.units"


def test_functions_are_short() -> None:
    wrong = [
        f"{module.path}:{function.lineno} {name}: {function_length(function)} lines"
        for module in modules()
        for name, function in functions(module)
        if function_length(function) > FUNCTION_LINES_MAX
    ]
    assert not wrong, "\n".join(wrong)


def test_a_game_can_be_written_in_sixty_five_lines() -> None:
    (countdown,) = [m for m in modules() if m.path == "games/countdown/game.py"]
    assert countdown.lines <= GAME_LINES_MAX


def test_every_module_begins_with_a_docstring() -> None:
    wrong = [m.path for m in modules() if (m.lines or not m.is_package) and not ast.get_docstring(m.tree)]
    assert not wrong, f"no docstring in {', '.join(wrong)}"


def _public(module: Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            if not (_is_stub(node) and node.decorator_list):  # an overload
                yield node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
            if module.path in INHERITED:
                continue
            for item in node.body:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and not (
                    item.name.startswith("_") or _is_stub(item)
                ):
                    yield f"{node.name}.{item.name}", item


def _is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A method of a protocol that only repeats another signature: `...` and nothing else."""
    return len(function.body) == 1 and ast.unparse(function.body[0]) == "..."


def test_everything_public_has_a_docstring() -> None:
    wrong = [
        f"{module.path}:{node.lineno} {name}"
        for module in modules()
        for name, node in _public(module)
        if not ast.get_docstring(node)
    ]
    assert not wrong, "\n".join(wrong)


def test_docstrings_begin_with_a_sentence() -> None:
    wrong = []
    for module in modules():
        for name, node in _public(module):
            first = (ast.get_docstring(node) or "x.").splitlines()[0]
            if not (first[0].isupper() or first[0] in '`→"0123456789_' or first.split()[0].islower()):
                wrong.append(f"{module.path}:{node.lineno} {name}: {first}")
    assert not wrong, "\n".join(wrong)


MUTABLE_CALLS = frozenset(
    {"list", "dict", "set", "bytearray", "deque", "defaultdict", "Counter", "OrderedDict"}
)
MUTATING = frozenset(
    ("append", "add", "update", "pop", "popitem", "clear", "extend", "insert", "remove", "discard", "sort")
)


def _mutable(value: ast.expr | None) -> bool:
    if isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    return isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in MUTABLE_CALLS


def _changed_names(module: Module) -> set[str]:
    """Names of the module that something in it changes."""
    changed = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            changed |= set(node.names)
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
        changed |= {
            t.value.id for t in targets if isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name)
        }
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in MUTATING:
            changed.add(node.value.id)
    return changed


def test_pure_layers_keep_no_state_in_modules() -> None:
    """A table may be at module level if it is named as a constant and nothing in the file changes it."""
    wrong = []
    for module in modules_below(*PURE_LAYERS):
        changed = _changed_names(module)
        for node in module.tree.body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or not _mutable(node.value):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                name = ast.unparse(target)
                constant = bool(re.fullmatch(r"_?[A-Z][A-Z0-9_]*|__all__", name))
                if (not constant or name in changed) and (module.path, name) not in STATE_ALLOWED:
                    wrong.append(f"{module.path}:{node.lineno} {name}")
        wrong += [
            f"{module.path}:{node.lineno} global {', '.join(node.names)}"
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Global)
        ]
    assert not wrong, "\n".join(wrong)


def test_every_exception_names_a_file_that_is_there() -> None:
    there = {module.path for module in modules()}
    assert {*INHERITED, *(path for path, _ in STATE_ALLOWED)} <= there


def test_test_names_are_claims_in_words() -> None:
    wrong = []
    short = re.compile(r"^ *(async )?def test_[^\W_]*(_[^\W_]*)?\(", re.MULTILINE)
    for file in sorted([*(ROOT / "tests").rglob("test_*.py"), *ROOT.glob("packages/*/tests/**/test_*.py")]):
        text = file.read_text(encoding="utf-8")
        if not short.search(text):
            continue  # parsing takes its time
        wrong += [
            f"{file.relative_to(ROOT)}:{node.lineno} {node.name}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.name.startswith("test_")
            and node.name.count("_") < 3
        ]
    assert not wrong, "\n".join(wrong)


def test_no_code_is_commented_out_and_nothing_is_left_to_do() -> None:
    pattern = re.compile(
        r"^\s*#\s*(def |class |import |from \w+ import|return\b.*\)|if .*:$|for .* in .*:$)"
        r"|\b(TODO|FIXME|XXX)\b"
    )
    wrong = []
    for module in modules():
        text = file_of(module.path).read_text(encoding="utf-8")
        wrong += [
            f"{module.path}:{n}: {line.strip()}"
            for n, line in enumerate(text.splitlines(), 1)
            if pattern.search(line)
        ]
    assert not wrong, "\n".join(wrong)


def test_every_ignored_type_error_and_lint_says_why() -> None:
    pattern = re.compile(r"#\s*(type: ignore|noqa)(?P<which>[\[:][^#]*)?(?P<why>.*)$")
    wrong = []
    for module in modules():
        text = file_of(module.path).read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            found = pattern.search(line)
            if found and not found["which"]:
                wrong.append(f"{module.path}:{number}: {line.strip()}")
    assert not wrong, "\n".join(wrong)
