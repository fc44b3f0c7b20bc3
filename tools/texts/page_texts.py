"""Finds the texts of pages, style sheets and content files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser

from texts.found_text import FoundText, is_prose

_ATTRIBUTES = ("title", "aria-label", "placeholder", "alt", "content")


def html_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield the texts between tags and in attributes that are shown or read aloud."""
    parser = _Texts(path)
    parser.feed(source)
    yield from parser.found


class _Texts(HTMLParser):
    """Collects the texts of a page."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.found: list[FoundText] = []
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        for name, value in attrs:
            if name in _ATTRIBUTES and value and re.search(r"[A-Za-z]{2}", value) and "=" not in value:
                self.found.append(FoundText(self.path, self.getpos()[0], name, value))

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if data.strip() and self._tag not in ("script", "style"):
            self.found.append(FoundText(self.path, self.getpos()[0], "text", " ".join(data.split())))


def css_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield the texts that a style sheet puts into a page."""
    for found in re.finditer(r"content:\s*\"([^\"]*[A-Za-z]{2}[^\"]*)\"", source):
        yield FoundText(path, source.count("\n", 0, found.start()) + 1, "text", found[1])


def toml_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield the texts of a content file in order, and its names and titles, even of one word."""
    at = 0
    for key, text in _values(tomllib.loads(source), ""):
        if is_prose(text) or key in ("name", "title"):
            head = text.strip().split("\n")[0].split("  ")[0][:20]
            at = max(source.find(head, at), source.find(head) if source.find(head, at) < 0 else 0)
            yield FoundText(path, source.count("\n", 0, max(at, 0)) + 1, key, text.strip())


def _values(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _values(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner, key)
