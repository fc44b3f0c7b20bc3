"""Facts of a battle: one structure for each kind, with the meaning of each key.

Keys are snake_case. Bots are given by id and by name. Turns count from 1 in each round. A value that is
unknown or does not apply is null.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from turnwright_tank.analysis.counts import Tally

PRINTED_KEPT = 8
"""The largest number of printed lines in a bot's line of a round."""
Cause = Literal["bullet", "ram", "wall", "inactivity", "disqualified", "left", "removed", "unknown"]
Round = Annotated[int, Meta(description="the round, from 1")]
Turn = Annotated[int, Meta(description="the turn of the round, from 1")]
Bot = Annotated[int, Meta(description="id of the bot")]
Name = Annotated[str, Meta(description="a name that is unique in the battle")]


class _FactLine(msgspec.Struct, tag_field="kind", kw_only=True):
    """A line of the trace. `kind` gives its type."""


class TankInfo(msgspec.Struct):
    """A bot of the battle."""

    bot: Bot
    name: Name
    version: Annotated[str, Meta(description="the version that the bot sent")]
    team: Annotated[str | None, Meta(description="the name of its team")]
    droid: Annotated[bool, Meta(description="whether the bot has no radar and begins with 120 energy")]


class BattleFact(_FactLine, tag="battle"):
    """The battle. This is the first line."""

    game_type: Annotated[str, Meta(description="the game type")]
    width: Annotated[float, Meta(description="width of the arena in units")]
    height: Annotated[float, Meta(description="height of the arena in units")]
    rounds: Annotated[int, Meta(description="rounds played, completely or in part")]
    rounds_planned: Annotated[int, Meta(description="rounds in the setup")]
    turns: Annotated[int, Meta(description="turns of all rounds")]
    seed: Annotated[int | None, Meta(description="the seed of all random numbers")]
    turn_timeout_us: Annotated[int | None, Meta(description="turn timeout, µs")]
    server_late_turns: Annotated[
        int, Meta(description="turns in which the server was late. No bot missed a turn because of that")
    ]
    ending: Annotated[
        str | None,
        Meta(description='"over", "aborted" or "void". Null if the file is truncated'),
    ]
    differs: Annotated[
        str | None,
        Meta(
            description="the turn in which the replay differs from the record. The trace ends at this turn."
            " Null if"
            " nothing differs"
        ),
    ]
    bots: Annotated[tuple[TankInfo, ...], Meta(description="the bots that played, in order of id")]


class ResultFact(_FactLine, tag="result"):
    """One row of the results, for a bot or a team. The best row comes first.

    The scores are the same as in `turnwright battle --json`.
    """

    rank: Annotated[int, Meta(description="the rank. 1 is best. Bots with equal total scores share a rank")]
    id: Annotated[int, Meta(description="id of the bot or team")]
    name: Annotated[str, Meta(description="name of the bot or team")]
    is_team: Annotated[bool, Meta(description="whether the row is for a team")]
    total_score: Annotated[int, Meta(description="the sum of all six scores")]
    survival: Annotated[
        int, Meta(description="50 for each turn in which another tank died and this tank lived")
    ]
    last_survivor_bonus: Annotated[
        int, Meta(description="10 for each other tank, if this tank was the last survivor")
    ]
    bullet_damage: Annotated[int, Meta(description="energy that the bot's bullets took")]
    bullet_kill_bonus: Annotated[
        int, Meta(description="20 % of the bot's damage to tanks that its bullets killed")
    ]
    ram_damage: Annotated[int, Meta(description="2 for each energy that the bot took by ramming")]
    ram_kill_bonus: Annotated[
        int, Meta(description="30 % of the bot's damage to tanks that it killed by ramming")
    ]
    first_places: Annotated[int, Meta(description="rounds with rank 1")]
    second_places: Annotated[int, Meta(description="rounds with rank 2")]
    third_places: Annotated[int, Meta(description="rounds with rank 3")]
    verdict: Annotated[
        str, Meta(description="in words, how far this row is behind the best row, or ahead of the second")
    ] = ""


