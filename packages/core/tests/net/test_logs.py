from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from collections.abc import Iterator

import pytest

from turnwright.net import logs
from turnwright.net.logs import log_line, log_to_stderr


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    logger = logging.getLogger("turnwright")
    before = (list(logger.handlers), logger.level, logger.propagate)
    yield
    logger.handlers[:], logger.propagate = before[0], before[2]
    logger.setLevel(before[1])


def test_a_line_and_a_traceback_are_safe_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr()
    logger = logging.getLogger("turnwright")
    log_line("info", "a\r\nb\x1b[1m\u202e")
    logger.info("bot %s joined", "evil\u202etxt\x9b31m")
    try:
        raise ValueError("red\x1b[31m\u202e")
    except ValueError:
        logger.exception("it failed")
    logger.handlers[0].flush()
    lines = capsys.readouterr().err.splitlines()
    assert all(line.isprintable() for line in lines)
    assert lines[0].endswith("INFO a\\x0d\\x0ab\\x1b[1m\\u202e")
    assert lines[1].endswith("INFO bot evil\\u202etxt\\x9b31m joined")
    assert lines[-1] == "ValueError: red\\x1b[31m\\u202e"


def test_the_log_goes_to_standard_error_from_a_level_up(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr(logging.WARNING)
    log_to_stderr(logging.WARNING)
    logging.getLogger("turnwright").info("quiet")
    logging.getLogger("turnwright.net").warning("loud")
    logging.getLogger("turnwright").handlers[0].flush()
    assert capsys.readouterr().err.count("loud") == 1
    assert capsys.readouterr().out == ""


def test_a_blocked_output_blocks_nothing_and_lost_lines_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, writing = os.pipe()
    monkeypatch.setattr(logs, "LINES_KEPT", 50)
    monkeypatch.setattr(logs, "FLUSH_S", 0.05)
    gone = contextlib.suppress(BrokenPipeError)  # of lines that are written after the reader has gone
    with gone, os.fdopen(writing, "w") as stream, os.fdopen(reading) as taken:
        monkeypatch.setattr(sys, "stderr", stream)
        log_to_stderr()
        logger = logging.getLogger("turnwright")
        for number in range(2_000):  # four times what a pipe holds
            logger.info("line %d %s", number, "x" * 100)
        logger.handlers[0].flush()
        line = ""
        while "lines were dropped" not in line:
            logger.info("again")  # so that there is one more
            line = taken.readline()


def test_a_closed_output_is_not_written_to(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    log_to_stderr()
    stream.close()
    monkeypatch.undo()
    logging.getLogger("turnwright").warning("lost")
    logging.getLogger("turnwright").handlers[0].flush()
    assert capfd.readouterr().err == ""
