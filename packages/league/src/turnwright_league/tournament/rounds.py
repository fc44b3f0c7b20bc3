"""The tournament rounds of swiss, ladder, knockout and melee, in which results decide the pairings.

    battles that count ──▶ the round of each, by its seed ──▶ groups of each round ──▶ next battles, places

Each result is read once. `TournamentRounds` stores what follows from finished rounds, and a new battle
changes only its own round.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.knockout import BracketMatch, bracket_of, knockout_places, rounds_of_bracket
from turnwright_league.tournament.pairings import (
    ROUND_FORMATS,
    ROUND_MARKS,
    Group,
    PairingRules,
    all_groups,
    battle_of,
    battle_seed,
    check_rules,
    participants_of,
    round_limit,
    seed_in_round,
)
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.scores import Shares, battle_shares

_STEPS_MAX = 20_000
"""The most attempts to pair a Swiss round without a rematch. After that, rematches are allowed."""
Results = dict[Group, list[Shares]]
"""The shares of each counted battle, by group."""
PairResult = tuple[str, str, bool]
"""The two entries of a group, and whether their mean shares are equal. Otherwise, the better one is first."""


@dataclass(frozen=True, slots=True)
class FormatPlace:
    """The place of an entry in a format with a separate order.

    Attributes:
        place: the place. 1 is best. Entries that are out in the same round of a knockout share it, and so do
            entries of a Swiss tournament that are equal in both kinds of points.
        points: the points in a Swiss tournament. None in other formats, like `opponents_points`.
        opponents_points: the sum of the opponents' points (Buchholz), which decides between equal points.
    """

    place: int
    points: float | None = None
    opponents_points: float | None = None


class CountedBattles:
    """The battles that count, by the entries in them.

    Attributes:
        changed: the groups that got or lost a battle, in order.
    """

    def __init__(self, played: Iterable[PlayedBattle] = ()) -> None:
        self.changed: list[Group] = []
        self._battles: dict[Group, dict[str, tuple[int, Shares]]] = {}
        self._seeds: dict[tuple[int, Group], _SeedRounds] = {}
        self._rounds: TournamentRounds | None = None
        for battle in played:
            if battle.counts:
                self.note(battle, 1)

    def note(self, battle: PlayedBattle, sign: int) -> None:
        """Add a battle that counts (`sign` is 1), or remove it (-1)."""
        group = participants_of(battle.spec)
        mine = self._battles.setdefault(group, {})
        if sign > 0:
            mine[battle.id] = battle.spec.seed, battle_shares(battle)
        else:
            del mine[battle.id]
        self.changed.append(group)

    def of(self, group: Group) -> Mapping[str, tuple[int, Shares]]:
        """Return the seed of each battle of a group and the shares of the entries, by the battle's id."""
        return self._battles.get(group, {})

    def seeds(self, seed: int, group: Group) -> _SeedRounds:
        """Return the object that finds the rounds of a group's battles, in a tournament with this seed."""
        found = self._seeds.get((seed, group))
        if found is None:
            found = self._seeds[seed, group] = _SeedRounds(group)
        return found

    def rounds(self, entries: Sequence[TournamentEntry], rules: PairingRules) -> TournamentRounds:
        """Return the tournament rounds of some entries. The result of the last call is cached.

        Raises:
            SetupError: these rules cannot pair the entries.
        """
        ids = tuple([entry.id for entry in entries])
        if self._rounds is None or (self._rounds.ids, self._rounds.rules) != (ids, rules):
            self._rounds = TournamentRounds(entries, rules, self)
        return self._rounds


def in_cycles(entries: int, rules: PairingRules) -> bool:
    """Return whether a melee with this many entries is played in cycles of groups."""
    return rules.format == "melee" and rules.seats is not None and entries > rules.seats


def is_in_rounds(entries: int, rules: PairingRules) -> bool:
    """Return whether a tournament with this many entries has tournament rounds."""
    return rules.format in ROUND_FORMATS or in_cycles(entries, rules)


# ---- all together ---------------------------------------------------------------------------------------


def battles_of(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle] = ()
) -> list[BattleSpec]:
    """Return the battles of a tournament so far, in the order to play them.

    The played battles are among them. For swiss and ladder, the list grows when a tournament round is
    complete. For a knockout, it grows when both entries of a match are known.

    Args:
        entries: the entries in the order in which they joined. In a ladder, the first entry is at the top. In
            a knockout, it is the best seed.
        played: the battles that count, and perhaps others.

    Raises:
        SetupError: these rules cannot pair the entries.
    """
    check_rules(entries, rules)
    if is_in_rounds(len(entries), rules):
        rounds = CountedBattles(played).rounds(entries, rules).groups()
        return [
            spec for number, (groups, n) in enumerate(rounds, 1) for spec in _specs(groups, rules, n, number)
        ]
    groups = [tuple(sorted(group)) for group in all_groups([entry.id for entry in entries], rules)]
    return list(_specs(groups, rules, rules.battles, 0))


