"""Failures: their bounded contents, additions that come later, and one wording for all places."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from turnwright.kernel.failure import (
    PRINTED_CHARS_MAX,
    PRINTED_LINES_MAX,
    Failure,
    FailureReason,
    outdated,
    reason_of,
    refusal,
)


def test_a_failure_keeps_a_bounded_number_of_printed_lines() -> None:
    lines = tuple(f"{n} {'x' * 1000}" for n in range(100))
    kept = Failure(FailureReason.CRASHED, printed=lines).printed
    assert len(kept) == PRINTED_LINES_MAX
    assert kept[-1].startswith("99 ")
    assert max(map(len, kept)) == PRINTED_CHARS_MAX


@pytest.mark.parametrize(
    "encode",
    [
        msgspec.json.encode,
        msgspec.msgpack.encode,
        lambda texts: json.dumps(texts, ensure_ascii=False).encode(),
        lambda texts: "\r\n".join(texts).encode(),
    ],
    ids=["msgspec", "msgpack", "json", "telnet"],
)
def test_a_failure_that_names_a_path_of_other_bytes_can_be_encoded(encode: Callable[[Any], bytes]) -> None:
    path = b"caf\xe9.json".decode("utf-8", "surrogateescape")
    with pytest.raises(UnicodeEncodeError):
        encode([path])
    told = Failure(FailureReason.LEFT, 1, 1, f"no {path}", (f"  File {path}", "é\ud800"))
    assert b"caf" in encode([told.error, *told.printed])
    assert told.printed == ("  File caf\\udce9.json", "é\\ud800")
    assert encode([told.learnt(FailureReason.CRASHED, "\udcff").error])


def test_output_that_becomes_known_later_is_added_once() -> None:
    told = Failure(FailureReason.CRASHED, 1, 3, "ZeroDivisionError")
    more = told.learnt(FailureReason.CRASHED, "exit code 1", ["Traceback", "ZeroDivisionError"])
    assert (more.error, more.printed) == ("ZeroDivisionError", ("Traceback", "ZeroDivisionError"))
    assert more.learnt(FailureReason.CRASHED, "", ["other"]) == more
    left = Failure(FailureReason.LEFT, 1, 3).learnt(FailureReason.EXITED, "exit code 0", ["bye"])
    assert left == Failure(FailureReason.EXITED, 1, 3, "exit code 0", ("bye",))


@pytest.mark.parametrize(
    ("error", "reason", "text"),
    [
        (SystemExit(), "exited", "exit code 0"),
        (SystemExit(0), "exited", "exit code 0"),
        (SystemExit(5), "crashed", "exit code 5"),
        (SystemExit(None), "exited", "exit code 0"),
        (SystemExit(True), "crashed", "exit code 1"),
        (SystemExit("stop"), "crashed", "exit code 1: stop"),
        (SystemExit(""), "crashed", "exit code 1"),
        (SystemExit(0.0), "crashed", "exit code 1: 0.0"),
        (ValueError("bad"), "crashed", "ValueError: bad"),
    ],
)
def test_the_error_that_ends_a_program_determines_the_reason(
    error: BaseException, reason: str, text: str
) -> None:
    assert reason_of(error) == (reason, text)


def test_refused_answers_are_distinguished_from_silence_also_in_public() -> None:
    refused = Failure(FailureReason.SILENT, 1, 3, refusal("'x' is not an intent"))
    assert refused.public.text == refused.text != Failure(FailureReason.SILENT, 1, 3).text
    assert refused.public.full_text == refused.text
    assert refused.public.is_refused


@pytest.mark.parametrize("reason", [FailureReason.LEFT, FailureReason.EXITED])
def test_an_outdated_program_keeps_its_advice_when_its_exit_code_is_known(
    reason: FailureReason,
) -> None:
    told = Failure(reason, 1, 1, outdated("its API is of 2023"))
    known = told.learnt(FailureReason.EXITED, "exit code 0", ["bye"])
    assert known == Failure(FailureReason.EXITED, 1, 1, told.error, ("bye",))
    assert "its API is of 2023" in known.full_text
    assert known.advice == told.advice != Failure(FailureReason.EXITED, 1, 1).advice
    assert "newer" in known.advice
    assert known.public.advice == known.advice


def test_a_crash_with_a_cause_says_more_than_that_a_program_is_outdated() -> None:
    left = Failure(FailureReason.LEFT, 1, 1, outdated("its API is of 2023"))
    assert left.learnt(FailureReason.CRASHED, "exit code 1").error == left.error
    assert left.learnt(FailureReason.CRASHED, "ValueError: swordfish").error == "ValueError: swordfish"