class Opening(msgspec.Struct):
    """The start of a tank in a round."""

    bot: Bot
    x: Annotated[float, Meta(description="units from the left")]
    y: Annotated[float, Meta(description="units from the bottom")]
    direction: Annotated[float, Meta(description="degrees from east, counter-clockwise")]


class RoundFact(_FactLine, tag="round"):
    """The course of one round."""

    round: Round
    turns: Annotated[int, Meta(description="number of turns")]
    first_turn: Annotated[
        int, Meta(description="number of the round's first turn, counted from the start of the battle")
    ]
    winners: Annotated[tuple[int, ...], Meta(description="ids of the bots with the highest score")]
    survivors: Annotated[tuple[int, ...], Meta(description="ids of the bots alive at the end")]
    deaths: Annotated[tuple[int, ...], Meta(description="bot ids in order of death")]
    openings: Annotated[tuple[Opening, ...], Meta(description="where the tanks began")]
    opening_distance: Annotated[
        float | None, Meta(description="smallest distance between two tanks at the start, in units")
    ]
    first_shot: Annotated[
        tuple[int, int] | None, Meta(description="turn of the first shot, and bot id of the shooter")
    ]
    first_hit: Annotated[
        tuple[int, int] | None, Meta(description="turn of the first hit, and bot id of the shooter")
    ]
    leads: Annotated[
        tuple[tuple[int, int], ...],
        Meta(description="each change of the lead: the turn, and the bot id of the tank that took the lead"),
    ]
    energy_turns: Annotated[tuple[int, ...], Meta(description="the turns for which `energies` has values")]
    energies: Annotated[
        dict[int, tuple[float, ...]],
        Meta(description="for each bot id, the energy after each of `energy_turns`. A dead bot has 0"),
    ]
    damage: Annotated[
        tuple[tuple[int, int, float], ...],
        Meta(description="bot id of the shooter, bot id of the victim, and the energy that bullets took"),
    ]
    complete: Annotated[bool, Meta(description="whether the file contains the round up to its end")]
    bullets: Annotated[
        tuple[tuple[int, int, int], ...],
        Meta(description="bot id of the shooter, bot id of the victim, and number of hits"),
    ] = ()
    death_turns: Annotated[
        tuple[int, ...], Meta(description="for each bot in `deaths`, the turn of its death")
    ] = ()


def death_place(fact: RoundFact, bot: int) -> int:
    """Return the place of a dead bot in the order of deaths, from 1.

    Bots that died in the same turn share a place, because the rules score their deaths in the same way.
    """
    return 1 + fact.death_turns.index(fact.death_turns[fact.deaths.index(bot)])


class EnergyLoss(msgspec.Struct):
    """A loss of a tank's energy."""

    turn: Turn
    cause: Annotated[Cause, Meta(description="the cause")]
    by: Annotated[int | None, Meta(description="bot id of the tank that caused the loss")]
    power: Annotated[float | None, Meta(description="power of the bullet")]
    distance: Annotated[float | None, Meta(description="distance that the bullet flew, in units")]
    damage: Annotated[
        float,
        Meta(
            description="energy that the tank lost. The last loss can be larger than the energy that the"
            " tank still had"
        ),
    ]
    energy_before: Annotated[float, Meta(description="energy of the tank before the loss")]


class PrintLine(msgspec.Struct):
    """A line that a bot printed."""

    turn: Turn
    text: Annotated[str, Meta(description="the line")]
    error: Annotated[bool, Meta(description="whether the bot printed the line on its standard error")] = False


