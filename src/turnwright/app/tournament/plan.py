"""The next battles of a tournament: until enough are played, or for ever."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from turnwright.errors import SetupError
from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.entries import TournamentEntry
from turnwright.tournament.pairings import (
    BATTLES_MAX,
    ROUND_FORMATS,
    PairingRules,
    battles_of,
    check_rules,
)
from turnwright.tournament.played_battle import PlayedBattle
from turnwright.tournament.standings import next_pairings

__all__ = ["BattlePlan"]


class BattlePlan:
    """Says which battles come next.

    until_ci: half the width of all intervals at which it is over, or None. endless: there are always more,
    but in a knockout. Raises: SetupError for entries that cannot be paired, and a knockout with until_ci.
    """

    def __init__(
        self,
        entries: Sequence[TournamentEntry],
        rules: PairingRules,
        *,
        until_ci: float | None = None,
        endless: bool = False,
    ) -> None:
        self._entries, self._rules = entries, rules
        self._until_ci = until_ci
        check_rules(entries, rules)
        self._is_knockout = rules.format == "knockout"
        if self._is_knockout and until_ci is not None:
            raise SetupError(
                "a knockout is over with its final: give --battles N for each match, not --until-ci"
            )
        self._endless = endless and not self._is_knockout
        self._changes = rules.format in ROUND_FORMATS or (rules.format == "melee" and rules.seats)
        self._list: list[BattleSpec] = []
        self._listed = False

    def total(self, played: Sequence[PlayedBattle]) -> int | None:
        """Return how many battles there are in all; None: nobody knows yet.

        Raises: SetupError.
        """
        if self._until_ci is not None or self._endless:
            return None
        if self._is_knockout:
            return (len(self._entries) - 1) * self._rules.battles
        self._fill(played)
        return None if self._rules.format in ROUND_FORMATS else len(self._list)

    def next(
        self, played: Sequence[PlayedBattle], known: Container[str], count: int, busy: bool
    ) -> list[BattleSpec]:
        """Return up to `count` battles that are not known.

        None: it is over, or waits for results.

        played: all so far. known: ids of battles that are played or being played. busy: some are being
        played, so that a round that needs them has to wait. Raises: SetupError.
        """
        if self._until_ci is not None:
            return next_pairings(self._entries, self._rules, played, self._until_ci, known, count)
        self._fill(played)
        found = self._unknown(known, count)
        while not found and self._endless and not busy and self._rules.battles < BATTLES_MAX:
            self._rules = replace(self._rules, battles=self._rules.battles + 2)
            self._listed = False
            self._fill(played)
            found = self._unknown(known, count)
        return found

    def _fill(self, played: Sequence[PlayedBattle]) -> None:
        if not self._listed or self._changes:
            self._list = battles_of(self._entries, self._rules, played)
            self._listed = True

    def _unknown(self, known: Container[str], count: int) -> list[BattleSpec]:
        found = []
        for spec in self._list:
            if spec.id not in known:
                found.append(spec)
                if len(found) == count:
                    break
        return found
