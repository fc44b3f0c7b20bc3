"""The hash of the source of the tank's rules, without comments, docstrings and blank lines.

`make golden` writes it into games/tank/rules/rules_hash.py; a test holds it fresh.
"""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from importlib import import_module
from pathlib import Path

from turnwright.games.tank import game, intent, intent_rows, results, settings
from turnwright.games.tank.backends import extension
from turnwright.games.tank.rules import colors, placement
from turnwright.games.tank.rules import rows as rows
from turnwright.kernel import rng

__all__ = ["PAGE", "code_of", "hash_of_rules", "written"]

_DIGEST_BYTES = 8
MODULES = (
    *(import_module(f"turnwright.games.tank.rules.{name}") for name in extension.RULE_FILES),
    rows,
    intent,
    colors,
    intent_rows,
    placement,
    settings,
    results,
    game,
    rng,
)
"""The modules that decide an outcome; not those of its looks or speed."""
PAGE = Path(str(colors.__file__)).with_name("rules_hash.py")


def code_of(source: str) -> str:
    """Return a module's source without comments, docstrings and blank lines; the same for every Python."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            assert node.end_lineno is not None
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def hash_of_rules() -> str:
    """Return the hash, hex."""
    found = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for module in MODULES:
        code = code_of(Path(str(module.__file__)).read_text(encoding="utf-8")).encode()
        found.update(len(code).to_bytes(8, "little") + code)
    return found.hexdigest()


def written(page: str, value: str) -> str:
    """Return the module that holds the hash, with `value` in it."""
    head, _, _ = page.rpartition("RULES_HASH = ")
    return f'{head}RULES_HASH = "{value}"\n'
