"""The hash of the source of the tank's rules, without comments, docstrings and blank lines."""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize

from rules_source.files import ROOT
from turnwright_tank.backends.sources import RULE_FILES

_DIGEST_BYTES = 8
_TANK = "packages/tank/src/turnwright_tank/"
FILES = (
    *(f"{_TANK}rules/{name}.py" for name in (*RULE_FILES, "rows")),
    f"{_TANK}intent.py",
    f"{_TANK}rules/colors.py",
    f"{_TANK}intent_rows.py",
    f"{_TANK}rules/placement.py",
    f"{_TANK}seats.py",
    f"{_TANK}settings.py",
    f"{_TANK}results.py",
    f"{_TANK}game.py",
    "packages/core/src/turnwright/kernel/rng.py",
)
"""The files that decide the outcome of a battle, without files that decide only its looks or its speed."""
_PAGE = '''\
"""The hash of the source of the rules. GENERATED from them by `make`."""

from __future__ import annotations

RULES_HASH = "{}"
'''


def code_of(source: str) -> str:
    """Return a module's source without comments, docstrings and blank lines. Every version of Python gives
    the same result.
    """
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
    """Return the hash of FILES, as 16 hex digits."""
    found = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for name in FILES:
        code = code_of((ROOT / name).read_text(encoding="utf-8")).encode()
        found.update(len(code).to_bytes(8, "little") + code)
    return found.hexdigest()


def render() -> str:
    """Return the text of rules_hash.py."""
    return _PAGE.format(hash_of_rules())
