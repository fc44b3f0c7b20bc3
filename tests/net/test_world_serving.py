"""What can be asked of a world's server; that it serves is shown by the tests of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright.net.world_serving import WorldOptions, contents_of


def test_the_defaults_are_two_ports_and_a_file() -> None:
    options = WorldOptions()
    assert (options.port, options.telnet_port, options.turn_ms) == (7654, 4000, 250)
    assert options.data == "world-data/world.db"


@pytest.mark.parametrize(
    "bad",
    [
        {"port": 80},
        {"telnet_port": 70_000},
        {"port": 4000},
        {"turn_ms": 19},
        {"turn_ms": 10_001},
        {"turn_min_ms": 251},
        {"turn_min_ms": 19},
        {"turn_max_ms": 249},
        {"turn_max_ms": 10_001},
        {"seed": -1},
    ],
)
def test_what_cannot_be_served_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(SetupError):
        WorldOptions(**bad)  # type: ignore[arg-type]  # the wrong ones are the point


def test_free_ports_may_be_the_same_number() -> None:
    assert WorldOptions(port=0, telnet_port=0).port == 0


def test_contents_are_kept_beside_a_file_only() -> None:
    assert contents_of("a/world.db") == Path("a/contents")
    assert contents_of("postgresql://u:p@h/d") is None
