from __future__ import annotations

from dataclasses import fields

import pytest

from turnwright.app.options import GenericBattleOptions, MissedTurnOptions, ServeOptions
from turnwright.cli.parser import parse

SHARED = ("on_late", "on_skip", "max_skipped", "on_disconnect")


def test_battle_and_serve_share_one_declaration_of_their_policies() -> None:
    declared = fields(MissedTurnOptions)
    assert {one.name for one in declared} == set(SHARED)
    for cls in (GenericBattleOptions, ServeOptions):
        found = {one.name: one.metadata for one in fields(cls)}
        assert all(found[one.name] is one.metadata for one in declared)


@pytest.mark.parametrize("command", ["battle", "serve"])
def test_each_can_be_chosen(command: str) -> None:
    words = ["--on-late=next", "--on-skip=idle", "--max-skipped=0", "--on-disconnect=official"]
    found = parse([command, "--game", "snake", *words])
    assert not isinstance(found, int)
    assert [found.given.values[name] for name in SHARED] == ["next", "idle", 0, "official"]
