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
Bot = Annotated[int, Meta(description="bot id, as in `battle`'s bots")]
Name = Annotated[str, Meta(description="a name that is unique in the battle")]


class _FactLine(msgspec.Struct, tag_field="kind", kw_only=True):
    """A line of the trace. `kind` gives its type."""


class TankInfo(msgspec.Struct):
    """A bot of the battle."""

    bot: Bot
    name: Name
    version: Annotated[str, Meta(description="the version that the bot sent")]
    team: Annotated[str | None, Meta(description="the name of its team")]
    droid: Annotated[bool, Meta(description="whether it has no radar and begins with 120 energy")]


class BattleFact(_FactLine, tag="battle"):
    """The battle. This is the first line."""

    game_type: Annotated[str, Meta(description="the game type")]
    width: Annotated[float, Meta(description="width of the arena in units")]
    height: Annotated[float, Meta(description="height of the arena in units")]
    rounds: Annotated[int, Meta(description="rounds played, completely or in part")]
    rounds_planned: Annotated[int, Meta(description="rounds in the setup")]
    turns: Annotated[int, Meta(description="turns of all rounds")]
    seed: Annotated[int | None, Meta(description="the seed of all random numbers")]
    turn_timeout_us: Annotated[int | None, Meta(description="time for an answer, µs")]
    server_late_turns: Annotated[
        int, Meta(description="turns in which the server itself was late; they count as missed for no bot")
    ]
    ending: Annotated[
        str | None,
        Meta(description='"over", "aborted" or "void"; null if the file is truncated'),
    ]
    differs: Annotated[
        str | None,
        Meta(description="the turn in which the replay differs from the record and the trace ends"),
    ]
    bots: Annotated[tuple[TankInfo, ...], Meta(description="the bots that played, in order of id")]


class ResultFact(_FactLine, tag="result"):
    """One row of the results, for a bot or a team, best first.

    Scores are as in `turnwright battle --json`.
    """

    rank: Annotated[int, Meta(description="1 is best; equal totals share a rank")]
    id: Annotated[int, Meta(description="bot id, or team id")]
    name: Annotated[str, Meta(description="name of the bot or team")]
    is_team: Annotated[bool, Meta(description="whether it is a team's row")]
    total_score: Annotated[int, Meta(description="the sum of all six scores")]
    survival: Annotated[
        int, Meta(description="50 for each turn in which another tank died and this tank did not")
    ]
    last_survivor_bonus: Annotated[
        int, Meta(description="10 for each tank that died before the last survivor")
    ]
    bullet_damage: Annotated[int, Meta(description="energy taken by bullets")]
    bullet_kill_bonus: Annotated[int, Meta(description="20 % of its damage to tanks that its bullets killed")]
    ram_damage: Annotated[int, Meta(description="twice the energy taken by ramming")]
    ram_kill_bonus: Annotated[int, Meta(description="30 % of its damage to tanks that it killed by ramming")]
    first_places: Annotated[int, Meta(description="rounds with rank 1")]
    second_places: Annotated[int, Meta(description="rounds with rank 2")]
    third_places: Annotated[int, Meta(description="rounds with rank 3")]
    verdict: Annotated[
        str, Meta(description="the gap to the best row, or the lead of this row, in words")
    ] = ""


class Opening(msgspec.Struct):
    """The start of a tank in a round."""

    bot: Bot
    x: Annotated[float, Meta(description="units from the left")]
    y: Annotated[float, Meta(description="units from the bottom")]
    direction: Annotated[float, Meta(description="degrees; 0 is east, counter-clockwise")]


