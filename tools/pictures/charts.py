"""Charts of a page, drawn from the tables of that page.

A picture `images/performance-NAME.svg` or `images/research-NAME.svg` shows the table that follows it: a bar
for each row, as long as the number in the second column.
"""

from __future__ import annotations

import re
from html import escape

_PICTURE = re.compile(
    r"^!\[(?P<title>[^\]]*)\]\(images/(?P<file>(?:performance|research)-[\w-]+\.svg)\)\n\n(?P<table>(?:\|.*\n)+)",
    re.MULTILINE,
)
_ROW, _LABEL, _BAR, _HEAD = 28, 250, 330, 34
_WIDTH = _LABEL + _BAR + 110


def charts_of(page: str) -> dict[str, str]:
    """Return the charts of a page as SVG, by the names of their files."""
    return {
        found["file"]: chart(found["title"], rows_of(found["table"])) for found in _PICTURE.finditer(page)
    }


def rows_of(table: str) -> list[tuple[str, str]]:
    """Return the label and the number (both as text) of each row of a Markdown table."""
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()[2:]]
    return [(row[0], row[1]) for row in cells]


def chart(title: str, rows: list[tuple[str, str]]) -> str:
    """Return a bar chart as SVG, with a number at each bar."""
    values = [float(re.sub(r"[^\d.]", "", number)) for _, number in rows]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEAD + _ROW * len(rows) + 8}"'
        ' font-family="system-ui, sans-serif" font-size="14" fill="#1d2733" role="img">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" rx="8" fill="#fff"/>',
        f'<text x="12" y="22" font-weight="600">{escape(title)}</text>',
    ]
    for place, ((label, number), value) in enumerate(zip(rows, values, strict=True)):
        top = _HEAD + _ROW * place
        length = _BAR * value / max(values)
        lines += [
            f'<text x="{_LABEL - 8}" y="{top + 18}" text-anchor="end">{escape(label)}</text>',
            f'<rect x="{_LABEL}" y="{top + 4}" width="{length:.1f}" height="20" rx="3" fill="#2563a8"/>',
            f'<text x="{_LABEL + length + 8:.1f}" y="{top + 18}" fill="#42505e">{escape(number)}</text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"
