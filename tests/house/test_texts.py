"""The texts that people read: `make texts` finds every kind of them, and they use the glossary's words."""

from __future__ import annotations

import re
import sys
from functools import cache

import pytest

from tests.house.source import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from texts.collect import collect, page
from texts.found_text import FoundText
from texts.js_texts import js_literals, js_texts
from texts.page_texts import css_texts, html_texts, toml_texts
from texts.python_texts import python_texts, template_texts
from texts.readers import READERS, reader_of

AVOIDED = {
    r"\bthe fainter, the\b": "older ones are fainter",
    r"(?:^|[.;:] )(?:Who|Whoever) [a-z]+s\b": "a bot that …, a player who …, anyone who …",
}
"""Words of no text: what to say instead. The decisions are in docs/glossary.md."""
STORY = "turnwright_world/demo/"
"""Texts of a story, in which people may speak as they like."""
FOREIGN = {
    "externally-managed-environment",
    "requires a different Python",
    "SyntaxError",
    "setting up uid map: Permission denied",
    "Failed RTM_NEWADDR",
    "Creating new namespace failed: Operation not permitted",
}
"""Messages of other programs that docs/faq.md explains."""


@cache
def all_texts() -> tuple[FoundText, ...]:
    return tuple(collect())


def found(texts: object) -> list[tuple[int, str, str]]:
    assert isinstance(texts, list)
    return [(text.line, text.kind, text.text) for text in texts]


PYTHON = {
    'def f():\n    """Not a text."""\n    raise ValueError(f"no {name!r} here")': (
        3,
        "error",
        "no {name} here",
    ),
    'print("one " + word + " two")': (1, "output", "one {word} two"),
    "x = f\"{'a bot' if one else many}\"": (1, "text", "a bot"),
    'field = option(1, "turns per second", "--tps")': (1, "option", "turns per second"),
    'HEADINGS = ("Missed",)': (1, "named", "Missed"),
    '_LOG.warning("%s is late", name)': (1, "log", "%s is late"),
    'send(b"the game is over")': (1, "text", "the game is over"),
    'f(lambda: {"help": ["say it"]})': (1, "text", "say it"),
}


@pytest.mark.parametrize("source", PYTHON)
def test_a_text_of_python_is_found_with_its_use(source: str) -> None:
    assert PYTHON[source] in found(list(python_texts("x.py", source)))


@pytest.mark.parametrize(
    "source", ['re.compile("one two")', '__all__ = ["one two"]', 'def f(x: "one two"): ...']
)
def test_patterns_names_and_types_are_not_texts(source: str) -> None:
    assert list(python_texts("x.py", source)) == []


JS = {
    'a.title = "Close this";': "Close this",
    "a / b; c = 'two words'; d / e": "two words",
    r'x.replace(/["`]/g, "two words")': "two words",
    "y = `in ${n === 1 ? `one ${word}` : '{'} of all`": "in {n === 1 ? `one $word` : ''} of all",
    "y = `in ${n === 1 ? `just ${word}` : '{'} of all`": "just {word}",
    "// don't\nfoo({ label: 'Speed' })": "Speed",
}


@pytest.mark.parametrize("source", JS)
def test_a_text_of_javascript_is_found(source: str) -> None:
    assert JS[source] in [text.text for text in js_texts("x.js", source)]


@pytest.mark.parametrize("source", ["f({", "x = `open", "x = `${a`"])
def test_a_module_that_cannot_be_parsed_is_refused(source: str) -> None:
    with pytest.raises(ValueError):
        list(js_literals(source))


def test_texts_of_pages_styles_contents_and_templates_are_found() -> None:
    html = html_texts("x.html", '<p title="a hint">Hello\n there<script>no text</script>')
    assert found(list(html)) == [(1, "title", "a hint"), (1, "text", "Hello there")]
    assert found(list(css_texts("x.css", 'a {\n content: "drop it"; }'))) == [(2, "text", "drop it")]
    toml = toml_texts("x.toml", '[a]\nname = "Oda"\ntext = """\nTwo lines\nof text."""\nkind = "cat"\n')
    assert found(list(toml)) == [(2, "name", "Oda"), (4, "text", "Two lines\nof text.")]
    assert found(list(template_texts("x", "a = 1  # change this\n"))) == [(1, "template", "# change this")]


def test_every_source_is_read_and_its_texts_have_a_reader() -> None:
    """A file of an unknown kind, or in a folder without a reader, raises."""
    assert {reader_of(text.path) for text in all_texts()} == set(READERS)
    kinds = {text.kind for text in all_texts()}
    assert {"error", "option", "log", "output", "named", "aria-label", "template", "welcome"} <= kinds


def test_the_page_names_each_text_by_reader_file_and_line() -> None:
    text = FoundText("cli/x.py", 7, "error", "one\n two")
    lines = page([text]).splitlines()
    reader, file, line = (line for line in lines if "bot author" in line or "x.py" in line or "⏎" in line)
    assert (file, line) == ("### cli/x.py", "- 7 error: one ⏎ two")
    assert reader.endswith(": 1 texts")


@pytest.mark.parametrize("pattern", AVOIDED)
def test_no_text_has_a_word_to_avoid(pattern: str) -> None:
    wrong = [
        f"{one.path}:{one.line}: {one.text}"
        for one in all_texts()
        if re.search(pattern, one.text) and not one.path.startswith(STORY)
    ]
    assert not wrong, f"say: {AVOIDED[pattern]}\n" + "\n".join(wrong)


def test_the_faq_quotes_messages_word_for_word() -> None:
    """Each `…` in a quoted message may be any text."""
    rows = (ROOT / "docs/faq.md").read_text(encoding="utf-8")
    cells = "\n".join(re.findall(r"^\| (.*?) \|", rows, re.MULTILINE))
    known = [one.text for one in all_texts()]
    for message in set(re.findall(r"`(.+?)`", cells)) - FOREIGN:
        pattern = re.compile(".*".join(map(re.escape, message.split("…"))), re.DOTALL)
        assert any(map(pattern.search, known)), f"no message contains {message!r}"
