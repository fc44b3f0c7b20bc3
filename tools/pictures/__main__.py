"""Renders the pictures of the documentation that are made by programs: `python -m pictures`."""

from __future__ import annotations

from pathlib import Path

from pictures.charts import charts_of
from pictures.film import render

_DOCS = Path(__file__).parents[2] / "docs"


def pictures() -> dict[str, str]:
    """Return the text of each picture by the name of its file in `docs/images`."""
    page = (_DOCS / "performance.md").read_text(encoding="utf-8")
    return {"battle.svg": render(), **charts_of(page)}


if __name__ == "__main__":
    for name, text in pictures().items():
        (_DOCS / "images" / name).write_text(text, encoding="utf-8")
