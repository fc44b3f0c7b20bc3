from __future__ import annotations

import pytest

from turnwright.cli import bar
from turnwright.cli.bar import Bar


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, after_s: float = 0.0) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(bar, "SHOWN_AFTER_S", after_s)


def test_a_terminal_gets_a_bar_that_is_taken_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_a_terminal(monkeypatch)
    with Bar(10) as shown:
        for _ in range(10):
            shown.step()
    said = capsys.readouterr()
    assert said.out == ""
    assert "0.00/10.0" in said.err
    assert said.err.rpartition("\r")[0].endswith(" ")


def test_how_much_there_is_may_be_said_later(monkeypatch: pytest.MonkeyPatch) -> None:
    at_a_terminal(monkeypatch)
    with Bar(unit="bytes") as shown:
        shown.reach(3, 6)
        shown.reach(6, 6)
        assert (shown._bar.n, shown._bar.total) == (6, 6)


def test_what_is_quick_shows_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_a_terminal(monkeypatch, after_s=60.0)
    with Bar(1_000) as shown:
        for _ in range(1_000):
            shown.step()
    assert capsys.readouterr().err.strip() == ""


def test_what_is_no_terminal_gets_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bar, "SHOWN_AFTER_S", 0.0)
    with Bar(3) as shown:
        shown.step()
    assert capsys.readouterr() == ("", "")
