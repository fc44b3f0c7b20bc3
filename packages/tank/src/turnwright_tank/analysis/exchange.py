"""Hits and contacts of a round, counted by pair of tanks."""

from __future__ import annotations

from turnwright_tank.analysis.deaths import AGAIN_TURNS
from turnwright_tank.analysis.facts import RamFact, WallFact


class Exchange:
    """The bullets of a round that hit, by shooter and victim.

    Attributes:
        first_shot: The turn and the bot of the first shot, or None.
        first_hit: The turn and the shooter of the first hit, or None.
    """

    def __init__(self) -> None:
        self.first_shot: tuple[int, int] | None = None
        self.first_hit: tuple[int, int] | None = None
        self._taken: dict[tuple[int, int], tuple[float, int]] = {}

    def shot(self, turn: int, bot: int) -> None:
        """Note a shot. Only the first shot is kept."""
        self.first_shot = self.first_shot or (turn, bot)

    def hit(self, turn: int, shooter: int, victim: int, lost: float) -> None:
        """Count a hit and the energy that the victim lost."""
        self.first_hit = self.first_hit or (turn, shooter)
        before, hits = self._taken.get((shooter, victim), (0.0, 0))
        self._taken[shooter, victim] = before + lost, hits + 1

    def damage(self) -> tuple[tuple[int, int, float], ...]:
        """Return shooter, victim and energy lost of each pair, sorted."""
        return tuple([(*pair, lost) for pair, (lost, _) in sorted(self._taken.items())])

    def bullets(self) -> tuple[tuple[int, int, int], ...]:
        """Return shooter, victim and hits of each pair, sorted."""
        return tuple([(*pair, hits) for pair, (_, hits) in sorted(self._taken.items())])


class Contacts:
    """The contacts with walls and tanks. Contacts within a few turns are one fact with a count."""

    def __init__(self, round_number: int) -> None:
        self._round = round_number
        self._newest: dict[tuple[int, int], WallFact | RamFact] = {}

    def rammed(self, turn: int, bot: int, victim: int) -> RamFact | None:
        """Count a ram. Return a new fact, or None if the ram continues an earlier fact."""
        if self._continues((bot, victim), turn):
            return None
        fact = RamFact(round=self._round, turn=turn, bot=bot, victim=victim, last=turn, count=1)
        self._newest[bot, victim] = fact
        return fact

    def hit_wall(self, turn: int, bot: int) -> WallFact | None:
        """Count a contact with a wall. Return a new fact, or None if it continues an earlier fact."""
        if self._continues((bot, 0), turn):
            return None
        fact = WallFact(round=self._round, turn=turn, bot=bot, last=turn, count=1)
        self._newest[bot, 0] = fact
        return fact

    def _continues(self, key: tuple[int, int], turn: int) -> bool:
        fact = self._newest.get(key)
        if fact is None or turn - fact.last > AGAIN_TURNS:
            return False
        fact.last = turn
        fact.count += 1
        return True
