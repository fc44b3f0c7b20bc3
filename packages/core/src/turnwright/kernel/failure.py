"""The failure of a participant in a battle: reason, place and error.

The rows of results, the JSON output, the log, the trace and the pages all describe a failure with this class.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from turnwright.errors import error_line

ERROR_CHARS_MAX = 300
"""The largest number of characters of an error. The rest is cut off."""
PRINTED_LINES_MAX = 40
PRINTED_CHARS_MAX = 500
"""The number of the program's last lines that are kept, and the number of characters of each line."""


class FailureReason(StrEnum):
    """Why a participant stopped playing, or never played."""

    CRASHED = "crashed"
    """The participant's program ended with an exception, a signal or an exit code other than 0, or because it
    exceeded a limit.
    """
    EXITED = "exited"
    """The participant's program ended by itself, with exit code 0."""
    SILENT = "silent"
    """The participant was disqualified because it sent no valid answers."""
    SLOW = "slow"
    """The participant was disqualified because its answers came too late."""
    LEFT = "left"
    """The participant's connection ended for an unknown reason."""
    KICKED = "kicked"
    """The server closed the participant's connection because of a message that the participant sent."""
    BUSY = "busy"
    """The participant was disqualified while the server was late. On a faster machine its answers might have
    been in time.
    """


_ADVICE = {
    FailureReason.CRASHED: "correct the line that its error names",
    FailureReason.EXITED: "let its program run until its connection is closed",
    FailureReason.SILENT: "let it answer every observation; start it by hand to see where it waits",
    FailureReason.SLOW: "let it do less in a turn, or give all bots more time: --turn-timeout 100ms",
    FailureReason.BUSY: "play it again on a machine that is less busy, or with --patient",
    FailureReason.LEFT: "see what its program printed, or start it by hand to see why it ends",
    FailureReason.KICKED: "correct what it sends",
}
_ADVICE_REFUSED = "correct its answers: the error says which was refused first, and what was expected"
_ADVICE_OUTDATED = "build it with a newer release of its API"
_REFUSED, _OUTDATED, _UNANSWERED = "refused:", "outdated:", "no answer in time for"
"""The first words of three kinds of errors. The server refused all answers of the participant. The
participant is too old to play. The participant gave no answer in time, and was disqualified.
"""
_EXIT_CODE = re.compile(r"exit code \d+")
_WHY_OUT = {
    FailureReason.SILENT: "no answers",
    FailureReason.SLOW: "too slow",
    FailureReason.BUSY: "the machine was busy",
}
OUT_REASONS = frozenset(_WHY_OUT)
"""The reasons for which a participant is disqualified."""
_GUESSED = OUT_REASONS | {FailureReason.LEFT}
"""Reasons that are only assumed. They are replaced if the end of the program shows another reason."""


