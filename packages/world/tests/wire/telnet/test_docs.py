"""The reference page agrees with the tables."""

from __future__ import annotations

from turnwright_world.wire.messages import PACKAGES
from turnwright_world.wire.telnet.docs import render
from turnwright_world.wire.telnet.options import OPTIONS


def test_the_page_has_every_option_and_every_package() -> None:
    page = render()
    assert [row.option.name for row in OPTIONS if row.meaning not in page] == []
    assert [package.name for package in PACKAGES if f"`{package.name}`" not in page] == []


def test_the_page_tells_the_limits_that_net_keeps() -> None:
    from turnwright_world.net.telnet_port import BACKLOG_BYTES_MAX, GONE_AFTER_S

    assert f"{BACKLOG_BYTES_MAX:,}" in render()
    assert f"after {GONE_AFTER_S} seconds" in " ".join(render().split())