def tournament_rounds(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle] = ()
) -> list[list[Group]]:
    """Return the groups of each tournament round so far. Formats without tournament rounds have one round.

    Raises:
        SetupError: these rules cannot pair the entries.
    """
    check_rules(entries, rules)
    if is_in_rounds(len(entries), rules):
        return [groups for groups, _ in CountedBattles(played).rounds(entries, rules).groups()]
    return [[tuple(sorted(group)) for group in all_groups([entry.id for entry in entries], rules)]]


def format_places(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle]
) -> dict[str, FormatPlace] | None:
    """Return the places of a format with a separate order, or None for other formats.

    Raises:
        SetupError: these rules cannot pair the entries.
    """
    is_known = rules.format in ROUND_FORMATS
    return CountedBattles(played).rounds(entries, rules).places() if is_known else None


def bracket(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Iterable[PlayedBattle]
) -> list[list[BracketMatch]]:
    """Return the matches of each round of a knockout, from the top of the drawing.

    Raises:
        SetupError: these rules cannot pair the entries.
    """
    return CountedBattles(played).rounds(entries, rules).bracket()


def _specs(groups: Sequence[Group], rules: PairingRules, battles: int, number: int) -> Iterator[BattleSpec]:
    return (battle_of(group, rules, index, number) for index in range(battles) for group in groups)


# ---- battle by battle ------------------------------------------------------------------------------------


class RoundBattles:
    """Chooses the new battles of a tournament in rounds.

    Raises:
        SetupError: the entries cannot be paired.
    """

    def __init__(
        self, entries: Sequence[TournamentEntry], rules: PairingRules, counted: CountedBattles
    ) -> None:
        self._rounds = TournamentRounds(entries, rules, counted)
        self._open: dict[int, tuple[Sequence[Group], int, list[BattleSpec]]] = {}
        """The groups of each round, their number of battles, and the battles that were new last time."""

    @property
    def battles(self) -> int:
        """The number of battles of a group in a round."""
        return self._rounds.rules.battles

    def total(self) -> int:
        """Return the number of battles in the rounds so far."""
        return sum(len(groups) * battles for groups, battles in self._rounds.groups())

    def next(self, known: Container[str], count: int) -> list[BattleSpec]:
        """Return up to `count` battles that are not known, those of earlier rounds first.

        Args:
            known: the ids of played and running battles. Later calls need the same ids, too.
        """
        found: list[BattleSpec] = []
        for number, (groups, battles) in enumerate(self._rounds.groups(), 1):
            before, fewer, specs = self._open.get(number, ((), 0, []))
            if fewer != battles or (before != groups and (specs or set(before) != set(groups))):
                specs = list(_specs(groups, self._rounds.rules, battles, number))
            if specs or before is not groups:
                specs = [spec for spec in specs if spec.id not in known]
                self._open[number] = groups, battles, specs
            found += specs[: count - len(found)]
            if len(found) == count:
                break
        return found

    def grow(self) -> None:
        """Let each group have two battles more in each round, or a melee one cycle more."""
        self._rounds.grow()


