"""Telling people where a page is: printed once, and opened where a browser can be seen."""

from __future__ import annotations

import argparse

__all__ = ["add_open", "open_or_print"]


def add_open(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add the option that says whether a browser is opened."""
    parser.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="open the page in a browser (default: where there is a display)",
    )


def open_or_print(url: str, *, wanted: bool | None, said: bool = False) -> bool:
    """Print the address of a page, and open it unless nobody could see it; return whether it was opened.

    wanted: what the command line says, None: nothing. said: it is printed already.
    """
    from turnwright.net.browser import has_display, open_page

    if not said:
        print(url, flush=True)
    return (has_display() if wanted is None else wanted) and open_page(url)
