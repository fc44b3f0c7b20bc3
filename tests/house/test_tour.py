"""The tour names existing files, folders and functions."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.source import ROOT, file_of

TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")

_PATH = r"(?:[\w.]+/)+[\w.]*"
PATHS = sorted(set(re.findall(rf"`({_PATH})`", TOUR)))
NAMED = sorted(set(re.findall(rf"`({_PATH}\.py)` `(\w+)`", TOUR)))


def defined(source: str) -> set[str]:
    """Return the names of functions, classes and constants of a module."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def test_the_tour_names_many_things() -> None:
    assert len(PATHS) > 30
    assert len(NAMED) > 8


@pytest.mark.parametrize("path", PATHS)
def test_every_path_of_the_tour_exists(path: str) -> None:
    assert file_of(path).exists() or (ROOT / path).exists()


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_every_function_of_the_tour_is_in_its_file(path: str, name: str) -> None:
    assert name in defined(file_of(path).read_text(encoding="utf-8"))
