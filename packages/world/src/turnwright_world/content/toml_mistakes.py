"""Explains syntax errors of TOML: the table and key, the text found, and what to write instead."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches

from turnwright_world.content.toml_lines import TomlLines, labelled

_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_SHOWN_CHARS = 60
_VALUE = 'a value is a "text" in quotes, a number, true or false, a [list] or a { table }'
_ADVICE = (
    ("Invalid value", _VALUE),
    ("after a key", 'write key = value; a key with characters other than a-z, 0-9, _ and - needs "quotes"'),
    ("Invalid statement", "write [table] or key = value"),
    ("initial character for a key", "a key begins with a letter or a digit"),
    ("end of a table declaration", "close it with ]"),
    ("Unclosed array", "close it with ]"),
    ("Unclosed inline table", "close it with }, on the same line"),
    ("newline or end of document", 'write one key = value on each line, and \\" for a quote inside a text'),
    ("Cannot overwrite", "it exists already: remove one of them"),
    ("Duplicate", "it exists already: remove one of them"),
    ("Cannot declare", "it exists already: remove one of them, or give it another name"),
    ("Cannot mutate", "it is closed already: write all of it in one place"),
    ("Unterminated string", "close it with a quote"),
    ("Illegal character", 'a text ends on its line; a text of several lines needs """'),
    ("Unescaped", "write \\\\ for \\"),
    ("in a string", "write \\\\ for \\"),
)
_BARE = re.compile(r"=\s*([^\W\d][\w .,!?'-]*?)\s*(?:#.*)?$")


def toml_mistake(text: str, error: tomllib.TOMLDecodeError, lines: TomlLines) -> tuple[int, str]:
    """Return the line of a syntax error, and a text that explains it."""
    said = str(error)
    match, rows = _AT.search(said), text.splitlines()
    line = int(match[1]) if match is not None and match[1] else len(rows) or 1
    found = rows[line - 1].strip() if line <= len(rows) else ""
    reason = _AT.sub("", said)
    shown = f"found {found[:_SHOWN_CHARS]!r}" if found else "the file ends here"
    said = f"this is not TOML: {reason}; {shown}; {_advice(reason, found)}"
    header, key = ("", "") if found.startswith("[") else lines.at(line)
    return line, labelled(header, key, said) if header else said


def _advice(reason: str, found: str) -> str:
    advice = next((advice for words, advice in _ADVICE if words in reason), _VALUE)
    bare = _BARE.search(found)
    if advice is not _VALUE or bare is None:
        return advice
    near = get_close_matches(bare[1].lower(), ("true", "false"), n=1)
    meant = near[0] if near else f'"{bare[1][:_SHOWN_CHARS]}"'
    return f"{advice}; did you mean {meant}?"
