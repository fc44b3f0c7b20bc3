"""The battles of a tournament, derived from its entries and its seed.

    round-robin   every set of `seats` entries
    gauntlet      every such set that holds exactly one challenger
    melee         all entries at once; beyond `seats`, cycles of groups in which each entry has a place
    swiss         in each tournament round entries with about equal points, nobody twice against the same
    ladder        in each tournament round neighbours in the order; the winner takes the upper place
    knockout      a bracket, seeded by the order of the entries; the loser of a match is out

A battle's seed and seats follow from the tournament's seed, its entries and its index among the battles of
these entries. Another entry or more battles add specifications and change none. Battles come in twos: the
second has the seed of the first and the seats in reverse order.

Swiss, ladder and melee cycles keep the groups of rounds that were begun, so an entry that joins later changes
none of them: it is without a battle in the rounds before, or plays there with others that are without one.
A bracket depends on the number of its entries, so the entries of a knockout stay the same once it has begun.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from turnwright.errors import SetupError
from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.entries import ENTRIES_MAX, TournamentEntry
from turnwright.tournament.knockout import BracketMatch, bracket_of, knockout_places, rounds_of_bracket
from turnwright.tournament.played_battle import PlayedBattle
from turnwright.tournament.scores import battle_shares

TournamentFormat = Literal["round-robin", "melee", "swiss", "ladder", "gauntlet", "knockout"]
FORMATS: tuple[TournamentFormat, ...] = get_args(TournamentFormat)
ROUND_FORMATS: tuple[TournamentFormat, ...] = ("swiss", "ladder", "knockout")
"""Formats in which results decide who meets in the next tournament round."""
BATTLES_MAX = 1_000_000
"""Battles of one tournament."""
ROUNDS_MAX = 1_000
"""Tournament rounds of one tournament."""
_SEED_BITS = 48
"""Below 2**53, so that every reader of JSON keeps a seed exactly."""
ROUND_MARKS = 1_024
"""Tournament rounds that the lowest digits of a seed tell apart, so that a battle's is found at once."""
_STEPS_MAX = 20_000
"""Attempts to pair a Swiss round without a rematch; then rematches are allowed."""

Group = tuple[str, ...]
"""Ids of the entries of a battle, sorted."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """The settings from which a tournament's battles are derived.

    game, behaviour, settings: as in each `BattleSpec`. seed: of the tournament. battles: of each set of
    entries that meet. seats: entries of a battle; None: two, in a melee all. members: seats that an entry
    takes, by id; one where it is absent. challengers: ids of a gauntlet; empty: the first entry.
    rounds: tournament rounds of swiss and ladder; None: for swiss two more than the binary logarithm of the
    number of entries, for a ladder the number of entries, which sorts any order. A knockout has those that
    its bracket needs. fill: which entries fill up the last group of a melee cycle; "drawn" in tournaments
    that an earlier version of turnwright began, otherwise those with the fewest places so far.
    """

    game: str
    behaviour: int
    settings: str
    seed: int
    format: TournamentFormat = "round-robin"
    battles: int = 2
    seats: int | None = None
    members: Mapping[str, int] = field(default_factory=dict)
    challengers: tuple[str, ...] = ()
    rounds: int | None = None
    fill: Literal["fewest", "drawn"] = "fewest"


@dataclass(frozen=True, slots=True)
class FormatPlace:
    """The place of an entry in a format with an order of its own.

    place: 1 is best; in a knockout those who are out in one round share one. points: of a Swiss tournament.
    opponents_points: the sum of the points of the opponents
    (Buchholz), which decides between equal points.
    """

    place: int
    points: float | None = None
    opponents_points: float | None = None


def battles_of(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle] = ()
) -> list[BattleSpec]:
    """Return the battles of a tournament so far, in the order to play them.

    Those that were played are among them.
    entries: in the order in which they joined; for a ladder the first stands highest, in a knockout it is the
    best seed. played: at least the battles that count. For swiss and ladder the list grows when a tournament
    round is complete, for a knockout when a match has its two entries.
    Raises: SetupError.
    """
    check_rules(entries, rules)
    ids = [entry.id for entry in entries]
    if rules.format in ROUND_FORMATS or _in_cycles(len(ids), rules):
        return list(_specs(_rounds(ids, rules, played), rules))
    groups = [tuple(sorted(group)) for group in _all_groups(ids, rules)]
    return [battle_of(group, rules, index) for index in range(rules.battles) for group in groups]


def battle_of(group: Iterable[str], rules: PairingRules, index: int, tournament_round: int = 0) -> BattleSpec:
    """Return one battle between entries.

    index: its number among their battles, 0 and up. tournament_round: 0 in formats without.
    """
    ids = sorted(group)
    pair = index // 2
    order = sorted(ids, key=lambda one: battle_seed(rules.seed, "seats", ids, tournament_round, pair, one))
    if index % 2:
        order.reverse()
    seats = [seat for one in order for seat in [one] * rules.members.get(one, 1)]
    seed = _seed_in_round(rules, ids, tournament_round, pair)
    return BattleSpec(rules.game, rules.behaviour, rules.settings, tuple(seats), seed)


def participants_of(spec: BattleSpec) -> Group:
    """Return the ids of a battle's entries, each once, sorted."""
    return tuple(sorted(set(spec.seats)))


