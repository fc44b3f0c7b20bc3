"""The page of the tank in one file is small enough to be sent."""

from __future__ import annotations

from turnwright import catalog
from turnwright.app.frames import view_files
from turnwright.app.html import one_page


def test_its_page_is_far_below_three_megabytes() -> None:
    assert len(one_page(view_files(catalog.find("tank")), "x.twr", b"")) < 1_500_000
