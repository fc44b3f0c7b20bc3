"""Facts of a battle: one structure for each kind, with the meaning of each key.

Names of keys are snake_case, bots are named by id and by name, turns count from 1 in each round. What is not
known, or does not apply, is null.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from turnwright_tank.analysis.counts import Tally

PRINTED_KEPT = 8
"""Lines that a bot printed, at most, in its line of a round."""
Cause = Literal["bullet", "ram", "wall", "inactivity", "disqualified", "left", "removed", "unknown"]
Round = Annotated[int, Meta(description="the round, from 1")]
Turn = Annotated[int, Meta(description="the turn of the round, from 1")]
Bot = Annotated[int, Meta(description="bot id, as in `battle`'s bots")]
Name = Annotated[str, Meta(description="its name, unlike the others'")]


class _FactLine(msgspec.Struct, tag_field="kind", kw_only=True):
    """A line; `kind` says which."""


class TankInfo(msgspec.Struct):
    """A bot of the battle."""

    bot: Bot
    name: Name
    version: Annotated[str, Meta(description="as it says")]
    team: Annotated[str | None, Meta(description="its team's name")]
    droid: Annotated[bool, Meta(description="whether it has no radar and begins with 120 energy")]


class BattleFact(_FactLine, tag="battle"):
    """The battle: the first line."""

    game_type: Annotated[str, Meta(description="the game type")]
    width: Annotated[float, Meta(description="of the arena, in units")]
    height: Annotated[float, Meta(description="of the arena, in units")]
    rounds: Annotated[int, Meta(description="rounds played, wholly or in part")]
    rounds_planned: Annotated[int, Meta(description="rounds that the setup asks for")]
    turns: Annotated[int, Meta(description="turns of all rounds")]
    seed: Annotated[int | None, Meta(description="the seed of all random numbers")]
    turn_timeout_us: Annotated[int | None, Meta(description="time for an answer, µs")]
    server_late_turns: Annotated[
        int, Meta(description="turns in which the server itself was late; no bot missed them")
    ]
    ending: Annotated[
        str | None,
        Meta(description='"over", "aborted" or "void"; null: the file is cut off'),
    ]
    differs: Annotated[
        str | None,
        Meta(description="where the replay differs from the record; the trace ends there"),
    ]
    bots: Annotated[tuple[TankInfo, ...], Meta(description="the bots that played, in order of id")]


class ResultFact(_FactLine, tag="result"):
    """One row of the results, best first: of a bot, or of a team.

    Scores as in `turnwright battle --json`.
    """

    rank: Annotated[int, Meta(description="1 is best, equal totals share it")]
    id: Annotated[int, Meta(description="bot id, or team id")]
    name: Annotated[str, Meta(description="of the bot or team")]
    is_team: Annotated[bool, Meta(description="whether it is a team's row")]
    total_score: Annotated[int, Meta(description="the sum of all six scores")]
    survival: Annotated[int, Meta(description="50 for each death survived")]
    last_survivor_bonus: Annotated[int, Meta(description="10 for each tank that died before the last one")]
    bullet_damage: Annotated[int, Meta(description="energy taken by bullets")]
    bullet_kill_bonus: Annotated[
        int, Meta(description="a share of the damage done to tanks killed by bullet")
    ]
    ram_damage: Annotated[int, Meta(description="energy taken by ramming, twice")]
    ram_kill_bonus: Annotated[int, Meta(description="a share of the damage done to tanks killed by ramming")]
    first_places: Annotated[int, Meta(description="rounds with rank 1")]
    second_places: Annotated[int, Meta(description="rounds with rank 2")]
    third_places: Annotated[int, Meta(description="rounds with rank 3")]
    verdict: Annotated[str, Meta(description="the gap to the best row, or the lead, in words")] = ""


class Opening(msgspec.Struct):
    """Start of a tank in a round."""

    bot: Bot
    x: Annotated[float, Meta(description="units from the left")]
    y: Annotated[float, Meta(description="units from the bottom")]
    direction: Annotated[float, Meta(description="degrees, 0 is east, counter-clockwise")]


class RoundFact(_FactLine, tag="round"):
    """The course of one round."""

    round: Round
    turns: Annotated[int, Meta(description="turns of the round")]
    first_turn: Annotated[int, Meta(description="its first turn, counted over the whole battle")]
    winners: Annotated[tuple[int, ...], Meta(description="bot ids that came first by score")]
    survivors: Annotated[tuple[int, ...], Meta(description="bot ids alive at its end")]
    deaths: Annotated[tuple[int, ...], Meta(description="bot ids in order of death")]
    openings: Annotated[tuple[Opening, ...], Meta(description="where the tanks began")]
    opening_distance: Annotated[
        float | None, Meta(description="between the two tanks that began closest to each other, in units")
    ]
    first_shot: Annotated[tuple[int, int] | None, Meta(description="turn, and bot id of the first shooter")]
    first_hit: Annotated[tuple[int, int] | None, Meta(description="turn, and bot id of the first that hit")]
    leads: Annotated[
        tuple[tuple[int, int], ...],
        Meta(description="turn, and bot id of the tank that took the lead in energy, by 5 or more"),
    ]
    energy_turns: Annotated[tuple[int, ...], Meta(description="a few turns, evenly spread")]
    energies: Annotated[
        dict[int, tuple[float, ...]],
        Meta(description="by bot id, the energy after each of those turns; 0 when it was dead"),
    ]
    damage: Annotated[
        tuple[tuple[int, int, float], ...],
        Meta(description="bot ids of shooter and victim, energy that the bullets took; not more than it had"),
    ]
    complete: Annotated[bool, Meta(description="whether its end was seen")]
    bullets: Annotated[
        tuple[tuple[int, int, int], ...],
        Meta(description="bot ids of shooter and victim, how many bullets hit"),
    ] = ()
    death_turns: Annotated[tuple[int, ...], Meta(description="the turn of each of `deaths`")] = ()

    def death_place(self, bot: int) -> int:
        """Return the place of a bot that died among all who did, from 1.

        Deaths in one turn share it: the rules score them alike.
        """
        return 1 + self.death_turns.index(self.death_turns[self.deaths.index(bot)])


class EnergyLoss(msgspec.Struct):
    """Something that took energy from a tank."""

    turn: Turn
    cause: Annotated[Cause, Meta(description="what it was")]
    by: Annotated[int | None, Meta(description="bot id of the cause")]
    power: Annotated[float | None, Meta(description="of the bullet")]
    distance: Annotated[float | None, Meta(description="that the bullet flew, in units")]
    damage: Annotated[float, Meta(description="energy taken; the last loss may be more than was left")]
    energy_before: Annotated[float, Meta(description="energy of the tank before it")]


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
    energy: Annotated[float, Meta(description="after its last turn, below 0 when it died")]
    tally: Annotated[Tally, Meta(description="what was counted")]
    energy_at_start: Annotated[float, Meta(description="before its first turn")] = 0.0
    died: Annotated[int | None, Meta(description="turn of its death; null: it is alive")] = None
    cause: Annotated[Cause | None, Meta(description="of its death, as in `death`")] = None
    by: Annotated[int | None, Meta(description="bot id of the killer")] = None
    killer_seen: Annotated[
        int | None, Meta(description="last turn in which its radar swept over that bot; null: never")
    ] = None
    why_out: Annotated[
        str | None, Meta(description="why it was disqualified from it or before, in a few words, where known")
    ] = None
    fate: Annotated[str, Meta(description="its end in this round, in words")] = ""
    blows: Annotated[tuple[EnergyLoss, ...], Meta(description="the last losses, the fatal one last")] = ()
    printed: Annotated[
        tuple[PrintLine, ...],
        Meta(description=f"the last {PRINTED_KEPT} lines that it printed in it"),
    ] = ()


class TotalFact(_FactLine, tag="total"):
    """One tank in all rounds together."""

    bot: Bot
    name: Name
    tally: Annotated[Tally, Meta(description="what was counted, added up; of runs the longest")]
    fate: Annotated[str, Meta(description="how often it died, and of what, in words")] = ""


class DeathFact(_FactLine, tag="death"):
    """The death of a tank: the loss that took its energy below 0, and those before."""

    round: Round
    turn: Turn
    bot: Bot
    name: Name
    cause: Annotated[
        Cause, Meta(description="what it was; disqualified, left, removed: put out of the battle")
    ]
    by: Annotated[int | None, Meta(description="bot id of the killer")]
    by_name: Annotated[str | None, Meta(description="its name")]
    blows: Annotated[tuple[EnergyLoss, ...], Meta(description="the last losses, the fatal one last")]
    why_out: Annotated[
        str | None, Meta(description="why it was disqualified, in a few words, where known")
    ] = None


class HitFact(_FactLine, tag="hit"):
    """A bullet hit a tank."""

    round: Round
    turn: Turn
    bot: Annotated[int, Meta(description="bot id of the tank that was hit")]
    by: Annotated[int, Meta(description="bot id of the shooter")]
    power: Annotated[float, Meta(description="of the bullet")]
    damage: Annotated[float, Meta(description="energy taken, before any limit")]
    distance: Annotated[float, Meta(description="that the bullet flew, in units")]
    energy: Annotated[float, Meta(description="of the tank after it")]
    steady: Annotated[bool, Meta(description="it changed neither heading nor speed while the bullet flew")]


class WallFact(_FactLine, tag="wall"):
    """A tank drove into a wall, once or several times."""

    round: Round
    turn: Turn
    bot: Bot
    last: Annotated[int, Meta(description="turn of the last time, if it did so again within 5 turns")]
    count: Annotated[int, Meta(description="how often")]


class RamFact(_FactLine, tag="ram"):
    """A tank drove into another one, once or several times."""

    round: Round
    turn: Turn
    bot: Annotated[int, Meta(description="bot id of the tank that rammed")]
    victim: Annotated[int, Meta(description="bot id of the other")]
    last: Annotated[int, Meta(description="turn of the last time, if it did so again within 5 turns")]
    count: Annotated[int, Meta(description="how often")]


class PrintFact(_FactLine, tag="print"):
    """A line that a bot printed, in the turn in which the server read it."""

    round: Round
    turn: Turn
    bot: Bot
    text: Annotated[str, Meta(description="the line")]
    error: Annotated[bool, Meta(description="whether it was printed as an error (stderr)")] = False


class LeadFact(_FactLine, tag="lead"):
    """A change of the lead: another tank has the most energy, by 5 or more."""

    round: Round
    turn: Turn
    bot: Bot


class DisabledFact(_FactLine, tag="disabled"):
    """A tank has no energy left and can do nothing."""

    round: Round
    turn: Turn
    bot: Bot


class OutFact(_FactLine, tag="out"):
    """A bot was put out of the battle, or its program left."""

    round: Round
    turn: Turn
    bot: Bot
    why: Annotated[Literal["disqualified", "left"], Meta(description="which")]
    failure: Annotated[
        str | None,
        Meta(description="why, as far as it was known then, e.g. crashed in turn 3 of round 1: its error"),
    ] = None


class SkipsFact(_FactLine, tag="skips"):
    """Turns missed in a row, or nearly so."""

    round: Round
    bot: Bot
    first: Annotated[int, Meta(description="the first turn missed")]
    last: Annotated[int, Meta(description="the last turn missed")]
    count: Annotated[int, Meta(description="how many turns were missed from first to last")]


class LateFact(_FactLine, tag="late"):
    """An answer that came after its deadline."""

    round: Round
    turn: Turn
    bot: Bot
    late_us: Annotated[float, Meta(description="by how much, µs")]


class TimingFact(_FactLine, tag="timing"):
    """Timing of a bot over the whole battle.

    Answer times only where the record has them.
    """

    bot: Bot
    name: Name
    skipped: Annotated[int, Meta(description="turns whose deadline it missed")]
    late: Annotated[int, Meta(description="answers that came after their deadline")]
    late_us_max: Annotated[float | None, Meta(description="by how much the latest one was late, µs")]
    late_us_median: Annotated[
        float | None, Meta(description="by how much half of them were late at most, µs")
    ]
    answers: Annotated[
        int, Meta(description="how many answer times are known; a record has the slowest of every 16 turns")
    ]
    p50_us: Annotated[float | None, Meta(description="half of these took no longer, µs")]
    p95_us: Annotated[float | None, Meta(description="of a hundred of these, 95 took no longer, µs")]
    p99_us: Annotated[float | None, Meta(description="of a hundred of these, 99 took no longer, µs")]
    max_us: Annotated[float | None, Meta(description="the longest, µs")]


class NoteFact(_FactLine, tag="note"):
    """A likely reason for a bot's defeat or victory: a figure above a threshold."""

    bot: Bot
    name: Name
    what: Annotated[str, Meta(description="which note, see below")]
    text: Annotated[str, Meta(description="the note in words")]
    round: Annotated[int | None, Meta(description="the round that it is about; null: the whole battle")] = (
        None
    )
    weight: Annotated[
        float, Meta(description="about how much energy it explains; notes come in this order, most first")
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
