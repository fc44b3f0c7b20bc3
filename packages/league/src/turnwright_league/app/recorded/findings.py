"""The findings of a tournament's check: differences, and parts that could not be checked."""

from __future__ import annotations

from dataclasses import dataclass, field

TOURNAMENT = "the tournament"


@dataclass(frozen=True, slots=True)
class CheckedBattle:
    """A checked battle. Without an id, it is an entry or the tournament.

    Attributes:
        names: the names of its entries.
        problems: a line for each difference, or for each part that could not be checked.
    """

    id: str
    names: str
    problems: tuple[str, ...]


@dataclass(slots=True)
class CheckFindings:
    """The lines about differences and gaps, by the battle's id and names."""

    _wrong: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _gaps: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add_wrong(self, number: str, names: str, *texts: str) -> None:
        """Add differences, one line for each. Without lines, do nothing.

        Args:
            number: the battle's id, or "" for an entry or the tournament.
        """
        if texts:
            self._wrong.setdefault((number, names), []).extend(texts)

    def add_gap(self, number: str, names: str, *texts: str) -> None:
        """Add findings about parts that could not be checked. The arguments are those of `add_wrong`."""
        if texts:
            self._gaps.setdefault((number, names), []).extend(texts)

    @property
    def wrong(self) -> tuple[CheckedBattle, ...]:
        """The battles and entries that differ, in order of ids."""
        return _sorted(self._wrong)

    @property
    def unproved(self) -> tuple[CheckedBattle, ...]:
        """The battles and entries that could not be checked, in order of ids."""
        return _sorted(self._gaps)


def _sorted(found: dict[tuple[str, str], list[str]]) -> tuple[CheckedBattle, ...]:
    return tuple(CheckedBattle(*key, tuple(found[key])) for key in sorted(found))
