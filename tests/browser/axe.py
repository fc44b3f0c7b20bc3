"""Checks a page with axe-core, if it is installed."""

from __future__ import annotations

from typing import Literal

from tests.browser.screen import Screen
from tests.house.source import ROOT

AXE = ROOT / "build/npm/node_modules/axe-core/axe.min.js"
"""The file of axe-core, which .ci/run installs: npm install --prefix build/npm --no-save axe-core@4."""


COLORED = ["color-contrast", "link-in-text-block"]
"""The rules whose result depends on the colours, and so on the theme."""
FADED_MS = 300
"""More than the time in which colours change."""


def faults(screen: Screen, where: str) -> list[str]:
    """Return a line for each mistake that axe-core finds in one of both themes, by WCAG 2.2 AA."""
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    return _found(screen, "dark", where, tags) + _found(screen, "light", where, COLORED)


def _found(screen: Screen, scheme: Literal["dark", "light"], where: str, rules: list[str]) -> list[str]:
    screen.page.emulate_media(color_scheme=scheme)
    screen.page.wait_for_timeout(FADED_MS)
    found = screen.page.evaluate(
        "rules => axe.run(document, { runOnly: rules, resultTypes: ['violations'] })", rules
    )
    return [
        f"{where}, {scheme}: {fault['id']}: {node['html'][:160]}: "
        f"{' '.join(node['failureSummary'].split())[:300]}"
        for fault in found["violations"]
        for node in fault["nodes"][:4]
    ]
