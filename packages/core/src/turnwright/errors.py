"""The exceptions that turnwright raises on purpose, and their exit codes.

    TurnwrightError                 an operator can fix the cause; str() is one line that says
    │                               what was given, what was expected and what to do
    ├── SetupError                  a battle cannot begin with these settings            exit code 2
    │   └── GameError               a game cannot be loaded or breaks its contract       exit code 2
    ├── ParticipantStartError       a participant did not start, or ended too soon       exit code 3
    │   └── MissingProgramError     this machine lacks a program that starts it          exit code 3
    ├── RecordError                 a record cannot be read or replayed                  exit code 2
    │   └── MismatchError           a replay differs from the record                     exit code 4
    └── VoidBattleError             the rules failed, and the battle does not count      exit code 1

A mistake of a participant is a value, never an exception (see `turnwright.kernel.deadline`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from traceback import format_exception
from types import FrameType
from typing import Any

EXIT_OK = 0
EXIT_INTERNAL = 1
EXIT_BAD_INPUT = 2
EXIT_PARTICIPANT = 3
EXIT_MISMATCH = 4
EXIT_RECORD = 5
"""The battle was played, but a required record is incomplete."""
EXIT_INTERRUPTED = 130

MEANINGS = {
    EXIT_OK: "done",
    EXIT_INTERNAL: "an internal error, or the battle is void because the rules failed",
    EXIT_BAD_INPUT: "the input is wrong, or a bot never connected or never got ready. The error says what to"
    " do",
    EXIT_PARTICIPANT: "a participant did not start, ended before the battle began, or crashed during it, or"
    " no participant answered any turn. The command prints their last lines. tournament run: a participant"
    " crashed or did not start in a battle of this run",
    EXIT_MISMATCH: "a record or a tournament failed verification",
    EXIT_RECORD: "the battle was played, but a required record is incomplete. tournament verify: no"
    " result differs, but some results could not be checked",
    EXIT_INTERRUPTED: "interrupted",
}
"""The meaning of each exit code, for help and documentation."""


def _is_ours(frame: FrameType) -> bool:
    """Return whether a stack frame belongs to turnwright or to a game's package. A game's package contains
    its bot library.
    """
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package == "turnwright" or hasattr(sys.modules.get(package), "GAME")


def error_line(error: BaseException) -> str:
    """Return an exception in one line, with the innermost line of the bot's code in its traceback, if any.

    Example: "ZeroDivisionError: division by zero (MyBot.py, line 7)".
    """
    place, trace = "", error.__traceback__
    while trace is not None:
        if not _is_ours(trace.tb_frame):
            name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
            place = f" ({name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    said = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"


def trace_lines(error: BaseException) -> list[str]:
    """Return the lines of an exception's traceback, beginning with the bot's own code.

    If no part of the traceback belongs to the bot, return all lines.
    """
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame):
        trace = trace.tb_next
    own = error.with_traceback(trace or error.__traceback__)
    return "".join(format_exception(own)).splitlines()


class TurnwrightError(Exception):
    """The base of all our exceptions. `exit_code` is the exit code of a command that ends with the
    exception.
    """

    exit_code: int = EXIT_BAD_INPUT
    seats: tuple[int, ...] = ()
    """The seats of the participants that caused the error, if these seats are known."""
    failures: Mapping[int, Any] = {}
    """The failures (`kernel.failure`) of these participants by seat, as far as they are known."""
    for_author: str = ""
    """The message for a bot's author on another machine. "" means the same message as for the operator."""


class SetupError(TurnwrightError):
    """A battle cannot begin.

    The message says what was given, what was expected and what to do.
    """


class GameError(SetupError):
    """A game cannot be loaded, or does not keep the contract of a game.

    The message names the file, or the method with what it returned and what was expected.
    """


class ParticipantStartError(TurnwrightError):
    """A participant did not start, or ended before its battle was over."""

    exit_code = EXIT_PARTICIPANT


class MissingProgramError(ParticipantStartError):
    """The machine lacks a program that is needed to start a participant.

    This is not the participant's mistake.
    """


class RecordError(TurnwrightError):
    """A record cannot be read or replayed. If one line is the cause, the message names it."""


class MismatchError(RecordError):
    """A replay of a record differs from the record."""

    exit_code = EXIT_MISMATCH


class VoidBattleError(TurnwrightError):
    """A battle is void, in most cases because the rules raised an exception.

    Args:
        entry: the turn in which the rules failed (a kernel TurnEntry without a digest), or None.
        bundle: the path of the files with which the error can be reproduced, or None.
    """

    exit_code = EXIT_INTERNAL

    def __init__(self, message: str, bundle: str | None = None, entry: object = None) -> None:
        super().__init__(message)
        self.bundle = bundle
        self.entry = entry
