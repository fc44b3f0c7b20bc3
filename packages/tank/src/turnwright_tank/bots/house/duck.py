"""Duck: a target that stands still."""

from __future__ import annotations

from turnwright_tank.bots.bot import Bot


class Duck(Bot):
    """A target that stands still and never fires. Skill: 0 of 6."""

    name = "Duck"
    authors = ("turnwright",)

    def on_round_started(self, round_number: int) -> None:
        """Paint the tank yellow."""
        self.set_colors(body="#FFD700", turret="#FF8C00", radar="#FFFFFF")