class TournamentRounds:
    """The tournament rounds of some entries.

    Args:
        counted: the battles that count. The caller adds new ones.

    Raises:
        SetupError: the entries cannot be paired.
    """

    def __init__(
        self, entries: Sequence[TournamentEntry], rules: PairingRules, counted: CountedBattles
    ) -> None:
        check_rules(entries, rules)
        self.ids, self.rules = tuple([entry.id for entry in entries]), rules
        self._counted, self._seen = counted, 0
        self._known = frozenset(self.ids)
        self._begun: dict[int, Results] = {}
        self._numbers: dict[Group, Sequence[int]] = {}
        """The rounds in which each group has battles."""
        self._unplaced: set[Group] = set()
        """Groups with battles that belong to no round."""
        self._sorted: dict[int, list[Group]] = {}
        self._results: dict[int, list[PairResult]] = {}
        self._due: dict[int, list[Group]] = {}
        self._table: _Rungs | _SwissTable = self._empty_table()
        self._folded = 0
        """The number of rounds, from the first one, whose results are in `_table`."""
        self._cycles = _Cycles(self.ids)

    def groups(self) -> list[tuple[list[Group], int]]:
        """Return the groups of each tournament round so far, and their number of battles."""
        self._follow()
        if self.rules.format == "melee":
            return self._cycles.groups(self.rules, self._begun)
        if self.rules.format == "knockout":
            known = [[m.group for m in matches if m.group] for matches in self.bracket()]
            return [(groups, self.rules.battles) for groups in known if groups]
        begun, battles = self._begun, self.rules.battles
        last = max(begun, default=1)
        rounds = [(self._groups_begun(number), battles) for number in range(1, last)]
        for number in range(last, self._limit + 1):
            results = begun.get(number, {})
            groups = _merge(self._groups_due(number), results, self.ids, self.rules)
            rounds.append((groups, battles))
            if not all(len(results.get(group, ())) >= battles for group in groups):
                break
        return rounds

    def bracket(self) -> list[list[BracketMatch]]:
        """Return the matches of each round of a knockout, from the top of the drawing."""
        self._follow()
        return bracket_of(self.ids, self._begun, self.rules.battles)

    def places(self) -> dict[str, FormatPlace]:
        """Return the places of a ladder, a Swiss tournament or a knockout."""
        self._follow()
        if self.rules.format == "knockout":
            return {one: FormatPlace(place) for one, place in knockout_places(self.bracket()).items()}
        last = max(self._begun, default=0)
        if self.rules.format == "ladder":
            rungs = self._table_before(last + 1)
            assert isinstance(rungs, _Rungs)
            return {one: FormatPlace(place) for place, one in enumerate(rungs.order, 1)}
        table = _SwissTable(self.ids)
        first = 1
        if len(self._begun) == last > 0:
            before = self._table_before(last)
            assert isinstance(before, _SwissTable)
            table, first = before.copy(), last
        paired = self.groups()
        for number in range(first, last + 1):
            if number in self._begun:
                table.add(self._pair_results(number), paired[number - 1][0])
        return table.places()

    def grow(self) -> None:
        """Let each group have two battles more in each round, or a melee one cycle more."""
        self.rules = replace(self.rules, battles=self.rules.battles + 2)
        for group in list(self._unplaced):
            self._find(group)

    # ---- new battles -------------------------------------------------------------------------------------

    @property
    def _limit(self) -> int:
        entries, rules = len(self.ids), self.rules
        if rules.format == "knockout":
            return rounds_of_bracket(entries)
        return math.ceil(rules.battles / 2) if rules.format == "melee" else round_limit(entries, rules)

    def _follow(self) -> None:
        changed, self._seen = self._counted.changed[self._seen :], len(self._counted.changed)
        for group in dict.fromkeys(changed):
            if self._known.issuperset(group):
                self._find(group)

    def _find(self, group: Group) -> None:
        """Store by round the results of a group's battles, and drop what followed from other results."""
        before = {number: self._begun[number].pop(group) for number in self._numbers.pop(group, ())}
        battles = self._counted.of(group)
        now = self._counted.seeds(self.rules.seed, group).results(battles, self.rules, self._limit)
        for number, shares in now.items():
            self._begun.setdefault(number, {})[group] = shares
        if now:
            self._numbers[group] = sorted(now)
        placed = sum(map(len, now.values())) == len(battles)
        (self._unplaced.discard if placed else self._unplaced.add)(group)
        for number in before.keys() | now.keys():
            if not self._begun[number]:
                del self._begun[number]
            if before.get(number) != now.get(number):
                self._forget_after(number)

    def _forget_after(self, number: int) -> None:
        """Drop what follows from the results of a round."""
        self._sorted.pop(number, None)
        self._results.pop(number, None)
        self._cycles.stale.add(number)
        self._due = {later: groups for later, groups in self._due.items() if later <= number}
        if number <= self._folded:
            self._table, self._folded = self._empty_table(), 0

    # ---- swiss and ladder --------------------------------------------------------------------------------

    def _groups_begun(self, number: int) -> list[Group]:
        found = self._sorted.get(number)
        if found is None:
            found = self._sorted[number] = sorted(self._begun.get(number, ()))
        return found

    def _groups_due(self, number: int) -> list[Group]:
        """Return the groups of a round that follow from the earlier rounds."""
        found = self._due.get(number)
        if found is None:
            table = self._table_before(number)
            found = table.pairs(number) if isinstance(table, _Rungs) else self._swiss(table, number)
            self._due[number] = found
        return found

    def _swiss(self, table: _SwissTable, number: int) -> list[Group]:
        """Return the pairs of a Swiss round. With an odd number of entries, one has a bye."""
        points, byes, seed = table.points, table.byes, self.rules.seed
        order = sorted(
            self.ids, key=lambda one: (-points[one], battle_seed(seed, "swiss", [one], number - 1))
        )
        if len(order) % 2:
            fewest = min(byes.values())
            order.remove(next(one for one in reversed(order) if byes[one] == fewest))
        met = {group for group, numbers in self._numbers.items() if numbers[0] < number}
        return _without_rematch(order, met) or [
            tuple(sorted(order[place : place + 2])) for place in range(0, len(order), 2)
        ]

    def _empty_table(self) -> _Rungs | _SwissTable:
        return _SwissTable(self.ids) if self.rules.format == "swiss" else _Rungs(self.ids)

    def _table_before(self, number: int) -> _Rungs | _SwissTable:
        """Return the table after all rounds before round `number`. The caller must not change it."""
        settled = min(number, max(self._begun, default=1)) - 1
        if settled < self._folded:
            self._table, self._folded = self._empty_table(), 0
        for earlier in range(self._folded + 1, settled + 1):
            self._table.add(self._pair_results(earlier), self._begun.get(earlier, ()))
        self._folded = settled
        if settled == number - 1:
            return self._table
        table = self._table.copy()
        for earlier in range(settled + 1, number):
            table.add(self._pair_results(earlier), self._begun.get(earlier, ()))
        return table

    def _pair_results(self, number: int) -> list[PairResult]:
        found = self._results.get(number)
        if found is None:
            begun = sorted(self._begun.get(number, {}).items())
            found = [_pair_result(one, other, shares) for (one, other), shares in begun]
            self._results[number] = found
        return found


