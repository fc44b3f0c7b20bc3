"""A browser for all tests of this folder, pages that are watched for each, and battles to show."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from packages.core.tests.cli.running import Running
from tests.browser.chromium import launched, why_not
from tests.browser.screen import PATIENCE_S, Screen
from tests.browser.witness import Witness

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WHY_NOT = why_not()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder: they start processes and need a browser."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.process)
            item.add_marker(pytest.mark.browser)
            if WHY_NOT is not None:
                item.add_marker(pytest.mark.skip(reason=WHY_NOT))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Keep pictures of the pages of a test that failed."""
    report = yield
    if report.when == "call" and report.failed:
        for nth, screen in enumerate(getattr(item, "screens", ())):
            screen.shoot(f"failed-{item.name[:60].replace('/', '-')}-{nth}")
    return report


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of one module. It ends with the module, because its event loop blocks other tests."""
    with launched() as started:
        yield started


NewScreen = Callable[..., Screen]
_FEWER_FRAMES = """
const frame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (callback) => setTimeout(() => frame(callback), 80);
"""
"""Pages draw at most 12 pictures a second, because software draws them here."""


@pytest.fixture
def new_screen(browser: Browser, request: pytest.FixtureRequest) -> Iterator[NewScreen]:
    """Open pages of different users: new_screen(width=…, height=…, **options of the context)."""
    screens: list[Screen] = []
    request.node.screens = screens

    def make(width: int = 1280, height: int = 800, **options: Any) -> Screen:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(1000 * PATIENCE_S)
        context.add_init_script(_FEWER_FRAMES)
        witness = Witness()
        witness.watch(context)
        screens.append(Screen(context.new_page(), witness))
        return screens[-1]

    yield make
    for screen in screens:
        screen.page.context.close()
    for screen in screens:
        screen.witness.assert_calm()


@pytest.fixture
def screen(new_screen: NewScreen) -> Screen:
    """One page."""
    return new_screen()


@dataclass(frozen=True)
class Films:
    """One battle as files: ours, in the official form, and as a page from disk.

    Attributes:
        rounds: the rounds of the battle.
    """

    twr: Path
    royale: Path
    html: Path
    rounds: int
    seed: int


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Films:
    """A battle of four built-in bots over three rounds, played once."""
    folder = tmp_path_factory.mktemp("films")
    made = Films(folder / "four.twr", folder / "four.battle.gz", folder / "four.html", 3, 7)
    words = [
        "battle",
        "Ace",
        "Spinner",
        "Tracker",
        "Rammer",
        "--rounds",
        str(made.rounds),
        "--seed",
        str(made.seed),
    ]
    _turnwright(*words, "--record", str(made.twr), "--record", str(made.royale))
    _turnwright("replay", str(made.twr), "--html", str(made.html))
    return made


def _turnwright(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "turnwright.cli", *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def replayed(films: Films) -> Iterator[str]:
    """The address of our record in the viewer."""
    with Running("replay", films.twr, "--no-open") as command:
        yield command.page()
