"""The witness of the other tests detects a page on which text becomes markup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.injections import DRAWINGS, INJECTIONS
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import Films

CARELESS = "text => { document.body.innerHTML = text; }"
POLICY = "script-src 'none'; img-src 'none'; style-src 'none'"


@pytest.fixture
def careless(screen: Screen, tmp_path: Path) -> Screen:
    """A page of another author, whose errors are its own."""
    (tmp_path / "x.html").write_text("<!doctype html><body>")
    (tmp_path / "strict.html").write_text(
        f'<!doctype html><head><meta http-equiv="Content-Security-Policy" content="{POLICY}"><body>'
    )
    screen.witness.expected.append("")
    return screen.open((tmp_path / "x.html").as_uri())


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=canary(7)>",
        "<video src=x onerror=canary(7)></video>",
        "<iframe srcdoc='<script>parent.canary(7)</script>'></iframe>",
    ],
)
def test_a_script_that_runs_is_seen(careless: Screen, text: str) -> None:
    careless.page.evaluate(CARELESS, text)
    careless.until_seen(lambda: careless.witness.ran)
    assert careless.witness.ran == ["canary 7"]
    careless.witness.ran.clear()


def test_a_request_and_a_breach_are_seen(careless: Screen, tmp_path: Path) -> None:
    careless.page.evaluate(CARELESS, "<img src=http://canary.invalid/7>")
    careless.until_seen(lambda: "http://canary.invalid/7" in careless.witness.requests)
    pages = [(tmp_path / name).as_uri() for name in ("x.html", "strict.html")]
    assert careless.witness.outside(*pages) == ["http://canary.invalid/7"]
    careless.open(pages[1])
    careless.page.evaluate(CARELESS, "<img src=http://canary.invalid/8 onerror=canary(8)><p style=top:0>")
    careless.until_seen(lambda: len(careless.witness.breaches) >= 3)
    assert careless.witness.ran == []
    kinds = {breach.split()[0] for breach in careless.witness.breaches}
    assert {"img-src", "script-src-attr", "style-src-attr"} <= kinds
    careless.witness.breaches.clear()


def test_the_injections_are_dangerous_where_a_page_is_careless(careless: Screen) -> None:
    """So that they prove something where nothing happens."""
    for text in (*INJECTIONS, *DRAWINGS):
        if "refresh" not in text:  # those lead the whole page away
            careless.page.evaluate(CARELESS, text)
    ran, asked = careless.witness.ran, careless.witness.requests
    careless.until_seen(lambda: len({*ran}) > 12 and len([url for url in asked if "canary" in url]) > 8)
    careless.page.goto("about:blank")
    ran.clear()


def test_the_page_itself_runs_no_text_that_it_is_given(screen: Screen, films: Films) -> None:
    """Were one of its modules careless, its policy would still hold."""
    screen.open(films.html.as_uri()).until_shown()
    screen.witness.expected.append("")
    screen.page.evaluate(CARELESS, "<img src=x onerror=canary(9)><script>canary(9)</script>")
    screen.until_seen(lambda: screen.witness.breaches)
    assert screen.witness.ran == []
    screen.witness.breaches.clear()
