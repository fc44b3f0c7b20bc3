"""Renders the pictures of the documentation that are made by programs: `python -m pictures`."""

from __future__ import annotations

from pathlib import Path

from pictures.badges import badges
from pictures.charts import charts_of
from pictures.film import render

_ROOT = Path(__file__).parents[2]
_DOCS = _ROOT / "docs"


def pictures() -> dict[str, str]:
    """Return the text of each picture by the name of its file in `docs/images`."""
    found = {"battle.svg": render(), "badges.svg": badges(_ROOT / "pyproject.toml")}
    for page in ("performance.md", "research.md"):
        found |= charts_of((_DOCS / page).read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    for name, text in pictures().items():
        (_DOCS / "images" / name).write_text(text, encoding="utf-8")
