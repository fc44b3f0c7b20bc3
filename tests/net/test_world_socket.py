"""Sub-protocols and binary messages, over real sockets."""

from __future__ import annotations

import pytest

from turnwright.net.world_socket import chosen


@pytest.mark.parametrize(
    ("offered", "protocol"),
    [
        ("", ""),
        ("gmcp.", "gmcp."),
        ("json., terminal. , gmcp.", "gmcp."),
        ("terminal.", "terminal."),
        ("telnet", ""),
        ("GMCP.", "gmcp."),
    ],
)
def test_the_best_sub_protocol_that_is_offered_is_chosen(offered: str, protocol: str) -> None:
    assert chosen(offered) == protocol
