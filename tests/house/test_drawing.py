"""Examples of properties are the same in every run, and no property has a deadline."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def drawn() -> list[int]:
    """Return what a property draws."""
    found: list[int] = []

    @settings(derandomize=True, database=None, max_examples=300)
    @given(st.integers())
    def draw(number: int) -> None:
        found.append(number)

    draw()
    return found


def test_the_same_examples_are_drawn_whatever_has_been_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    (tmp_path / "many_numbers.py").write_text(f"NUMBERS = {list(range(7_654_321, 7_654_521))}")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("many_numbers")
    assert drawn() == before


def test_no_profile_has_a_deadline() -> None:
    assert settings().deadline is None
    assert settings.get_profile("explore").deadline is None
