"""A ladder server in its own process."""

from __future__ import annotations

from packages.core.tests.cli.running import Running
from packages.league.tests.app.ladder.client import PATIENCE_S


class Served(Running):
    """A ladder server that runs in its own process."""

    stop_s = PATIENCE_S

    def __init__(self, *words: str) -> None:
        super().__init__("ladder", "--port", "0", "--no-open", *words)

    def page(self) -> str:
        """Return the address of the teacher's page."""
        return self.said(r"^teacher: (http://\S+)$")[1]
