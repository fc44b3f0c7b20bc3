"""Checks a page with axe-core, if it is installed."""

from __future__ import annotations

from tests.browser.screen import Screen
from tests.house.source import ROOT

AXE = ROOT / "build/npm/node_modules/axe-core/axe.min.js"
"""The file of axe-core, which .ci/run installs: npm install --prefix build/npm --no-save axe-core@4."""


def faults(screen: Screen, where: str) -> list[str]:
    """Return a line for each mistake that axe-core finds, by WCAG 2.2 AA: contrast, names, roles, order."""
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = screen.page.evaluate(
        "tags => axe.run(document, { runOnly: tags, resultTypes: ['violations'] })", tags
    )
    return [
        f"{where}: {fault['id']}: {node['html'][:160]}: {' '.join(node['failureSummary'].split())[:300]}"
        for fault in found["violations"]
        for node in fault["nodes"][:4]
    ]
