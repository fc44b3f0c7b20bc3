"""The project's own source, parsed once for all rules."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from turnwright.net.gc_pause import gc_paused

ROOT = Path(__file__).parents[2]
SRC = ROOT / "packages/core/src/turnwright"
PACKAGES = {file.parent.name: file.parent for file in sorted(ROOT.glob("packages/*/src/*/__init__.py"))}
"""Folder of each of our packages, by the name that programs import."""
TESTS = ROOT / "tests"
TEST_FOLDERS = {"": TESTS} | {f"{name}/": folder.parents[1] / "tests" for name, folder in PACKAGES.items()}
"""Folders of tests, by the beginning of the path of what they test."""
MAY_IMPORT = {
    "turnwright": set(),
    "turnwright_world": {"turnwright"},
    "turnwright_league": {"turnwright"},
    "turnwright_learn": {"turnwright", "turnwright_tank"},
    "turnwright_tank": {"turnwright"},
}
"""The packages that each package may import in addition to itself."""
CONTENT = PACKAGES["turnwright_world"] / "demo"
"""Content of a world: what builders write and the server reads; packages/world/tests/demo has its tests."""
LAYERS = {
    "errors": 0,
    "_version": 0,
    "game_package": 1,
    "kernel": 1,
    "rules": 2,
    "kit": 2,
    "backends": 2,
    "games": 2,
    "turnwright_tank": 2,
    "turnwright_world": 2,
    "wire": 3,
    "analysis": 3,
    "content": 3,
    "tournament": 4,
    "host": 4,
    "planning": 4,
    "net": 6,
    "bots": 6,
    "client": 6,
    "catalog": 6,
    "testing": 7,
    "app": 7,
    "envs": 7,
    "turnwright_league": 7,
    "turnwright_learn": 7,
    "cli": 8,
    "__init__": 8,
}
"""Layer word: its height. A module imports only what is as high as itself, or lower. The last layer word
of a path counts, and files in a game's own folder are on the layer of its rules (`games`).
"""
IMPURE_LAYERS = (
    "net",
    "app",
    "cli",
    "backends",
    "bots",
    "client",
    "catalog",
    "envs",
    "turnwright_league",
    "turnwright_learn",
)
"""The layers that may touch the world: sockets, files, processes, threads, the clock. All others are pure."""
PURE_LAYERS = tuple(
    layer for layer in LAYERS if layer not in (*IMPURE_LAYERS, "testing", "__init__", "_version")
)
ROOT_LAYERS = ("kernel", "wire", "host", "net", "app", "cli", "testing")
"""The layers of core for any game, so they import none."""


@dataclass(frozen=True)
class Module:
    """One source file.

    Attributes:
        path: as of `path_of`, e.g. "kernel/pace.py".
        layer: its first part.
    """

    path: str
    tree: ast.Module
    lines: int

    @property
    def layer(self) -> str:
        """The last layer word of the path, e.g. "net" of turnwright_world/planning/net/pool.py."""
        *folders, file = self.path.removesuffix(".py").split("/")
        words = folders or [file]
        return next(word for word in reversed(words) if word in LAYERS)

    @property
    def package(self) -> str:
        """Our package that it belongs to, as programs import it."""
        first = self.path.split("/")[0]
        return first if first in PACKAGES else "turnwright"

    @property
    def game(self) -> str:
        """The game in whose folder the module is, or "" for any other module."""
        parts = self.path.split("/")
        if parts[0] in ("turnwright_league", "turnwright_learn"):
            return "tank" if parts[1] == "tank" else ""
        if parts[0] in PACKAGES:
            return parts[0].partition("_")[2]
        return parts[1] if parts[0] == "games" and len(parts) > 2 else ""

    @property
    def name(self) -> str:
        """The dotted name."""
        parts = self.path.removesuffix(".py").removesuffix("/__init__").split("/")
        start = [] if parts[0] in PACKAGES else ["turnwright"]
        return ".".join([*start, *(part for part in parts if part != "__init__")])

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")


@cache
@gc_paused()
def modules() -> tuple[Module, ...]:
    """Return every source file of the package, in order of path."""
    found = []
    for path, file in source_files("*.py").items():
        if CONTENT in file.parents:
            continue
        text = file.read_text(encoding="utf-8")
        found.append(Module(path, ast.parse(text), len(text.splitlines())))
    return tuple(found)


def source_files(pattern: str) -> dict[str, Path]:
    """Return the files of all packages that fit a pattern, by the path that pages name."""
    return {path_of(file): file for folder in PACKAGES.values() for file in sorted(folder.rglob(pattern))}


def path_of(file: Path) -> str:
    """Return the path of a source as pages name it.

    It is relative to turnwright, "kernel/pace.py". In another package the name of that one comes first.
    """
    return file.relative_to(SRC if SRC in file.parents else _beside(file).parent).as_posix()


def _beside(file: Path) -> Path:
    return next(folder for folder in PACKAGES.values() if folder in file.parents)


def file_of(path: str) -> Path:
    """Return the file or folder of a path that pages name."""
    first, _, rest = path.partition("/")
    return PACKAGES[first] / rest if first in PACKAGES else SRC / path


def modules_below(*layers: str) -> list[Module]:
    """Return the modules of these layers."""
    return [module for module in modules() if module.layer in layers]


@cache
def modules_beside() -> tuple[Module, ...]:
    """Return the modules of tests, benches and tools."""
    files = {f"tests/{path}": tree for path, tree in files_of_tests().items()}
    for file in sorted([*(ROOT / "bench").glob("*.py"), *(ROOT / "tools").rglob("*.py")]):
        files[file.relative_to(ROOT).as_posix()] = ast.parse(file.read_text(encoding="utf-8"))
    return tuple(Module(path, tree, 0) for path, tree in files.items())


@cache
def simulation_modules() -> tuple[Module, ...]:
    """Return the kits of the simulations of servers and of tanks, without the tests themselves."""
    return tuple(
        Module(f"{folder}/{file.name}", ast.parse(text := file.read_text()), len(text.splitlines()))
        for folder in (
            "packages/core/tests/simulation",
            "packages/world/tests/simulation",
            "packages/tank/tests/simulation",
        )
        for file in sorted((ROOT / folder).glob("*.py"))
        if not file.name.startswith("test_")
    )


def imported_modules(module: Module) -> Iterator[tuple[str, int]]:
    """Yield the dotted name and the line of each import in a module.

    `from turnwright.host import effects` yields turnwright.host.effects where that is a module, and
    `import_module("numpy")` yields numpy.
    """
    found = _imports().get(module.path)
    yield from _imported_by(module) if found is None else found


@cache
def _imports() -> dict[str, list[tuple[str, int]]]:
    """Return the imports of every module of the package, by path."""
    return {module.path: list(_imported_by(module)) for module in modules()}


@cache
def _names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


def _imported_by(module: Module) -> Iterator[tuple[str, int]]:
    ours = _names()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module.path}:{node.lineno} has a relative import; write the whole name"
            base = node.module or ""
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield (inner if inner in ours else base), node.lineno
        elif isinstance(node, ast.Call) and _called(node.func) == "import_module":
            yield from ((str(a.value), node.lineno) for a in node.args[:1] if isinstance(a, ast.Constant))


def _called(function: ast.expr) -> str:
    """Return the last name of a called function, or "" if it has no name."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def functions(module: Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield every function and method with its qualified name."""
    yield from _functions(module.tree, "")


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        else:
            yield from _functions(child, prefix)


def function_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function, without decorators and docstring."""
    end = function.end_lineno or function.lineno
    length = end - function.lineno + 1
    if ast.get_docstring(function) is not None:
        first = function.body[0]
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


@cache
def committed_files() -> tuple[str, ...]:
    """Return the files of the project: the files that git tracks, or all files of an unpacked archive."""
    asked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if asked.returncode == 0:
        return tuple(name for name in asked.stdout.split("\0") if name and (ROOT / name).is_file())
    return tuple(
        file.relative_to(ROOT).as_posix()
        for file in sorted(ROOT.rglob("*"))
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(ROOT).parts)
    )


@cache
@gc_paused()
def files_of_tests() -> dict[str, ast.Module]:
    """Return the modules of the tests by path, without the programs that other projects' tools run."""
    files = {
        prefix + file.relative_to(folder).as_posix(): file
        for prefix, folder in TEST_FOLDERS.items()
        for file in sorted(folder.rglob("*.py"))
        if TESTS / "peers" / "bots" not in file.parents
    }
    return {path: ast.parse(file.read_text(encoding="utf-8")) for path, file in files.items()}
