"""Input of the analysis: the battle's setting, and each turn as spectators see it.

Both a replayed record and a recording of the official observer's messages give this input. Tanks are named by
bot id (seat + 1), as in frames. Energy, lengths and angles are as in `observation`, and times are in ns.
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
        id: the bot id.
        name: a name that is unique in the battle.
        team: the name of its team, or None for a tank without a team.
    """

    id: int
    name: str
    version: str = ""
    team: str | None = None
    droid: bool = False

    @property
    def energy_at_start(self) -> float:
        """The tank's energy at the start of a round."""
        return ENERGY_DROID if self.droid else ENERGY_TANK


@dataclass(frozen=True, slots=True)
class Setting:
    """Setup and participants of a battle.

    Attributes:
        rounds: the planned number of rounds.
        seed, turn_timeout_ns: None if not known.
        leavers_die: whether a tank dies immediately if its program leaves.
        times_known: whether missed turns are known.
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
        """Return the fighter with a bot id. An unlisted fighter has a name such as "bot 7"."""
        return self.by_id.get(bot) or Fighter(bot, f"bot {bot}")

    def are_enemies(self, one: int, two: int) -> bool:
        """Return whether two bots are different and not in the same team."""
        team = self.fighter(one).team
        return one != two and (team is None or team != self.fighter(two).team)

    def nearest_enemy(self, tank: TankFrame, tanks: Sequence[TankFrame]) -> float | None:
        """Return the distance to a tank's nearest enemy in units, or None without an enemy."""
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
    """One turn as the analysis reads it. Keys and members are bot ids.

    Attributes:
        turn: the turn of the whole battle, from 1.
        skipped: the bots that missed the turn.
        late_ns: the delays of late answers.
        answer_ns: the answer times, if known.
        server_late_ns: the delay of the server itself.
        gone: the bots that left in the turn.
        disqualified: the bots that were disqualified in the turn.
        failures: the failures that became known in the turn.
        printed: the output of bots.
        winners: in the last turn of a round, the bots that came first by score, or None if not known.
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
    """Why bots were disqualified in the turn, for the round or for the battle."""
    failures: Mapping[int, Failure] = field(default_factory=dict)
    winners: tuple[int, ...] | None = None
    printed: Mapping[int, TurnPrints] = field(default_factory=dict)
