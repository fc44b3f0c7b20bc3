"""The documentation site, opened from a file without a server: its search works, also dark and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.docs.site import built_once
from tests.once import shared_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHAPES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    return built_once(shared_folder(tmp_path_factory, request.config))


@pytest.fixture(params=SHAPES)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(**SHAPES[request.param])
    yield context.new_page()
    context.close()


@pytest.mark.long
def test_a_search_from_a_file_finds_the_page_of_a_function(site: Path, page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/docs/README.html")
    page.goto(f"{(site / 'search.html').as_uri()}?q=aim_ahead")
    found = page.locator("ul.search li a")
    found.first.wait_for()
    assert any("bot-api.html" in (link.get_attribute("href") or "") for link in found.all())
    found.first.click()
    page.locator("h1").first.wait_for()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, "the page scrolls sideways"
    assert errors == []