def tournament_rounds(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle] = ()
) -> list[list[Group]]:
    """Return the groups of each tournament round so far, for views.

    Formats without tournament rounds have one. Raises: SetupError.
    """
    check_rules(entries, rules)
    ids = [entry.id for entry in entries]
    if rules.format in ROUND_FORMATS or _in_cycles(len(ids), rules):
        return [groups for groups, _ in _rounds(ids, rules, played)]
    return [[tuple(sorted(group)) for group in _all_groups(ids, rules)]]


def format_places(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle]
) -> dict[str, FormatPlace] | None:
    """Return the places of a format that has an order of its own, None of others.

    Raises: SetupError.
    """
    if rules.format not in ROUND_FORMATS:
        return None
    if rules.format == "knockout":
        places = knockout_places(bracket(entries, rules, played))
        return {one: FormatPlace(place) for one, place in places.items()}
    check_rules(entries, rules)
    ids = [entry.id for entry in entries]
    counted = [b for b in played if b.counts and set(b.spec.seats) <= set(ids)]
    begun = _begun(counted, rules, _round_limit(len(ids), rules))
    past = [begun[number] for number in sorted(begun)]
    if rules.format == "ladder":
        return {one: FormatPlace(place) for place, one in enumerate(_rungs(ids, past), 1)}
    paired = [groups for number, (groups, _) in enumerate(_rounds(ids, rules, counted), 1) if number in begun]
    points, _ = _swiss_points(ids, past, paired)
    against = {one: [g for results in past for g in results if one in g] for one in ids}
    tiebreak = {one: sum(points[o] for g in against[one] for o in g if o != one) for one in ids}
    keys = {one: (points[one], tiebreak[one]) for one in ids}
    return {one: FormatPlace(1 + sum(key > keys[one] for key in keys.values()), *keys[one]) for one in ids}


def bracket(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle]
) -> list[list[BracketMatch]]:
    """Return the matches of each round of a knockout, from the top of the drawing.

    Raises: SetupError.
    """
    check_rules(entries, rules)
    ids = [entry.id for entry in entries]
    return _bracket(ids, rules, [b for b in played if b.counts and set(b.spec.seats) <= set(ids)])


# ---- formats in which everybody is known from the start ----------------------------------------------------


def _all_groups(ids: Sequence[str], rules: PairingRules) -> Iterator[Sequence[str]]:
    if rules.format == "melee":
        yield ids
        return
    seats = rules.seats or 2
    if rules.format == "round-robin":
        yield from itertools.combinations(ids, seats)
        return
    challengers = rules.challengers or (ids[0],)
    others = [one for one in ids if one not in challengers]
    for rest in itertools.combinations(others, seats - 1):
        for challenger in challengers:
            yield (challenger, *rest)


def _in_cycles(entries: int, rules: PairingRules) -> bool:
    return rules.format == "melee" and rules.seats is not None and entries > rules.seats


# ---- formats in tournament rounds --------------------------------------------------------------------------


def _specs(rounds: Iterable[tuple[list[Group], int]], rules: PairingRules) -> Iterator[BattleSpec]:
    for number, (groups, battles) in enumerate(rounds, 1):
        for index in range(battles):
            yield from (battle_of(group, rules, index, number) for group in groups)


