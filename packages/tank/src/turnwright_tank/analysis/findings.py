"""Findings about a bot. A figure becomes a note only beyond a threshold.

A note compares a bot with its enemies, or with the cost of a turn or a shot. It does not suggest
improvements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from turnwright.kernel.failure import Failure
from turnwright_tank.analysis.counts import NEAR_WALL, Tally, add_up, bullets_missed, energy_lost, mean_power
from turnwright_tank.analysis.facts import BotFact, NoteFact, RoundFact, death_place
from turnwright_tank.analysis.text import energy, plural, share, short_name, turns_of
from turnwright_tank.analysis.turns import Setting

_COOL_AT = 40
"""The turn of a round from which a gun that began hot is surely cool (cooling rate 0.1)."""
_FEW_SHOTS = 10
_FEW_HITS = 5
_STREAK = 6
_UNSEEN = 15
"""A bot counts as unseen after this number of turns without a radar sweep over it."""
_FAILURE_WEIGHT = 1e6
"""The weight of a failure. It is larger than any energy, because a failure explains everything after it."""
_ATTACKERS = 3
"""The number of attackers that are named. Further attackers are counted."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """One bot: its total, the total of its enemies, and its rounds."""

    setting: Setting
    bot: int
    mine: Tally
    theirs: Tally
    enemies: int
    rounds: Sequence[tuple[RoundFact, BotFact]]
    of_round: bool
    """Whether the notes are about one round of several, which the texts need not name."""
    failure: Failure | None = None
    """Why the bot's program stopped playing in these rounds or before, or None."""

    def place(self, fact: RoundFact) -> str:
        """Return " (round N)" for the end of a text, or "" if all notes are about the same round."""
        return "" if self.of_round else f" (round {fact.round})"

    def name(self, bot: int) -> str:
        """Return the name of a bot for a text."""
        return short_name(self.setting.fighter(bot).name)

    def worst(self, name: str) -> tuple[RoundFact, int]:
        """Return the round in which the field `name` of the bot's tally is largest, and this value."""
        best = max(self.rounds, key=lambda pair: getattr(pair[1].tally, name))
        return best[0], getattr(best[1].tally, name)


def _failure(case: _Subject) -> str | None:
    return None if case.failure is None else case.failure.full_text


def _no_shots(case: _Subject) -> str | None:
    silent = [
        (fact.round, line.tally)
        for fact, line in case.rounds
        if line.tally.shots == 0 and line.tally.turns >= _COOL_AT
    ]
    if not silent:
        return None
    able = 0
    for _, tally in silent:
        able += tally.idle_gun_turns
    numbers = [number for number, _ in silent]
    where = "in any round" if len(silent) == len(case.rounds) else f"in {_rounds(numbers)}"
    if able:
        return f"fired no shot {where}; it had a cool gun and a scanned enemy in {turns_of(able)}"
    return f"fired no shot {where}; it never had a cool gun and a scanned enemy at the same time"


def _hit_rate(case: _Subject) -> str | None:
    mine, theirs = case.mine, case.theirs
    if mine.shots < _FEW_SHOTS or theirs.shots < _FEW_SHOTS:
        return None
    if mine.hits * theirs.shots * 4 >= theirs.hits * mine.shots * 3:
        return None
    return (
        f"hit with {share(mine.hits, mine.shots)} of its shots ({mine.hits} of {mine.shots}); "
        f"{_enemy(case)} with {share(theirs.hits, theirs.shots)} ({theirs.hits} of {theirs.shots})"
    )


def _misses(case: _Subject) -> str | None:
    mine = case.mine
    missed = bullets_missed(mine)
    if mine.missed_energy <= 0.25 * energy_lost(mine) or missed < _FEW_SHOTS:
        return None
    part = share(mine.missed_energy, energy_lost(mine))
    return (
        f"spent {energy(mine.missed_energy)} energy on {plural(missed, 'bullet')} that hit no tank, "
        f"{part} of all it lost; its hits gave {energy(mine.won_back)} back"
    )


def _steady(case: _Subject) -> str | None:
    mine = case.mine
    if mine.steady_taken < _FEW_HITS or 2 * mine.steady_taken < mine.bullets_taken:
        return None
    still = f"; {mine.still_taken} hit it while it stood still" if mine.still_taken else ""
    bullets = plural(mine.bullets_taken, "bullet")
    which = (
        f"all {bullets}" if mine.steady_taken == mine.bullets_taken else f"{mine.steady_taken} of {bullets}"
    )
    return (
        f"{which} that hit it were easy to aim, because it "
        f"drove straight at constant speed or stood still{still}"
    )


def _streak(case: _Subject) -> str | None:
    if case.mine.streak_taken < _STREAK:
        return None
    fact, count = case.worst("streak_taken")
    return f"was hit by {count} bullets in a row before one of its bullets hit{case.place(fact)}"