class BotFact(_FactLine, tag="bot"):
    """One tank in one round."""

    round: Round
    bot: Bot
    name: Name
    energy: Annotated[
        float, Meta(description="the tank's energy after its last turn. Below 0 if the tank died")
    ]
    tally: Annotated[Tally, Meta(description="the tank's counts in this round")]
    energy_at_start: Annotated[float, Meta(description="the tank's energy before its first turn")] = 0.0
    died: Annotated[int | None, Meta(description="turn of the tank's death. Null if the tank survived")] = (
        None
    )
    cause: Annotated[
        Cause | None, Meta(description="cause of the tank's death. The values are explained at `death`")
    ] = None
    by: Annotated[int | None, Meta(description="bot id of the killer")] = None
    killer_seen: Annotated[
        int | None,
        Meta(
            description="last turn in which the tank's radar swept over the killer. Null if the radar never"
            " swept over"
            " the killer"
        ),
    ] = None
    why_out: Annotated[
        str | None,
        Meta(
            description="why the bot was disqualified in this round or an earlier round, in a few words."
            " Null if"
            " not known or not disqualified"
        ),
    ] = None
    fate: Annotated[str, Meta(description="what happened to the tank in this round, in words")] = ""
    blows: Annotated[
        tuple[EnergyLoss, ...],
        Meta(description="the tank's last losses of energy. The last entry is the loss that killed it"),
    ] = ()
    printed: Annotated[
        tuple[PrintLine, ...],
        Meta(description=f"the last {PRINTED_KEPT} lines that the bot printed in the round"),
    ] = ()


class TotalFact(_FactLine, tag="total"):
    """One tank in all rounds together."""

    bot: Bot
    name: Name
    tally: Annotated[
        Tally,
        Meta(
            description="the sum of the tank's counts in all rounds. For the longest row of turns or"
            " bullets, the maximum"
            " of all rounds"
        ),
    ]
    fate: Annotated[str, Meta(description="how often the tank died, and the causes, in words")] = ""


class DeathFact(_FactLine, tag="death"):
    """A tank died. The line contains the loss that took the tank's energy below 0, and losses before it."""

    round: Round
    turn: Turn
    bot: Bot
    name: Name
    cause: Annotated[
        Cause,
        Meta(
            description='the cause. "disqualified", "left" and "removed" mean that the bot no longer took'
            " part"
        ),
    ]
    by: Annotated[int | None, Meta(description="bot id of the killer")]
    by_name: Annotated[str | None, Meta(description="name of the killer")]
    blows: Annotated[
        tuple[EnergyLoss, ...],
        Meta(description="the tank's last losses of energy. The last entry is the loss that killed it"),
    ]
    why_out: Annotated[
        str | None, Meta(description="why the bot was disqualified, in a few words, if known")
    ] = None


class HitFact(_FactLine, tag="hit"):
    """A bullet hit a tank."""

    round: Round
    turn: Turn
    bot: Annotated[int, Meta(description="bot id of the tank that was hit")]
    by: Annotated[int, Meta(description="bot id of the shooter")]
    power: Annotated[float, Meta(description="power of the bullet")]
    damage: Annotated[float, Meta(description="damage of the bullet, even if the tank had less energy")]
    distance: Annotated[float, Meta(description="distance that the bullet flew, in units")]
    energy: Annotated[float, Meta(description="energy of the tank after the hit")]
    steady: Annotated[
        bool,
        Meta(
            description="whether the tank was on an even course (see **Even course** above) while the"
            " bullet flew"
        ),
    ]


class WallFact(_FactLine, tag="wall"):
    """A tank drove into a wall. If the next contact follows within 5 turns, it is counted in the same
    line.
    """

    round: Round
    turn: Turn
    bot: Bot
    last: Annotated[int, Meta(description="turn of the last contact in this line")]
    count: Annotated[int, Meta(description="number of contacts in this line")]


