"""The options that are spoken here, as one table: what is offered, asked for, agreed to or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turnwright.wire.telnet.codes import Option
from turnwright.wire.telnet.negotiation import Negotiation

__all__ = ["OPTIONS", "OptionRow", "opening", "start"]

Stance = Literal["first", "agreed", "switched", "refused"]
"""first: said with the greeting; agreed: yes when the peer asks; switched: as the game needs it."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """ours: whether the server does it (WILL); theirs: whether the player's program does it (DO)."""

    option: Option
    ours: Stance
    theirs: Stance
    source: str
    meaning: str


OPTIONS = (
    OptionRow(
        Option.TTYPE, "refused", "first", "RFC 1091, MTTS", "the program's name, its terminal, what it can"
    ),
    OptionRow(Option.NAWS, "refused", "first", "RFC 1073", "the window's size, and each change of it"),
    OptionRow(
        Option.CHARSET, "first", "agreed", "RFC 2066", "UTF-8, ISO-8859-1 or US-ASCII; either side may begin"
    ),
    OptionRow(Option.EOR, "first", "refused", "RFC 885", "prompts end with IAC EOR; without it with IAC GA"),
    OptionRow(Option.GMCP, "first", "refused", "GMCP", "messages between programs, beside the text"),
    OptionRow(Option.MSSP, "first", "refused", "MSSP", "the game's facts for directories of games"),
    OptionRow(Option.MCCP2, "first", "refused", "MCCP2", "what the server sends is compressed (zlib)"),
    OptionRow(Option.ECHO, "switched", "refused", "RFC 857", "on while a passphrase is typed"),
    OptionRow(
        Option.SGA,
        "agreed",
        "agreed",
        "RFC 858",
        "no IAC GA after prompts; not offered, since some programs send single keys then",
    ),
    OptionRow(Option.BINARY, "agreed", "agreed", "RFC 856", "changes nothing here: text is UTF-8 anyway"),
    OptionRow(Option.NEW_ENVIRON, "refused", "refused", "RFC 1572", "nobody's environment is asked for"),
    OptionRow(Option.MSDP, "refused", "refused", "MSDP", "GMCP does the same"),
    OptionRow(Option.MCCP3, "refused", "refused", "MCCP3", "players send too little to compress it"),
    OptionRow(Option.MXP, "refused", "refused", "MXP", "no markup in text"),
)
"""In the order in which they are offered. What is not in the table is refused."""


def start() -> Negotiation:
    """Return the state of a new connection."""
    return Negotiation(
        ours=[row.option for row in OPTIONS if row.ours in ("first", "agreed")],
        theirs=[row.option for row in OPTIONS if row.theirs in ("first", "agreed")],
    )


def opening(negotiation: Negotiation) -> bytes:
    """Ask and offer what a server says first."""
    said = b""
    for row in OPTIONS:
        if row.theirs == "first":
            said += negotiation.ask(row.option)
        if row.ours == "first":
            said += negotiation.offer(row.option)
    return said
