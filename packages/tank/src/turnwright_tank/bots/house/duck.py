"""Duck: a target that stands still."""

from __future__ import annotations

from turnwright_tank.bots.bot import Bot


class Duck(Bot):
    """A sitting duck.

    Strategy: none; it paints itself yellow and waits. Skill: 0 of 6.
    """

    name = "Duck"
    authors = ("turnwright",)

    def on_round_started(self, round_number: int) -> None:
        """Look like one."""
        self.set_colors(body="#FFD700", turret="#FF8C00", radar="#FFFFFF")