class RamFact(_FactLine, tag="ram"):
    """A tank drove into another tank. If the next contact follows within 5 turns, it is counted in the same
    line.
    """

    round: Round
    turn: Turn
    bot: Annotated[int, Meta(description="bot id of the tank that rammed")]
    victim: Annotated[int, Meta(description="bot id of the other tank")]
    last: Annotated[int, Meta(description="turn of the last contact in this line")]
    count: Annotated[int, Meta(description="number of contacts in this line")]


class PrintFact(_FactLine, tag="print"):
    """A bot printed a line. `turn` is the turn in which the server read the line."""

    round: Round
    turn: Turn
    bot: Bot
    text: Annotated[str, Meta(description="the line")]
    error: Annotated[bool, Meta(description="whether the bot printed the line on its standard error")] = False


class LeadFact(_FactLine, tag="lead"):
    """A tank took the lead: it now has at least 5 more energy than any other tank."""

    round: Round
    turn: Turn
    bot: Bot


class DisabledFact(_FactLine, tag="disabled"):
    """A tank has no energy left and can do nothing."""

    round: Round
    turn: Turn
    bot: Bot


class OutFact(_FactLine, tag="out"):
    """A bot was disqualified, or its program left."""

    round: Round
    turn: Turn
    bot: Bot
    why: Annotated[
        Literal["disqualified", "left"],
        Meta(description='"disqualified": the bot was disqualified. "left": its program left'),
    ]
    failure: Annotated[
        str | None,
        Meta(description="the reason as far as it was known in this turn, for example the error of a crash"),
    ] = None


class SkipsFact(_FactLine, tag="skips"):
    """A bot missed turns that followed each other, or that were at most 3 turns apart."""

    round: Round
    bot: Bot
    first: Annotated[int, Meta(description="the first turn missed")]
    last: Annotated[int, Meta(description="the last turn missed")]
    count: Annotated[int, Meta(description="number of missed turns from `first` to `last`")]


class LateFact(_FactLine, tag="late"):
    """A bot's answer came after its deadline."""

    round: Round
    turn: Turn
    bot: Bot
    late_us: Annotated[float, Meta(description="time between the deadline and the answer, µs")]


class TimingFact(_FactLine, tag="timing"):
    """The timing of a bot in the whole battle. Answer times are null if the record has none."""

    bot: Bot
    name: Name
    skipped: Annotated[int, Meta(description="turns that the bot missed")]
    late: Annotated[int, Meta(description="answers of the bot that came after their deadline")]
    late_us_max: Annotated[float | None, Meta(description="longest delay of a late answer, µs")]
    late_us_median: Annotated[float | None, Meta(description="median delay of late answers, µs")]
    answers: Annotated[
        int,
        Meta(
            description="number of known answer times. A record contains only the slowest answer time of"
            " every 16 turns"
        ),
    ]
    p50_us: Annotated[float | None, Meta(description="median of the known answer times, µs")]
    p95_us: Annotated[float | None, Meta(description="95th percentile of the known answer times, µs")]
    p99_us: Annotated[float | None, Meta(description="99th percentile of the known answer times, µs")]
    max_us: Annotated[float | None, Meta(description="longest known answer time, µs")]


class NoteFact(_FactLine, tag="note"):
    """A likely reason why a bot won or lost."""

    bot: Bot
    name: Name
    what: Annotated[str, Meta(description="the kind of note (see [Notes](#notes))")]
    text: Annotated[str, Meta(description="the note in words")]
    round: Annotated[
        int | None, Meta(description="the round that the note is about. Null if it is about the whole battle")
    ] = None
    weight: Annotated[
        float,
        Meta(description="about how much energy the note explains. Notes with a larger weight come first"),
    ] = 0.0


Fact = (
    BattleFact
    | ResultFact
    | RoundFact
    | BotFact
    | TotalFact
    | DeathFact
    | HitFact
    | WallFact
    | RamFact
    | LeadFact
    | DisabledFact
    | OutFact
    | PrintFact
    | SkipsFact
    | LateFact
    | TimingFact
    | NoteFact
)
