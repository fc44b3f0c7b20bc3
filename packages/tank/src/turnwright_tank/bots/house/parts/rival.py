"""Everything that Ace knows of one enemy."""

from __future__ import annotations

from typing import Annotated

from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.guns import Guns
from turnwright_tank.bots.house.parts.surf import Surfer
from turnwright_tank.observation import ScannedBotEvent

_CORRECTIONS_MAX = 64


class Rival:
    """One enemy. The statistics last for the game, and all other data for a round.

    foe: the newest scan and motion of the enemy, None if it was not seen in this round.
    """

    foe: Foe | None
    guns: Guns
    surfer: Surfer
    _corrections: Annotated[list[float], _CORRECTIONS_MAX]
    """Changes of the enemy's energy in this turn. They are applied when all events of the turn are known."""

    def __init__(self, width: float, height: float) -> None:
        self.foe = None
        self.guns = Guns(width, height)
        self.surfer = Surfer(width, height)
        self._corrections = []

    def new_round(self) -> None:
        """Forget the enemy's place, and all bullets in the air."""
        self.foe = None
        self._corrections.clear()
        self.guns.new_round()
        self.surfer.new_round()

    def see(self, scan: ScannedBotEvent) -> float:
        """Store a scan. Return the energy that the enemy has lost without a known reason."""
        foe = self.foe
        if foe is None:
            self.foe = Foe(scan)
            return 0.0
        drop = foe.see(scan)
        self.guns.learn(foe)
        return drop

    def correct(self, energy: float) -> None:
        """Store a change of the enemy's energy."""
        if len(self._corrections) < _CORRECTIONS_MAX:
            self._corrections.append(energy)

    def settle(self) -> None:
        """Apply the stored changes of the enemy's energy."""
        foe = self.foe
        if foe is not None:
            for energy in self._corrections:
                foe.energy += energy
        self._corrections.clear()
