"""Removes the paths of a ladder server's machine from texts for its people."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from turnwright_league.app.ladder.files import OWN

_FOLDER = "the server's folder"


class ServerPaths:
    """The paths of one ladder server.

    Args:
        folder: the folder of its data.
    """

    def __init__(self, folder: Path) -> None:
        imported = {place for place in sys.path if os.path.dirname(place) not in ("", place)}
        places = {os.path.abspath(folder), os.path.realpath(folder), *imported}
        known = "|".join(re.escape(place) for place in sorted(places, key=len, reverse=True))
        self._known = re.compile(
            rf"(?:[^\s'\"(]*/)?{OWN}/bots/[0-9]+/"  # of a bot directory: its name stays
            r"|/[^\s'\"(:]*/lib/(?:python|pypy)[0-9.]+/(?:(?:site|dist)-packages/)?"
            rf"|(?<![\w/])(?:{known})(?:/|(?![\w-]))"
        )

    def without(self, text: str) -> str:
        """Return a text whose paths are relative to a bot, the ladder server's folder or an installation."""
        return self._known.sub(lambda found: "" if found[0].endswith("/") else _FOLDER, text)
