"""The tournament rounds on a page: lists, a Swiss table and a bracket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.errors import SetupError
from turnwright_league.app.page.scores_over_time import short_number
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.knockout import BracketMatch
from turnwright_league.tournament.pairings import ROUND_FORMATS, PairingRules, battle_of, participants_of
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import bracket, format_places, tournament_rounds
from turnwright_league.tournament.scores import battle_shares

ROUND_ENTRIES_MAX = 200
"""The most entries of a tournament whose rounds are shown."""
ROUNDS_SHOWN_MAX = 24
"""The most tournament rounds. The last ones are shown."""
BRACKET_ROUNDS_MAX = 6
"""The most rounds of a bracket, enough for 64 entries. The last ones are shown."""

Met = Mapping[tuple[str, ...], Sequence[PlayedBattle]]
"""The battles that count, by the sorted ids of their entries."""


def rounds_data(
    entries: Sequence[TournamentEntry],
    rules: PairingRules | None,
    battles: Sequence[PlayedBattle],
    place: Mapping[str, int],
) -> dict[str, Any]:
    """Return the rounds of a format whose results decide the pairings.

    Other formats have no rounds. Neither has a tournament whose entries cannot be paired any more, or a swiss
    or ladder with more than ROUND_ENTRIES_MAX entries. The result has three keys:

    * rounds: the last rounds, each with its number from 1, its groups (entries, their mean shares in percent
      or None, battles that count), the entries without a battle, and bye, which is the one of these entries
      that gets a point, or None.
    * swiss: points and opponents' points of each entry, or None.
    * bracket: None except for a knockout. It has the number of its first round shown, and the matches of each
      round. A match has both sides (an entry or None), shares or None, the battles that count, the winner or
      None, and whether it is a bye.

    Args:
        place: the numbers of the page's entries.
    """
    none: dict[str, Any] = {"rounds": [], "swiss": None, "bracket": None}
    if rules is None or rules.format not in ROUND_FORMATS:
        return none
    met: defaultdict[tuple[str, ...], list[PlayedBattle]] = defaultdict(list)
    for battle in battles:
        if battle.counts:
            met[participants_of(battle.spec)].append(battle)
    try:
        if rules.format == "knockout":
            return {**none, "bracket": _bracket_data(bracket(entries, rules, battles), rules, met, place)}
        if len(place) > ROUND_ENTRIES_MAX:
            return none
        places = format_places(entries, rules, battles) or {}
        rounds = tournament_rounds(entries, rules, battles)
    except SetupError:
        return none
    is_swiss = rules.format == "swiss"
    points = {place[one]: [found.points, found.opponents_points] for one, found in places.items()}
    numbered = list(enumerate(rounds, 1))[-ROUNDS_SHOWN_MAX:]
    return {
        **none,
        "rounds": [_round_data(number, groups, entries, rules, met, place) for number, groups in numbered],
        "swiss": [points[nth] for nth in sorted(points)] if is_swiss else None,
    }


def _round_data(
    number: int,
    groups: Sequence[tuple[str, ...]],
    entries: Sequence[TournamentEntry],
    rules: PairingRules,
    met: Met,
    place: Mapping[str, int],
) -> dict[str, Any]:
    playing = {one for group in groups for one in group}
    idle = [entry.id for entry in entries if entry.id not in playing]
    rows = []
    for group in groups:
        shares, count = _shares(group, number, rules, met)
        ids = sorted(group, key=lambda one: place[one])
        rows.append([[place[one] for one in ids], [shares.get(one) for one in ids], count])
    return {
        "number": number,
        "groups": rows,
        "idle": sorted(place[one] for one in idle),
        "bye": place[idle[0]] if idle and rules.format == "swiss" else None,
    }


def _bracket_data(
    rounds: Sequence[Sequence[BracketMatch]], rules: PairingRules, met: Met, place: Mapping[str, int]
) -> dict[str, Any]:
    shown = list(enumerate(rounds, 1))[-BRACKET_ROUNDS_MAX:]
    data = []
    for number, matches in shown:
        rows = []
        for match in matches:
            group = match.group
            shares, count = _shares(group, number, rules, met) if group else ({}, 0)
            sides = [None if one is None else place[one] for one in match.sides]
            found = [None if one is None else shares.get(one) for one in match.sides]
            winner = None if match.winner is None else place[match.winner]
            rows.append([sides, found, count, winner, match.is_bye])
        data.append(rows)
    return {"first": shown[0][0], "rounds": data}


def _shares(
    group: tuple[str, ...], number: int, rules: PairingRules, met: Met
) -> tuple[dict[str, float | None], int]:
    """Return the mean shares of a group in a round, in percent, and the number of its battles that count.

    Without such battles, there are no shares.
    """
    battles = met.get(group, ())
    pairs = (max(rules.battles, len(battles)) + 1) // 2
    seeds = {battle_of(group, rules, 2 * pair, number).seed for pair in range(pairs)}
    shares = [battle_shares(one) for one in battles if one.spec.seed in seeds]
    if not shares:
        return {}, 0
    means = {one: short_number(100 * sum(row[one] for row in shares) / len(shares)) for one in group}
    return means, len(shares)
