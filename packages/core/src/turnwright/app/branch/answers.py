"""Compares the answers of a bot with the answers in a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.app.branch.choice import PlayedRecord
from turnwright.kernel.branch import BranchAnswer

DIFFERENCES_MAX = 1_000
"""The largest number of turns with different answers that are listed. Further such turns are only counted."""


class AnswerComparison:
    """Compares a bot's answers with the recorded ones.

    Args:
        played: the record, whose game reports how intents differ.

    Attributes:
        same, different, unanswered: numbers of turns.
        differences: the first DIFFERENCES_MAX turns with different answers, as JSON values.
        last: the newest compared answer, or None.
    """

    def __init__(self, played: PlayedRecord) -> None:
        self.same = self.unanswered = self.different = 0
        self.differences: list[dict[str, Any]] = []
        self.last: BranchAnswer | None = None
        self._records, self._rules = played.game.records, played.rules

    def note(self, answers: Sequence[BranchAnswer]) -> None:
        """Add the answers of one turn."""
        for answer in answers:
            self.last = answer
            if answer.intent is None:
                self.unanswered += 1
            elif answer.recorded is None:
                self._differ(answer, None)
            elif fields := self._records.intent_differences(self._rules, answer.recorded, answer.intent):
                self._differ(answer, {name: [one, two] for name, one, two in fields})
            else:
                self.same += 1

    def _differ(self, answer: BranchAnswer, fields: dict[str, list[Any]] | None) -> None:
        self.different += 1
        if len(self.differences) < DIFFERENCES_MAX:
            self.differences.append({"round": answer.round, "turn": answer.turn, "fields": fields})

    @property
    def data(self) -> dict[str, Any]:
        """The findings, as JSON values."""
        return {
            "same": self.same,
            "different": self.different,
            "unanswered": self.unanswered,
            "differences": self.differences,
            "last": self.last_data,
        }

    @property
    def last_data(self) -> dict[str, Any] | None:
        """The last compared turn and its two intents, as JSON values, or None if no turn was compared. An
        intent is None if the bot or the record has no answer.
        """
        if self.last is None:
            return None
        recorded, live = (
            None if one is None else self._records.intent_data(self._rules, one)
            for one in (self.last.recorded, self.last.intent)
        )
        return {"round": self.last.round, "turn": self.last.turn, "recorded": recorded, "live": live}
