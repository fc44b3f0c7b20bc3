"""The translator of the rules: it is fresh, keeps the meaning, and translates nothing on a guess."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from rules_source.files import RULES
from rules_source.types import Function, Known, Refused
from rules_to_js.program import render
from rules_to_js.statements import function_to_js

from turnwright_tank.backends.sources import RULE_FILES

NODE = shutil.which("node")
KNOWN = Known(
    {"Tank": {"x": "float", "seat": "int"}, "Rows": {"tanks": "[Tank]", "cells": "[int]"}},
    {"LIMIT": ("LIMIT", "float")},
    {"pair": Function("pair", ("float",), "(float, float)"), "f": Function("f", (), "int")},
)


def translated(source: str) -> str:
    """A function in JavaScript, without its comment."""
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    known = Known(KNOWN.rows, KNOWN.constants, {**KNOWN.functions, function.name: Function("f", (), "int")})
    return function_to_js(function, source, known).partition("*/\n")[2]


def body(text: str, takes: str = "x: float, n: int, tank: Tank, world: Rows") -> str:
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    return translated(f"def f({takes}) -> int:\n{lines}\n    return 0\n")


def test_every_file_of_rules_is_translated() -> None:
    others = {"__init__", "rows", "rules_hash", "placement", "colors"}
    assert {path.stem for path in RULES.glob("*.py")} == {*RULE_FILES, *others}


def test_a_changed_rule_makes_another_file(tmp_path: Path) -> None:
    shutil.copytree(RULES.parent, tmp_path / "tank")
    gun = tmp_path / "tank" / "rules" / "constants.py"
    gun.write_text(gun.read_text("utf-8").replace("TANK_RADIUS = 18.0", "TANK_RADIUS = 18.5"), "utf-8")
    assert "export const TANK_RADIUS = 18.5;" in render(tmp_path / "tank" / "rules")


@pytest.mark.parametrize(
    ("python", "javascript"),
    [
        ("y = x - (x - LIMIT)", "const y = x - (x - LIMIT);"),
        ("y = (x - x) - LIMIT", "const y = x - x - LIMIT;"),
        ("y = -x * (x / 2.0)", "const y = -x * (x / 2.0);"),
        ("y = 1.57079632679489655800e00", "const y = 1.57079632679489655800e00;"),
        ("k = n // 4 + int(x)", "const k = Math.floor(n / 4) + whole(x);"),
        ("k = -n", "const k = 0 - n;"),
        ("y = x if 0.0 <= x < LIMIT else -x", "const y = 0.0 <= x && x < LIMIT ? x : -x;"),
        ("k = 1 if not (n == 1 or n != 2) and n > 3 else 0", "!(n === 1 || n !== 2) && n > 3 ? 1 : 0;"),
        ("tank.x += x", "tank.x += x;"),
        ("y, z = pair(x)", "const parts_1 = pair(x);\n  const y = parts_1[0];\n  const z = parts_1[1];"),
        ("k = len(world.cells)", "const k = world.cells.length;"),
        ("world.cells[n + 1] = n", "world.cells[n + 1] = n;"),
    ],
)
def test_an_expression_keeps_its_tree_and_its_meaning(python: str, javascript: str) -> None:
    assert javascript in body(python)


def test_a_swap_works_out_both_values_first() -> None:
    text = body("y = x\nz = x\ny, z = z, y")
    assert "const parts_1_0 = z, parts_1_1 = y;\n  y = parts_1_0;\n  z = parts_1_1;" in text


def test_a_loop_works_out_its_end_once() -> None:
    assert "for (let k = 0, k_end = tank.seat; k < k_end; k++) {" in body(
        "for k in range(tank.seat):\n    n = k"
    )
    assert "for (let k = n; k > -1; k--) {" in body("for k in range(n, -1, -1):\n    x = 1.0")
    assert "for (const one of world.tanks) {" in body("for one in world.tanks:\n    one.x = x")


def test_a_variable_is_declared_where_all_uses_can_see_it() -> None:
    text = body("if n > 0:\n    y = 1.0\nelse:\n    y = 2.0\nx = y")
    head, first, *_ = text.splitlines()
    assert (head, first) == ("export function f(x, n, tank, world) {", "  let y;")
    text = body("while n > 0:\n    y = x\n    n = n - 1\n    x = y")
    assert "    const y = x;" in text


@pytest.mark.parametrize(
    ("python", "what"),
    [
        ("y = x // 2.0", "float, not int"),
        ("y = n % 2", "operator is not known"),
        ("y = x ** 2.0", "operator is not known"),
        ("y = abs(x)", "function is not known"),
        ("y = unknown", "name is not known"),
        ("y = tank.speed", "has no field speed"),
        ("y = world.cells[-1]", "count from the front"),
        ("y = world.cells[0:2]", "not known"),
        ("if n:\n    x = 1.0", "int, not bool"),
        ("y = n or 1", "int, not bool"),
        ("y = 1 if x > 0.0 else 2.0", "int or float"),
        ("y = 1\ny = 2.0", "int elsewhere, here float"),
        ("tank.seat = x", "type int.*type float"),
        ("y = 0.0 < pair(x) < 1.0", "no call there"),
        ("y = n == 1 == True", "bool, not int"),
        ("y = 'text'", "only numbers and truths"),
        ("y = 9007199254740993", "only numbers and truths"),
        ("y = [x]", "not known"),
        ("y = lambda: x", "not known"),
        ("with x:\n    pass", "statement is not known"),
        ("try:\n    x = 1.0\nfinally:\n    x = 2.0", "statement is not known"),
        ("x", "only a call"),
        ("for k in range(0, n, 2):\n    x = 1.0", "steps of 1 or -1"),
        ("for k in range(n):\n    k = 2", "loop is not assigned"),
        ("for k in range(n):\n    x = 1.0\ny = k", "not used behind it"),
        ("for k in world.tanks:\n    x = 1.0\nelse:\n    x = 2.0", "no else"),
        ("LIMIT = 5.0\nreturn 1.0", "float, not int"),
        ("new = 1.0", "taken in JavaScript"),
        ("f = 1.0\nf()", "taken in JavaScript"),
        ("y = f(x=1.0)", "without keywords"),
        ("y = pair(n)", "int, not float"),
        ("y = pair()", "takes 1 arguments"),
        ("y, z, w = pair(x)", "2 values for 3 names"),
        ("y = z = x", "one thing .*at a time"),
        ("x //= 2.0", "not int"),
    ],
)
def test_unknown_constructs_are_refused_with_their_line(python: str, what: str) -> None:
    with pytest.raises(Refused, match=what) as refused:
        body(python)
    assert str(refused.value).startswith("line ")


def test_a_file_with_other_code_than_rules_is_refused(tmp_path: Path) -> None:
    shutil.copytree(RULES.parent, tmp_path / "tank")
    with (tmp_path / "tank" / "rules" / "gun.py").open("a", encoding="utf-8") as file:
        file.write("\nclass Surprise:\n    pass\n")
    with pytest.raises(Refused, match=r"gun\.py .*no rule"):
        render(tmp_path / "tank" / "rules")


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="node is not installed (apt-get install nodejs)")
def test_whole_numbers_mean_the_same_in_both() -> None:
    source = "def g(a: int, x: float) -> int:\n    return a // 3 - int(x) * 2\n"
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    known = Known({}, {}, {"g": Function("g", ("int", "float"), "int")})
    text = function_to_js(function, source, known).replace("export ", "")
    cases = [(a, x) for a in (-7, -6, -1, 0, 5, 2**52 + 1) for x in (-2.5, -0.5, 0.0, 0.99, 1e9)]
    program = (
        f"const whole = (value) => Math.trunc(value) + 0;\n{text}\n"
        f"console.log(JSON.stringify({json.dumps(cases)}.map(([a, x]) => g(a, x))))"
    )
    done = subprocess.run([str(NODE), "-e", program], capture_output=True, text=True, check=True, timeout=60)
    space: dict[str, object] = {}
    exec(source, space)
    assert json.loads(done.stdout) == [space["g"](a, x) for a, x in cases]  # type: ignore[operator]
