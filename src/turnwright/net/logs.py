"""The log: one line an event, on standard error."""

from __future__ import annotations

import logging
import sys

__all__ = ["log_to_stderr", "one_line"]

_NAME = "turnwright"
_FORMAT = "%(asctime)s %(levelname)s %(message)s"
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160), 0x2028, 0x2029)}


def one_line(text: str) -> str:
    """Return `text` with control characters spelt out: names in it come from strangers."""
    return text.translate(_CONTROL)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Let our log go to standard error from `level` up, instead of wherever it went before."""
    logger = logging.getLogger(_NAME)
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False
