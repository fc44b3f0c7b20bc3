from __future__ import annotations

import argparse

import pytest

from turnwright.cli.parser import build_parser, parse

SHARED = ("on_skip", "max_skipped", "on_disconnect", "on_rules_error", "enable_initial_position")


def given(*argv: str) -> argparse.Namespace:
    return parse(build_parser(argv), argv)


def test_battle_and_serve_have_the_same_policies() -> None:
    battle, serve = given("battle"), given("serve")
    assert [getattr(battle, name) for name in SHARED] == ["repeat", 30, "skip", "void", False]
    assert [getattr(serve, name) for name in SHARED] == ["repeat", 30, "skip", "void", False]


@pytest.mark.parametrize("command", ["battle", "serve"])
def test_each_can_be_chosen(command: str) -> None:
    words = [
        "--on-skip=idle",
        "--max-skipped=0",
        "--on-disconnect=official",
        "--on-rules-error=continue",
        "-i",
    ]
    chosen = given(command, *words)
    assert [getattr(chosen, name) for name in SHARED] == ["idle", 0, "official", "continue", True]