IF_CRASHED = {FailureReason.SILENT: FailureReason.CRASHED, FailureReason.SLOW: FailureReason.SLOW}
"""For reasons that an error in the program's output can explain, the reason to use if there is such an
error.
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of a participant.

    All texts in `error` and `printed` can be encoded as UTF-8, whatever the program raised or printed.

    Attributes:
        round, turn: the round, and the turn of this round, in which the failure happened. Both count from 1.
            0 means not known.
        error: the last line of the program's exception, its exit code, or its mistake. "" means not known.
        printed: the last lines that the participant's program printed, as far as they are known.
    """

    reason: FailureReason
    round: int = 0
    turn: int = 0
    error: str = ""
    printed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Put the error on one line, and cut all texts to their limits."""
        text = " ".join(self.error.split())
        object.__setattr__(self, "error", _encodable(text)[:ERROR_CHARS_MAX])
        lines = self.printed[-PRINTED_LINES_MAX:]
        object.__setattr__(self, "printed", tuple(_encodable(line)[:PRINTED_CHARS_MAX] for line in lines))

    @property
    def why_out(self) -> str:
        """The reason for a disqualification in a few words. "" means that the failure is not a
        disqualification."""
        return "no valid answers" if self.is_refused else _WHY_OUT.get(self.reason, "")

    @property
    def text(self) -> str:
        """The failure in a few words, e.g. "crashed in turn 3 of round 1"."""
        place = f" in turn {self.turn} of round {self.round}" if self.turn else ""
        if self.reason is FailureReason.SILENT and not place:
            return "gave no valid answer" if self.is_refused else "never answered a turn"
        return f"disqualified{place}: {self.why_out}" if self.why_out else f"{self.reason}{place}"

    @property
    def full_text(self) -> str:
        """The failure with its error, if there is one."""
        if self.turn and self.reason is FailureReason.SILENT and self.error.startswith(_UNANSWERED):
            return self.text.removesuffix(self.why_out) + self.error
        return f"{self.text}: {self.error}" if self.error not in ("", _REFUSED) else self.text

    @property
    def public(self) -> Failure:
        """The failure without private details. It has the reason, the round and the turn.

        If the answers were refused, the program is too old, or the participant gave no answer for some time,
        the public failure says this, too.
        """
        is_kept = self.is_outdated or self.error.startswith(_UNANSWERED)
        kept = self.error if is_kept else _REFUSED if self.is_refused else ""
        return replace(self, error=kept, printed=())

    @property
    def is_refused(self) -> bool:
        """Whether the participant answered, but no answer was valid."""
        return self.reason is FailureReason.SILENT and self.error.startswith(_REFUSED)

    @property
    def is_outdated(self) -> bool:
        """Whether the participant left because its program is too old to play."""
        return self.error.startswith(_OUTDATED)

    @property
    def advice(self) -> str:
        """What the participant's author should do next."""
        if self.is_outdated:
            return _ADVICE_OUTDATED
        return _ADVICE_REFUSED if self.is_refused else _ADVICE[self.reason]

    def learnt(self, reason: FailureReason, error: str, printed: Sequence[str] = ()) -> Failure:
        """Return the failure with new information.

        Only a reason that was assumed can change. A known error is replaced only together with its reason, or
        if it says that there was no answer in time. The error of an outdated program is not replaced if the
        cause of its end is not known. The round and turn, and known printed lines, stay.
        """
        said = self.printed or tuple(printed)
        if self.reason in _GUESSED and reason not in _GUESSED:
            stays = self.is_outdated and has_no_cause(reason, error)
            return replace(self, reason=reason, error=(not stays and error) or self.error, printed=said)
        is_more = reason is self.reason and (not self.error or self.error.startswith(_UNANSWERED))
        return replace(self, error=(is_more and error) or self.error, printed=said)


@dataclass(frozen=True, slots=True)
class PrintedError:
    """An error that a participant's program printed, although the program then continued to play.

    Attributes:
        round, turn: the round, and the turn of this round, as in `Failure`.
        error: the line that names the error, e.g. "ZeroDivisionError: division by zero".
    """

    round: int
    turn: int
    error: str

    def __post_init__(self) -> None:
        """Put the error on one line, and cut it to its limit."""
        object.__setattr__(self, "error", _encodable(" ".join(self.error.split()))[:ERROR_CHARS_MAX])

    @property
    def text(self) -> str:
        """The error as a text of one line that follows the participant's name."""
        return f"printed an error by turn {self.turn} of round {self.round}: {self.error}"


def _encodable(text: str) -> str:
    r"""Return a text in which each lone surrogate is replaced, because it cannot be encoded.

    Python puts lone surrogates into a path that is not UTF-8, and into a traceback with that path.
    """
    return text.encode("utf-8", "backslashreplace").decode()


def refusal(why: str) -> str:
    """Return the error of a silent participant whose answers were refused.

    Args:
        why: the reason of the first refusal. "" means that no answer was refused. The result is then "".
    """
    return f"{_REFUSED} {why}" if why else ""


def unanswered(silence_ns: int) -> str:
    """Return the error of a participant that was disqualified because it gave no answer in time for
    `silence_ns`.
    """
    return f"{_UNANSWERED} {silence_ns / 1e9:.1f} s"


def has_no_cause(reason: FailureReason, error: str) -> bool:
    """Return whether nothing is known about the cause of a program's end, except perhaps the exit code."""
    return reason is FailureReason.LEFT or _EXIT_CODE.fullmatch(error) is not None


def outdated(why: str) -> str:
    """Return the error of a participant that is too old to play.

    Args:
        why: what is outdated, and which version can play.
    """
    return f"{_OUTDATED} {why}"


def reason_of(error: BaseException) -> tuple[FailureReason, str]:
    """Return the reason and the error for a program that ended with the exception `error`.

    sys.exit() raises such an exception, too. Its exit code is 0 without an argument, and 1 with a text.
    """
    if not isinstance(error, SystemExit):
        return FailureReason.CRASHED, error_line(error)
    text = "" if error.code is None or isinstance(error.code, int) else str(error.code)
    code = error.code if isinstance(error.code, int) else int(error.code is not None)
    said = f"exit code {int(code)}{': ' if text else ''}{text}"
    return (FailureReason.CRASHED if code else FailureReason.EXITED), said
