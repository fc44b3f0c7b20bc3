"""The options by which what serves others says how it is reached."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.cli import world_demo
from turnwright.cli.fronting import fronting_of
from turnwright.cli.parser import Parser

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
    parser = Parser()
    world_demo.add_options(parser)
    arguments = parser.parse_args(words)
    said, options = fronting_of(arguments), world_demo._options(arguments)
    assert (said["names"], said["origins"], said["trusted_proxies"]) == given
    assert (options.names, options.origins, options.trusted_proxies) == given
    assert bool(options.gate().proxies) == bool(given[2])
