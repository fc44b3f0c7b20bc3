"""A bot as a program of its own: what it raises becomes an exit code, and a line or a traceback on stderr."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from turnwright.errors import EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_OK, TurnwrightError

__all__ = ["end_with"]


def end_with(name: str, play: Callable[[], object]) -> NoReturn:
    """Play, then end the process with an exit code of `turnwright.errors`. name: the bot's, for a message."""
    code = EXIT_OK
    try:
        play()
    except TurnwrightError as error:
        print(f"{name}: {error}", file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except Exception:
        traceback.print_exc()
        code = EXIT_INTERNAL
    sys.exit(code)
