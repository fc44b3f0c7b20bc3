"""The failure of a participant in a battle: reason, place and error.

All reports of it have this one source: rows of results, JSON, log, trace and pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from turnwright.errors import error_line

ERROR_CHARS_MAX = 300
"""More of an error is left out."""
PRINTED_LINES_MAX = 40
PRINTED_CHARS_MAX = 500
"""So many last lines that its program printed are kept, each of so many characters."""


class FailureReason(StrEnum):
    """The reason why a participant plays no more, or never did."""

    CRASHED = "crashed"
    """An exception, a signal, an exit code other than 0, or a limit ended its program."""
    EXITED = "exited"
    """Its program ended by itself, with exit code 0."""
    SILENT = "silent"
    """It was disqualified because no valid answer came any more, or none ever came."""
    SLOW = "slow"
    """It was disqualified because its answers came too late."""
    LEFT = "left"
    """Its connection ended; why is not known."""
    KICKED = "kicked"
    """The server closed its connection, because of what it sent."""
    BUSY = "busy"
    """It was disqualified while the server was late: a quicker machine might have taken its answers."""


_ADVICE = {
    FailureReason.CRASHED: "correct its program, at the line that its error names",
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
"""How the errors of three kinds of participants begin: one whose answers never count, one that is too old
to play, and one that was disqualified after a time.
"""
_EXIT_CODE = re.compile(r"exit code \d+")
_WHY_OUT = {
    FailureReason.SILENT: "no answers",
    FailureReason.SLOW: "too slow",
    FailureReason.BUSY: "the machine was busy",
}
OUT_REASONS = frozenset(_WHY_OUT)
"""Reasons for which a participant was disqualified."""
_GUESSED = OUT_REASONS | {FailureReason.LEFT}
"""Reasons that what is learnt of a program's end replaces."""


IF_CRASHED = {FailureReason.SILENT: FailureReason.CRASHED, FailureReason.SLOW: FailureReason.SLOW}
"""Reasons for which an error that its program printed is the cause, and what the reason is then."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of a participant.

    `error` and `printed` can be encoded, whatever the program raised or printed.

    Attributes:
        round, turn: the turn of that round in which it happened, from 1; 0: in no certain turn.
        error: the last line of its exception, its exit code, or what it did wrong; or "".
        printed: the last lines that its program printed, as far as they are known.
    """

    reason: FailureReason
    round: int = 0
    turn: int = 0
    error: str = ""
    printed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Keep the error on one line, and all within its limits."""
        text = " ".join(self.error.split())
        object.__setattr__(self, "error", _encodable(text)[:ERROR_CHARS_MAX])
        lines = self.printed[-PRINTED_LINES_MAX:]
        object.__setattr__(self, "printed", tuple(_encodable(line)[:PRINTED_CHARS_MAX] for line in lines))

    @property
    def why_out(self) -> str:
        """The reason of a disqualification in a few words; "" for any other failure."""
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
        return f"{self.text}: {self.error}" if self.error not in ("", _REFUSED) else self.text

    @property
    def public(self) -> Failure:
        """The failure as everybody may know it: its reason and place alone.

        Also whether its answers were refused, whether it is too old, and for how long it gave no answer.
        """
        is_kept = self.is_outdated or self.error.startswith(_UNANSWERED)
        kept = self.error if is_kept else _REFUSED if self.is_refused else ""
        return replace(self, error=kept, printed=())

    @property
    def is_refused(self) -> bool:
        """Whether it did answer, but nothing that counts."""
        return self.reason is FailureReason.SILENT and self.error.startswith(_REFUSED)

    @property
    def is_outdated(self) -> bool:
        """Whether it left because it is too old to play."""
        return self.error.startswith(_OUTDATED)

    @property
    def advice(self) -> str:
        """The next step of its author."""
        if self.is_outdated:
            return _ADVICE_OUTDATED
        return _ADVICE_REFUSED if self.is_refused else _ADVICE[self.reason]

    def learnt(self, reason: FailureReason, error: str, printed: Sequence[str] = ()) -> Failure:
        """Return the failure with what has become known of it.

        What was certain before stays. An error that is known stays, and so do the place and what was printed.
        """
        said = self.printed or tuple(printed)
        if self.reason in _GUESSED and reason not in _GUESSED:
            stays = self.is_outdated and has_no_cause(reason, error)
            return replace(self, reason=reason, error=(not stays and error) or self.error, printed=said)
        is_more = reason is self.reason and (not self.error or self.error.startswith(_UNANSWERED))
        return replace(self, error=(is_more and error) or self.error, printed=said)


@dataclass(frozen=True, slots=True)
class PrintedError:
    """An error that a participant's program printed, after which it played on.

    Attributes:
        round, turn: as in `Failure`.
        error: the line that names it, e.g. "ZeroDivisionError: division by zero".
    """

    round: int
    turn: int
    error: str

    def __post_init__(self) -> None:
        """Keep the error on one line, and within its limit."""
        object.__setattr__(self, "error", _encodable(" ".join(self.error.split()))[:ERROR_CHARS_MAX])

    @property
    def text(self) -> str:
        """The error in one line, behind a name."""
        return f"printed an error by turn {self.turn} of round {self.round}: {self.error}"


def _encodable(text: str) -> str:
    r"""Return a text with \udcff for half a surrogate pair, which no encoder takes.

    A path that is no UTF-8 has some, and so has the traceback that names it.
    """
    return text.encode("utf-8", "backslashreplace").decode()


def refusal(why: str) -> str:
    """Return the error of a silent participant whose answers were refused.

    Args:
        why: the reason of the first refusal; "": there was none.
    """
    return f"{_REFUSED} {why}" if why else ""


def unanswered(silence_ns: int) -> str:
    """Return the error of a participant that was disqualified after so long without an answer in time."""
    return f"{_UNANSWERED} {silence_ns / 1e9:.1f} s"


def has_no_cause(reason: FailureReason, error: str) -> bool:
    """Whether an end tells nothing of its cause: at most an exit code."""
    return reason is FailureReason.LEFT or _EXIT_CODE.fullmatch(error) is not None


def outdated(why: str) -> str:
    """Return the error of a participant that is too old to play.

    Args:
        why: what is old, and what would play.
    """
    return f"{_OUTDATED} {why}"


def reason_of(error: BaseException) -> tuple[FailureReason, str]:
    """Return the reason and the error of a program that an exception ended.

    sys.exit() is such an exception: its exit code is 0 for none, and 1 for a text, be it empty.
    """
    if not isinstance(error, SystemExit):
        return FailureReason.CRASHED, error_line(error)
    text = "" if error.code is None or isinstance(error.code, int) else str(error.code)
    code = error.code if isinstance(error.code, int) else int(error.code is not None)
    said = f"exit code {int(code)}{': ' if text else ''}{text}"
    return (FailureReason.CRASHED if code else FailureReason.EXITED), said
