"""Sets up a game, and explains which of its settings is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from turnwright.errors import SetupError
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.rng import Streams

_SHOWN_CHARS = 40
_MISTAKE = re.compile(r"(.+) - at `\$\.(.+)`")
"""An error of msgspec, e.g. "Expected `int` >= 5 - at `$.width`"."""
_EXPECTED = re.compile(
    r"Expected `([\w |]+)`(?:, got `\w+`|( of length)?(?: ([<>]=?))? ([^ ,]+)(?:, got \d+)?)"
)
_NAME = re.compile(r"[^.\[\]]+")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "array": "a list",
    "object": "a table",
}
_LIMITS = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}", None: "{}"}


def set_up(game: Game, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> Any:
    """Return the state of a game before its first turn.

    Raises:
        SetupError: the game raised a SetupError or a ValueError. Other exceptions are raised unchanged.
    """
    try:
        return game.setup(settings, seats, streams)
    except msgspec.ValidationError as error:
        raise SetupError(_explained(str(error), game.name, settings)) from error
    except ValueError as error:
        raise SetupError(f"the settings of {game.name} cannot be played: {error}") from error


def _explained(text: str, game: str, settings: Mapping[str, Any]) -> str:
    """Return the text of an error that names the wrong setting, its value, and what to give instead."""
    found = _MISTAKE.fullmatch(text)
    mistake, place = found.groups() if found else (text, "")
    value: Any = settings
    try:
        for name in _NAME.findall(place):
            value = value[int(name)] if isinstance(value, list | tuple) else value[name]
    except (LookupError, TypeError, ValueError):  # the error is not about the settings
        place = ""
    if not place:
        return f"the settings of {game} cannot be played: {mistake}"
    return f"{place} is {value!r:.{_SHOWN_CHARS}}: {_advice(mistake)}"


def _advice(text: str) -> str:
    found = _EXPECTED.fullmatch(text)
    if found is None:
        return text[:1].lower() + text[1:].replace("`", "")
    kind = " or ".join(_KINDS.get(name, name) for name in found[1].split(" | "))
    if found[4] is None:
        return f"give {kind}"
    limit = _LIMITS[found[3]].format(found[4])
    return f"give {kind} of length {limit}" if found[2] else f"give {limit}"
