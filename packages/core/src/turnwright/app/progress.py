"""The progress of a battle, read from time to time."""

from __future__ import annotations

from collections import deque
from typing import Literal

from turnwright.app.results import Progress, Standing
from turnwright.host.battle_start import progress_of
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import RoundProgress, Seat, unique_names

SLOW_SHARE = 0.1
SLOW_TURNS = 100
"""The number of recent turns in which a bot's missed turns are counted. A bot that missed a tenth of these
turns is shown as slow.
"""

_Stage = Literal["playing", "round over", "over"]


class Follower:
    """Observes a battle to report slow bots and ended rounds."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._round = 0
        self._history: deque[tuple[int, tuple[int, ...]]] = deque()

    def look(self, battle: Battle) -> Progress:
        """Return the progress of the battle.

        The stage is "over" at the end of the battle. Before, it is "round over" if a round has ended since
        the last call.

        Raises:
            VoidBattleError: the scores of the game are invalid.
        """
        now = progress_of(battle)
        ended = now.round - (0 if now.round_over else 1)
        just_ended = ended > self._round
        stage: _Stage = "round over" if just_ended else "playing"
        self._round = max(self._round, ended)
        return Progress(
            stage="over" if battle.outcome is not None else stage,
            round=ended if just_ended else now.round,
            rounds=self.rounds(battle),
            turn=now.turn,
            turns=battle.turn,
            standings=self.standings(battle, now, self._slow(battle)),
            waiting_for=tuple(self.names(battle)[seat] for seat in sorted(battle.collecting.first_awaited())),
        )

    def names(self, battle: Battle) -> list[str]:
        """Return the names of the bots by seat. No two are equal."""
        if not self._names:
            self._names = unique_names(seat.name for seat in battle.header.seats)
        return self._names

    def rounds(self, battle: Battle) -> int:
        """Return the number of rounds of the battle: 1, unless a game with rounds overrides this method."""
        return 1

    def standings(self, battle: Battle, now: RoundProgress, slow: set[Seat]) -> tuple[Standing, ...]:
        """Return the current standing of each bot, by seat.

        Args:
            slow: the seats that missed many of the last turns.
        """
        scores, is_over = battle.scores(), battle.outcome is not None
        return tuple(
            Standing(
                name,
                None if scores is None else scores[seat],
                is_over or seat in now.alive,
                slow=seat in slow,
            )
            for seat, name in enumerate(self.names(battle))
        )

    def _slow(self, battle: Battle) -> set[int]:
        """Return the seats that missed many of the last turns."""
        missed = tuple(faults.skipped for faults in battle.referee.skips.seats)
        self._history.append((battle.turn, missed))
        while len(self._history) > 2 and self._history[1][0] <= battle.turn - SLOW_TURNS:
            self._history.popleft()
        turn, before = self._history[0]
        limit = max(1.0, (battle.turn - turn) * SLOW_SHARE)
        return {seat for seat, count in enumerate(missed) if count - before[seat] >= limit}
