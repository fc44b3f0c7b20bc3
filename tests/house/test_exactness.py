"""The rules give the same bits everywhere: only exact arithmetic, and nothing in an order left to chance."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.source import ROOT, Module, imported_modules, modules_below

MATH_ALLOWED = frozenset(
    {"sqrt", "floor", "ceil", "trunc", "fmod", "copysign", "isfinite", "isnan", "inf", "nan", "fabs"}
)
"""Exact on every platform (IEEE 754), unlike sin, cos, atan2, hypot, pow, exp and log."""
SUMS_ALLOWED = {
    (path, "sum((tank.retired for tank in tanks))"): "counts whole numbers"
    for path in ("turnwright_tank/backends/python.py", "turnwright_tank/backends/compiled.py")
}
NAMES_BANNED = frozenset({"pow", "hash", "id", "vars", "locals"})
"""pow rounds as libm does; hash, id differ from run to run."""

_RULES = ("games", "rules", "backends", "kit", "analysis")


def _rules() -> list[Module]:
    return modules_below(*_RULES, "kernel")


def _games() -> list[Module]:
    return modules_below(*_RULES)


def _where(module: Module, node: ast.expr | ast.stmt, what: str) -> str:
    return f"{module.path}:{node.lineno} {what}"


def test_rules_use_only_the_exact_functions_of_math() -> None:
    wrong = []
    for module in _rules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module == "math":
                wrong += [_where(module, node, f"takes {a.name} from math") for a in node.names
                          if a.name not in MATH_ALLOWED]  # fmt: skip
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "math":
                wrong += [_where(module, node, f"uses math.{a}") for a in {node.attr} - MATH_ALLOWED]
        wrong += [f"{module.path}:{line} imports {name}" for name, line in imported_modules(module)
                  if name.split(".")[0] in ("cmath", "statistics", "decimal", "random")]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_rules_raise_to_no_power() -> None:
    wrong = []
    for module in _games():
        for node in ast.walk(module.tree):
            if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)):
                continue
            if not all(
                isinstance(side, ast.Constant) and isinstance(side.value, int)
                for side in (node.left, node.right)
            ):
                wrong.append(_where(module, node, f"computes {ast.unparse(node)}"))
    assert not wrong, "\n".join(wrong)


def test_rules_call_nothing_that_differs_from_run_to_run() -> None:
    wrong = [
        _where(module, node, f"calls {node.func.id}")
        for module in _rules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES_BANNED
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_add_floats_one_by_one_in_a_fixed_order() -> None:
    """sum() and NumPy's reductions add floats in another order (and since 3.12 compensate)."""
    wrong, used = [], set()
    for module in _games():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name in ("sum", "math.fsum", "fsum"):
                found = (module.path, ast.unparse(node))
                used.add(found)
                if found not in SUMS_ALLOWED:
                    wrong.append(_where(module, node, found[1]))
            if name.split(".")[0] in ("numpy", "np") and name.rpartition(".")[2] in (
                "sum",
                "dot",
                "mean",
                "prod",
                "hypot",
                "power",
            ):
                wrong.append(_where(module, node, name))
    assert not wrong, "\n".join(wrong)
    assert set(SUMS_ALLOWED) <= used, "an exception is no longer needed"


def _set_names(module: Module) -> set[str]:
    """Names and attributes that the module says are sets."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            text = ast.unparse(node.annotation)
            if text.split("[")[0] in ("set", "frozenset", "Set", "AbstractSet"):
                target = node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
                found.add(target.rpartition(".")[2])
    return found


def _is_set(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("set", "frozenset")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return _is_set(node.left, names) or _is_set(node.right, names)
    if isinstance(node, ast.Attribute):
        return node.attr in names
    return isinstance(node, ast.Name) and node.id in names


def _loops(module: Module) -> Iterator[ast.expr]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.For):
            yield node.iter
        elif isinstance(node, ast.ListComp | ast.DictComp | ast.GeneratorExp):
            yield from (generator.iter for generator in node.generators)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("tuple", "list")
        ):
            yield from node.args


def _order_free(module: Module) -> set[ast.expr]:
    """Return the arguments of calls whose result knows no order, e.g. sorted."""
    free = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("sorted", "min", "max", "any", "all", "len", "set", "frozenset"):
                for argument in node.args:
                    if isinstance(argument, ast.GeneratorExp | ast.ListComp):
                        free |= {generator.iter for generator in argument.generators}
        elif isinstance(node, ast.SetComp):
            free |= {generator.iter for generator in node.generators}
    return free


def test_rules_iterate_over_no_set() -> None:
    wrong = []
    for module in _rules():
        names, free = _set_names(module), _order_free(module)
        wrong += [
            _where(module, loop, f"goes over {ast.unparse(loop)}")
            for loop in _loops(module)
            if loop not in free and _is_set(loop, names)
        ]
    assert not wrong, "\n".join(wrong)


def test_compiled_rules_keep_every_operation_as_written() -> None:
    """No fast-math: the compiler may not reorder or fuse float operations."""
    options = set(re.findall(r'"([-/][^"]+)"', (ROOT / "packages/tank/setup.py").read_text()))
    assert {"-ffp-contract=off", "/fp:precise"} <= options
    others = options - {"-fno-fast-math"}
    assert not [one for one in others if re.search(r"fast|unsafe|assoc|recip|Ofast", one)]
