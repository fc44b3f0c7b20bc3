"""The specification of one battle of a tournament, from which its id is computed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwright_league.tournament.entries import KeptId

BATTLE_ID_DIGITS = 40
"""The number of hexadecimal digits in a battle's id."""


@dataclass(frozen=True, slots=True)
class BattleSpec(KeptId):
    """All inputs that determine the result of one battle.

    The time, the machine and the user are not part of it.

    Attributes:
        game: the name of its game.
        behaviour: the version of its rules.
        settings: the options of a battle of that game that differ from their defaults, as canonical JSON
            (`settings_text`), e.g. '{"game_type":"1v1","rounds":10}'.
        seats: the ids of entries, by seat. One entry may have several seats.
        seed: the seed of the battle.
    """

    game: str
    behaviour: int
    settings: str
    seats: tuple[str, ...]
    seed: int

    @property
    def id(self) -> str:
        """The id, a hash of all fields with BATTLE_ID_DIGITS hexadecimal digits."""
        return self.kept_id(self.to_json, BATTLE_ID_DIGITS)

    def to_json(self) -> str:
        """Return the canonical JSON text. Equal specifications have equal texts."""
        return json.dumps(
            [self.game, self.behaviour, json.loads(self.settings), list(self.seats), self.seed],
            ensure_ascii=False,
            sort_keys=True,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> BattleSpec:
        """Return the specification that `to_json` wrote as this text.

        Raises:
            ValueError: the text is not a specification of a battle.
        """
        try:
            game, behaviour, settings, seats, seed = json.loads(text)
            spec = cls(game, behaviour, settings_text(settings), tuple(seats), seed)
        except (TypeError, AttributeError) as error:
            raise ValueError(f"not a specification of a battle: {text[:80]!r}") from error
        fits = (
            isinstance(game, str)
            and type(behaviour) is int
            and type(seed) is int
            and all(isinstance(seat, str) for seat in spec.seats)
        )
        if not fits:
            raise ValueError(f"not a specification of a battle: {text[:80]!r}")
        return spec


def settings_text(settings: Mapping[str, Any]) -> str:
    """Return settings (JSON values, by name) as canonical JSON."""
    return json.dumps(dict(settings.items()), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
