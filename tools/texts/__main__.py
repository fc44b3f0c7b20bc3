"""Writes the page of all texts.

PYTHONPATH=tools python -m texts > build/texts.md
"""

from __future__ import annotations

from texts.collect import collect, page

print(page(collect()), end="")