def _rounds(
    ids: Sequence[str], rules: PairingRules, played: Iterable[PlayedBattle]
) -> list[tuple[list[Group], int]]:
    """Return for each tournament round its groups, and how many battles each has."""
    counted = [b for b in played if b.counts and set(b.spec.seats) <= set(ids)]
    if rules.format == "melee":
        return _cycles(ids, rules, counted)
    if rules.format == "knockout":
        known = [[m.group for m in matches if m.group] for matches in _bracket(ids, rules, counted)]
        return [(groups, rules.battles) for groups in known if groups]
    limit = _round_limit(len(ids), rules)
    begun = _begun(counted, rules, limit)
    last = max(begun, default=1)
    rounds: list[tuple[list[Group], int]] = []
    for number in range(1, limit + 1):
        results = begun.get(number, {})
        if number < last:
            groups = sorted(results)
        else:
            past = [begun.get(earlier, {}) for earlier in range(1, number)]
            due = _swiss(ids, rules, past) if rules.format == "swiss" else _ladder(ids, past, number)
            groups = _merge(due, results, ids, rules)
        rounds.append((groups, rules.battles))
        if number >= last and not all(len(results.get(group, ())) >= rules.battles for group in groups):
            break
    return rounds


def _bracket(
    ids: Sequence[str], rules: PairingRules, counted: Sequence[PlayedBattle]
) -> list[list[BracketMatch]]:
    return bracket_of(ids, _begun(counted, rules, rounds_of_bracket(len(ids))), rules.battles)


