"""Input of the analysis: the battle's setting, and each turn as spectators see it.

A record that is played again and a file of the official observer's messages both come as these. Tanks are
named by bot id (seat + 1), as in frames. Energy, lengths and angles as in `observation`; times in ns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from turnwright.kernel.failure import Failure
from turnwright.kernel.printed import TurnPrints
from turnwright_tank.analysis.shots import distance
from turnwright_tank.rules.constants import ENERGY_DROID, ENERGY_TANK
from turnwright_tank.structs import Frame, TankFrame


@dataclass(frozen=True, slots=True)
class Fighter:
    """A tank of the battle.

    Attributes:
        id: bot id.
        name: unlike any other's in the battle.
        team: its team's name.
    """

    id: int
    name: str
    version: str = ""
    team: str | None = None
    droid: bool = False

    @property
    def energy_at_start(self) -> float:
        """The energy it begins a round with."""
        return ENERGY_DROID if self.droid else ENERGY_TANK


@dataclass(frozen=True, slots=True)
class Setting:
    """Setup and participants of a battle.

    Attributes:
        rounds: as planned.
        seed, turn_timeout_ns: None where not known.
        leavers_die: a tank whose program left dies at once.
        times_known: whether turns tell who missed a turn.
    """

    game_type: str
    width: float
    height: float
    rounds: int
    fighters: tuple[Fighter, ...]
    seed: int | None = None
    max_inactivity_turns: int = 450
    turn_timeout_ns: int | None = None
    leavers_die: bool = False
    times_known: bool = True
    by_id: Mapping[int, Fighter] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {one.id: one for one in self.fighters})

    def fighter(self, bot: int) -> Fighter:
        """Return the fighter with a bot id.

        One that is not listed has its number as its name.
        """
        return self.by_id.get(bot) or Fighter(bot, f"bot {bot}")

    def are_enemies(self, one: int, two: int) -> bool:
        """Return whether two bots are of different teams."""
        team = self.fighter(one).team
        return one != two and (team is None or team != self.fighter(two).team)

    def nearest_enemy(self, tank: TankFrame, tanks: Sequence[TankFrame]) -> float | None:
        """Return the distance of the nearest enemy of a tank, or None: there is none."""
        return min(
            (
                distance(tank.x, tank.y, other.x, other.y)
                for other in tanks
                if other is not tank and self.are_enemies(tank.id, other.id)
            ),
            default=None,
        )


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """One turn as the analysis reads it.

    Fields without a description say by bot id which bots missed the turn, were late, left or were put out,
    what became known of failures, and what bots printed.

    Attributes:
        turn: the turn of the whole battle, from 1.
        late_ns: how late the late answers were.
        answer_ns: how long answers took, if known.
        server_late_ns: how late the server itself was.
        winners: in the last turn of a round, the bots that came first in it by score, or None if they are not
            known.
    """

    turn: int
    frame: Frame
    skipped: tuple[int, ...] = ()
    late_ns: Mapping[int, int] = field(default_factory=dict)
    answer_ns: Mapping[int, int] = field(default_factory=dict)
    server_late_ns: int = 0
    gone: tuple[int, ...] = ()
    disqualified: tuple[int, ...] = ()
    out: Mapping[int, Failure] = field(default_factory=dict)
    """Why bots were disqualified in it, of the round or of the battle."""
    failures: Mapping[int, Failure] = field(default_factory=dict)
    winners: tuple[int, ...] | None = None
    printed: Mapping[int, TurnPrints] = field(default_factory=dict)
