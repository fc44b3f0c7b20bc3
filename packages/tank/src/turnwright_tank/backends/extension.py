"""Finds the compiled rules: the extension `_rules`, built with the package.

Without a C compiler the package has no extension. The rules are then interpreted, which is slower and gives
the same results. When the package is built, the C code is translated from the files of the rules, so there is
one source. An extension that was built from other rules than the installed ones is refused.
"""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from importlib import import_module
from types import ModuleType

from turnwright.errors import SetupError
from turnwright_tank.backends.sources import hash_of_bots, hash_of_c, hash_of_sources


def available() -> bool:
    """Return whether the compiled rules can run on this machine."""
    return not why_missing()


@cache
def why_missing() -> str:
    """Return why the rules are interpreted and what to do, or "" if they are compiled."""
    if sys.byteorder != "little":
        return "the order of bytes of this machine is not that of records"
    try:
        built = import_module("turnwright_tank.backends._rules")
    except ImportError as error:
        if getattr(error, "path", None):
            return f"the extension cannot be loaded: {error}"
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return "free-threaded Python has no extension: use an ordinary Python"
        return (
            "the extension was not built: install a C compiler and Python's headers, then turnwright again"
            " (in a clone: touch packages/tank/setup.py && make setup)"
        )
    try:
        rules, bots, sources = hash_of_sources(), hash_of_bots(), hash_of_c()
    except OSError:  # e.g. an installation without sources
        return ""
    if rules != built.RULES_HASH:
        return "the extension was built from other rules: type make setup"
    if bots != built.BOTS_HASH:
        return "the extension was built from other bots: type make setup"
    if sources not in ("", built.C_HASH):
        return "the extension was built from other C files: type make setup"
    return ""


def load() -> ModuleType:
    """Return the extension.

    Raises:
        SetupError: the compiled rules cannot be used. The message says why.
    """
    if why := why_missing():
        raise SetupError(f"there are no compiled rules: {why}")
    return import_module("turnwright_tank.backends._rules")
