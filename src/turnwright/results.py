"""What a battle comes to, for people and programs, and how far it has come while it is played.

The names of the fields are those of the JSON that `turnwright battle --json` prints. All values are plain:
nothing here opens anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["BattleResult", "LatencyRow", "Progress", "ResultRow", "Standing", "unique_names"]


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One bot, or one team. rank: 1 is best, equal totals share it. The scores are sums over all rounds.

    name: of the bot or team; a second one of the same name is called "name (2)".
    disqualified: it missed too many turns in a row (of a team: every member did).
    never_answered: it was asked and gave not one answer, in time or late (of a team: no member did).
    """

    rank: int
    name: str
    version: str
    total_score: int
    survival: int
    last_survivor_bonus: int
    bullet_damage: int
    bullet_kill_bonus: int
    ram_damage: int
    ram_kill_bonus: int
    first_places: int
    second_places: int
    third_places: int
    disqualified: bool = False
    never_answered: bool = False


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """How fast one bot answered: percentiles in µs from the moment its observation left for its socket.

    skipped: turns it missed; late: answers after their deadline, by how much late in the middle and at most:
    late_p50_us, late_max_us; malformed: messages that made no sense.
    """

    p50_us: int
    p95_us: int
    p99_us: int
    max_us: int
    skipped: int
    late: int
    malformed: int
    late_p50_us: int = 0
    late_max_us: int = 0


@dataclass(frozen=True, slots=True)
class BattleResult:
    """A battle that was played to its end.

    seed: with the same bots, answers in time and this seed the battle comes out the same. turns: of all
    rounds. results: best first. latency: by name of bot, each member of a team on its own.
    server_late_turns: turns in which the server itself was late (nobody is skipped for that).
    record: the path of the record, or None; recording: the same of the one for official viewers.
    record_error: why one of them that was asked for is not whole, or None.
    turn_timeout_us: how long a bot had for a turn; None: no limit, all bots were of this process.
    last_lines: by name of each bot that never answered a turn, what its process printed last.
    """

    seed: int
    game_type: str
    rounds: int
    turns: int
    results: tuple[ResultRow, ...]
    latency: Mapping[str, LatencyRow] = field(default_factory=dict)
    server_late_turns: int = 0
    record: str | None = None
    recording: str | None = None
    record_error: str | None = None
    turn_timeout_us: int | None = 30_000
    last_lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def nobody_answered(self) -> bool:
        """Whether no bot ever answered a turn, so that the results say nothing."""
        return bool(self.results) and all(row.never_answered for row in self.results)

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {
            "seed": self.seed,
            "game_type": self.game_type,
            "rounds": self.rounds,
            "turns": self.turns,
            "results": [asdict(row) for row in self.results],
            "latency": {name: asdict(row) for name, row in self.latency.items()},
            "server_late_turns": self.server_late_turns,
            "record": self.record,
            "recording": self.recording,
            "record_error": self.record_error,
            "turn_timeout_us": self.turn_timeout_us,
            "last_lines": {name: list(lines) for name, lines in self.last_lines.items()},
        }

    def to_json(self) -> str:
        """Return the result as one JSON object, on one line."""
        return json.dumps(self.to_data(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot while the battle is played. score: its total, or its team's, after the last whole round.

    energy: None when it is out. slow: it missed many of the last turns. team: the name of its team, or None.
    """

    name: str
    score: int = 0
    energy: float | None = None
    slow: bool = False
    team: str | None = None

    @property
    def alive(self) -> bool:
        """Whether its tank is in the round."""
        return self.energy is not None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a battle has come. turn: of the round; turns: of the whole battle.

    waiting_for: names of the bots that are not there yet, while the stage is "starting".
    """

    stage: Literal["starting", "playing", "round over", "over"]
    round: int = 0
    rounds: int = 0
    turn: int = 0
    turns: int = 0
    standings: tuple[Standing, ...] = ()
    waiting_for: tuple[str, ...] = ()


def unique_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return the names, each made unlike those before it and those taken: "A", "A" becomes "A", "A (2)"."""
    used = set(taken)
    unique = []
    for name in names:
        number, candidate = 1, name
        while candidate in used:
            number += 1
            candidate = f"{name} ({number})"
        used.add(candidate)
        unique.append(candidate)
    return unique
