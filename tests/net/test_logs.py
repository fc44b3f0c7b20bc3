from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from turnwright.net.logs import log_to_stderr, one_line


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    logger = logging.getLogger("turnwright")
    before = (list(logger.handlers), logger.level, logger.propagate)
    yield
    logger.handlers[:], logger.propagate = before[0], before[2]
    logger.setLevel(before[1])


def test_names_of_strangers_cannot_forge_lines_or_colours() -> None:
    assert one_line("a\r\nb\x1b[1m\x07\x85\u2028é") == "a\\x0d\\x0ab\\x1b[1m\\x07\\x85\\x2028é"


def test_the_log_goes_to_standard_error_from_a_level_up(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr(logging.WARNING)
    log_to_stderr(logging.WARNING)
    logging.getLogger("turnwright").info("quiet")
    logging.getLogger("turnwright.net").warning("loud")
    assert capsys.readouterr().err.count("loud") == 1
    assert capsys.readouterr().out == ""
