"""Options of every command that lets bots play: what becomes of those that are late, and of failures."""

from __future__ import annotations

import argparse

from turnwright.cli.parser import whole_number

__all__ = ["add_failing", "add_missing", "add_positions"]


def add_missing(group: argparse._ArgumentGroup) -> None:
    """Add what becomes of bots that miss turns or leave."""
    group.add_argument(
        "--on-late",
        choices=("drop", "next"),
        default="drop",
        help="an answer after its deadline does nothing, or counts for the next turn, as by the official"
        " server (default: %(default)s)",
    )
    group.add_argument(
        "--on-skip",
        choices=("repeat", "idle"),
        default="repeat",
        help="a bot that missed a turn does the same again, or nothing (default: %(default)s)",
    )
    group.add_argument(
        "--max-skipped",
        type=whole_number,
        default=30,
        metavar="N",
        help="turns missed in a row until a bot is disqualified, 0 = never (default: %(default)s)",
    )
    group.add_argument(
        "--on-disconnect",
        choices=("skip", "dead", "official"),
        default="skip",
        help="a bot that left misses its turns, dies at once, or goes on with its last intent"
        " (default: %(default)s)",
    )


def add_failing(group: argparse._ArgumentGroup) -> None:
    """Add what becomes of a battle whose rules fail."""
    group.add_argument(
        "--on-rules-error",
        choices=("void", "continue"),
        default="void",
        help="when the rules fail: end the battle as void, or skip that stage (default: %(default)s)",
    )


def add_positions(group: argparse._ArgumentGroup) -> None:
    """Add whether bots may say where they begin."""
    group.add_argument(
        "-i", "--enable-initial-position", action="store_true", help="let bots say where they begin"
    )
