"""The next battles of a tournament, until enough are played, or without end."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice

from turnwright.errors import SetupError
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.narrowing import NarrowingBattles
from turnwright_league.tournament.pairings import (
    BATTLES_MAX,
    ROUND_FORMATS,
    PairingRules,
    battle_of,
    check_rules,
)
from turnwright_league.tournament.rounds import RoundBattles, is_in_rounds, tournament_rounds


class BattlePlan:
    """Decides which battles come next.

    Args:
        ledger: the results. The caller adds new ones.
        until_ci: the half width of all intervals, in points of APS, at which the tournament is over, or None.
        endless: whether there are always more battles. A knockout has an end in any case.

    Raises:
        SetupError: the entries cannot be paired, or a knockout has until_ci.
    """

    def __init__(
        self,
        entries: Sequence[TournamentEntry],
        rules: PairingRules,
        ledger: ResultLedger,
        *,
        until_ci: float | None = None,
        endless: bool = False,
    ) -> None:
        self._entries, self._rules, self._ledger = entries, rules, ledger
        check_rules(entries, rules)
        self._is_knockout = rules.format == "knockout"
        if self._is_knockout and until_ci is not None:
            raise SetupError(
                "a knockout ends with its final: give --battles N for each match instead of --until-ci"
            )
        self._endless = endless and not self._is_knockout
        self._narrowing = None if until_ci is None else NarrowingBattles(entries, rules, ledger, until_ci)
        self._rounds: RoundBattles | None = None
        self._groups: list[tuple[str, ...]] = []
        if is_in_rounds(len(entries), rules):
            self._rounds = RoundBattles(entries, rules, ledger.meetings)
        elif until_ci is None:
            (self._groups,) = tournament_rounds(entries, rules)
        self._rest = self._all()

    def total(self) -> int | None:
        """Return the number of all battles, or None if it is open or depends on results (swiss, ladder)."""
        if self._narrowing is not None or self._endless:
            return None
        if self._is_knockout:
            return (len(self._entries) - 1) * self._rules.battles
        if self._rules.format in ROUND_FORMATS:
            return None
        return len(self._groups) * self._rules.battles if self._rounds is None else self._rounds.total()

    def next(self, known: Container[str], count: int, busy: bool) -> list[BattleSpec]:
        """Return up to `count` new battles. There are none if the tournament is over or waits for results.

        Args:
            known: the ids of played and running battles. Later calls need the same ids, too.
            busy: whether battles are running. A round that needs their results then waits.
        """
        if self._narrowing is not None:
            return self._narrowing.next(known, count)
        rounds = self._rounds
        if rounds is None:
            return list(islice((spec for spec in self._rest if spec.id not in known), count))
        found = rounds.next(known, count)
        while not found and self._endless and not busy and rounds.battles < BATTLES_MAX:
            rounds.grow()
            found = rounds.next(known, count)
        return found

    def _all(self) -> Iterator[BattleSpec]:
        """Yield the battles of a format without rounds, in the order of `battles_of`."""
        for index in range(BATTLES_MAX if self._endless else self._rules.battles):
            yield from (battle_of(group, self._rules, index) for group in self._groups)
