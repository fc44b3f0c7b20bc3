"""Imports go one way, and the pure floors touch nothing of the world."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import pytest

from house.source import PURE_FLOORS, Module, imported_modules, modules, modules_below

MAY_IMPORT: dict[str, frozenset[str]] = {
    name: frozenset(others.split())
    for name, others in {
        "_version": "",
        "errors": "",
        "kernel": "errors",
        "local": "errors kernel",
        "catalog": "errors kernel",
        "games": "errors kernel",
        "wire": "errors kernel games",
        "host": "errors kernel games wire",
        "results": "errors kernel",
        "options": "errors kernel games wire",
        "bots": "errors kernel games wire",
        "testing": "errors kernel games wire host local catalog",
        "net": "_version errors kernel games wire host bots local catalog results options",
        "cli": "_version errors kernel games wire host bots local catalog results options net",
        "__init__": "_version results net",
    }.items()
}
"""Floor: what it may import besides itself.

errors ← kernel ← games ← wire ← host ← net ← cli; kernel ← local; wire ← bots ← net (house bots play in the
process); testing: any pure floor. options and results are shared by `cli` and by callers from Python. The
catalogue holds dotted names and imports a game when it is asked for one.
"""

WORLD = frozenset(
    name
    for line in (
        "asyncio socket socketserver ssl select selectors http urllib picows uvloop websockets",
        "signal subprocess multiprocessing threading concurrent contextvars ctypes",
        "os sys io pathlib tempfile shutil glob fcntl mmap sqlite3 platform getpass pwd logging",
        "time datetime zoneinfo random secrets uuid",
        "numpy numba tqdm",
    )
    for name in line.split()
)
"""Modules that a pure floor does not import."""

ALLOWED = {
    "games/tank/compiled.py": (
        "os sys time tempfile pathlib platform fcntl numba numpy",
        "the one file of the games that touches the world: Numba's cache, and how long compiling took",
    ),
    "games/tank/arrays.py": ("numpy", "the compiled rules' tables; imported only with the extra [fast]"),
    "wire/royale/fast_ticks.py": ("numpy numba", "ticks written by compiled code; imported only with [fast]"),
    "wire/royale/lenient.py": ("sys", "sys.float_info, a constant"),
}
"""Path: modules that it may import all the same, and why."""

THIRD_PARTY = {
    "wire": {"msgspec"},
    "host": set(),
    "kernel": set(),
    "games": {"msgspec"},
    "local": set(),
    "errors": set(),
}
"""What a pure floor may use that is neither ours nor Python's."""

BANNED_CALLS = frozenset(
    {"open", "input", "print", "eval", "exec", "compile", "__import__", "globals", "breakpoint"}
)
CALLS_ALLOWED = {
    ("games/tank/compiled.py", "open"): "the lock of the cache",
    ("games/tank/compiled.py", "exec"): "the turn is put together from the list of stages, then compiled",
    ("games/tank/compiled.py", "compile"): "the same",
    ("wire/world/scripts.py", "exec"): "verbs are Python files that the server's owner writes",
    ("wire/world/scripts.py", "compile"): "the same",
    (
        "wire/world/mind_source.py",
        "compile",
    ): "whether a mind is Python; a player's in a sealed process",
    ("wire/royale/docs.py", "print"): "only when run as a program: the generator of a page",
    ("wire/spectate/docs.py", "print"): "only when run as a program: the generator of a page",
    ("wire/record/docs.py", "print"): "only when run as a program: the generator of a page",
    ("wire/telnet/docs.py", "print"): "only when run as a program: the generator of a page",
}


def _top(name: str) -> str:
    return name.split(".")[0]


def _pure() -> list[Module]:
    return modules_below(*PURE_FLOORS, "local", "errors")


def test_every_floor_has_its_row() -> None:
    assert {module.floor for module in modules()} <= set(MAY_IMPORT)


