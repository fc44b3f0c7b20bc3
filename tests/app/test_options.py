from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from turnwright.app.options import BattleOptions, MissedTurnOptions, ServeOptions
from turnwright.cli.parser import parse
from turnwright.games.tank.app.options import RulesErrorOptions, StartOptions, TankOptions, TankServeOptions
from turnwright.games.world.app.options import WorldOptions

SHARED = ("on_late", "on_skip", "max_skipped", "on_disconnect", "on_rules_error", "initial_positions")


def test_battle_and_serve_share_one_declaration_of_their_policies() -> None:
    declared = [one for cls in (MissedTurnOptions, RulesErrorOptions, StartOptions) for one in fields(cls)]
    assert {one.name for one in declared} == set(SHARED)
    for cls in (TankOptions, TankServeOptions):
        found = {one.name: one.metadata for one in fields(cls)}
        assert all(found[one.name] is one.metadata for one in declared)


def test_a_setting_of_every_game_is_no_game_s_own() -> None:
    for general, own in ((BattleOptions, TankOptions), (ServeOptions, TankServeOptions)):
        assert issubclass(own, general)


@pytest.mark.parametrize("command", ["battle", "serve"])
def test_each_can_be_chosen(command: str) -> None:
    words = ["--on-late=next", "--on-skip=idle", "--max-skipped=0", "--on-disconnect=official"]
    found = parse([command, *words, "--on-rules-error=continue", "-i"])
    assert not isinstance(found, int)
    assert [found.given.values[name] for name in SHARED] == ["next", "idle", 0, "official", "continue", True]


# The options that say how a server is reached.


ASKED = ["--known-as", "a.example", "--known-as", "b.example", "--origin", "https://c.example"]


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ([], (frozenset(), frozenset(), ())),
        (
            [*ASKED, "--trusted-proxy", "localhost", "--trusted-proxy", "10.0.0.0/8"],
            ({"a.example", "b.example"}, {"https://c.example"}, ("localhost", "10.0.0.0/8")),
        ),
    ],
)
def test_they_reach_a_worlds_server(words: list[str], given: tuple[Any, ...]) -> None:
    command = parse(["world", "demo", *words])
    assert not isinstance(command, int)
    options = command.given.make(WorldOptions)
    assert (options.names, options.origins, options.trusted_proxies) == given
    assert bool(options.gate().proxies) == bool(given[2])
