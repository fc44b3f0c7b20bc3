"""A player's own minds on the page, in the demo's world as a user starts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.running import Running
from tests.browser.axe import AXE, faults
from tests.browser.conftest import NewScreen
from turnwright_world.planning.net.sandbox import can_seal

pytestmark = pytest.mark.skipif(not can_seal(), reason="players' minds need Linux with seccomp")

PHRASE = "a long passphrase"
MIND = "def plan(view, random):\n    print('I am', view['me']['name'])\n    return 'look around'\n"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("minds") / "world.db"
    ports = ("--port", "0", "--telnet-port", "0")
    with Running("world", "serve", *ports, "--data", data, "--no-open") as command:
        yield command.page()


def kept(page: Any, url: str, name: str) -> None:
    """Let a page in by a name, and keep its character."""
    page.goto(url)
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    page.wait_for_selector(".exit")
    for line in ("keep", PHRASE, PHRASE):
        page.locator("#say input").first.fill(line)
        page.keyboard.press("Enter")
    page.get_by_text("Log in with your passphrase next time").first.wait_for()


def test_a_mind_is_handed_over_looked_at_stopped_and_its_mistakes_are_shown_by_line(
    new_screen: NewScreen, demo: str
) -> None:
    screen = new_screen(reduced_motion="reduce")
    page = screen.page
    if AXE.is_file():
        page.add_init_script(path=str(AXE))
    kept(page, demo, "Kim")
    page.get_by_role("button", name="Mind", exact=True).click()
    page.locator("#mind option", has_text="yourself").wait_for(state="attached")
    source = page.locator("#mind-source")
    source.fill("x = 1\ndef plan(view, random):\n    retrun 1\n")
    page.get_by_role("button", name="Hand over").click()
    page.locator(".mind-said", has_text="Line 3: this is not Python").wait_for()
    chosen = "mind => mind.value.slice(mind.selectionStart, mind.selectionEnd)"
    assert source.evaluate(chosen) == "    retrun 1"
    source.fill(MIND)
    page.get_by_role("button", name="Hand over").click()
    page.locator(".mind-said", has_text="The mind is taken").wait_for()
    page.locator(".mind-facts", has_text="on. Plans: none yet.").wait_for()
    if AXE.is_file():
        assert faults(screen, "minds") == []
    page.locator("#mind").get_by_role("button", name="Stop").click()
    page.locator(".mind-facts", has_text="stopped").wait_for()
    page.locator("#mind").get_by_role("button", name="Forget").click()
    page.locator(".mind-facts", has_text="no mind from you").wait_for()


def test_a_file_is_read_and_a_too_long_one_is_not_sent(
    new_screen: NewScreen, demo: str, tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    page = new_screen().page
    kept(page, demo, "Bob")
    page.get_by_role("button", name="Mind", exact=True).click()
    (tmp_path / "good.py").write_text(MIND)
    (tmp_path / "long.py").write_text("#" * 16_385)
    page.locator("#mind-file").set_input_files(tmp_path / "long.py")
    page.locator(".mind-said", has_text="16385 bytes").wait_for()
    page.locator("#mind-file").set_input_files(tmp_path / "good.py")
    expect(page.locator("#mind-source")).to_have_value(re.compile("I am"))  # the page's policy forbids eval
    page.locator("#mind-source").fill("x" * 16_385)
    page.get_by_role("button", name="Hand over").click()
    page.locator(".mind-said", has_text="at most 16384").wait_for()


def test_a_guest_is_asked_to_keep_its_character(new_screen: NewScreen, demo: str) -> None:
    page = new_screen().page
    page.goto(demo)
    page.get_by_role("button", name="As a guest").click()
    page.wait_for_selector(".exit")
    page.get_by_role("button", name="Mind", exact=True).click()
    page.locator(".mind-said", has_text="type keep").wait_for()
