"""Collects all texts of the sources, and makes the page that lists them by reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from texts.c_texts import c_texts
from texts.found_text import FoundText
from texts.js_texts import js_texts
from texts.page_texts import css_texts, html_texts, toml_texts
from texts.python_texts import python_texts, template_texts
from texts.readers import READERS, reader_of

ROOT = Path(__file__).parents[2]
SRC = ROOT / "packages/core/src/turnwright"
FOLDERS = tuple(file.parent for file in sorted(ROOT.glob("packages/*/src/*/__init__.py")))
"""Our packages."""
_READ_AS = {
    ".py": python_texts,
    ".c": c_texts,
    ".h": c_texts,
    ".pyi": python_texts,
    ".js": js_texts,
    ".html": html_texts,
    ".css": css_texts,
    ".toml": toml_texts,
    ".py.txt": template_texts,
}
"""By ending of a file's name, the function that finds the file's texts. The longest ending counts."""
WITHOUT_TEXTS = (".json", ".json.txt", ".svg", ".typed", ".txt", ".pyc", ".so", ".pyd", ".xz")
"""Endings of files without texts for people. The packed documentation (.xz) is also left out."""


def collect() -> list[FoundText]:
    """Return all texts, in order of path and line.

    Raises:
        ValueError: a file is of an unknown kind, or its JavaScript cannot be read.
    """
    return [text for file in _files() for text in _texts_of(file)]


def _files() -> list[Path]:
    """Return the files of all packages."""
    return [file for folder in FOLDERS for file in sorted(folder.rglob("*")) if file.is_file()]


def _texts_of(file: Path) -> Iterator[FoundText]:
    home = next(folder for folder in FOLDERS if folder in file.parents)
    path = file.relative_to(SRC if home == SRC else home.parent).as_posix()
    for end, read in sorted(_READ_AS.items(), key=lambda row: -len(row[0])):
        if file.name.endswith(end):
            yield from read(path, file.read_text(encoding="utf-8"))
            return
    if not file.name.endswith(WITHOUT_TEXTS):
        raise ValueError(f"{path}: no function reads its texts; add it to tools/texts/collect.py")


def page(texts: Iterable[FoundText]) -> str:
    """Return a Markdown page with a section for each reader, and a list of texts for each file.

    Raises:
        ValueError: a text has no reader.
    """
    by_reader: dict[str, dict[str, list[FoundText]]] = {reader: {} for reader in READERS}
    for text in texts:
        by_reader[reader_of(text.path)].setdefault(text.path, []).append(text)
    lines = ["# Texts that people read", ""]
    for reader, files in by_reader.items():
        count = sum(len(found) for found in files.values())
        lines += [f"## For the {reader}: {count} texts", ""]
        for path, found in files.items():
            lines += [f"### {path}", ""]
            lines += [f"- {text.line} {text.kind}: {_one_line(text.text)}" for text in found]
            lines += [""]
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ⏎ ".join(part.strip() for part in text.strip().split("\n") if part.strip())
