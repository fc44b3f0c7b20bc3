"""`turnwright world …`: a text world that lasts, programs for it, and how it does."""

from __future__ import annotations

import argparse
from typing import Any

from turnwright.cli import world_bot, world_demo, world_doctor
from turnwright.cli.parser import Parser, Subparsers, add_command

__all__ = ["add_parser"]

_DESCRIPTION = """\
`world demo` is a town, a wood and a mine, for telnet, browsers and programs; `world bot new` writes a
program that plays in it; `world doctor` asks a world that runs how it does."""


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "world", _DESCRIPTION)
    kinds: Subparsers[Any] = parser.add_subparsers(
        metavar="WHAT", title="what", required=True, dest="what", parser_class=Parser
    )
    for module in (world_demo, world_bot, world_doctor):
        _add(kinds, module)


def _add(kinds: Subparsers[Any], module: Any) -> None:
    kind: argparse.ArgumentParser = kinds.add_parser(
        module.NAME,
        help=module.SUMMARY,
        description=f"{module.SUMMARY.capitalize()}.\n\n{module.DESCRIPTION}",
    )
    kind.set_defaults(prog=kind.prog, run=module.run)
    module.add_options(kind)
