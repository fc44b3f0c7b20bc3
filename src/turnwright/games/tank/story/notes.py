"""Notes that help to say why a bot lost: each one counted, and only told when it is beyond a threshold.

A note compares a bot with its enemies, or with what a turn or a shot costs; it never says what would have
been better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from turnwright.games.tank.story.facts import BotFact, NoteFact, RoundFact, TotalFact
from turnwright.games.tank.story.moment import Setting
from turnwright.games.tank.story.tally import NEAR_WALL, Tally, add_up
from turnwright.games.tank.story.words import energy, plural, share, turns_of

__all__ = ["NOTES", "notes"]

_COOL_AT = 40
"""Turns of a round after which a gun that began hot is cool, with some to spare (cooling rate 0.1)."""
_FEW_SHOTS = 10
_FEW_HITS = 5
_STREAK = 6


@dataclass(frozen=True, slots=True)
class _Case:
    """One bot: its total, its enemies' together, and its rounds."""

    setting: Setting
    bot: int
    mine: Tally
    theirs: Tally
    enemies: int
    rounds: Sequence[tuple[RoundFact, BotFact]]

    def worst(self, name: str) -> tuple[RoundFact, int]:
        """Return the round with the largest number of a tally."""
        best = max(self.rounds, key=lambda pair: getattr(pair[1].tally, name))
        return best[0], getattr(best[1].tally, name)


def _no_shots(case: _Case) -> str | None:
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
    could = f"it could have in {turns_of(able)}: gun cool, enemy scanned"
    return (
        f"fired no shot {where}; {could if able else 'it never had a cool gun and an enemy scanned at once'}"
    )


def _hit_rate(case: _Case) -> str | None:
    mine, theirs = case.mine, case.theirs
    if mine.shots < _FEW_SHOTS or theirs.shots < _FEW_SHOTS:
        return None
    if mine.hits * theirs.shots * 4 >= theirs.hits * mine.shots * 3:
        return None
    return (
        f"hit with {share(mine.hits, mine.shots)} of its shots ({mine.hits} of {mine.shots}); "
        f"{_enemy(case)} with {share(theirs.hits, theirs.shots)} ({theirs.hits} of {theirs.shots})"
    )


def _misses(case: _Case) -> str | None:
    mine = case.mine
    if mine.missed_energy <= 0.25 * mine.lost or mine.missed < _FEW_SHOTS:
        return None
    part = share(mine.missed_energy, mine.lost)
    return (
        f"spent {energy(mine.missed_energy)} energy on {plural(mine.missed, 'bullet')} that hit no tank, "
        f"{part} of all it lost; its hits gave {energy(mine.won_back)} back"
    )


def _steady(case: _Case) -> str | None:
    mine = case.mine
    if mine.steady_taken < _FEW_HITS or 2 * mine.steady_taken < mine.bullets_taken:
        return None
    still = f", {mine.still_taken} of them while it stood still" if mine.still_taken else ""
    return (
        f"{mine.steady_taken} of the {mine.bullets_taken} bullets it took hit it on an even course: it "
        f"changed neither heading nor speed while they flew{still}"
    )


def _streak(case: _Case) -> str | None:
    if case.mine.streak_taken < _STREAK:
        return None
    fact, count = case.worst("streak_taken")
    return f"took {count} bullets in a row without landing one (round {fact.round})"


def _stood_still(case: _Case) -> str | None:
    mine = case.mine
    fact, longest = case.worst("still_longest")
    if (4 * mine.still_turns < mine.turns or mine.still_turns < 25) and longest < 50:
        return None
    return (
        f"stood still in {share(mine.still_turns, mine.turns)} of its turns ({mine.still_turns:,} of "
        f"{mine.turns:,}), at most {longest:,} in a row (round {fact.round})"
    )


def _idle_gun(case: _Case) -> str | None:
    mine = case.mine
    if mine.idle_gun_turns * 4 < mine.turns or mine.shots == 0:
        return None
    return (
        f"held its fire in {mine.idle_gun_turns:,} turns ({share(mine.idle_gun_turns, mine.turns)}) "
        "with a cool gun, energy for a shot and an enemy scanned"
    )


def _blind(case: _Case) -> str | None:
    mine = case.mine
    blind = mine.turns - mine.seeing_turns
    if (2 * blind < mine.turns or blind < 25) and mine.blind_longest < 50:
        return None
    if case.setting.fighter(case.bot).droid:
        return None
    fact, longest = case.worst("blind_longest")
    return (
        f"its radar swept over no enemy in {share(blind, mine.turns)} of its turns, "
        f"at most {longest:,} in a row (round {fact.round})"
    )


def _walls(case: _Case) -> str | None:
    mine = case.mine
    if mine.wall_hits < _FEW_HITS or mine.wall_energy < 0.05 * mine.lost:
        return None
    return f"drove into walls {mine.wall_hits:,} times, which cost {energy(mine.wall_energy)} energy"


def _near_walls(case: _Case) -> str | None:
    mine = case.mine
    if mine.near_wall_turns * 10 < mine.turns * 6:
        return None
    return (
        f"was within {NEAR_WALL:g} units of a wall in {share(mine.near_wall_turns, mine.turns)} of its turns"
    )


