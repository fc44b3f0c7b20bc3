"""Messages by what they name: their wording is no contract, their values and remedies are."""

from __future__ import annotations

import re

__all__ = ["missing"]


def missing(text: str | None, *wanted: object) -> list[str]:
    """Return which of these words and values a message does not name, each as a whole, in any case."""
    said = "" if text is None else text
    return [str(one) for one in wanted if not re.search(rf"(?<!\w){re.escape(str(one))}(?!\w)", said, re.I)]
