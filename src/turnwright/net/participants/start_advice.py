"""Advice about a bot whose process ended before its battle began."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence

from turnwright.net.participants.command import own_python
from turnwright.net.participants.directory import BotEntry
from turnwright.net.participants.requirements import REQUIREMENTS

__all__ = ["OFFICIAL_MODULE", "OFFICIAL_PACKAGE", "start_advice"]

OFFICIAL_MODULE = "robocode_tank_royale"
OFFICIAL_PACKAGE = "robocode-tank-royale"
"""The official bot API for Python, and what `pip install` calls it."""
_MISSING = re.compile(r"No module named '([\w.]+)'")


def start_advice(entry: BotEntry | None, argv: Sequence[str], lines: Sequence[str]) -> str:
    """Return advice, in a few words.

    entry: its directory, if it has one; argv: how it was started; lines: that it printed last.
    """
    text = "\n".join(lines)
    missing = _MISSING.search(text)
    if missing is not None and entry is not None:
        return _import_advice(entry, argv[0], missing[1].partition(".")[0])
    if "SyntaxError" in text or "IndentationError" in text:
        return "correct the line that it names"
    if entry is None:
        return "correct its program at the place that the last lines name"
    by_hand = f"cd {shlex.quote(str(entry.directory))} && {shlex.join(argv)}"
    return f"correct what its last lines name, or start it by hand to see why: {by_hand}"


def _import_advice(entry: BotEntry, python: str, module: str) -> str:
    name, directory = entry.config.name, shlex.quote(str(entry.directory))
    if module == "turnwright":
        return f"{python} has no turnwright; give a Python that has it: --python {name}={sys.executable}"
    what = "the official bot API" if module == OFFICIAL_MODULE else f"the module {module}"
    if (entry.directory / REQUIREMENTS).is_file():
        install = f"turnwright bots {directory} --install"
        if python == own_python(entry.directory):
            install = f"add it to {directory}/{REQUIREMENTS}, then: {install}"
    else:
        package = OFFICIAL_PACKAGE if module == OFFICIAL_MODULE else module
        install = f"{python} -m pip install {package}"
    return (
        f"{python} lacks {what} that it imports; install it: {install}\n"
        f"or give a Python that has it: --python {name}=PATH (`turnwright doctor --python PATH` checks one)"
    )
