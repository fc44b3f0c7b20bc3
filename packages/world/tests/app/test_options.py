from __future__ import annotations

from typing import Any

import pytest

from turnwright.cli.parser import parse
from turnwright_world.app.options import WorldOptions

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
def test_the_options_reach_a_worlds_server(words: list[str], given: tuple[Any, ...]) -> None:
    command = parse(["world", "serve", *words])
    assert not isinstance(command, int)
    options = command.given.make(WorldOptions)
    assert (options.names, options.origins, options.trusted_proxies) == given
    assert bool(options.gate().proxies) == bool(given[2])