def _stood_still(case: _Subject) -> str | None:
    mine = case.mine
    fact, longest = case.worst("still_longest")
    if (4 * mine.still_turns < mine.turns or mine.still_turns < 25) and longest < 50:
        return None
    return (
        f"stood still in {share(mine.still_turns, mine.turns)} of its turns ({mine.still_turns:,} of "
        f"{mine.turns:,}), at most {longest:,} in a row{case.place(fact)}"
    )


def _idle_gun(case: _Subject) -> str | None:
    mine = case.mine
    if mine.idle_gun_turns * 4 < mine.turns or mine.shots == 0:
        return None
    return (
        f"did not fire in {mine.idle_gun_turns:,} turns ({share(mine.idle_gun_turns, mine.turns)}) "
        "in which it had a cool gun, enough energy and a scanned enemy"
    )


def _blind(case: _Subject) -> str | None:
    mine = case.mine
    blind = mine.turns - mine.seeing_turns
    if (2 * blind < mine.turns or blind < 25) and mine.blind_longest < 50:
        return None
    if case.setting.fighter(case.bot).droid:
        return None
    fact, longest = case.worst("blind_longest")
    return (
        f"its radar swept over no enemy in {share(blind, mine.turns)} of its turns, "
        f"at most {longest:,} in a row{case.place(fact)}"
    )


def _walls(case: _Subject) -> str | None:
    mine = case.mine
    if mine.wall_hits < _FEW_HITS or mine.wall_energy < 0.05 * energy_lost(mine):
        return None
    return f"drove into walls {mine.wall_hits:,} times, which cost {energy(mine.wall_energy)} energy"


def _near_walls(case: _Subject) -> str | None:
    mine = case.mine
    if mine.near_wall_turns * 10 < mine.turns * 6:
        return None
    return (
        f"was within {NEAR_WALL:g} units of a wall in {share(mine.near_wall_turns, mine.turns)} of its turns"
    )


def _rams(case: _Subject) -> str | None:
    mine = case.mine
    if mine.ram_energy < 0.1 * energy_lost(mine) or mine.contacts < _FEW_HITS:
        return None
    return (
        f"collided with other tanks in {mine.contacts:,} turns ({mine.rams:,} times it drove into them), "
        f"which cost {energy(mine.ram_energy)} energy"
    )


def _inactive(case: _Subject) -> str | None:
    mine = case.mine
    if mine.inactivity_energy < 0.05 * energy_lost(mine) or mine.inactivity_energy < 5.0:
        return None
    return (
        f"lost {energy(mine.inactivity_energy)} energy to inactivity: no bullet had hit a bot for a long time"
    )


def _disabled(case: _Subject) -> str | None:
    if case.mine.disabled_turns == 0:
        return None
    return f"was disabled (energy 0) in {turns_of(case.mine.disabled_turns)}"


def _lead_lost(case: _Subject) -> str | None:
    lost = [
        fact.round
        for fact, _ in case.rounds
        if fact.complete and case.bot in fact.deaths and any(bot == case.bot for _, bot in fact.leads)
    ]
    if len(lost) < 2 or case.enemies != 1:
        return None
    return f"led in energy in {_rounds(lost)} but died"


def _first_out(case: _Subject) -> str | None:
    first = [
        fact.round for fact, _ in case.rounds if case.bot in fact.deaths and death_place(fact, case.bot) == 1
    ]
    if case.enemies < 2 or len(first) * 3 < len(case.rounds) or len(first) < 2:
        return None
    return f"was the first to die in {_rounds(first)}"


def _power(case: _Subject) -> str | None:
    mine, theirs = mean_power(case.mine), mean_power(case.theirs)
    if mine is None or theirs is None or case.mine.shots < _FEW_SHOTS or 2.0 * mine >= theirs:
        return None
    return f"its shots cost {energy(mine)} energy on average, those of {_enemy(case)} {energy(theirs)}"


def _time(case: _Subject) -> str | None:
    mine = case.mine
    if mine.skipped * 100 < mine.turns or mine.skipped < _FEW_HITS:
        return None
    fact, count = case.worst("skipped")
    part = share(mine.skipped, mine.turns)
    where = "" if case.of_round else f", most in round {fact.round} ({count:,})"
    late = f"; {plural(mine.late, 'answer')} came late" if mine.late else ""
    return f"missed {mine.skipped:,} turns ({part}){where}{late}"


