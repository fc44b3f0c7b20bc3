from __future__ import annotations

import pytest

from turnwright.cli import terminal as bar
from turnwright.cli.terminal import Bar


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, after_s: float = 0.0) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(bar, "SHOWN_AFTER_S", after_s)


def test_a_terminal_gets_a_bar_that_is_taken_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_a_terminal(monkeypatch)
    with Bar("x.twr") as shown:
        for done in range(1, 11):
            shown.reach(done, 10, "turns")
    said = capsys.readouterr()
    assert said.out == ""
    assert "x.twr:" in said.err
    assert "0.00/10.0" in said.err
    assert said.err.rpartition("\r")[0].endswith(" ")


def test_another_part_of_the_work_restarts_the_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_a_terminal(monkeypatch)
    with Bar() as shown:
        shown.reach(3, 6, "bytes")
        shown.reach(6, 6, "bytes")
        shown.reach(1, 50, "turns")
    said = capsys.readouterr().err
    first, _, second = said.partition("turns/s")
    assert "/6.00 " in first
    assert "bytes/s" in first
    assert "bytes/s" not in second
    assert "/50.0 " in first + second


def test_json_output_has_no_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    at_a_terminal(monkeypatch)
    with Bar(wanted=False) as shown:
        shown.reach(1, 2, "turns")
    assert capsys.readouterr() == ("", "")


def test_quick_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    at_a_terminal(monkeypatch, after_s=60.0)
    with Bar() as shown:
        for done in range(1_000):
            shown.reach(done, 1_000, "turns")
    assert capsys.readouterr().err.strip() == ""


def test_output_that_is_not_a_terminal_gets_no_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bar, "SHOWN_AFTER_S", 0.0)
    with Bar() as shown:
        shown.reach(1, 3, "turns")
    assert capsys.readouterr() == ("", "")
