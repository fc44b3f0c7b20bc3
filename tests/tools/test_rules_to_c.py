"""The rules in C: they are translated, compiled, and equal to the interpreted ones to the bit."""

from __future__ import annotations

import ast
import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.house.source import ROOT
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.game import TankGame
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams

sys.path.insert(0, str(ROOT / "tools"))

from rules_source.types import Function, Known
from rules_to_c.program import render
from rules_to_c.statements import function_to_c

CC = shutil.which("cc")
KNOWN = Known(
    {
        "Tank": {"x": "float", "seat": "int"},
        "Rows": {"tanks": "[Tank]", "cells": "[int]"},
    },
    {"LIMIT": ("LIMIT", "float")},
    {"pair": Function("pair", ("float",), "(float, float)"), "f": Function("f", (), "int")},
)


def body(text: str) -> str:
    """The lines of a function in C."""
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    source = f"def f(x: float, n: int, tank: Tank, world: Rows) -> int:\n{lines}\n    return 0\n"
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    known = Known(
        KNOWN.rows,
        KNOWN.constants,
        {**KNOWN.functions, "f": Function("f", ("float", "int", "Tank", "Rows"), "int")},
    )
    return function_to_c(function, source, known)


@pytest.mark.parametrize(
    ("python", "c"),
    [
        ("y = x - (x - LIMIT)", "double y = x - (x - LIMIT);"),
        ("y = n / n", "double y = (double)n / n;"),
        ("k = n // 4 + int(x)", "int64_t k = divided_down(n, 4) + (int64_t)x;"),
        ("tank.x += x", "tank->x += x;"),
        ("k = len(world.cells)", "int64_t k = world->cells.length;"),
        ("world.cells[n + 1] = n", "world->cells.row[n + 1] = n;"),
        ("other = world.tanks[n]", "Tank *other = &world->tanks.row[n];"),
        ("world.tanks[n] = world.tanks[0]", "*(&world->tanks.row[n]) = *(&world->tanks.row[0]);"),
        ("y, z = pair(x)", "parts_float_float parts_1 = pair(x);"),
        ("if n > 1:\n    k = 2\nelse:\n    k = 3\nm = k", "  int64_t k = 0;\n"),
        ("for each in world.tanks:\n    each.x = x", "Tank *each = &each_rows_1.row[each_at];"),
    ],
)
def test_each_construct_has_its_form(python: str, c: str) -> None:
    assert c in body(python)


# ---- compiled ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def step(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., int]:
    """The compiled turn, with the arguments that Numba's has."""
    if CC is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("c")
    (folder / "rules.c").write_text(render())
    words = [
        "-O3",
        "-std=c11",
        "-ffp-contract=off",
        "-Wall",
        "-Wno-parentheses",
        "-Werror",
        "-shared",
        "-fPIC",
    ]
    subprocess.run([CC, *words, "-o", "rules.so", "rules.c"], cwd=folder, check=True, timeout=120)
    function = ctypes.CDLL(str(folder / "rules.so")).turnwright_step
    function.restype = ctypes.c_int64

    def call(*arguments: Any) -> int:
        arenas, *tables, first = arguments
        values: list[Any] = [ctypes.c_void_p(arenas.ctypes.data)]
        for table in tables:
            values += [ctypes.c_void_p(table.ctypes.data), ctypes.c_int64(len(table))]
        return int(function(*values, ctypes.c_int64(first)))

    return call


def states(backend: str, seed: int, tanks: int, turns: int) -> Iterator[bytes]:
    """The states of a battle of random intents, turn by turn."""
    game, streams = TankGame(backend), Streams(seed)  # type: ignore[arg-type]
    seats = [SeatInfo(f"bot {k}") for k in range(tanks)]
    setup = {"arena_width": 400 + 40 * tanks, "arena_height": 400 + 40 * tanks, "number_of_rounds": 3}
    state, chance = game.setup(setup, seats, streams), Streams(seed).stream("intents")
    for _ in range(turns):
        if state.game_over:
            break
        intents = {seat: game.random_intent(state, seat, chance) for seat in game.asked(state)}
        game.resolve(state, intents, streams)
        yield game.snapshot(state)


@pytest.mark.long
@pytest.mark.parametrize(("tanks", "battles", "turns"), [(2, 30, 400), (10, 8, 300), (100, 1, 60)])
def test_every_state_is_that_of_the_interpreted_rules(
    tanks: int, battles: int, turns: int, step: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled.available():
        pytest.skip("numba is not installed")
    monkeypatch.setattr(compiled, "load", lambda _progress=None: step)
    for seed in range(battles):
        both = zip(states("numba", seed, tanks, turns), states("python", seed, tanks, turns), strict=True)
        for turn, (one, two) in enumerate(both):
            assert one == two, f"battle {seed} differs in turn {turn + 1}"
