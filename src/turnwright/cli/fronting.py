"""Options of what serves others: the names, pages and proxies by which it is reached."""

from __future__ import annotations

import argparse
from typing import TypedDict

__all__ = ["Fronting", "add_fronting", "fronting_of"]


class Fronting(TypedDict):
    """What was given, by the names of the servers' options."""

    names: frozenset[str]
    origins: frozenset[str]
    trusted_proxies: tuple[str, ...]


def add_fronting(parser: argparse._ActionsContainer) -> None:
    """Add the options."""
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="web pages of this origin may connect, e.g. https://example.org (may be repeated)",
    )
    parser.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="NAME",
        help="another name by which browsers reach this server (may be repeated)",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDR",
        help="believe X-Forwarded-For of a reverse proxy that calls from here, so that limits count its"
        " visitors one by one: localhost, an address or a network (may be repeated; default: none)",
    )


def fronting_of(arguments: argparse.Namespace) -> Fronting:
    """Return what was given."""
    return {
        "names": frozenset(arguments.known_as),
        "origins": frozenset(arguments.origin),
        "trusted_proxies": tuple(arguments.trusted_proxy),
    }
