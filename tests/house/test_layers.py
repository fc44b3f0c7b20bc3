"""Imports go one way, core knows no game, and the pure layers touch nothing of the world."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache

from tests.house.source import (
    LAYERS,
    MAY_IMPORT,
    PACKAGES,
    PURE_LAYERS,
    ROOT_LAYERS,
    Module,
    imported_modules,
    modules,
    modules_below,
    simulation_modules,
)

NAMED_GAMES = {
    "turnwright_league/tournament/rumble.py": "RUMBLE_GAME: records of the Rumble name no game either",
}
"""Module for any game: the one name of a game that is in it, and why."""

WORLD = frozenset(
    name
    for line in (
        "asyncio socket socketserver ssl select selectors http urllib picows uvloop websockets",
        "signal subprocess multiprocessing threading concurrent contextvars ctypes",
        "os sys io pathlib tempfile shutil glob fcntl mmap sqlite3 platform getpass pwd logging",
        "time datetime zoneinfo random secrets uuid",
        "numpy tqdm",
    )
    for name in line.split()
)
"""Modules that a pure layer does not import."""

ALLOWED = {
    "turnwright_tank/backends/extension.py": (
        "sys",
        "the order of bytes of this machine",
    ),
    "errors.py": ("sys", "sys.modules, to see of which package a frame is"),
    "turnwright_tank/backends/sources.py": ("pathlib", "reads the rules for their hash"),
    "kernel/game.py": ("typing_extensions", "for type checkers alone: type variables with a default"),
    "turnwright_league/tournament/ratings.py": (
        "openskill",
        "imported only with the extra [ratings]; it computes, no more",
    ),
    "turnwright_tank/wire/royale/lenient_decoder.py": ("sys", "sys.float_info, a constant"),
}
"""Path: modules that it may import all the same, and why."""

THIRD_PARTY = {
    "kernel": {"msgspec"},
    "games": {"msgspec"},
    "turnwright_tank": {"msgspec"},
    "turnwright_world": {"msgspec"},
    "rules": {"msgspec"},
    "wire": {"msgspec"},
    "host": {"msgspec"},
    "analysis": {"msgspec"},
    "content": {"msgspec"},
    "kit": {"msgspec"},
    "planning": {"msgspec"},
}
"""Libraries that a pure layer may use."""

BANNED_CALLS = frozenset(
    {"open", "input", "print", "eval", "exec", "compile", "__import__", "globals", "breakpoint"}
)
CALLS_ALLOWED = {
    (
        "turnwright_world/content/python_files.py",
        "exec",
    ): "verbs are Python files that the server's owner writes",
    ("turnwright_world/content/python_files.py", "compile"): "the same",
    (
        "turnwright_world/content/mind_source.py",
        "compile",
    ): "whether a mind is Python; a player's in a sealed process",
    ("turnwright_tank/wire/royale/docs.py", "print"): "only when run as a program: the generator of a page",
    ("wire/generic_protocol_docs.py", "print"): "only when run as a program: the generator of a page",
    ("wire/record/docs.py", "print"): "only when run as a program: the generator of a page",
    ("turnwright_world/wire/telnet/docs.py", "print"): "only when run as a program: the generator of a page",
}


def _top(name: str) -> str:
    return name.split(".")[0]


def _pure() -> list[Module]:
    return modules_below(*PURE_LAYERS)


def _ours(module: Module) -> Iterator[str]:
    for name, _ in imported_modules(module):
        if _top(name) in PACKAGES and name in _by_name():
            yield name


@cache
def _by_name() -> dict[str, Module]:
    return {module.name: module for module in modules()}


def _reaches(module: Module) -> set[str]:
    """Return the games that a module for any game imports."""
    if module.path.split("/")[0].removesuffix(".py") not in ROOT_LAYERS:
        return set()
    ours = _by_name()
    return {name for name in _ours(module) if ours[name].game or ours[name].path.startswith("games/")}


def _climbs(module: Module) -> set[str]:
    """Return what a module imports from a layer above its own."""
    return {name for name in _ours(module) if LAYERS[_by_name()[name].layer] > LAYERS[module.layer]}


def test_every_module_belongs_to_a_layer() -> None:
    for module in modules():
        assert module.layer in LAYERS


def test_generic_code_imports_no_game() -> None:
    assert not {m.path: sorted(_reaches(m)) for m in modules() if _reaches(m)}


def test_packages_import_only_their_requirements() -> None:
    assert MAY_IMPORT.keys() == PACKAGES.keys()
    wrong = {
        (module.path, name)
        for module in modules()
        for name, _ in imported_modules(module)
        if _top(name) in PACKAGES.keys() - MAY_IMPORT[module.package] - {module.package}
    }
    assert not wrong


def _literals(module: Module) -> Iterator[str]:
    """Yield the texts of a module that are only the name of one of our games."""
    games = _games()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and node.value in games:
            yield node.value


@cache
def _games() -> frozenset[str]:
    return frozenset(module.game for module in modules()) - {""}


def test_generic_code_names_no_game() -> None:
    """No literal "tank", "snake" or "world" outside games/, but one in each module that says why."""
    assert {"tank", "snake", "world"} <= _games()
    named = {module.path: len(list(_literals(module))) for module in modules() if not module.game}
    assert {path: count for path, count in named.items() if count} == dict.fromkeys(NAMED_GAMES, 1)


def test_imports_go_down_only() -> None:
    assert not {m.path: sorted(_climbs(m)) for m in modules() if _climbs(m)}


def test_no_game_imports_another_game() -> None:
    wrong = {
        (module.path, name)
        for module in modules()
        for name in _ours(module)
        if module.game and _by_name()[name].game not in ("", module.game)
    }
    assert not wrong


def test_pure_layers_import_nothing_that_touches_the_world() -> None:
    wrong = []
    for module in _pure():
        allowed = set(ALLOWED.get(module.path, ("", ""))[0].split())
        for name, line in imported_modules(module):
            if _top(name) in WORLD - allowed:
                wrong.append(f"{module.path}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_pure_layers_use_no_library_but_msgspec() -> None:
    wrong = []
    for module in _pure():
        allowed = THIRD_PARTY.get(module.layer, set()) | set(ALLOWED.get(module.path, ("", ""))[0].split())
        for name, line in imported_modules(module):
            top = _top(name)
            if top not in sys.stdlib_module_names and top not in PACKAGES and top not in allowed:
                wrong.append(f"{module.path}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def _calls(module: Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def test_pure_layers_open_print_and_evaluate_nothing() -> None:
    wrong = [
        f"{module.path}:{line} calls {name}"
        for module in _pure()
        for name, line in _calls(module)
        if name in BANNED_CALLS and (module.path, name) not in CALLS_ALLOWED
    ]
    assert not wrong, "\n".join(wrong)


def test_pure_layers_await_nothing() -> None:
    wrong = [
        f"{module.path}:{node.lineno}"
        for module in _pure()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    ]
    assert not wrong, "\n".join(wrong)


def test_randomness_in_the_test_kits_comes_from_a_seed() -> None:
    """They may use `random.Random(seed)`, never the module's own generator nor a clock."""
    wrong = []
    for module in (*modules_below("testing"), *simulation_modules()):
        for name, line in imported_modules(module):
            if _top(name) in WORLD - {"random"}:
                wrong.append(f"{module.path}:{line} imports {name}")
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "random":
                wrong += [f"{module.path}:{node.lineno} uses random.{a}" for a in {node.attr} - {"Random"}]
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "random.Random" and not node.args:
                wrong.append(f"{module.path}:{node.lineno} draws from no seed")
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_still_needed() -> None:
    for path, (names, _reason) in ALLOWED.items():
        module = next(module for module in modules() if module.path == path)
        imported = {_top(name) for name, _ in imported_modules(module)}
        assert set(names.split()) <= imported, f"{path} no longer imports all of {names}"
    for path, call in CALLS_ALLOWED:
        module = next(module for module in modules() if module.path == path)
        assert call in {name for name, _ in _calls(module)}, f"{path} no longer calls {call}"
