"""Energies in the course of a round, and the tank that led."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LEAD_BY = 5.0
"""Energy by which a tank must be ahead of all others to take the lead, so that the lead does not change at
random.
"""
SAMPLES = 6
"""The number of turns for which a round's energies are reported."""


class EnergyCourse:
    """Records all bots' energy, turn by turn.

    Attributes:
        leads: the turn and the bot of each change of the lead.
    """

    def __init__(self, bots: Sequence[int]) -> None:
        self.leads: list[tuple[int, int]] = []
        self._bots = tuple(bots)
        self._turns: list[int] = []
        self._energies: list[tuple[float, ...]] = []

    def take(self, turn: int, energies: Mapping[int, float]) -> bool:
        """Record a turn, and return whether a tank has taken the lead. A dead tank has the energy 0."""
        row = tuple([max(0.0, energies.get(bot, 0.0)) for bot in self._bots])
        self._turns.append(turn)
        self._energies.append(row)
        best = max(row, default=0.0)
        leader = self._bots[row.index(best)] if row else 0
        if self.leads and self.leads[-1][1] == leader:
            return False
        if any(best - other < LEAD_BY for bot, other in zip(self._bots, row, strict=True) if bot != leader):
            return False
        self.leads.append((turn, leader))
        return True

    def samples(self) -> tuple[tuple[int, ...], dict[int, tuple[float, ...]]]:
        """Return at most SAMPLES turns, and by bot id the energies after them.

        The first and the last turn are included. Without a turn, everything is empty.
        """
        last = len(self._turns) - 1
        if last < 0:
            return (), dict.fromkeys(self._bots, ())
        count = min(SAMPLES, last + 1)
        picked = [last * k // max(1, count - 1) for k in range(count)]
        energies = {
            bot: tuple([round(self._energies[at][k], 1) for at in picked]) for k, bot in enumerate(self._bots)
        }
        return tuple([self._turns[at] for at in picked]), energies