def _cycles(
    ids: Sequence[str], rules: PairingRules, counted: Sequence[PlayedBattle]
) -> list[tuple[list[Group], int]]:
    """Return the cycles of a melee: two battles of each group, in the last one perhaps a single one."""
    count = math.ceil(rules.battles / 2)
    begun = _begun(counted, rules, count)
    battles = [2] * (rules.battles // 2) + [1] * (rules.battles % 2)
    cycles: list[tuple[list[Group], int]] = []
    places = Counter[str]()
    for number in range(1, count + 1):
        due = _cycle(ids, rules, number, places)
        groups = _merge(due, begun.get(number, {}), ids, rules, places)
        cycles.append((groups, battles[number - 1]))
        places.update(one for group in groups for one in group)
    return cycles


def _round_limit(entries: int, rules: PairingRules) -> int:
    if rules.rounds is not None:
        return rules.rounds
    if rules.format == "ladder":
        return entries
    return min(entries - 1 + entries % 2, math.ceil(math.log2(entries)) + 2)


Results = dict[Group, list[Mapping[str, float]]]
"""The shares of each counted battle, by group."""


def _begun(counted: Sequence[PlayedBattle], rules: PairingRules, limit: int) -> dict[int, Results]:
    """Return the battles of each tournament round, found by their seeds."""
    sets: dict[Group, list[PlayedBattle]] = {}
    for battle in counted:
        sets.setdefault(participants_of(battle.spec), []).append(battle)
    rounds: dict[int, Results] = {}
    for group, battles in sets.items():
        pairs = (max(rules.battles, len(battles)) + 1) // 2
        wanted = {battle.spec.seed for battle in battles}
        marks = {seed % ROUND_MARKS for seed in wanted}
        for number in range(1, limit + 1):
            if number % ROUND_MARKS not in marks:
                continue
            seeds = {_seed_in_round(rules, group, number, pair) for pair in range(pairs)} & wanted
            if seeds:
                mine = {battle.id: battle for battle in battles if battle.spec.seed in seeds}
                rounds.setdefault(number, {})[group] = [battle_shares(mine[one]) for one in sorted(mine)]
                wanted -= seeds
            if not wanted:
                break
    return rounds


def _merge(
    due: list[Group],
    begun: Iterable[Group],
    ids: Sequence[str],
    rules: PairingRules,
    places: Mapping[str, int] | None = None,
) -> list[Group]:
    """Return the groups of a round: those begun, those due that fit beside them, the rest as they come.

    places: of the cycles of a melee before this one, by entry.
    """
    kept = [group for group in due if group in set(begun)]
    if len(kept) == len(list(begun)):
        return due
    kept = sorted(begun)
    busy = {one for group in kept for one in group}
    for group in due:
        if not busy & set(group):
            kept.append(group)
            busy |= set(group)
    idle = [one for one in ids if one not in busy]
    seats = (rules.seats or 2) if rules.format == "melee" else 2
    for start in range(0, len(idle), seats):
        rest = idle[start : start + seats]
        if len(rest) < seats and rules.format == "melee":
            taken = Counter(places or {})
            taken.update(one for group in kept for one in group)
            rest += _spare(ids, rules, len(kept), taken, seats - len(rest), rest)
        if len(rest) == seats:
            kept.append(tuple(sorted(rest)))
    return kept


def _cycle(ids: Sequence[str], rules: PairingRules, number: int, places: Mapping[str, int]) -> list[Group]:
    """Return groups of `seats` entries in which everybody has a place; the last one is filled up.

    places: of the cycles before this one, by entry.
    """
    seats = rules.seats or len(ids)
    order = sorted(ids, key=lambda one: battle_seed(rules.seed, "cycle", [one], number))
    missing = -len(ids) % seats
    if rules.fill == "fewest" and missing:  # its own place in this cycle is in another group
        fill = set(_spare(ids, rules, number, places, missing))
        last = [one for one in order if one not in fill][missing - seats :]
        order = [one for one in order if one not in last] + last
    groups = [order[start : start + seats] for start in range(0, len(order), seats)]
    groups[-1] += _spare(order, rules, number, places, missing, groups[-1])
    return [tuple(sorted(group)) for group in groups]


def _spare(
    ids: Sequence[str],
    rules: PairingRules,
    number: int,
    places: Mapping[str, int],
    count: int,
    without: Sequence[str] = (),
) -> list[str]:
    """Return so many entries that take a second place in a cycle, none of `without`."""
    even = rules.fill == "fewest"
    drawn = sorted(ids, key=lambda one: battle_seed(rules.seed, "fill", [one], number))
    drawn.sort(key=lambda one: places.get(one, 0) if even else 0)
    return [one for one in drawn if one not in without][:count]


def _ladder(ids: Sequence[str], past: Sequence[Results], number: int) -> list[Group]:
    """Return pairs of neighbours; odd rounds begin at the top, even ones a place below."""
    order = _rungs(ids, past)
    begin = (number - 1) % 2
    return [tuple(sorted(order[place : place + 2])) for place in range(begin, len(order) - 1, 2)]


def _rungs(ids: Sequence[str], past: Sequence[Results]) -> list[str]:
    """Return the order on a ladder, the highest first."""
    order = list(ids)
    for results in past:
        for group, shares in sorted(results.items()):
            upper, lower = sorted(group, key=order.index)
            if _mean(shares, lower) > _mean(shares, upper):
                above, below = order.index(upper), order.index(lower)
                order[above], order[below] = lower, upper
    return order


def _swiss(ids: Sequence[str], rules: PairingRules, past: Sequence[Results]) -> list[Group]:
    """Return the pairs of the next Swiss round. With an odd number one entry has a bye."""
    points, byes = _swiss_points(ids, past, past)
    met = {group for results in past for group in results}
    order = sorted(ids, key=lambda one: (-points[one], battle_seed(rules.seed, "swiss", [one], len(past))))
    if len(order) % 2:
        fewest = min(byes.values())
        order.remove(next(one for one in reversed(order) if byes[one] == fewest))
    return _without_rematch(order, met) or [
        tuple(sorted(order[place : place + 2])) for place in range(0, len(order), 2)
    ]


def _swiss_points(
    ids: Sequence[str], past: Sequence[Results], paired: Sequence[Iterable[Group]]
) -> tuple[dict[str, float], dict[str, int]]:
    """Return the points, and the rounds without a battle: one point for a pairing won, or a bye.

    paired: the groups of each of these rounds, also those without a battle yet.
    """
    points, byes = dict.fromkeys(ids, 0.0), dict.fromkeys(ids, 0)
    for results, groups in zip(past, paired, strict=True):
        for group, shares in results.items():
            ahead = _mean(shares, group[0]) - _mean(shares, group[1])
            points[group[0]] += 0.5 + 0.5 * (ahead > 0) - 0.5 * (ahead < 0)
            points[group[1]] += 0.5 + 0.5 * (ahead < 0) - 0.5 * (ahead > 0)
        playing = {one for group in groups for one in group}
        idle = [one for one in ids if one not in playing]
        for one in idle[:1]:  # whoever joined later comes after in `ids`, and has no point for it
            points[one] += 1
        for one in idle:
            byes[one] += 1
    return points, byes


def _without_rematch(order: list[str], met: set[Group]) -> list[Group]:
    """Return pairs of near ranks of which none has met, or nothing where none were found."""
    steps = 0

    def pairs(rest: list[str]) -> list[Group] | None:
        nonlocal steps
        if not rest:
            return []
        for place in range(1, len(rest)):
            steps += 1
            if steps > _STEPS_MAX:
                return None
            pair = tuple(sorted((rest[0], rest[place])))
            if pair not in met:
                others = pairs(rest[1:place] + rest[place + 1 :])
                if others is not None:
                    return [pair, *others]
        return None

    return pairs(order) or []


def _mean(shares: Sequence[Mapping[str, float]], one: str) -> float:
    return sum(battle.get(one, 0.0) for battle in shares) / len(shares)


# ---- checks and hashes -------------------------------------------------------------------------------------


def check_rules(entries: Sequence[TournamentEntry], rules: PairingRules) -> None:
    """Raise SetupError for entries that cannot be paired by these rules."""
    ids = [entry.id for entry in entries]
    if not 2 <= len(ids) <= ENTRIES_MAX:
        raise SetupError(f"a tournament has 2 to {ENTRIES_MAX:,} entries, got {len(ids):,}")
    if len(set(ids)) < len(ids):
        twice = next(entry.name for entry in entries if ids.count(entry.id) > 1)
        raise SetupError(f"{twice} is entered twice with the same sources: remove one")
    if rules.format not in FORMATS:
        raise SetupError(f"unknown format {rules.format!r}; the formats are {', '.join(FORMATS)}")
    if not 1 <= rules.battles <= BATTLES_MAX:
        raise SetupError(f"1 to {BATTLES_MAX:,} battles for each pairing, got {rules.battles:,}")
    if rules.rounds is not None and not 1 <= rules.rounds <= ROUNDS_MAX:
        raise SetupError(f"1 to {ROUNDS_MAX:,} tournament rounds, got {rules.rounds:,}")
    if rules.format == "knockout" and rules.rounds is not None:
        raise SetupError("a knockout has as many rounds as its bracket needs: omit the number of rounds")
    _check_seats(len(ids), rules)
    strangers = set(rules.challengers) - set(ids)
    if strangers or len(set(rules.challengers)) == len(ids):
        raise SetupError("the challengers of a gauntlet must be entries, but not all of them")
    if _pairing_count(len(ids), rules) * rules.battles > BATTLES_MAX:
        raise SetupError(
            f"{_pairing_count(len(ids), rules):,} pairings of {rules.battles:,} battles are more than the"
            f" {BATTLES_MAX:,} battles of one tournament: take fewer entries or battles, or the format swiss"
        )


def _pairing_count(entries: int, rules: PairingRules) -> int:
    """Return how many sets of entries meet; of swiss and ladder in all tournament rounds."""
    seats = rules.seats or 2
    if rules.format == "knockout":
        return entries - 1
    if rules.format in ROUND_FORMATS:
        return _round_limit(entries, rules) * (entries // 2)
    if rules.format == "melee":
        return math.ceil(entries / (rules.seats or entries))
    challengers = len(rules.challengers) or 1
    if rules.format == "gauntlet":
        return challengers * math.comb(entries - challengers, seats - 1)
    return math.comb(entries, seats)


def _check_seats(entries: int, rules: PairingRules) -> None:
    if rules.seats is None:
        return
    if rules.format in ROUND_FORMATS and rules.seats != 2:
        raise SetupError(f"the format {rules.format} has two entries in a battle, got {rules.seats}")
    if rules.seats < 2 or (rules.seats > entries and rules.format != "melee"):
        raise SetupError(f"2 to {entries} entries in a battle, got {rules.seats}")


def _seed_in_round(rules: PairingRules, group: Sequence[str], tournament_round: int, pair: int) -> int:
    """Return the seed of two battles. Its lowest digits are of the tournament round, where there is one."""
    seed = battle_seed(rules.seed, "battle", list(group), tournament_round, pair)
    return seed - seed % ROUND_MARKS + tournament_round % ROUND_MARKS if tournament_round else seed


def battle_seed(*parts: object) -> int:
    """Return a seed below 2**48 that follows from JSON values alone."""
    text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_SEED_BITS // 8).digest(), "little")
