"""`turnwright --version` names the speed of the rules."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright.cli import parser
from turnwright.cli.parser import version_text


@pytest.mark.parametrize(
    ("why", "said"), [("no compiler", "rules: interpreted"), ("", "rules: compiled"), (None, "CPython")]
)
def test_the_version_says_how_the_rules_run(
    monkeypatch: pytest.MonkeyPatch, why: str | None, said: str
) -> None:
    monkeypatch.setattr(parser, "why_interpreted", lambda: why)
    text = version_text()
    assert not missing(text, "turnwright", said)
    assert ("rules" in text) == (why is not None)
