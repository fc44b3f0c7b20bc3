"""The rules by which entries meet, and the battles that follow from them. See `rounds` for the choice of
opponents.

    round-robin   every set of `seats` entries
    gauntlet      every such set that holds exactly one challenger
    melee         all entries together; beyond `seats`, cycles of groups in which each entry has a place
    swiss         in each tournament round, entries with about equal points meet, but no two entries twice
    ladder        in each tournament round, neighbours in the order meet, and the winner takes the upper place
    knockout      a bracket, seeded by the order of the entries; the loser of a match is out

A battle's seed and seats follow from the tournament's seed, its entries and its index among the battles of
these entries. New entries and more battles add specifications and change none. Each seed has two battles, the
second with the seats in reverse order.

Swiss, ladder and melee cycles keep the groups of rounds that have begun, so a later entry does not change
them. In these rounds a later entry has no battle, or plays with other entries that have no battle. A bracket
depends on the number of its entries, so the entries of a knockout are fixed once it has begun.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from turnwright.errors import SetupError
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import ENTRIES_MAX, TournamentEntry

TournamentFormat = Literal["round-robin", "melee", "swiss", "ladder", "gauntlet", "knockout"]
FORMATS: tuple[TournamentFormat, ...] = get_args(TournamentFormat)
ROUND_FORMATS: tuple[TournamentFormat, ...] = ("swiss", "ladder", "knockout")
"""The formats in which results decide the pairings of the next tournament round."""
BATTLES_MAX = 1_000_000
"""The most battles of one tournament."""
ROUNDS_MAX = 1_000
"""The most tournament rounds of one tournament."""
_SEED_BITS = 48
"""The bits of a seed. They are fewer than 53, so that every reader of JSON reads a seed exactly."""
ROUND_MARKS = 1_024
"""The number of tournament rounds that the lowest bits of a seed distinguish, so that a battle's round is
found quickly."""

Group = tuple[str, ...]
"""The sorted ids of the entries in a battle."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """The settings from which a tournament's battles follow.

    Attributes:
        game, behaviour, settings: see `BattleSpec`.
        seed: the tournament's seed.
        battles: the number of battles of each set of entries that meet.
        seats: the number of entries in a battle. None means two, and in a melee all.
        members: the number of seats of an entry, by id. An entry without a number has one seat.
        challengers: the ids of a gauntlet's challengers. If it is empty, the first entry is the challenger.
        rounds: the tournament rounds of swiss and ladder. For None, a Swiss tournament has two more rounds
            than the binary logarithm of the number of entries, or fewer if all entries have met by then. A
            ladder has as many rounds as entries, which is enough to sort any order. A knockout has the rounds
            of its bracket.
        fill: the entries that fill up the last group of a melee cycle: "drawn" for random ones, as in
            tournaments of an earlier version, and otherwise those with the fewest places so far.
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


def battle_of(group: Iterable[str], rules: PairingRules, index: int, tournament_round: int = 0) -> BattleSpec:
    """Return the specification of one battle between entries.

    Args:
        index: its number among their battles, from 0.
        tournament_round: the number of the tournament round, or 0 in formats without rounds.
    """
    ids = sorted(group)
    pair = index // 2
    order = sorted(ids, key=lambda one: battle_seed(rules.seed, "seats", ids, tournament_round, pair, one))
    if index % 2:
        order.reverse()
    seats = [seat for one in order for seat in [one] * rules.members.get(one, 1)]
    seed = seed_in_round(rules, ids, tournament_round, pair)
    return BattleSpec(rules.game, rules.behaviour, rules.settings, tuple(seats), seed)


def participants_of(spec: BattleSpec) -> Group:
    """Return the sorted ids of a battle's entries, each once."""
    return tuple(sorted(set(spec.seats)))


# ---- formats whose pairings are known from the start -------------------------------------------------------


def all_groups(ids: Sequence[str], rules: PairingRules) -> Iterator[Sequence[str]]:
    """Yield all sets of entries that meet, for a format whose pairings are known from the start."""
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


# ---- checks and hashes -------------------------------------------------------------------------------------


def check_rules(entries: Sequence[TournamentEntry], rules: PairingRules) -> None:
    """Raise SetupError if these rules cannot pair the entries."""
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
    """Return the number of pairings, or of groups of a melee.

    For swiss and ladder, this counts all tournament rounds.
    """
    seats = rules.seats or 2
    if rules.format == "knockout":
        return entries - 1
    if rules.format in ROUND_FORMATS:
        return round_limit(entries, rules) * (entries // 2)
    if rules.format == "melee":
        return math.ceil(entries / (rules.seats or entries))
    challengers = len(rules.challengers) or 1
    if rules.format == "gauntlet":
        return challengers * math.comb(entries - challengers, seats - 1)
    return math.comb(entries, seats)


def round_limit(entries: int, rules: PairingRules) -> int:
    """Return the most tournament rounds of a Swiss tournament or a ladder."""
    if rules.rounds is not None:
        return rules.rounds
    if rules.format == "ladder":
        return entries
    return min(entries - 1 + entries % 2, math.ceil(math.log2(entries)) + 2)


def _check_seats(entries: int, rules: PairingRules) -> None:
    if rules.seats is None:
        return
    if rules.format in ROUND_FORMATS and rules.seats != 2:
        raise SetupError(f"the format {rules.format} has two entries in a battle, got {rules.seats}")
    if rules.seats < 2 or (rules.seats > entries and rules.format != "melee"):
        raise SetupError(f"2 to {entries} entries in a battle, got {rules.seats}")


def seed_in_round(rules: PairingRules, group: Sequence[str], tournament_round: int, pair: int) -> int:
    """Return the seed that two battles of a group share. Its lowest bits name the tournament round, if any.

    Args:
        pair: the number of these two battles, from 0.
    """
    seed = battle_seed(rules.seed, "battle", list(group), tournament_round, pair)
    return seed - seed % ROUND_MARKS + tournament_round % ROUND_MARKS if tournament_round else seed


def battle_seed(*parts: object) -> int:
    """Return a seed from 0 to 2**48 − 1, which is a hash of the given JSON values."""
    text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_SEED_BITS // 8).digest(), "little")
