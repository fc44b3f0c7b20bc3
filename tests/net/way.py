"""Notes which of our modules are passed while something happens in this thread."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["MODULES_MAX", "Way"]

MODULES_MAX = 15
"""Modules between a socket and the receipt of an intent: few enough to be read in one go."""
PACKAGE = "turnwright."


class Way:
    """The modules that were passed, each once, in order; trips: how often the server called the host."""

    def __init__(self) -> None:
        self.modules: list[str] = []
        self.trips = 0

    @contextmanager
    def noted(self) -> Iterator[Way]:
        """Note what is called in this thread."""

        def note(frame: FrameType, event: str, _: Any) -> None:
            name = str(frame.f_globals.get("__name__", ""))
            if event != "call" or not name.startswith(PACKAGE):
                return
            if name not in self.modules:
                self.modules.append(name)
            caller = frame.f_back.f_globals.get("__name__", "") if frame.f_back is not None else ""
            enters = name == "turnwright.host.host" and str(caller).startswith("turnwright.net.")
            self.trips += enters and frame.f_code.co_name != "take"

        sys.setprofile(note)
        try:
            yield self
        finally:
            sys.setprofile(None)