@pytest.mark.parametrize("floor", sorted(MAY_IMPORT))
def test_a_floor_imports_only_the_floors_below_it(floor: str) -> None:
    wrong = []
    for module in modules_below(floor):
        for name, line in imported_modules(module):
            if _top(name) != "turnwright":
                continue
            other = name.split(".")[1] if "." in name else "__init__"
            if other != floor and other not in MAY_IMPORT[floor]:
                wrong.append(f"{module.path}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_the_direction_has_no_circle() -> None:
    done: set[str] = set()
    waiting = dict(MAY_IMPORT)
    while waiting:
        free = {floor for floor, others in waiting.items() if others <= done}
        assert free, f"these floors import each other: {sorted(waiting)}"
        done |= free
        for floor in free:
            del waiting[floor]


def test_no_game_imports_another_game() -> None:
    wrong = []
    for module in modules_below("games"):
        game = module.path.split("/")[1]
        for name, line in imported_modules(module):
            parts = name.split(".")
            if parts[:2] == ["turnwright", "games"] and len(parts) > 2 and parts[2] != game:
                wrong.append(f"{module.path}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_the_catalogue_names_only_games() -> None:
    from turnwright.catalog import GAMES

    assert all(where.startswith(f"turnwright.games.{name}.") for name, where in GAMES.items())


def test_pure_floors_import_nothing_that_touches_the_world() -> None:
    wrong = []
    for module in _pure():
        allowed = set(ALLOWED.get(module.path, ("", ""))[0].split())
        for name, line in imported_modules(module):
            if _top(name) in WORLD - allowed:
                wrong.append(f"{module.path}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_pure_floors_use_no_library_but_msgspec() -> None:
    wrong = []
    for module in _pure():
        allowed = THIRD_PARTY[module.floor] | set(ALLOWED.get(module.path, ("", ""))[0].split())
        for name, line in imported_modules(module):
            top = _top(name)
            if top not in sys.stdlib_module_names and top != "turnwright" and top not in allowed:
                wrong.append(f"{module.path}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def _calls(module: Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def test_pure_floors_open_print_and_evaluate_nothing() -> None:
    wrong = [
        f"{module.path}:{line} calls {name}"
        for module in _pure()
        for name, line in _calls(module)
        if name in BANNED_CALLS and (module.path, name) not in CALLS_ALLOWED
    ]
    assert not wrong, "\n".join(wrong)


def test_pure_floors_await_nothing() -> None:
    wrong = [
        f"{module.path}:{node.lineno}"
        for module in _pure()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_random_in_the_test_kits_comes_from_a_seed() -> None:
    """testing/ may use `random.Random(seed)`, never the module's own generator nor a clock."""
    wrong = []
    for module in modules_below("testing"):
        for name, line in imported_modules(module):
            if _top(name) in WORLD - {"random"}:
                wrong.append(f"{module.path}:{line} imports {name}")
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "random":
                wrong += [f"{module.path}:{node.lineno} uses random.{a}" for a in {node.attr} - {"Random"}]
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "random.Random" and not node.args:
                wrong.append(f"{module.path}:{node.lineno} draws from no seed")
    assert not wrong, "\n".join(wrong)


def test_only_net_cli_bots_and_options_touch_the_world() -> None:
    """The rest of the package is pure, or is named here with what it needs."""
    needs = {"options": {"pathlib"}, "__init__": set(), "_version": set(), "catalog": set(), "results": set()}
    wrong = []
    for floor, allowed in needs.items():
        for module in modules_below(floor):
            wrong += [f"{module.path}:{line} imports {name}" for name, line in imported_modules(module)
                      if _top(name) in WORLD - allowed]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_still_needed() -> None:
    for path, (names, _reason) in ALLOWED.items():
        module = next(module for module in modules() if module.path == path)
        imported = {_top(name) for name, _ in imported_modules(module)}
        assert set(names.split()) <= imported, f"{path} no longer imports all of {names}"
    for path, call in CALLS_ALLOWED:
        module = next(module for module in modules() if module.path == path)
        assert call in {name for name, _ in _calls(module)}, f"{path} no longer calls {call}"