def _rams(case: _Case) -> str | None:
    mine = case.mine
    if mine.ram_energy < 0.1 * mine.lost or mine.contacts < _FEW_HITS:
        return None
    return (
        f"touched other tanks in {mine.contacts:,} turns ({mine.rams:,} times it drove into them), "
        f"which cost {energy(mine.ram_energy)} energy"
    )


def _inactive(case: _Case) -> str | None:
    mine = case.mine
    if mine.inactivity_energy < 0.05 * mine.lost or mine.inactivity_energy < 5.0:
        return None
    return f"lost {energy(mine.inactivity_energy)} energy because no bullet hit anybody for long"


def _disabled(case: _Case) -> str | None:
    if case.mine.disabled_turns == 0:
        return None
    return f"was disabled (energy 0) in {turns_of(case.mine.disabled_turns)}"


def _lead_lost(case: _Case) -> str | None:
    lost = [
        fact.round
        for fact, _ in case.rounds
        if fact.complete and case.bot in fact.deaths and any(bot == case.bot for _, bot in fact.leads)
    ]
    if len(lost) < 2 or case.enemies != 1:
        return None
    return f"led in energy in {_rounds(lost)} and died all the same"


def _first_out(case: _Case) -> str | None:
    first = [fact.round for fact, _ in case.rounds if fact.deaths and fact.deaths[0] == case.bot]
    if case.enemies < 2 or len(first) * 3 < len(case.rounds) or len(first) < 2:
        return None
    return f"was the first to die in {_rounds(first)}"


def _power(case: _Case) -> str | None:
    mine, theirs = case.mine.mean_power, case.theirs.mean_power
    if mine is None or theirs is None or case.mine.shots < _FEW_SHOTS or 2.0 * mine >= theirs:
        return None
    return f"its shots cost {energy(mine)} energy on average, those of {_enemy(case)} {energy(theirs)}"


def _time(case: _Case) -> str | None:
    mine = case.mine
    if mine.skipped * 100 < mine.turns or mine.skipped < _FEW_HITS:
        return None
    fact, count = case.worst("skipped")
    part = share(mine.skipped, mine.turns)
    return f"missed {mine.skipped:,} turns ({part}), most in round {fact.round} ({count:,})"


NOTES: Mapping[str, tuple[str, Callable[[_Case], str | None]]] = {
    "missed-turns": ("it missed 1 % of its turns or more, and 5 or more", _time),
    "no-shots": ("it fired no shot in a round in which it lived for 40 turns or more", _no_shots),
    "hit-rate": (
        "its share of hits is less than three quarters of its enemies'; 10 shots each or more",
        _hit_rate,
    ),
    "misses": ("bullets that hit no tank cost more than a quarter of all the energy it lost", _misses),
    "power": ("its shots cost less than half as much on average as its enemies'", _power),
    "steady": ("half of the bullets it took hit it on an even course, or at rest", _steady),
    "still": ("it stood still in a quarter of its turns (25 at least), or in 50 in a row", _stood_still),
    "idle-gun": ("it could have fired at a scanned enemy in a quarter of its turns, and did not", _idle_gun),
    "blind": ("its radar swept over no enemy in half of its turns (25 at least), or in 50 in a row", _blind),
    "walls": ("it drove into walls 5 times or more, which cost 5 % of what it lost or more", _walls),
    "near-walls": ("it was near a wall in 60 % of its turns, or more", _near_walls),
    "rams": ("touching tanks cost it a tenth of what it lost, or more", _rams),
    "inactivity": ("inactivity cost it 5 energy and 5 % of what it lost, or more", _inactive),
    "disabled": ("it was disabled in a turn", _disabled),
    "lead-lost": ("in two rounds or more of a duel it led in energy and died", _lead_lost),
    "streak": ("it took 6 bullets in a row, or more, without landing one", _streak),
    "first-out": ("it died first in a third of the rounds, with more than one enemy", _first_out),
}
"""By name: when a note is told, and what tells it."""


def notes(
    setting: Setting, bot: int, totals: Sequence[TotalFact], rounds: Sequence[tuple[RoundFact, BotFact]]
) -> Iterator[NoteFact]:
    """Yield the notes about one bot. totals: of all bots; rounds: those it was in."""
    if not rounds:
        return
    mine = next(total.tally for total in totals if total.bot == bot)
    theirs = [total.tally for total in totals if setting.are_enemies(bot, total.bot)]
    case = _Case(setting, bot, mine, add_up(theirs), len(theirs), rounds)
    name = setting.fighter(bot).name
    for what, (_, tell) in NOTES.items():
        text = tell(case)
        if text is not None:
            yield NoteFact(bot=bot, name=name, what=what, text=text)


def _rounds(numbers: Sequence[int]) -> str:
    """Return "round 2", "rounds 1, 4, 5" or, when they are many, how many."""
    if len(numbers) > 6:
        return f"{len(numbers):,} rounds"
    return f"{'round' if len(numbers) == 1 else 'rounds'} {', '.join(map(str, numbers))}"


def _enemy(case: _Case) -> str:
    return "its enemy" if case.enemies == 1 else "its enemies"
