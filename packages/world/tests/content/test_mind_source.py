"""A mind's file: valid ones, and the wrong line of others."""

from __future__ import annotations

import pytest

from turnwright_world.content.mind_source import check_mind


@pytest.mark.parametrize(
    ("source", "noted"),
    [
        ("def plan(view, random):\n    return None\n", []),
        ("class A:\n    def plan(self, view, random): pass\n", []),
        ("x = 1\n", [1]),
        ("\ndef plan(view): pass\n", [2]),
        ("class A:\n    def plan(self, view): pass\n", [2]),
        ("def plan(view, random)\n", [1]),
        ("def plan(view, random): pass\nclass A:\n    def plan(self, view, random): pass\n", [1]),
    ],
)
def test_a_mind_is_a_plan_for_two_arguments(source: str, noted: list[int]) -> None:
    found: list[int] = []
    good = check_mind("minds/x.py", source, lambda line, text: found.append(line))
    assert (good, found) == (not noted, noted)


def test_a_mind_is_not_run() -> None:
    assert check_mind("minds/x.py", "1 / 0\ndef plan(view, random): pass\n", lambda line, text: None)
