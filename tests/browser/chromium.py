"""Finds and starts a browser of this machine. Nothing is downloaded."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def _found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def why_not() -> str | None:
    """Return why no browser is available for tests, or None if there is one."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed (make setup)"
    if _found() is None:
        return f"none of {', '.join(NAMES)} is installed (apt-get install chromium)"
    return None


@contextmanager
def launched(*arguments: str) -> Iterator[Browser]:
    """Start the browser without a window. Its sandbox is left out only for root, for whom it cannot start."""
    from playwright.sync_api import sync_playwright

    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_found(), headless=True, args=[*sandbox, "--disable-gpu", *arguments]
        )
        try:
            yield browser
        finally:
            browser.close()
