"""Operations that the rules may use: + - * / and comparisons on floats, with the same bits on every
machine.
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from turnwright_tank.backends.sources import RULE_FILES

FORBIDDEN_CALLS = {"sum", "pow", "hypot", "min", "max", "round", "set", "frozenset", "abs", "sorted"}
RULE_MODULES = [import_module(f"turnwright_tank.rules.{name}") for name in RULE_FILES]
modules = pytest.mark.parametrize("module", RULE_MODULES, ids=lambda m: m.__name__.rsplit(".", 1)[-1])


def tree_of(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text())


@modules
def test_rules_use_no_function_whose_bits_could_differ(module: ModuleType) -> None:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"line {node.lineno}"
        if isinstance(node, ast.BinOp):
            assert not isinstance(node.op, ast.Pow | ast.Mod), f"line {node.lineno}"
        assert not isinstance(node, ast.Set | ast.SetComp), f"line {getattr(node, 'lineno', 0)}"


@modules
def test_rules_import_nothing_but_rules(module: ModuleType) -> None:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            raise AssertionError(f"line {node.lineno}")
        if isinstance(node, ast.ImportFrom):
            name = node.module or ""
            assert name.startswith("turnwright_tank.") or name in ("__future__", "collections.abc"), name
