"""A QR code of a short text, as lines of half-block characters."""

from __future__ import annotations

import segno

TEXT_BYTES_MAX = 106
"""The largest size of a text, in UTF-8 bytes. The code for such a text is 49 columns wide, including the
light border.
"""
_QUIET = 4
"""The width of the light border around the code, in modules (ISO/IEC 18004:2015, §9.1). A module is one
square of the code.
"""


def qr_lines(text: str, *, colored: bool) -> list[str]:
    """Return the code as lines of a terminal. Each line has two rows of modules.

    Args:
        text: At most TEXT_BYTES_MAX bytes.
        colored: Whether escape sequences make the code black on white. Without them, the code suits a
            terminal with light letters on a dark background.

    Raises:
        ValueError: `text` has more than TEXT_BYTES_MAX bytes.
    """
    if (size := len(text.encode())) > TEXT_BYTES_MAX:
        raise ValueError(f"{size} bytes, expected at most {TEXT_BYTES_MAX}")
    code = segno.make_qr(text, error="m", mode="byte", boost_error=False)
    rows = [list(row) for row in code.matrix_iter(border=_QUIET)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    glyphs = " ▄▀█" if colored else "█▀▄ "
    lines = [
        "".join(glyphs[2 * upper + lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    return [f"\x1b[30;107m{line}\x1b[0m" for line in lines] if colored else lines
