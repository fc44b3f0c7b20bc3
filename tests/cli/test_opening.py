from __future__ import annotations

import pytest

from turnwright.app import watch as browser
from turnwright.cli.parser import ParsedCommand, parse
from turnwright.cli.watch import OpenOptions, open_or_print

URL = "http://127.0.0.1:7654/#code=abc"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened; there is no display."""
    pages: list[str] = []
    monkeypatch.setattr(browser, "has_display", lambda: False)
    monkeypatch.setattr(browser, "open_page", lambda url: not pages.append(url))
    return pages


@pytest.mark.parametrize(("words", "wanted"), [([], None), (["--open"], True), (["--no-open"], False)])
def test_the_option_says_yes_no_or_nothing(words: list[str], wanted: bool | None) -> None:
    command = parse(["serve", *words])
    assert isinstance(command, ParsedCommand)
    assert command.given.make(OpenOptions).open is wanted


def test_the_address_is_printed_once_and_opened_where_it_can_be_seen(
    opened: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not open_or_print(URL, wanted=None)
    monkeypatch.setattr(browser, "has_display", lambda: True)
    assert open_or_print(URL, wanted=None)
    assert not open_or_print(URL, wanted=False)
    assert opened == [URL]
    assert capsys.readouterr().out == f"{URL}\n" * 3


def test_who_wants_it_gets_it_and_what_is_printed_already_is_not_printed_again(
    opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_or_print(URL, wanted=True, said=True)
    assert opened == [URL]
    assert capsys.readouterr().out == ""
