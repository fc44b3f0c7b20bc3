"""Finds the texts in C, which are the messages of errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texts.found_text import FoundText, is_prose

_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")
_PLACEHOLDER = re.compile(r"%(?:z|ll|l)?[a-z]")


def c_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield all strings that are prose, as messages of errors. A placeholder becomes {…}."""
    for found in _STRING.finditer(source):
        text = _PLACEHOLDER.sub("{…}", found[1])
        if is_prose(text):
            yield FoundText(path, source.count("\n", 0, found.start()) + 1, "error", text)
