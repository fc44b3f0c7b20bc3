"""The viewer's page as its users have it: names, roles and texts, no pixels."""

from __future__ import annotations

import base64
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.browser.witness import Witness

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PATIENCE_S = 60.0
"""A limit against a hang. It is generous, because other work on the machine may slow a page."""
SCREENSHOTS = os.environ.get("TURNWRIGHT_SCREENSHOTS")
"""A folder to put pictures into; none are taken without it."""

_POLL_MS = 80
_SLIDER = "[role=slider][aria-label=Timeline]"
"""The slider of time: looking it up by its role costs the page a hundred times as much."""
_SPOT = re.compile(r"(?:round (\d+), )?turn (\d+)")


class Screen:
    """A page with the viewer."""

    def __init__(self, page: Page, witness: Witness) -> None:
        self.page = page
        self.witness = witness

    def open(self, url: str) -> Screen:
        """Go to an address; `witness.outside()` finds the page's requests to other servers."""
        self.page.goto(url)
        return self

    # ---- what is shown -----------------------------------------------------------------------------------

    @property
    def host(self) -> str:
        """Return the server's name and port."""
        return urlsplit(self.page.url).netloc

    @property
    def timeline(self) -> Locator:
        """Return the slider of time."""
        return self.page.get_by_role("slider", name="Timeline")

    def spot(self) -> tuple[int, int]:
        """Return the round and turn that are shown, or (0, 0) if none is shown. It is exact during a pause.

        A game without rounds has all its turns in round 1.
        """
        found = _SPOT.search(self._timeline("valuetext"))
        return (int(found[1] or 1), int(found[2])) if found else (0, 0)

    def turn(self) -> int:
        """Return the turn in the words next to the buttons, or 0. It is newer than `spot` during a battle."""
        found = re.search(r"turn ([\d,]+)", self.page.locator("[aria-label=Position]").inner_text())
        return int(found[1].replace(",", "")) if found else 0

    def ends(self) -> tuple[int, int]:
        """Return the indices at both ends of the timeline."""
        return int(self._timeline("valuemin") or 0), int(self._timeline("valuemax") or 0)

    def index(self) -> int:
        """Return the index of the turn shown, over all rounds."""
        return int(self._timeline("valuenow") or 0)

    def _timeline(self, name: str) -> str:
        return self.page.locator(_SLIDER).get_attribute(f"aria-{name}") or ""

    def status(self) -> str:
        """Return the words at the top: live or record, verified or not, which battle, a message."""
        message = self.page.locator(".status-message:visible")
        return " ".join([self.page.locator(".status-bar").inner_text(), *message.all_inner_texts()])

    def arena(self) -> str:
        """Return the arena's text for screen readers."""
        return self.page.locator("#arena").get_attribute("aria-label") or ""

    def energies(self) -> dict[str, str]:
        """Return the text of the energy of each bot in the ranking."""
        rows = self.page.locator("table.ranking tbody tr")
        return dict(
            rows.evaluate_all(
                "rows => rows.map(r => [r.querySelector('.name').textContent,"
                " r.querySelector('.energy .number').textContent])"
            )
        )

    def text(self) -> str:
        """Return all text of the page, hidden parts too."""
        return str(self.page.evaluate("document.body.textContent"))

    def message(self) -> str:
        """Return the line over the arena, or its text while it is empty."""
        seen = self.page.locator("#notice:visible, #welcome:visible")
        return " ".join(seen.all_inner_texts())

    # ---- doing -------------------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        """Return a button by the beginning of its name."""
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}"))

    def ranking_row(self, name: str) -> Locator:
        """Return the button of a bot in the ranking."""
        return self.page.locator("table.ranking").get_by_role("button", name=name, exact=True)

    def press(self, keys: str) -> None:
        """Press a key where nothing particular is focused."""
        self.page.keyboard.press(keys)

    def hold(self) -> tuple[int, int]:
        """Pause, wait until the page is still, and return the round and turn."""
        pause = self.page.locator("#bottom").get_by_role("button", name=re.compile("^Pause"))
        if pause.count():
            pause.click()
        self.until("it stands still", lambda: not pause.count())
        self.still()
        return self.spot()

    def still(self) -> None:
        """Wait until the page says the same of the turn everywhere (its words come 10 times a second)."""
        self.until("the words have caught up", lambda: self.turn() == self.spot()[1])

    def tab(self, name: str) -> Locator:
        """Open a tab of the side panel and return its panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()
        return self.page.locator("[role=tabpanel]:visible")

    def drop(self, *files: Path) -> None:
        """Drop files on the page, as a mouse does."""
        contents = [(file.name, base64.b64encode(file.read_bytes()).decode()) for file in files]
        transfer = self.page.evaluate_handle(
            """contents => {
                 const data = new DataTransfer();
                 for (const [name, base64] of contents) {
                   const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
                   data.items.add(new File([bytes], name));
                 }
                 return data;
               }""",
            contents,
        )
        for kind in ("dragenter", "dragover", "drop"):
            self.page.dispatch_event("#arena", kind, {"dataTransfer": transfer})

    # ---- waiting -----------------------------------------------------------------------------------------

    def until(self, what: str, holds: Callable[[], Any], timeout_s: float = PATIENCE_S) -> Any:
        """Wait until `holds` returns a true value, and return that.

        Raises:
            AssertionError: it does not in time. The text names the awaited condition.
        """
        deadline = time.monotonic() + timeout_s
        while not (value := holds()):
            if time.monotonic() > deadline:
                self.shoot("waited")
                raise AssertionError(
                    f"waited {timeout_s:g} s until {what}; the page says: {self.status()!r} {self.arena()!r}"
                    f" {self.message()!r} {self.witness.errors!r}"
                )
            self.page.wait_for_timeout(_POLL_MS)
        return value

    def until_seen(self, seen: Callable[[], Any], timeout_s: float = PATIENCE_S) -> None:
        """Wait until the witness has seen something, whatever the page has become."""
        deadline = time.monotonic() + timeout_s
        while not seen():
            assert time.monotonic() < deadline, f"nothing was seen: {self.witness}"
            self.page.wait_for_timeout(_POLL_MS)

    def until_shown(self) -> Screen:
        """Wait until there is a battle to see."""
        self.until("a battle is shown", lambda: self.spot() != (0, 0))
        return self

    def until_loaded(self) -> Screen:
        """Wait until a file is read to its end (and played again, where it is a record)."""
        self.until_shown()
        self.until(
            "all is loaded", lambda: "loading" not in self.status() and "verifying" not in self.status()
        )
        return self

    # ---- pictures ----------------------------------------------------------------------------------------

    @property
    def shooting(self) -> bool:
        """Whether pictures are kept."""
        return SCREENSHOTS is not None

    def shoot(self, name: str, **options: Any) -> None:
        """Keep a picture of the page in the folder SCREENSHOTS. Without that folder, do nothing."""
        if SCREENSHOTS:
            folder = Path(SCREENSHOTS)
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"{name}.png", **options)
