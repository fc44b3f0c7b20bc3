"""The documentation site: Sphinx reads the Markdown pages of the repository as they are.

`make docs` builds it. The pages know nothing of Sphinx: `add_navigation` lists them for the side bar.
Why this tool: docs/decisions/0052-the-documentation-site.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VERSION_FILE = ROOT / "packages/core/src/turnwright/_version.py"

project = "turnwright"
release = VERSION_FILE.read_text(encoding="utf-8").partition('"')[2].partition('"')[0]
extensions = ["myst_parser"]
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/**/*.md",
    "bench/*.md",
    "packages/*/*.md",
    "packages/*/docs/*.md",
]
exclude_patterns = [
    ".*",
    "build",
    "dist",
    "node_modules",
    "records",
    "packages/*/src",
    "packages/*/tests",
    "tests",
    "tools",
    "world-data",
]
root_doc = "docs/README"
myst_heading_anchors = 6
html_theme = "furo"
html_title = f"turnwright {release}"
html_copy_source = False
html_favicon = "../../packages/core/src/turnwright/viewer/favicon.svg"
html_show_copyright = False
html_show_search_summary = False  # a summary is fetched, which a browser refuses for files
html_extra_path = ["index.html"]
suppress_warnings = ["misc.highlighting_failure"]

NAVIGATION: dict[str, dict[str, list[str]]] = {
    "docs/README": {
        "Tutorials": ["tutorial/*"],
        "How-to guides": [
            "install",
            "how-to/*",
            "teachers-kit",
            "/packages/core/docs/add-a-game",
            "/packages/core/docs/serve",
            "/packages/core/docs/untrusted-bots",
            "/packages/tank/docs/coming-*",
            "/packages/tank/docs/other-languages",
            "/packages/tank/docs/write-a-bot",
            "/packages/tank/docs/debug-a-slow-bot",
            "/packages/tank/docs/why-did-my-bot-lose",
            "/packages/league/docs/run-*",
            "/packages/league/docs/compare",
            "/packages/learn/docs/*",
        ],
        "Explanation": [
            "a-tank",
            "/packages/core/docs/lifecycle",
            "/packages/core/docs/turns-and-deadlines",
            "/packages/core/docs/determinism",
            "/packages/core/docs/sandbox",
            "explanation/*",
            "/packages/league/docs/tournament-statistics",
            "performance",
            "research",
        ],
        "Reference": [
            "reference/*",
            "/packages/tank/docs/bot-api",
            "/packages/tank/docs/t*",
            "/packages/tank/docs/compatibility",
            "/packages/tank/docs/royale-protocol",
            "/packages/core/docs/generic-protocol",
            "/packages/core/docs/record",
            "/packages/core/docs/metrics",
            "/packages/core/docs/snake",
        ],
        "Help": ["faq", "glossary"],
        "The text world": ["/packages/world/docs/README", "/packages/world/docs/*"],
        "Project": [
            "/README",
            "stability",
            "roadmap",
            "/CHANGELOG",
            "/SECURITY",
            "/CODE_OF_CONDUCT",
            "/CONTRIBUTING",
            "tour",
            "decisions/README",
            "/packages/*/README",
        ],
        "For maintainers": ["maintainers/*", "/bench/*"],
    },
    "docs/decisions/README": {"Decisions": ["0*"]},
}
"""For each page that lists other pages: by caption, the patterns of those pages, relative to its folder."""


def add_navigation(app: Any, docname: str, source: list[str]) -> None:
    """Append hidden tables of contents to the pages of NAVIGATION, in memory only."""
    for caption, patterns in NAVIGATION.get(docname, {}).items():
        lines = "\n".join(patterns)
        source[0] += (
            f"\n```{{toctree}}\n:hidden:\n:glob:\n:titlesonly:\n:caption: {caption}\n\n{lines}\n```\n"
        )


def setup(app: Any) -> dict[str, bool]:
    """Let Sphinx call `add_navigation` for each page. Return that parallel builds are safe."""
    app.connect("source-read", add_navigation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
