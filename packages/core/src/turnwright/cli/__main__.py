"""Entry of the command line. It runs a command and turns errors into exit codes.

Only the module of the chosen command is imported. Results are printed to stdout, and everything else to
stderr. `turnwright.errors` lists the exit codes.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from turnwright.cli.parser import ParsedCommand, parse
from turnwright.cli.terminal import clean, degrade
from turnwright.errors import (
    EXIT_BAD_INPUT,
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_OK,
    SetupError,
    TurnwrightError,
)
from turnwright.net.signals import terminable

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Errors are printed to stderr.

    Args:
        argv: the arguments without the program's name. None means the arguments of this process.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    _prepare_streams()
    try:
        with terminable():
            return _run(words)
    except TurnwrightError as error:
        print(f"turnwright: {_shown(error)}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return EXIT_OK  # the reader of our output has closed it
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _NO_ROOM:
            _drop_output()
            print(
                f"turnwright: the output cannot be written: {error.strerror}; send it elsewhere",
                file=sys.stderr,
            )
            return EXIT_BAD_INPUT
        _report(error, verbose="--verbose" in words or bool(os.environ.get("TURNWRIGHT_DEBUG")))
        return EXIT_INTERNAL


def _prepare_streams() -> None:
    """Let stdout and stderr replace characters that they cannot encode. Open a substitute for a stream that
    was closed before the program began.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        degrade(getattr(sys, name))


def _drop_output() -> None:
    """Discard the buffered data of a closed output, so that Python raises no exception at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    found = parse(words)
    try:
        code = found if isinstance(found, int) else found.run(found.given)
    except SetupError as error:
        assert isinstance(found, ParsedCommand), "a help text needs no options"
        error.args = (found.given.as_typed(str(error)),)
        raise
    sys.stdout.flush()
    return code


def _shown(error: Exception) -> str:
    """Return an error's message without control characters, because names in it are untrusted. The line
    breaks stay.
    """
    return "\n".join(map(clean, str(error).split("\n")))


def _report(error: Exception, *, verbose: bool) -> None:
    """Report an internal error in one line. With `verbose`, print the traceback as well."""
    print(f"turnwright: internal error: {type(error).__name__}: {_shown(error)}", file=sys.stderr)
    if verbose:
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    else:
        print(
            "turnwright: run it again with --verbose for the traceback, and please report it", file=sys.stderr
        )


if __name__ == "__main__":
    sys.exit(main())