class _SeedRounds:
    """Finds the tournament rounds of one group's battles by their seeds. It computes each seed once."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._places: dict[int, tuple[int, int]] = {}
        """The round of each computed seed, and its number among the group's seeds in that round."""
        self._computed: Counter[int] = Counter()
        """The number of computed seeds, by round."""

    def results(
        self, battles: Mapping[str, tuple[int, Shares]], rules: PairingRules, limit: int
    ) -> dict[int, list[Shares]]:
        """Return the shares of the group's battles by tournament round. Battles of no round are left out."""
        found: dict[int, list[Shares]] = {}
        pairs = (max(rules.battles, len(battles)) + 1) // 2
        for _, (seed, shares) in sorted(battles.items()):
            if seed not in self._places:
                self._search(seed, rules, pairs, limit)
            number, pair = self._places.get(seed, (0, pairs))
            if pair < pairs and number <= limit:
                found.setdefault(number, []).append(shares)
        return found

    def _search(self, wanted: int, rules: PairingRules, pairs: int, limit: int) -> None:
        numbers = range(wanted % ROUND_MARKS or ROUND_MARKS, limit + 1, ROUND_MARKS)
        for pair, number in itertools.product(range(pairs), numbers):
            if pair == self._computed[number]:
                seed = seed_in_round(rules, self._group, number, pair)
                self._places.setdefault(seed, (number, pair))
                self._computed[number] += 1
                if seed == wanted:
                    return


class _Rungs:
    """The order of a ladder after some rounds, top first."""

    def __init__(self, order: Iterable[str]) -> None:
        self.order = list(order)
        self._place = {one: place for place, one in enumerate(self.order)}

    def copy(self) -> _Rungs:
        return _Rungs(self.order)

    def add(self, results: Iterable[PairResult], groups: Iterable[Group]) -> None:
        """Add the results of the next round.

        Args:
            groups: all groups of the round.
        """
        place, order = self._place, self.order
        for one, other, is_equal in results:
            mine, theirs = place[one], place[other]
            if mine > theirs and not is_equal:
                order[mine], order[theirs] = other, one
                place[one], place[other] = theirs, mine

    def pairs(self, number: int) -> list[Group]:
        """Return pairs of neighbours. Odd rounds begin at the top, and even rounds one place below."""
        order, begin = self.order, (number - 1) % 2
        return [tuple(sorted(order[place : place + 2])) for place in range(begin, len(order) - 1, 2)]