class RoundFact(_FactLine, tag="round"):
    """The course of one round."""

    round: Round
    turns: Annotated[int, Meta(description="turns of the round")]
    first_turn: Annotated[int, Meta(description="the first turn of the round, counted over the whole battle")]
    winners: Annotated[tuple[int, ...], Meta(description="ids of the bots that came first by score")]
    survivors: Annotated[tuple[int, ...], Meta(description="ids of the bots alive at the end")]
    deaths: Annotated[tuple[int, ...], Meta(description="bot ids in order of death")]
    openings: Annotated[tuple[Opening, ...], Meta(description="where the tanks began")]
    opening_distance: Annotated[
        float | None, Meta(description="distance of the two tanks that began closest to each other, in units")
    ]
    first_shot: Annotated[
        tuple[int, int] | None, Meta(description="turn of the first shot, and bot id of the shooter")
    ]
    first_hit: Annotated[
        tuple[int, int] | None, Meta(description="turn of the first hit, and bot id of the shooter")
    ]
    leads: Annotated[
        tuple[tuple[int, int], ...],
        Meta(description="turn, and bot id of the tank that took the lead in energy by at least 5"),
    ]
    energy_turns: Annotated[tuple[int, ...], Meta(description="a few turns, evenly spread")]
    energies: Annotated[
        dict[int, tuple[float, ...]],
        Meta(description="by bot id, the energy after each of `energy_turns`; 0 if dead"),
    ]
    damage: Annotated[
        tuple[tuple[int, int, float], ...],
        Meta(description="bot ids of shooter and victim, and energy taken, at most the victim's"),
    ]
    complete: Annotated[bool, Meta(description="whether the file has the round's end")]
    bullets: Annotated[
        tuple[tuple[int, int, int], ...],
        Meta(description="bot ids of shooter and victim, and number of hits"),
    ] = ()
    death_turns: Annotated[tuple[int, ...], Meta(description="the turn of each of `deaths`")] = ()


def death_place(fact: RoundFact, bot: int) -> int:
    """Return the place of a bot in the order of deaths, from 1.

    Bots that died in the same turn share a place, because the rules score their deaths in the same way.
    """
    return 1 + fact.death_turns.index(fact.death_turns[fact.deaths.index(bot)])


class EnergyLoss(msgspec.Struct):
    """A loss of a tank's energy."""

    turn: Turn
    cause: Annotated[Cause, Meta(description="the cause")]
    by: Annotated[int | None, Meta(description="id of the bot that caused it")]
    power: Annotated[float | None, Meta(description="power of the bullet")]
    distance: Annotated[float | None, Meta(description="distance that the bullet flew, in units")]
    damage: Annotated[float, Meta(description="energy taken; the last loss may exceed the energy left")]
    energy_before: Annotated[float, Meta(description="energy of the tank before the loss")]


class PrintLine(msgspec.Struct):
    """A line that a bot printed."""

    turn: Turn
    text: Annotated[str, Meta(description="the line")]
    error: Annotated[bool, Meta(description="whether it was printed as an error (stderr)")] = False


class BotFact(_FactLine, tag="bot"):
    """One tank in one round."""

    round: Round
    bot: Bot
    name: Name
    energy: Annotated[float, Meta(description="energy after its last turn; below 0 if it died")]
    tally: Annotated[Tally, Meta(description="its counts")]
    energy_at_start: Annotated[float, Meta(description="energy before its first turn")] = 0.0
    died: Annotated[int | None, Meta(description="turn of its death; null if it survived")] = None
    cause: Annotated[Cause | None, Meta(description="cause of its death, as in `death`")] = None
    by: Annotated[int | None, Meta(description="bot id of the killer")] = None
    killer_seen: Annotated[
        int | None, Meta(description="last turn in which its radar swept over the killer; null if never")
    ] = None
    why_out: Annotated[
        str | None,
        Meta(description="why it was disqualified from this round or before, in a few words, if known"),
    ] = None
    fate: Annotated[str, Meta(description="its fate in this round, in words")] = ""
    blows: Annotated[
        tuple[EnergyLoss, ...], Meta(description="its last losses, ending with the fatal one")
    ] = ()
    printed: Annotated[
        tuple[PrintLine, ...],
        Meta(description=f"the last {PRINTED_KEPT} lines that it printed in the round"),
    ] = ()


class TotalFact(_FactLine, tag="total"):
    """One tank in all rounds together."""

    bot: Bot
    name: Name
    tally: Annotated[Tally, Meta(description="its counts, added up; of streaks, the longest")]
    fate: Annotated[str, Meta(description="how often it died, and the causes, in words")] = ""


class DeathFact(_FactLine, tag="death"):
    """The death of a tank: the loss that took its energy below 0, and the losses before it."""

    round: Round
    turn: Turn
    bot: Bot
    name: Name
    cause: Annotated[
        Cause,
        Meta(
            description="the cause; disqualified, left and removed mean that it was taken out of the battle"
        ),
    ]
    by: Annotated[int | None, Meta(description="bot id of the killer")]
    by_name: Annotated[str | None, Meta(description="name of the killer")]
    blows: Annotated[tuple[EnergyLoss, ...], Meta(description="the last losses, ending with the fatal one")]
    why_out: Annotated[str | None, Meta(description="why it was disqualified, in a few words, if known")] = (
        None
    )


