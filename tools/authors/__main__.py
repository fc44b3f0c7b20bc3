"""Writes the page."""

from authors import PAGE, render

PAGE.write_text(render(), encoding="utf-8")
