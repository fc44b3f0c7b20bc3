"""Sees what a page does: scripts that run, requests, dialogs, errors, breaches of its policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Request, WebSocket

_TRAPS = """
for (const name of ["canary", "alert", "confirm", "prompt", "print", "open"]) {
  Object.defineProperty(window, name, { value: (...told) => window.reportCanary(`${name} ${told}`) });
}
document.addEventListener("securitypolicyviolation", (event) => {
  const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
  window.reportBreach(`${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
});
"""
_OWN_SCHEMES = frozenset({"data", "blob", "about"})


@dataclass
class Witness:
    """Runs, breaches and requests of the pages of one browser context.

    Attributes:
        ran: the injections that ran. There must be none.
        breaches: the breaches of the Content-Security-Policy.
        requests: all addresses.
    """

    ran: list[str] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    sent: int = 0
    """Messages that pages have sent over WebSockets."""
    expected: list[str] = field(default_factory=list)
    """Parts of console messages that belong to the test, such as a server that is gone."""

    def watch(self, context: BrowserContext) -> None:
        """Watch every page that the context will have."""
        context.expose_function("reportCanary", lambda told: self.ran.append(told))
        context.expose_function("reportBreach", lambda told: self.breaches.append(told))
        context.add_init_script(_TRAPS)
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("page", self._page)

    def _page(self, page: Page) -> None:
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        page.on("websocket", self._websocket)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _websocket(self, socket: WebSocket) -> None:
        self.requests.append(socket.url)
        socket.on("framesent", lambda _payload: self._note_sent())

    def _note_sent(self) -> None:
        self.sent += 1

    def _dialog(self, dialog: Dialog) -> None:
        self.ran.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _console(self, message: ConsoleMessage) -> None:
        url = message.location["url"]
        if message.type in ("error", "warning") and not self._is_late_icon(message.text, url):
            self.errors.append(f"{message.type}: {message.text} ({url})")

    @staticmethod
    def _is_late_icon(text: str, url: str) -> bool:
        """Return whether a message is about the icon, which a browser may request of an ended server."""
        return "ERR_CONNECTION_REFUSED" in text and urlsplit(url).path.endswith("/favicon.svg")

    def outside(self, *own: str) -> list[str]:
        """Return the requests that went neither to these servers ("127.0.0.1:7700") nor to files."""
        return [url for url in self.requests if not self._is_own(url, own)]

    @staticmethod
    def _is_own(url: str, own: tuple[str, ...]) -> bool:
        parts = urlsplit(url)
        return parts.scheme in _OWN_SCHEMES or parts.netloc in own or (parts.scheme == "file" and url in own)

    def unexpected(self) -> list[str]:
        """Return the errors that the test did not mean to cause."""
        return [text for text in self.errors if not any(part in text for part in self.expected)]

    def assert_calm(self) -> None:
        """Assert that nothing ran, broke a rule or failed, except as the test intended."""
        assert not self.ran, f"scripts ran that came with the data: {self.ran[:5]}"
        assert not self.breaches, f"the page broke its policy: {self.breaches[:5]}"
        assert not self.unexpected(), f"the page had errors: {self.unexpected()[:5]}"
