"""An operator's commands: pause, resume, step, speed. They steer time for everybody, and everybody is told.

Who may: accounts that the server was started with as operators; and programs that know the port's secret, for
which they need no body. What is due does not happen while time stands still, but whoever types is answered.
"""

from __future__ import annotations

import hmac
import math
from typing import Any, Protocol

from turnwright.host.world.accounts import fold
from turnwright.host.world.config import WorldConfig
from turnwright.host.world.limits import Attempts
from turnwright.host.world.sessions import Session
from turnwright.host.world.steering import SPEED_MAX, SPEED_MIN, STANDS, STEPS_MAX
from turnwright.host.world.table import WorldTable
from turnwright.wire.world.clock import RATE_ONE

__all__ = ["OPERATIONS", "Operating"]

OPERATIONS = ("pause", "resume", "step", "speed")
_USAGE = f"pause, resume, step [TURNS, at most {STEPS_MAX}], speed {SPEED_MIN:g} … {SPEED_MAX:g}"


class House(Protocol):
    """What operating needs of the host."""

    table: WorldTable
    config: WorldConfig

    def announce(self, text: str) -> None:
        """Tell all who are there."""

    def say(self, session: Session, text: str) -> None:
        """Show a line."""

    def package(self, session: Session, name: str, data: Any) -> None:
        """Send a message to its program."""


class Operating:
    """See above."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._wrong = Attempts()

    def may(self, session: Session) -> bool:
        """Return whether a session may steer time: its account was named when the server was started."""
        account = session.account
        admitted = session.stage in ("entering", "playing")
        return admitted and account is not None and fold(account.name) in self._house.config.operators

    def command(self, session: Session, word: str, rest: str, now_ns: int) -> bool:
        """Do an operator's line; return False for what is none."""
        if word not in OPERATIONS or not self.may(session):
            return False
        why = self._do(word, rest.strip(), session.name, now_ns)
        if why is not None:
            self._house.say(session, why)
        return True

    def message(self, session: Session, data: Any, now_ns: int) -> None:
        """Do what a program asks with the port's secret: {"secret": …, "do": "step", "value": 2}."""
        fields = data if isinstance(data, dict) else {}
        why = self._refusal(session, fields, now_ns)
        if why is None:
            value = fields.get("value", "")
            why = self._do(str(fields.get("do", "")), str(value)[:20], "the operator", now_ns)
        table = self._house.table
        told = {"ok": why is None, "why": why or "", "turn": table.state.world.turn}
        speed = table.steering.speed / RATE_ONE
        self._house.package(session, "Operated", {**told, "stands": table.steering.stands, "speed": speed})

    def _refusal(self, session: Session, fields: dict[str, Any], now_ns: int) -> str | None:
        secret, given = self._house.config.secret, fields.get("secret")
        if not secret:
            return "this world has no operator's secret: start it with --operator-secret"
        if wait_s := self._wrong.wait_s(session.address, now_ns):
            return f"too many wrong secrets were given from where you are; try again in {wait_s} s"
        good = isinstance(given, str) and hmac.compare_digest(given.encode(), secret.encode())
        if not good:
            self._wrong.made(session.address, now_ns)
        return None if good else "that is not the operator's secret"

    def _do(self, word: str, rest: str, who: str, now_ns: int) -> str | None:
        """Steer; return why not, or None."""
        steering = self._house.table.steering
        if word == "pause" and not rest:
            steering.pause()
            text = f"{STANDS} ({who})"
        elif word == "resume" and not rest:
            steering.resume()
            text = f"Time goes on. ({who})"
        elif word == "step" and (turns := _whole(rest or "1")):
            steering.step(turns)
            text = f"Time goes on for {turns} turn{'s' if turns > 1 else ''}. ({who})"
        elif word == "speed" and (speed := _speed(rest)):
            steering.run_at(speed)
            text = f"Time runs at {speed:g} times its speed. ({who})"
        else:
            return _USAGE
        self._house.table.steer(now_ns)
        self._house.announce(text)
        return None


def _whole(text: str) -> int:
    """Return a number of turns, 0 for what is none."""
    good = text.isascii() and text.isdecimal() and len(text) < 6
    return int(text) if good and int(text) <= STEPS_MAX else 0


def _speed(text: str) -> float:
    """Return a speed, 0 for what is none."""
    try:
        speed = float(text)
    except ValueError:
        return 0.0
    return speed if math.isfinite(speed) and SPEED_MIN <= speed <= SPEED_MAX else 0.0
