"""The rules in C: each construct has its form, and they compile without a warning."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.house.source import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from rules_source.types import Function, Known
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


# ---- the files ---------------------------------------------------------------------------------------------


@pytest.mark.skipif(CC is None, reason="there is no C compiler")
def test_the_files_compile_without_a_warning(tmp_path: Path) -> None:
    assert CC is not None
    words = "-O1 -std=c11 -ffp-contract=off -Wall -Wextra -Wno-parentheses -Wno-cast-function-type -Werror"
    done = subprocess.run(
        [
            CC,
            *words.split(),
            f"-I{sysconfig.get_path('include')}",
            "-c",
            str(ROOT / "packages/tank/src/turnwright_tank/backends/c/module.c"),
            "-o",
            str(tmp_path / "module.o"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
