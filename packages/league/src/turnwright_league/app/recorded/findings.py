"""The findings of a check of a tournament: wrong, or not proved."""

from __future__ import annotations

from dataclasses import dataclass, field

TOURNAMENT = "the tournament"


@dataclass(frozen=True, slots=True)
class CheckedBattle:
    """A battle that was checked; without an id, an entry or the tournament.

    Attributes:
        names: of its entries.
        problems: one line each: what differs, or what could not be checked.
    """

    id: str
    names: str
    problems: tuple[str, ...]


@dataclass(slots=True)
class CheckFindings:
    """Lines by id and names."""

    _wrong: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _gaps: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add_wrong(self, number: str, names: str, *texts: str) -> None:
        """Add what differs.

        Args:
            number: of a battle, or "".
        """
        if texts:
            self._wrong.setdefault((number, names), []).extend(texts)

    def add_gap(self, number: str, names: str, *texts: str) -> None:
        """Add what could not be checked."""
        if texts:
            self._gaps.setdefault((number, names), []).extend(texts)

    @property
    def wrong(self) -> tuple[CheckedBattle, ...]:
        """The battles and entries that differ, in order of ids."""
        return _sorted(self._wrong)

    @property
    def unproved(self) -> tuple[CheckedBattle, ...]:
        """The battles and entries that could not be checked."""
        return _sorted(self._gaps)


def _sorted(found: dict[tuple[str, str], list[str]]) -> tuple[CheckedBattle, ...]:
    return tuple(CheckedBattle(*key, tuple(found[key])) for key in sorted(found))
