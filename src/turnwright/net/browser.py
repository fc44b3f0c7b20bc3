"""Opening a page in the user's browser, where there is one to be seen."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping

__all__ = ["has_display", "open_page"]

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
_IN_A_TERMINAL = frozenset({"elinks", "links", "lynx", "w3m", "www-browser"})
"""Browsers that would take the terminal from the command that opens them, and cannot draw."""


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether somebody could see a browser that is opened: not in CI, not over plain SSH.

    BROWSER in the environment says that there is one; BROWSER empty, that there is none.
    """
    if environ.get("CI"):
        return False
    if "BROWSER" in environ:
        return bool(environ["BROWSER"])
    return platform in ("darwin", "win32") or any(environ.get(name) for name in _DISPLAYS)


def open_page(url: str) -> bool:
    """Let a browser open `url`; return whether there is one. It starts aside and may take its time."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if os.path.basename(str(getattr(browser, "name", ""))) in _IN_A_TERMINAL:
        return False
    threading.Thread(target=browser.open, args=(url,), name="turnwright-browser", daemon=True).start()
    return True
