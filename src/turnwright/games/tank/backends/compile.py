"""The same rules, compiled by Numba (the extra [fast]): one source, two speeds.

Every function of the rule files is compiled as it stands: it is created a second time with globals in which
the other rule functions are their compiled twins, so the rule files know nothing of this. No fast-math;
errors are Python's; and no counting of references to the tables, which would cost more than the rules:
nothing here allocates, and the caller holds the tables. The result lies in a cache keyed by the rules' source
and the versions of what compiled it, so that only the first start after a change compiles.

This is the one file of the games that touches the world: through Numba's cache, and a clock to say how long
compiling took. NumPy and Numba are imported here only, and late.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError
from types import FunctionType, ModuleType
from typing import Any

from turnwright.games.tank.rules import (
    bullet_hits,
    bullets,
    constants,
    death,
    energy,
    events,
    geometry,
    grid,
    gun,
    motion,
    radar,
    rows,
    score,
    stages,
    tank_contacts,
    trig,
    walls,
)
from turnwright.games.tank.rules.rows import ARENA, BULLET, CONTACT, DUEL, EVENT, TANK, RowKind
from turnwright.games.tank.rules.stages import STAGES

__all__ = ["CompiledProgram", "available", "cache_directory", "dtype_of", "load", "load_program", "twins_of"]

RULE_MODULES: tuple[ModuleType, ...] = (
    trig,
    constants,
    energy,
    events,
    score,
    geometry,
    grid,
    gun,
    motion,
    walls,
    tank_contacts,
    radar,
    bullets,
    bullet_hits,
    death,
    stages,
)

OPTIONS = {"error_model": "python", "fastmath": False, "_nrt": False}
_TWIN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""A twin is never called from Python or C; leaving out the way in saves a third of the time to compile."""

Step = Callable[..., int]
"""step(arenas, tanks, bullets, events, contacts, duels, duel_of, cells, chain, first) -> code.

Runs the stages from number `first` on. code 0 or more: done; +1 the round is over, +2 a tank died. Below 0:
-(16 * stage + table) - 1: that table is too short for that stage; call again from there.
"""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledProgram:
    """Functions that are compiled as one.

    name: begins the name of its folder in the cache.

    words, about_s: description and about how many seconds compiling takes, for messages. sources: its
    modules. entry: returns its first function, made of twins, and that function's signature.
    """

    name: str
    words: str
    about_s: int
    sources: tuple[ModuleType, ...]
    entry: Callable[[], tuple[FunctionType, Any]]


_loaded: dict[str, Step] = {}


def available() -> bool:
    """Return whether this machine can run the compiled rules (nothing is imported)."""
    return sys.byteorder == "little" and bool(find_spec("numba")) and bool(find_spec("numpy"))


def is_loaded(program: CompiledProgram | None = None) -> bool:
    """Return whether a program, or else the rules, is loaded.

    Loading it again then costs nothing.
    """
    return (program or RULES).name in _loaded


def is_cached(program: CompiledProgram | None = None) -> bool:
    """Return whether the cache holds a program, else the rules, compiled."""
    directory = cache_directory(program)
    return directory is not None and any(Path(directory).rglob("*.nbc"))


def load(progress: Callable[[str], None] | None = None) -> Step:
    """Return the compiled turn; see `load_program`."""
    return load_program(RULES, progress)


def load_program(
    program: CompiledProgram, progress: Callable[[str], None] | None = None
) -> Callable[..., int]:
    """Return a compiled program, compiling it first where no cache holds it.

    What is cached is loaded at once, even while another process loads or compiles it.

    progress: gets lines about what is compiled and how long it took; not called when all is cached.
    Raises: ImportError without Numba.
    """
    if program.name not in _loaded:
        directory, cached = cache_directory(program), is_cached(program)
        if progress is not None and not cached:
            once = f"once for this version; about {program.about_s} s"
            progress(f"compiling {program.words} with Numba ({once})")
        started = time.monotonic()
        with nullcontext() if cached else _one_at_a_time(directory):
            _loaded[program.name] = _compile(program, directory)
        if progress is not None and not cached:
            where = directory if directory is not None else "the cache cannot be written"
            progress(f"compiled in {time.monotonic() - started:.1f} s; cached for later starts: {where}")
    return _loaded[program.name]


@contextmanager
def _one_at_a_time(directory: str | None) -> Iterator[None]:
    """Let one process compile for a cache; others wait, then load its results."""
    try:
        fcntl = import_module("fcntl")
        file = open(os.path.join(directory or "", "lock"), "w") if directory else None  # noqa: SIM115
    except (ImportError, OSError):  # not every system has such locks, not every disk has room
        file = None
    if file is None:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def cache_directory(program: CompiledProgram | None = None) -> str | None:
    """Return the directory of compiled code, or None.

    Of a program, or else of the rules; None where nothing can be written. Compiled code is read as pickles,
    which run whatever their author wants: a folder that another user can write is not used.
    """
    program = program or RULES
    key = hashlib.blake2b(digest_size=8)
    for module in (*program.sources, sys.modules[__name__]):
        key.update(inspect.getsource(module).encode())
    compilers = f"{version('numba')} {version('numpy')}"
    key.update(f"{compilers} {sys.version} {platform.machine()}".encode())
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    for place in (os.path.join(home, "turnwright"), *_temporary()):
        directory = os.path.join(place, f"{program.name}-{key.hexdigest()}")
        try:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            for folder in (place, directory):
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o700)
            if _is_ours(place) and _is_ours(directory) and os.access(directory, os.W_OK):
                return directory
        except OSError:
            continue
    return None


