"""Advice about a bot whose process ended before its battle began."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence

from turnwright.net.participants.command import own_python, python_file
from turnwright.net.participants.directory import BotEntry, find_script
from turnwright.net.participants.requirements import REQUIREMENTS
from turnwright.wire.faults import INVALID_SECRET

OFFICIAL_MODULE = "robocode_tank_royale"
OFFICIAL_PACKAGE = "robocode-tank-royale"
"""The name of the official Python API for bots, for `pip install`."""
_OF_SYNTAX, _CORRECT_LINE = ("SyntaxError", "IndentationError"), "correct the line that its last lines name"
_MISSING = re.compile(r"No module named '([\w.]+)'")


def start_advice(entry: BotEntry | None, argv: Sequence[str], lines: Sequence[str]) -> str:
    """Return advice for the operator about a bot that did not start, in one or two lines.

    Args:
        entry: the bot's directory, or None if it has none.
        argv: the command line that started the bot.
        lines: the last lines that the bot printed.
    """
    text = "\n".join(lines)
    missing = _MISSING.search(text)
    if missing is not None and entry is not None:
        module = missing[1].partition(".")[0]
        script = find_script(entry.directory)
        if script is None or script == python_file(entry):
            return _import_advice(entry, argv[0], module)
        return _script_advice(entry, script.name, module)
    if any(mistake in text for mistake in _OF_SYNTAX):
        return _CORRECT_LINE
    if entry is None:
        return "correct its program at the place that the last lines name"
    by_hand = f"cd {shlex.quote(str(entry.directory))} && {shlex.join(argv)}"
    return f"correct what its last lines name, or start it by hand to see why: {by_hand}"


def author_advice(lines: Sequence[str]) -> str:
    """Return advice for the author of a bot that did not start, if the author has another machine.

    Args:
        lines: the last lines that the bot printed.
    """
    text = "\n".join(lines)
    if (missing := _MISSING.search(text)) is not None:
        module = missing[1].partition(".")[0]
        return (
            f"the server has no Python module {module}: upload it with the bot, or ask the server's operator"
        )
    if any(mistake in text for mistake in _OF_SYNTAX):
        return _CORRECT_LINE
    return "correct what its last lines name, and start it on your own machine to see more"


def _script_advice(entry: BotEntry, script: str, module: str) -> str:
    """Return advice about the Python that a bot's script starts."""
    name, main = entry.config.name, f"{entry.directory.name}.py"
    text = (
        f"the Python that {script} starts lacks the module {module}; install it for that Python:"
        f" python3 -m pip install {_package(module)}, or let {script} start a Python that has it"
    )
    if (entry.directory / main).is_file():
        text += f"\nwithout {script}, {main} is started, and --python {name}=PATH chooses its Python"
    return text


def _package(module: str) -> str:
    return OFFICIAL_PACKAGE if module == OFFICIAL_MODULE else module


def refusal_text(reason: str) -> str:
    """Return the error text for a bot that the server refused, with advice.

    Args:
        reason: the server's reason.
    """
    advice = "; send SERVER_SECRET as secret" if reason == INVALID_SECRET else ""
    return f"it was refused: {reason}{advice}"


def _import_advice(entry: BotEntry, python: str, module: str) -> str:
    name, directory = entry.config.name, shlex.quote(str(entry.directory))
    if module == "turnwright":
        return f"{python} has no turnwright; give a Python that has it: --python {name}={sys.executable}"
    what = "the official bot API" if module == OFFICIAL_MODULE else f"the module {module}"
    if (entry.directory / REQUIREMENTS).is_file():
        install = f"turnwright bots install {directory}"
        if python == own_python(entry.directory):
            install = f"add it to {directory}/{REQUIREMENTS}, then: {install}"
    else:
        install = f"{python} -m pip install {_package(module)}"
    return (
        f"{python} lacks {what} that it imports; install it: {install}\n"
        f"or give a Python that has it: --python {name}=PATH (`turnwright doctor --python PATH` checks one)"
    )
