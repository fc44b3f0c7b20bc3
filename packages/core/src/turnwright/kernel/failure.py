"""The failure of a participant in a battle: reason, place and error.

Rows of results, JSON, log, trace and pages all take a failure from here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from turnwright.errors import error_line

ERROR_CHARS_MAX = 300
"""The largest length of an error. The rest is cut off."""
PRINTED_LINES_MAX = 40
PRINTED_CHARS_MAX = 500
"""How many of the program's last lines are kept, and how many characters of each."""


class FailureReason(StrEnum):
    """Why a participant stopped playing, or never played."""

    CRASHED = "crashed"
    """An exception, a signal, an exit code other than 0, or a limit ended its program."""
    EXITED = "exited"
    """Its program ended by itself, with exit code 0."""
    SILENT = "silent"
    """It was disqualified because it sent no valid answer any more, or never sent one."""
    SLOW = "slow"
    """It was disqualified because its answers came too late."""
    LEFT = "left"
    """Its connection ended for an unknown reason."""
    KICKED = "kicked"
    """The server closed its connection because of what it sent."""
    BUSY = "busy"
    """It was disqualified while the server was late. On a faster machine its answers might have been in
    time.
    """


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
"""The first words of errors of three kinds of participants: the server refused all its answers, it is too old
to play, or it was disqualified after some time.
"""
_EXIT_CODE = re.compile(r"exit code \d+")
_WHY_OUT = {
    FailureReason.SILENT: "no answers",
    FailureReason.SLOW: "too slow",
    FailureReason.BUSY: "the machine was busy",
}
OUT_REASONS = frozenset(_WHY_OUT)
"""Reasons of a disqualification."""
_GUESSED = OUT_REASONS | {FailureReason.LEFT}
"""Reasons that are replaced when the end of the program reveals the real one."""


IF_CRASHED = {FailureReason.SILENT: FailureReason.CRASHED, FailureReason.SLOW: FailureReason.SLOW}
"""Reasons that an error in the program's output explains, and the reason to use then."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of a participant.

    All texts in `error` and `printed` can be encoded, whatever the program raised or printed.

    Attributes:
        round, turn: the round and its turn in which it happened, from 1; 0: not known.
        error: the last line of its exception, its exit code, or what it did wrong; or "".
        printed: the last lines that its program printed, as far as they are known.
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
        """The failure without private details: its reason and place.

        It also contains whether the answers were refused, whether the program is too old, and for how long
        the participant gave no answer.
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
        """Whether it left because it is too old to play."""
        return self.error.startswith(_OUTDATED)

    @property
    def advice(self) -> str:
        """What the participant's author should do next."""
        if self.is_outdated:
            return _ADVICE_OUTDATED
        return _ADVICE_REFUSED if self.is_refused else _ADVICE[self.reason]

    def learnt(self, reason: FailureReason, error: str, printed: Sequence[str] = ()) -> Failure:
        """Return the failure with new information.

        A reason that was certain does not change. Neither do a known error, the place and the printed lines.
        """
        said = self.printed or tuple(printed)
        if self.reason in _GUESSED and reason not in _GUESSED:
            stays = self.is_outdated and has_no_cause(reason, error)
            return replace(self, reason=reason, error=(not stays and error) or self.error, printed=said)
        is_more = reason is self.reason and (not self.error or self.error.startswith(_UNANSWERED))
        return replace(self, error=(is_more and error) or self.error, printed=said)


@dataclass(frozen=True, slots=True)
class PrintedError:
    """An error that a participant's program printed and then continued to play.

    Attributes:
        round, turn: the round and its turn, as in `Failure`.
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
        """The error in one line, to follow the participant's name."""
        return f"printed an error by turn {self.turn} of round {self.round}: {self.error}"


def _encodable(text: str) -> str:
    r"""Return a text in which \udcff replaces half a surrogate pair, which cannot be encoded.

    A path that is not UTF-8 has such halves, and so does a traceback with that path.
    """
    return text.encode("utf-8", "backslashreplace").decode()


def refusal(why: str) -> str:
    """Return the error of a silent participant whose answers were refused.

    Args:
        why: the reason of the first refusal; "": no answer was refused.
    """
    return f"{_REFUSED} {why}" if why else ""


def unanswered(silence_ns: int) -> str:
    """Return the error of a participant that was disqualified after this time without an answer in time."""
    return f"{_UNANSWERED} {silence_ns / 1e9:.1f} s"


def has_no_cause(reason: FailureReason, error: str) -> bool:
    """Return whether a program's end reveals no cause, except perhaps an exit code."""
    return reason is FailureReason.LEFT or _EXIT_CODE.fullmatch(error) is not None


def outdated(why: str) -> str:
    """Return the error of a participant that is too old to play.

    Args:
        why: what is outdated, and which version can play.
    """
    return f"{_OUTDATED} {why}"


def reason_of(error: BaseException) -> tuple[FailureReason, str]:
    """Return the reason and the error of a program that an exception ended.

    sys.exit() is such an exception, too. Without an argument its exit code is 0, with a text it is 1.
    """
    if not isinstance(error, SystemExit):
        return FailureReason.CRASHED, error_line(error)
    text = "" if error.code is None or isinstance(error.code, int) else str(error.code)
    code = error.code if isinstance(error.code, int) else int(error.code is not None)
    said = f"exit code {int(code)}{': ' if text else ''}{text}"
    return (FailureReason.CRASHED if code else FailureReason.EXITED), said