class _SwissTable:
    """A Swiss tournament after some rounds.

    Attributes:
        points: the points. A won pairing or a bye gives 1, a draw ½.
        byes: the number of rounds without a battle.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self.points, self.byes = dict.fromkeys(ids, 0.0), dict.fromkeys(ids, 0)
        self._against: dict[str, list[str]] = {one: [] for one in ids}

    def copy(self) -> _SwissTable:
        table = _SwissTable(())
        table.points, table.byes = self.points.copy(), self.byes.copy()
        table._against = {one: others.copy() for one, others in self._against.items()}
        return table

    def add(self, results: Iterable[PairResult], groups: Iterable[Group]) -> None:
        """Add the results of the next round.

        Args:
            groups: all groups of the round, including those without a battle yet.
        """
        points = self.points
        for one, other, is_equal in results:
            points[one] += 0.5 if is_equal else 1.0
            points[other] += 0.5 if is_equal else 0.0
            self._against[one].append(other)
            self._against[other].append(one)
        playing = {one for group in groups for one in group}
        idle = [one for one in self.byes if one not in playing]
        for one in idle[:1]:  # an entry that joined later comes after in `ids`, and has no point for it
            points[one] += 1
        for one in idle:
            self.byes[one] += 1

    def places(self) -> dict[str, FormatPlace]:
        """Return the places by points, then by the opponents' points."""
        points = self.points
        keys = {one: (points[one], sum(map(points.__getitem__, self._against[one]))) for one in points}
        place = {key: nth for nth, key in reversed(list(enumerate(sorted(keys.values(), reverse=True), 1)))}
        return {one: FormatPlace(place[key], *key) for one, key in keys.items()}


def _without_rematch(order: list[str], met: set[Group]) -> list[Group]:
    """Return pairs of near ranks that have not met. If there are none within _STEPS_MAX steps, return []."""
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


def _pair_result(one: str, other: str, shares: Sequence[Shares]) -> PairResult:
    ahead = _mean(shares, one) - _mean(shares, other)
    return (one, other, ahead == 0) if ahead >= 0 else (other, one, False)


def _mean(shares: Sequence[Shares], one: str) -> float:
    return sum(battle.get(one, 0.0) for battle in shares) / len(shares)


# ---- cycles of a melee -----------------------------------------------------------------------------------


class _Cycles:
    """The cycles of a melee. Each group has two battles in a cycle, and perhaps only one in the last cycle.

    Attributes:
        stale: the cycles whose results have changed.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self.stale: set[int] = set()
        self._ids = ids
        self._due: list[list[Group]] = []
        self._groups: list[list[Group]] = []
        self._places = Counter[str]()

    def groups(self, rules: PairingRules, begun: Mapping[int, Results]) -> list[tuple[list[Group], int]]:
        """Return the groups of each cycle, and their number of battles."""
        for number in sorted(self.stale):
            if number <= len(self._groups) and self._is_changed(number, rules, begun.get(number, {})):
                del self._due[number - 1 :], self._groups[number - 1 :]
                self._places = self._places_before(number)
        self.stale.clear()
        for number in range(len(self._groups) + 1, math.ceil(rules.battles / 2) + 1):
            due = _cycle(self._ids, rules, number, self._places)
            groups = _merge(due, begun.get(number, {}), self._ids, rules, self._places)
            self._due.append(due)
            self._groups.append(groups)
            self._places.update(one for group in groups for one in group)
        battles = [2] * (rules.battles // 2) + [1] * (rules.battles % 2)
        return list(zip(self._groups, battles, strict=True))

    def _is_changed(self, number: int, rules: PairingRules, results: Results) -> bool:
        due, groups = self._due[number - 1], self._groups[number - 1]
        if groups is due and results.keys() <= set(due):
            return False
        return _merge(due, results, self._ids, rules, self._places_before(number)) != groups

    def _places_before(self, number: int) -> Counter[str]:
        return Counter(one for groups in self._groups[: number - 1] for group in groups for one in group)


def _merge(
    due: list[Group],
    begun: Iterable[Group],
    ids: Sequence[str],
    rules: PairingRules,
    places: Mapping[str, int] | None = None,
) -> list[Group]:
    """Return the groups of a round: the begun groups, then the due groups that do not overlap them, then
    groups of the other entries.

    Args:
        places: the places in the earlier cycles of a melee, by entry.
    """
    begun = set(begun)
    if begun.issubset(due):
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
    """Return groups of `seats` entries that contain every entry. The last group is filled up.

    Args:
        places: the places in the earlier cycles, by entry.
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
    """Return `count` entries that take a second place in a cycle. Entries in `without` are left out."""
    even = rules.fill == "fewest"
    drawn = sorted(ids, key=lambda one: battle_seed(rules.seed, "fill", [one], number))
    drawn.sort(key=lambda one: places.get(one, 0) if even else 0)
    return [one for one in drawn if one not in without][:count]