def _bullets(case: _Subject) -> str | None:
    mine = case.mine
    if not mine.bullets_taken or 3.0 * mine.bullet_energy < energy_lost(mine):
        return None
    damage: dict[int, float] = {}
    hits: dict[int, int] = {}
    for fact, _ in case.rounds:
        for by, victim, lost in fact.damage:
            if victim == case.bot:
                damage[by] = damage.get(by, 0.0) + lost
        for by, victim, count in fact.bullets:
            if victim == case.bot:
                hits[by] = hits.get(by, 0) + count
    most = sorted(damage.items(), key=lambda pair: -pair[1])
    told = [f"{case.name(by)} {energy(lost)} ({plural(hits.get(by, 0), 'hit')})" for by, lost in most]
    rest = f" and {len(told) - _ATTACKERS:,} more" if len(told) > _ATTACKERS else ""
    taken = 0.0
    for _, lost in most:
        taken += lost
    return f"bullets took {energy(taken)} of its energy: {', '.join(told[:_ATTACKERS])}{rest}"


def _unseen_since(line: BotFact) -> int | None:
    """Return the turns between a bot's last sight of its killer and its death, or None without a killer.

    If the bot never saw its killer, the turns count from the start of the round.
    """
    if line.died is None or line.by is None:
        return None
    return line.died - (line.killer_seen or 0)


def _killer_unseen(case: _Subject) -> str | None:
    if case.setting.fighter(case.bot).droid:
        return None
    unseen = [(fact, line) for fact, line in case.rounds if (_unseen_since(line) or 0) >= _UNSEEN]
    if not unseen or (len(case.rounds) > 1 and 3 * len(unseen) < len(case.rounds)):
        return None
    if len(case.rounds) > 1:
        numbers = [fact.round for fact, _ in unseen]
        return f"had not seen its killer for {_UNSEEN} turns or more when it died in {_rounds(numbers)}"
    _, line = unseen[0]
    assert line.died is not None
    assert line.by is not None
    if line.killer_seen is None:
        return f"its radar never saw {case.name(line.by)}, which killed it"
    ago = plural(line.died - line.killer_seen, "turn")
    return f"last saw {case.name(line.by)}, which killed it, {ago} before it died"


def _survivor(case: _Subject) -> str | None:
    if len(case.rounds) != 1:
        return None
    fact, line = case.rounds[0]
    if not fact.complete or line.died is None or len(fact.survivors) != 1:
        return None
    by, hits, left = fact.survivors[0], 0, 0.0
    for _, victim, count in fact.bullets:
        hits += count if victim == by else 0
    if fact.energies.get(by):
        left = fact.energies[by][-1]
    taken = f"was hit {plural(hits, 'time')} (this one {case.mine.bullets_taken:,})"
    return f"the survivor {case.name(by)} {taken} and had {energy(left)} energy left"


def _unexplained(case: _Subject) -> str | None:
    mine = case.mine
    if mine.other_energy < 1.0 or mine.other_energy < 0.05 * energy_lost(mine):
        return None
    return f"lost {energy(mine.other_energy)} energy without an event that explains it"


@dataclass(frozen=True, slots=True)
class Note:
    """A kind of note.

    Attributes:
        when: the condition in words.
        tell: returns the text, or None below the threshold.
        weight: returns the approximate energy that the note explains. Notes that are not about energy have a
            fixed weight for each round.
    """

    when: str
    tell: Callable[[_Subject], str | None]
    weight: Callable[[_Subject], float]


def _each(points: float) -> Callable[[_Subject], float]:
    """Return a function for `Note.weight` that gives `points` for each round."""
    return lambda case: points * len(case.rounds)


def _part(points: float, name: str) -> Callable[[_Subject], float]:
    """Return a function for `Note.weight` that gives `points` for each round, times the share of the bot's
    turns that its tally counts under `name`.
    """
    return lambda case: points * len(case.rounds) * getattr(case.mine, name) / max(1, case.mine.turns)


