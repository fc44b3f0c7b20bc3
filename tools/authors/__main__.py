"""Writes the reference for authors, docs/reference/authors.md."""

from authors import PAGE, render

PAGE.write_text(render(), encoding="utf-8")
