"""Telnet's numbers. Sources: RFC 854, 855, 885, and the options' own RFCs or conventions (options.py)."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["IAC", "Command", "Option"]

IAC = 0xFF
"""Interpret as command: what follows is no text. Doubled it is the byte 255."""


class Command(IntEnum):
    """What may follow IAC."""

    EOR = 239
    SE = 240
    NOP = 241
    DATA_MARK = 242
    BREAK = 243
    INTERRUPT = 244
    ABORT_OUTPUT = 245
    ARE_YOU_THERE = 246
    ERASE_CHARACTER = 247
    ERASE_LINE = 248
    GO_AHEAD = 249
    SB = 250
    WILL = 251
    WONT = 252
    DO = 253
    DONT = 254


class Option(IntEnum):
    """What may be negotiated, as far as it is named here; every other option is refused."""

    BINARY = 0
    ECHO = 1
    SGA = 3
    TTYPE = 24
    EOR = 25
    NAWS = 31
    NEW_ENVIRON = 39
    CHARSET = 42
    MSDP = 69
    MSSP = 70
    MCCP2 = 86
    MCCP3 = 87
    MXP = 91
    GMCP = 201
