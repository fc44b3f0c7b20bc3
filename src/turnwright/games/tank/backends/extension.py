"""Finds the compiled rules: the extension `_rules`, built with the package.

Without a C compiler the package has none; then the rules are interpreted: slower, same results. The C is
translated from the rule files when the package is built, so one source has two speeds. An extension that was
built from other rules than those that lie here is refused.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from turnwright.errors import SetupError

RULE_FILES = (
    "trig",
    "constants",
    "energy",
    "events",
    "score",
    "geometry",
    "grid",
    "gun",
    "motion",
    "walls",
    "tank_contacts",
    "radar",
    "bullets",
    "bullet_hits",
    "death",
    "stages",
)
"""The files of rules that are translated, each after those it needs."""
BOT_FILES = (
    "observation",
    "bots.bot",
    "bots.geometry",
    "bots.identity",
    "bots.targeting",
    "bots.house.spinner",
    "bots.house.rammer",
    "bots.house.tracker",
    "bots.house.crawler",
    "bots.house.dodger",
    "bots.house.parts.duel",
    "bots.house.parts.foe",
    "bots.house.parts.guns",
    "bots.house.parts.letters",
    "bots.house.parts.memory",
    "bots.house.parts.rival",
    "bots.house.parts.surf",
    "rules.constants",
)
"""The modules of bots of which something is translated."""
_RULES = Path(__file__).parents[1] / "rules"
_C = Path(__file__).parent / "c"
_HASH_SIZE = 8


def hash_of_sources(rules: Path = _RULES) -> str:
    """Return the hash of the source of the rules and rows, 16 hex digits."""
    return _hash_of([rules / f"{name}.py" for name in (*RULE_FILES, "rows")])


def hash_of_bots(tank: Path = _RULES.parent) -> str:
    """Return the hash of the source of the bots that are translated, 16 hex digits."""
    return _hash_of([tank.joinpath(*name.split(".")).with_suffix(".py") for name in BOT_FILES])


def hash_of_c(folder: Path = _C) -> str:
    """Return the hash of the C files, 16 hex digits; "" where there are none."""
    files = sorted(folder.glob("*.[ch]*"))
    return _hash_of(files) if files else ""


def _hash_of(files: Iterable[Path]) -> str:
    """Return the hash of texts, whatever ends their lines. Raises: OSError."""
    found = hashlib.blake2b(digest_size=_HASH_SIZE)
    for path in files:
        source = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(len(source).to_bytes(8, "little") + source)
    return found.hexdigest()


def available() -> bool:
    """Return whether the compiled rules can run here."""
    return not why_missing()


@cache
def why_missing() -> str:
    """Return why the rules are interpreted here, and what to do.

    "" where they are compiled.
    """
    if sys.byteorder != "little":
        return "the order of bytes of this machine is not that of records"
    try:
        built = import_module("turnwright.games.tank.backends._rules")
    except ImportError as error:
        if getattr(error, "path", None):
            return f"the extension cannot be loaded: {error}"
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return "free-threaded Python has no extension: use an ordinary Python"
        return (
            "the extension was not built: install a C compiler and Python's headers, then turnwright anew"
            " (in a clone: touch setup.py && make setup)"
        )
    try:
        rules, bots, sources = hash_of_sources(), hash_of_bots(), hash_of_c()
    except OSError:  # e.g. an installation without sources
        return ""
    if rules != built.RULES_HASH:
        return "the extension is of other rules than those beside it: type make setup"
    if bots != built.BOTS_HASH:
        return "the extension is of other bots than those beside it: type make setup"
    if sources not in ("", built.C_HASH):
        return "the extension is of other C files than those beside it: type make setup"
    return ""


def load() -> ModuleType:
    """Return the extension.

    Raises: SetupError where it is missing.
    """
    if why := why_missing():
        raise SetupError(f"there are no compiled rules: {why}")
    return import_module("turnwright.games.tank.backends._rules")