class HitFact(_FactLine, tag="hit"):
    """A bullet hit a tank."""

    round: Round
    turn: Turn
    bot: Annotated[int, Meta(description="bot id of the tank that was hit")]
    by: Annotated[int, Meta(description="bot id of the shooter")]
    power: Annotated[float, Meta(description="power of the bullet")]
    damage: Annotated[float, Meta(description="damage, not limited to the victim's energy")]
    distance: Annotated[float, Meta(description="distance that the bullet flew, in units")]
    energy: Annotated[float, Meta(description="energy of the tank after the hit")]
    steady: Annotated[bool, Meta(description="whether the tank was on an even course while the bullet flew")]


class WallFact(_FactLine, tag="wall"):
    """A tank drove into a wall, once or several times."""

    round: Round
    turn: Turn
    bot: Bot
    last: Annotated[int, Meta(description="turn of the last contact, if contacts followed within 5 turns")]
    count: Annotated[int, Meta(description="number of contacts")]


class RamFact(_FactLine, tag="ram"):
    """A tank drove into another tank, once or several times."""

    round: Round
    turn: Turn
    bot: Annotated[int, Meta(description="bot id of the tank that rammed")]
    victim: Annotated[int, Meta(description="bot id of the other tank")]
    last: Annotated[int, Meta(description="turn of the last contact, if contacts followed within 5 turns")]
    count: Annotated[int, Meta(description="number of contacts")]


class PrintFact(_FactLine, tag="print"):
    """A line that a bot printed, in the turn in which the server read it."""

    round: Round
    turn: Turn
    bot: Bot
    text: Annotated[str, Meta(description="the line")]
    error: Annotated[bool, Meta(description="whether it was printed as an error (stderr)")] = False


class LeadFact(_FactLine, tag="lead"):
    """A change of the lead. The tank now has the most energy, by at least 5."""

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
    why: Annotated[Literal["disqualified", "left"], Meta(description="which of the two")]
    failure: Annotated[
        str | None,
        Meta(description="the reason known at that time, e.g. crashed in turn 3 of round 1, with its error"),
    ] = None


class SkipsFact(_FactLine, tag="skips"):
    """Turns that a bot missed in a row, or with short gaps."""

    round: Round
    bot: Bot
    first: Annotated[int, Meta(description="the first turn missed")]
    last: Annotated[int, Meta(description="the last turn missed")]
    count: Annotated[int, Meta(description="number of missed turns from `first` to `last`")]


class LateFact(_FactLine, tag="late"):
    """An answer that came after its deadline."""

    round: Round
    turn: Turn
    bot: Bot
    late_us: Annotated[float, Meta(description="delay after the deadline, µs")]


class TimingFact(_FactLine, tag="timing"):
    """Timing of a bot over the whole battle. Answer times are present only if the record has them."""

    bot: Bot
    name: Name
    skipped: Annotated[int, Meta(description="turns that it missed")]
    late: Annotated[int, Meta(description="answers that came after their deadline")]
    late_us_max: Annotated[float | None, Meta(description="delay of the latest answer, µs")]
    late_us_median: Annotated[float | None, Meta(description="median delay of late answers, µs")]
    answers: Annotated[
        int, Meta(description="number of known answer times; a record has the slowest of every 16 turns")
    ]
    p50_us: Annotated[float | None, Meta(description="median of the known answer times, µs")]
    p95_us: Annotated[float | None, Meta(description="95th percentile of the known answer times, µs")]
    p99_us: Annotated[float | None, Meta(description="99th percentile of the known answer times, µs")]
    max_us: Annotated[float | None, Meta(description="longest known answer time, µs")]


class NoteFact(_FactLine, tag="note"):
    """A likely reason for a bot's defeat or victory, because a figure is beyond a threshold."""

    bot: Bot
    name: Name
    what: Annotated[str, Meta(description="the kind of note (see [Notes](#notes))")]
    text: Annotated[str, Meta(description="the note in words")]
    round: Annotated[int | None, Meta(description="the round of the note; null for the whole battle")] = None
    weight: Annotated[
        float,
        Meta(description="approximate energy that the note explains; notes are sorted by it, largest first"),
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
