"""Options of opponents that play in separate processes."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import cached_property
from typing import get_args

from turnwright.app.times import microseconds_of
from turnwright.errors import SetupError
from turnwright.host.admission import is_loopback
from turnwright.net.sandbox import SandboxChoice, SandboxLevel
from turnwright.net.sandbox.level import level_of

_PORT = 7654
_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class ConnectingBot:
    """An opponent that another program starts and that connects by itself.

    Attributes:
        name: the name that the bot sends. "" accepts any bot.
    """

    name: str = ""


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """The options of opponents that are programs.

    Attributes:
        processes: whether bots that could play in this process have separate processes, too.
        turn_timeout: the deadline of opponents for each turn, e.g. "30ms". With None, each turn waits for all
            opponents.
        learner_deadline: whether learners have the same deadline. An action after the deadline misses its
            turn.
        answer_timeout: the seconds after which a missing answer of an opponent is an error.
        connect_timeout: the seconds in which the first bot must connect. Each further bot has the same time
            after the bot before it has connected.
        python: the interpreter of bots in Python, as for a battle.
        sandbox: the sandbox of bot directories, as for a battle. "auto" is the best of "full" and "none"
            that this machine supports.
        host, port: the address for each `ConnectingBot`.
        secret: the secret of each `ConnectingBot`, or "" for none.

    Raises:
        SetupError: a value is out of bounds.
    """

    processes: bool = False
    turn_timeout: str | int | None = None
    learner_deadline: bool = False
    answer_timeout: float = 30.0
    connect_timeout: float = 30.0
    python: str | None = None
    sandbox: SandboxChoice = "none"
    host: str = "127.0.0.1"
    port: int = _PORT
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        for name in ("processes", "learner_deadline"):
            if not isinstance(getattr(self, name), bool):
                raise SetupError(f"{name} is {getattr(self, name)!r:.60}: give True or False")
        if self.learner_deadline and self.turn_timeout is None:
            raise SetupError("learner_deadline is True without a deadline: give turn_timeout, e.g. '30ms'")
        for name in ("answer_timeout", "connect_timeout"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
                raise SetupError(f"{name} is {value!r:.60}: give a number of seconds above 0")
        if self.sandbox not in get_args(SandboxChoice):
            raise SetupError(f"sandbox is {self.sandbox!r:.60}: give 'none', 'auto' or 'full'")
        if isinstance(self.port, bool) or not isinstance(self.port, int) or not 1 <= self.port <= 65535:
            raise SetupError(f"port is {self.port!r:.60}: give a whole number from 1 to 65535")
        for name in ("host", "secret"):
            if not isinstance(getattr(self, name), str):
                raise SetupError(f"{name} is {getattr(self, name)!r:.60}: give a text")
        if not (self.secret or is_loopback(self.host)):
            raise SetupError(f"host {self.host!r:.60} lets other machines connect: give a secret")
        if self.turn_timeout_us is not None and self.turn_timeout_us < 1:
            raise SetupError(f"turn_timeout is {self.turn_timeout!r:.60}: give a time such as '30ms'")

    @cached_property
    def sandbox_level(self) -> SandboxLevel:
        """The level of the sandbox.

        Raises:
            SetupError: this machine does not support the requested level "full".
        """
        return level_of(self.sandbox, _log.warning)

    @property
    def turn_timeout_us(self) -> int | None:
        """The deadline of opponents in µs, or None for no deadline."""
        return None if self.turn_timeout is None else microseconds_of(self.turn_timeout)
