"""What a bot is told about the game before the first round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from turnwright.wire.royale.parts import GameSetup

__all__ = ["GameInfo"]


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The game and my place in it. Sizes: units; my_id, teammate_ids: bot ids (seat + 1)."""

    my_id: int = 0
    game_type: str = "classic"
    arena_width: int = 800
    arena_height: int = 600
    number_of_rounds: int = 10
    gun_cooling_rate: float = 0.1
    max_inactivity_turns: int = 450
    turn_timeout_us: int = 30_000
    teammate_ids: tuple[int, ...] = ()
    bot_names: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of_setup(
        cls,
        setup: GameSetup,
        my_id: int,
        teammate_ids: tuple[int, ...] = (),
        bot_names: Mapping[int, str] | None = None,
    ) -> GameInfo:
        """Return what a game's setup tells the bot of that id."""
        return cls(
            my_id=my_id,
            game_type=setup.game_type,
            arena_width=setup.arena_width,
            arena_height=setup.arena_height,
            number_of_rounds=setup.number_of_rounds,
            gun_cooling_rate=setup.gun_cooling_rate,
            max_inactivity_turns=setup.max_inactivity_turns,
            turn_timeout_us=setup.turn_timeout,
            teammate_ids=teammate_ids,
            bot_names=bot_names or {},
        )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> GameInfo:
        """Return the info that a mapping with (some of) these names holds; other names are ignored."""
        known = {f.name: given[f.name] for f in fields(cls) if given.get(f.name) is not None}
        if "teammate_ids" in known:
            known["teammate_ids"] = tuple(known["teammate_ids"])
        return cls(**known)
