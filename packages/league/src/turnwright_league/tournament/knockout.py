"""The bracket of a knockout tournament, computed from seeds and results.

    places     the next power of two at or above the number of entries; seed n has place n
    round 1    place p meets place `places + 1 - p`; where that has no entry, p has a bye
    later      the winners of neighbouring matches meet, so the two best seeds meet in the final, if at all
    winner     the entry with the larger mean share of points over all battles of the match. If the shares
               are equal, the better seed

A match has no winner before all of its battles are played.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MatchResults = Mapping[tuple[str, ...], Sequence[Mapping[str, float]]]
"""The shares of each battle that counts, by the ids of the two entries, sorted."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match of a bracket.

    Attributes:
        sides: the ids of the entries, with the upper one in a drawing first. None if it is not known yet, or
            missing (a bye).
        is_bye: whether one side is missing.
        winner: the winner, or None before all battles are played. A bye has a winner at once.
    """

    sides: tuple[str | None, str | None]
    is_bye: bool = False
    winner: str | None = None

    @property
    def group(self) -> tuple[str, ...] | None:
        """The two entries, sorted, or None for a bye or if one is not known yet."""
        one, other = self.sides
        return None if one is None or other is None else tuple(sorted((one, other)))


def rounds_of_bracket(entries: int) -> int:
    """Return the number of rounds for this many entries."""
    return (entries - 1).bit_length()


def bracket_of(
    seeds: Sequence[str], results: Mapping[int, MatchResults], battles: int
) -> list[list[BracketMatch]]:
    """Return the matches of each round to the final, from the top of the drawing.

    Winners of matches 2n and 2n + 1 are the sides of match n of the next round. Results of pairs that do not
    meet in the bracket are ignored.

    Args:
        seeds: the ids of two or more entries, best first.
        results: the results by the number of the round, from 1.
        battles: the number of battles in a match.
    """
    rank = {entry: nth for nth, entry in enumerate(seeds)}
    sides = [seeds[place] if place < len(seeds) else None for place in _drawn(rounds_of_bracket(len(seeds)))]
    rounds: list[list[BracketMatch]] = []
    while len(sides) > 1:
        number = len(rounds) + 1
        matches = [
            _match((top, bottom), number == 1, results.get(number, {}), battles, rank)
            for top, bottom in zip(sides[::2], sides[1::2], strict=True)
        ]
        rounds.append(matches)
        sides = [match.winner for match in matches]
    return rounds


def knockout_places(bracket: Sequence[Sequence[BracketMatch]]) -> dict[str, int]:
    """Return each entry's place: 1 for the winner, 2 for the loser of the final.

    The losers of the semi-finals have place 3, and so on. Entries that have not lost yet share the best free
    place.
    """
    lost_in: dict[str, int] = {}
    for number, matches in enumerate(bracket, 1):
        for match in matches:
            for entry in match.sides:
                if entry is not None:
                    out = match.winner is not None and match.winner != entry
                    lost_in[entry] = number if out else len(bracket) + 1
    best = sorted(lost_in.values(), reverse=True)
    place = {lost: nth for nth, lost in reversed(list(enumerate(best, 1)))}
    return {one: place[lost] for one, lost in lost_in.items()}


def _drawn(rounds: int) -> list[int]:
    """Return the places of the first round from the top of the drawing to its bottom, from 0."""
    order = [0]
    for _ in range(rounds):
        last = 2 * len(order) - 1
        order = [place for better in order for place in (better, last - better)]
    return order


def _match(
    sides: tuple[str | None, str | None],
    is_first: bool,
    results: MatchResults,
    battles: int,
    rank: Mapping[str, int],
) -> BracketMatch:
    match = BracketMatch(sides)
    if match.group is None:
        known = sides[0] or sides[1]
        return BracketMatch(sides, True, known) if is_first else match
    shares = results.get(match.group, ())
    if len(shares) < battles:
        return match
    total = {one: math.fsum(battle.get(one, 0.0) for battle in shares) for one in match.group}
    return BracketMatch(sides, winner=min(match.group, key=lambda one: (-total[one], rank[one])))