def _is_ours(folder: str) -> bool:
    """Return whether it is a folder of this user that nobody else can write."""
    found, writable = os.lstat(folder), stat.S_IWGRP | stat.S_IWOTH
    if not hasattr(os, "geteuid"):
        return True
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & writable


def _temporary() -> list[str]:
    """Return this user's place below temporary files; nothing where there is no room for one."""
    try:
        place = tempfile.gettempdir()
    except OSError:
        return []
    return [os.path.join(place, f"turnwright-{os.geteuid()}" if hasattr(os, "geteuid") else "turnwright")]


def dtype_of(kind: RowKind) -> Any:
    """Return the NumPy type of a kind of rows: packed, 8 bytes a field."""
    numpy = import_module("numpy")

    return numpy.dtype(
        [(name, {"d": "<f8", "q": "<i8"}[code]) for name, code in zip(kind.names, kind.codes, strict=True)]
    )


def _number(_name: str, value: Any) -> Any:
    return value if isinstance(value, int | float) else None


def twins_of(
    modules: Sequence[ModuleType],
    constant: Callable[[str, Any], Any] = _number,
    *,
    inline: bool = False,
) -> dict[Any, Any]:
    """Return the compiled twin of every function of some files.

    They can be called from compiled code only.

    constant: returns what a global of these files, by name and value, is in the twins; None: it is missing.
    inline: all of it becomes one function, which takes longer to compile and runs faster.
    """
    numba = import_module("numba")

    twins: dict[Any, Any] = {}
    spaces: list[tuple[ModuleType, dict[str, Any]]] = []
    for module in modules:
        space: dict[str, Any] = {"__name__": module.__name__, "__builtins__": __builtins__}
        spaces.append((module, space))
        for function in vars(module).values():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                twin = FunctionType(function.__code__, space, function.__name__)
                twins[function] = numba.njit(**OPTIONS, **_TWIN, forceinline=inline)(twin)
    for module, space in spaces:
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value in twins:
                space[name] = twins[value]
            elif (known := constant(name, value)) is not None:
                space[name] = known
    return twins


def _entry_source() -> str:
    """Return the turn as one function that calls the stages in order."""
    lines = [
        "def step(arenas, tanks, bullets, events, contacts, duels, duel_of, cells, chain, first):",
        "    arena = arenas[0]",
        "    rows = Rows(arena, tanks, bullets, events, contacts, duels, duel_of, cells, chain)",
    ]
    for k in range(len(STAGES)):
        lines += [
            f"    if first <= {k}:",
            f"        need = stage_{k}(rows)",
            "        if need != 0:",
            f"            return -(16 * {k} + need) - 1",
        ]
    lines.append("    return (1 if arena.round_over != 0 else 0) + (2 if arena.deaths > 0 else 0)")
    return "\n".join(lines)


def _signature() -> Any:
    numba, numpy = import_module("numba"), import_module("numpy")

    kinds = (ARENA, TANK, BULLET, EVENT, CONTACT, DUEL)
    tables = [numba.typeof(numpy.zeros(1, dtype_of(kind))) for kind in kinds]
    numbers = numba.typeof(numpy.zeros(1, numpy.int64))
    return (*tables, numbers, numbers, numbers, numba.int64)


def _turn() -> tuple[FunctionType, Any]:
    """Return the turn as a function of twins, and its signature."""
    twins = twins_of(RULE_MODULES)
    space: dict[str, Any] = {"__name__": stages.__name__, "Rows": rows.Rows}
    space.update({f"stage_{k}": twins[stage] for k, (_, stage) in enumerate(STAGES)})
    exec(compile(_entry_source(), str(stages.__file__), "exec"), space)
    return space["step"], _signature()


RULES = CompiledProgram("tank", "the tank rules", 20, (*RULE_MODULES, rows), _turn)


def _compile(program: CompiledProgram, directory: str | None) -> Step:
    """Compile a program, or load it. A cache that cannot be read or written is done without."""
    try:
        return _compile_into(program, directory)
    except (EOFError, OSError, RuntimeError, UnpicklingError, ValueError):
        if directory is None:
            raise
        return _compile_into(program, None)


def _compile_into(program: CompiledProgram, directory: str | None) -> Step:
    """Compile or load a program. Numba reads the cache's place once, when caching is switched on."""
    numba = import_module("numba")
    function, signature = program.entry()
    if directory is not None:
        function = _in_cache(function, directory)
    config = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, directory or ""
    try:
        entry = numba.njit(**OPTIONS, cache=directory is not None)(function)
    finally:
        config.CACHE_DIR = before
    entry.compile(signature)
    compiled: Step = entry.overloads[signature].entry_point
    return compiled


def _in_cache(function: FunctionType, directory: str) -> FunctionType:
    """Return a function whose source file seems to be one in the cache.

    Numba looks for what it compiled by the path and the time of this file. So every installation of the same
    sources finds it, and `is_cached` need not know them.
    """
    file = os.path.join(directory, "sources")
    with suppress(FileExistsError):
        open(file, "x").close()
    os.utime(file, (0, 0))
    code = function.__code__.replace(co_filename=file)
    return FunctionType(code, function.__globals__, function.__name__)
