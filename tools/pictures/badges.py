"""The README's badges: facts from `pyproject.toml`, so they are true without a network."""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path

_CHARACTER, _PADDING, _GAP, _HEIGHT = 7, 8, 6, 22


def badges(project_file: Path) -> str:
    """Return one SVG picture with a badge for each of Python's version, the systems and the licence."""
    project = tomllib.loads(project_file.read_text(encoding="utf-8"))["project"]
    prefix = "Operating System :: "
    systems = [line.split(" :: ")[-1] for line in project["classifiers"] if line.startswith(prefix)]
    facts = {
        "Python": project["requires-python"].replace(">=", "≥ "),
        "tested on": ", ".join(systems),
        "licence": project["license"],
    }
    drawn, left = [], 0
    for label, value in facts.items():
        middle, right = left + _width(label), left + _width(label) + _width(value)
        drawn += [
            f'<rect x="{left}" width="{middle - left}" height="{_HEIGHT}" fill="#42505e"/>',
            f'<rect x="{middle}" width="{right - middle}" height="{_HEIGHT}" fill="#2563a8"/>',
            f'<text x="{(left + middle) / 2}" y="15">{escape(label)}</text>',
            f'<text x="{(middle + right) / 2}" y="15">{escape(value)}</text>',
        ]
        left = right + _GAP
    width, title = left - _GAP, ", ".join(f"{label} {value}" for label, value in facts.items())
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" fill="#fff"'
        ' font-family="system-ui, sans-serif" font-size="12" text-anchor="middle" role="img">'
    )
    return "\n".join([head, f"<title>{escape(title)}</title>", *drawn, "</svg>"]) + "\n"


def _width(text: str) -> int:
    return _CHARACTER * len(text) + 2 * _PADDING
