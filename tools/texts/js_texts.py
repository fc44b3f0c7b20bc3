"""Finds the texts of JavaScript modules, with a lexer of literals, comments and brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texts.found_text import FoundText, is_prose, is_shown_word

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<template>`)
      | (?P<word>[A-Za-z_$][\w$]*|\d[\w.]*)
      | (?P<regex>/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*)
      | (?P<sign>=>|\?\?|&&|\|\||[-+]{2}|.)""",
    re.VERBOSE | re.DOTALL,
)
_BEFORE_REGEX = re.compile(r"(?:^|[(,=:\[!&|?{};+*%~^<>-]|=>|\b(?:return|typeof|case|in|of|void|throw))$")
"""The text before a slash that begins a pattern. After any other text, a slash divides."""
_SHOWING = re.compile(
    r"(?i)(?:text|title|label|placeholder|heading|caption|aria-?\w*|summary|button|name|hint|th|td|note|help|say|legend)"
    r"[\"']?\s*[:=(,]\s*$|[([,]\s*$|[?:]\s*$"
)
"""Text before a single word that is shown."""
_CLASS = re.compile(r"class(?:Name)?\"?\s*[:=,]\s*$")
"""Text before names of styles."""


def js_texts(path: str, source: str) -> Iterator[FoundText]:
    """Yield the texts of a module.

    Raises:
        ValueError: a bracket or a template is never closed.
    """
    for line, before, text in js_literals(source):
        if _CLASS.search(before):
            continue
        if is_prose(text) or (is_shown_word(text) and _SHOWING.search(before)):
            yield FoundText(path, line, "error" if "Error(" in before else "text", text)


def js_literals(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield each string and template: its line, up to 60 characters of source before it, and its text.

    Raises:
        ValueError: a bracket or a template is never closed.
    """
    yield from _Lexer(source).literals()


class _Lexer:
    """Reads a module once, from its first character to its last."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self._last = ""

    def literals(self, until: str = "") -> Iterator[tuple[int, str, str]]:
        """Yield literals up to the closing bracket of a placeholder, or to the end of the module.

        Raises:
            ValueError: a bracket or a template is never closed.
        """
        depth = 0
        while self.at < len(self.source):
            token = _TOKEN.match(self.source, self.at)
            assert token is not None
            kind, text = str(token.lastgroup), token.group()
            if kind == "regex" and not _BEFORE_REGEX.search(self._last):
                kind, text = "sign", "/"
            start, self.at = self.at, self.at + len(text)
            if kind in ("space", "comment"):
                continue
            if kind == "string":
                yield self._found(start, _unescaped(text[1:-1]))
            elif kind == "template":
                yield from self._template(start)
            elif text == "}" and depth == 0 and until:
                return
            depth += {"{": 1, "}": -1}.get(text, 0) if kind == "sign" else 0
            self._last = text
        if until or depth:
            raise ValueError(f"a bracket is open at the end: {until or depth}")

    def _template(self, start: int) -> Iterator[tuple[int, str, str]]:
        """Yield the literals within a template's placeholders, then the template."""
        parts = []
        while True:
            plain = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL).match(self.source, self.at)
            assert plain is not None
            parts.append(_unescaped(plain.group()))
            self.at = plain.end()
            if self.source.startswith("`", self.at):
                self.at += 1
                break
            if not self.source.startswith("${", self.at):
                raise ValueError("a template is never closed")
            self.at += 2
            inner = self.at
            yield from self.literals("}")
            parts.append("{" + re.sub(r"[{}]", "", self.source[inner : self.at - 1]) + "}")
        yield self._found(start, "".join(parts))

    def _found(self, start: int, text: str) -> tuple[int, str, str]:
        line = self.source.count("\n", 0, start) + 1
        before = self.source[max(0, start - 60) : start]
        return line, before, text


def _unescaped(text: str) -> str:
    """Return the text of a literal, in which escape sequences are replaced."""
    text = re.sub(r"\\u\{?([0-9a-fA-F]{1,6})\}?", lambda found: chr(int(found[1], 16)), text)
    return re.sub(
        r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text, flags=re.DOTALL
    )
