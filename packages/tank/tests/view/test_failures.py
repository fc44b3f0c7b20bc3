"""Failures on the page: in the words of the terminal."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.viewer.node import NODE, as_served, environment, why_no_node
from turnwright.kernel.failure import Failure, FailureReason, refusal, unanswered

_PAGE = "games/tank/view/failures.js"


@pytest.mark.skipif(why_no_node() is not None, reason=str(why_no_node()))
def test_the_page_says_the_same_as_the_terminal(tmp_path: Path) -> None:
    failures = [
        Failure(reason, *place, error)
        for reason in FailureReason
        for place in ((0, 0), (2, 31))
        for error in ("", "exit code 1", refusal("5 is not an intent"), unanswered(10**9))
    ]
    failures += [failure.public for failure in failures]
    script = "const {failureText,failureOf}=await import(process.argv[1]);"
    script += "console.log(JSON.stringify(JSON.parse(process.argv[2]).map(f=>failureText(failureOf(f)))))"
    told = [{"reason": f.reason, "round": f.round, "turn": f.turn, "error": f.error} for f in failures]
    command = [
        str(NODE),
        "--input-type=module",
        "-e",
        script,
        str(as_served(tmp_path) / _PAGE),
        json.dumps(told),
    ]
    done = subprocess.run(command, env=environment(links=True), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [failure.full_text for failure in failures]