NOTES: Mapping[str, Note] = {
    "failure": Note("the bot's program stopped playing before the end", _failure, lambda _: _FAILURE_WEIGHT),
    "bullets": Note(
        "bullets took at least a third of the energy that the tank lost",
        _bullets,
        lambda c: c.mine.bullet_energy,
    ),
    "missed-turns": Note(
        "the bot missed at least 5 turns, and at least 1 % of its turns",
        _time,
        lambda c: 5.0 * len(c.rounds) + _part(100.0, "skipped")(c),
    ),
    "no-shots": Note(
        "the tank fired no shot in a round in which it lived for at least 40 turns", _no_shots, _each(40.0)
    ),
    "hit-rate": Note(
        "the tank's hit rate is less than three quarters of the hit rate of its enemies. Both sides fired"
        " at least 10 shots",
        _hit_rate,
        lambda c: max(12.0 * len(c.rounds), c.mine.shot_energy - c.mine.won_back),
    ),
    "misses": Note(
        "the tank's bullets that hit no tank cost more than a quarter of all the energy that the tank lost",
        _misses,
        lambda c: c.mine.missed_energy,
    ),
    "power": Note(
        "on average the tank's shots cost less than half as much as its enemies' shots", _power, _each(6.0)
    ),
    "steady": Note(
        "at least half of the bullets that hit the tank hit it while it was on an even course",
        _steady,
        lambda c: c.mine.bullet_energy * c.mine.steady_taken / max(1, c.mine.bullets_taken),
    ),
    "still": Note(
        "the tank stood still in at least a quarter of its turns and in at least 25 turns, or in 50 turns"
        " in a row",
        _stood_still,
        _part(40.0, "still_turns"),
    ),
    "idle-gun": Note(
        "in at least a quarter of its turns the tank could have fired at a scanned enemy, but did not",
        _idle_gun,
        _part(20.0, "idle_gun_turns"),
    ),
    "blind": Note(
        "the tank's radar swept over no enemy in at least half of its turns and in at least 25 turns, or in"
        " 50 turns in a row",
        _blind,
        lambda c: 30.0 * len(c.rounds) - _part(30.0, "seeing_turns")(c),
    ),
    "killer-unseen": Note(
        "in at least a third of the rounds the tank died, and had not seen its killer in the last"
        f" {_UNSEEN} turns",
        _killer_unseen,
        _each(25.0),
    ),
    "walls": Note(
        "the tank drove into walls at least 5 times, and walls took at least 5 % of the energy that it lost",
        _walls,
        lambda c: c.mine.wall_energy + c.mine.wall_hits / 4,
    ),
    "near-walls": Note("the tank was near a wall in at least 60 % of its turns", _near_walls, _each(5.0)),
    "rams": Note(
        "collisions with tanks took at least a tenth of the energy that the tank lost",
        _rams,
        lambda c: c.mine.ram_energy,
    ),
    "inactivity": Note(
        "inactivity took at least 5 energy, and at least 5 % of the energy that the tank lost",
        _inactive,
        lambda c: c.mine.inactivity_energy,
    ),
    "unexplained": Note(
        "a part of the energy that the tank lost is explained by no event. This part is at least 1 energy,"
        " and at least 5 % of all the energy that the tank lost",
        _unexplained,
        lambda c: c.mine.other_energy,
    ),
    "disabled": Note(
        "the tank was disabled in at least one turn",
        _disabled,
        lambda c: 15.0 + min(25.0, c.mine.disabled_turns / 4),
    ),
    "lead-lost": Note(
        "in at least two rounds of a duel, the tank took the lead in energy and later died",
        _lead_lost,
        _each(5.0),
    ),
    "streak": Note(
        "at least 6 bullets in a row hit the tank before one of its own bullets hit", _streak, _each(7.0)
    ),
    "first-out": Note(
        "the tank had more than one enemy. It was the first tank to die in at least two rounds and in at"
        " least a third of all rounds",
        _first_out,
        _each(8.0),
    ),
    "survivor": Note(
        "the tank died in a round in which exactly one other tank survived", _survivor, _each(4.0)
    ),
}
"""The kinds of notes by name, which is `NoteFact.what`."""


def notes(
    setting: Setting,
    bot: int,
    totals: Mapping[int, Tally],
    rounds: Sequence[tuple[RoundFact, BotFact]],
    of_round: int | None = None,
    failure: Failure | None = None,
) -> list[NoteFact]:
    """Return the notes about one bot. Notes that explain most come first.

    Args:
        totals: the totals of all bots in these rounds.
        rounds: the rounds that the bot played.
        of_round: the number of the round, or None for notes about the whole battle.
        failure: why the bot's program stopped playing, or None. Rounds before the failure ignore it.
    """
    if not rounds:
        return []
    theirs = [tally for other, tally in totals.items() if setting.are_enemies(bot, other)]
    if failure is not None and of_round is not None and of_round < failure.round:
        failure = None
    of_one, mine = of_round is not None, totals[bot]
    case = _Subject(setting, bot, mine, add_up(theirs), len(theirs), rounds, of_one, failure)
    name = setting.fighter(bot).name
    found = []
    for what, note in NOTES.items():
        text = note.tell(case)
        if text is not None:
            fact = NoteFact(
                bot=bot, name=name, what=what, text=text, round=of_round, weight=note.weight(case)
            )
            found.append(fact)
    return sorted(found, key=lambda fact: -fact.weight)


def _rounds(numbers: Sequence[int]) -> str:
    """Return "round 2", "rounds 1, 4, 5" or, for many rounds, their number."""
    if len(numbers) > 6:
        return f"{len(numbers):,} rounds"
    return f"{'round' if len(numbers) == 1 else 'rounds'} {', '.join(map(str, numbers))}"


def _enemy(case: _Subject) -> str:
    return "its enemy" if case.enemies == 1 else "its enemies"
