"""Operators' commands for time: pause, resume, step, speed.

Two kinds of sessions may use them, by lines or by messages. A session of the first kind has an account that
the option --operator names. A session of the second kind has given the port's secret. It needs no body, and
it keeps the right until its connection ends. While time is paused, nothing in the world happens, but commands
are answered.
"""

from __future__ import annotations

import math

from turnwright.host.accounts import fold
from turnwright.host.credentials import Credentials
from turnwright_world.host.host_context import HostContext
from turnwright_world.host.pace import SPEED_MAX, SPEED_MIN, STANDS, STEPS_MAX
from turnwright_world.host.sessions import Session
from turnwright_world.wire.clock import RATE_ONE
from turnwright_world.wire.messages import OperatorRequest
from turnwright_world.wire.server_messages import CommandResult

OPERATIONS = ("pause", "resume", "step", "speed")
_USAGE = f"pause, resume, step [TURNS, at most {STEPS_MAX}], speed {SPEED_MIN:g} … {SPEED_MAX:g}"


class OperatorCommands:
    """Carries out operators' lines and messages."""

    def __init__(self, context: HostContext) -> None:
        self._context = context
        self._credentials = Credentials(frozenset(), frozenset({context.config.secret}))

    def may(self, session: Session) -> bool:
        """Return whether a session may control game time, by its account or by the secret."""
        if session.operates:
            return True
        account = session.account
        admitted = session.stage in ("entering", "playing")
        return admitted and account is not None and fold(account.name) in self._context.config.operators

    def command(self, session: Session, word: str, rest: str, now_ns: int) -> bool:
        """Carry out an operator's line. Return False for another line, or for a session without the right."""
        if word not in OPERATIONS or not self.may(session):
            return False
        why = self._do(word, rest.strip(), session.name, now_ns)
        if why is not None:
            self._context.say(session, why)
        return True

    def message(self, session: Session, asked: OperatorRequest, now_ns: int) -> None:
        """Carry out a program's request. It needs no secret if the session already has the right."""
        why = self._refusal(session, asked.secret, now_ns)
        if why is None:
            why = self._do(asked.do, str(asked.value)[:20], session.name or "the operator", now_ns)
        turns = self._context.turns
        speed = turns.pace.control.speed / RATE_ONE
        turn, stands = turns.state.world.turn, turns.pace.control.stands
        self._context.package(session, CommandResult(why is None, why or "", turn, stands, speed))

    def _refusal(self, session: Session, secret: str | None, now_ns: int) -> str | None:
        if self.may(session):
            return None
        if not self._context.config.secret:
            return (
                "this world has no operator's secret: start it with --operator-secret, or come in as a"
                " character of --operator"
            )
        session.operates = self._credentials.fit("operator", secret, session.address, now_ns)
        if session.operates:
            return None
        if wait_s := self._credentials.wait_s(session.address, now_ns):
            return f"too many wrong secrets were given from your address; try again in {wait_s} s"
        return "that is not the operator's secret"

    def _do(self, word: str, rest: str, who: str, now_ns: int) -> str | None:
        """Carry out a command for time, and return why it was refused, or None."""
        steering = self._context.turns.pace.control
        if word == "pause" and not rest:
            steering.pause()
            text = f"{STANDS} ({who})"
        elif word == "resume" and not rest:
            steering.resume()
            text = f"Time continues. ({who})"
        elif word == "step" and (turns := _whole(rest or "1")):
            steering.step(turns)
            text = f"Time continues for {turns} turn{'s' if turns > 1 else ''}. ({who})"
        elif word == "speed" and (speed := _speed(rest)):
            steering.run_at(speed)
            text = f"Time runs at {speed:g} times its speed. ({who})"
        else:
            return _USAGE
        self._context.turns.steer(now_ns)
        self._context.announce(text)
        return None


def _whole(text: str) -> int:
    """Return a number of turns, or 0 if the text is not a number up to STEPS_MAX."""
    good = text.isascii() and text.isdecimal() and len(text) < 6
    return int(text) if good and int(text) <= STEPS_MAX else 0


def _speed(text: str) -> float:
    """Return a speed, or 0 if the text is not a number from SPEED_MIN to SPEED_MAX."""
    try:
        speed = float(text)
    except ValueError:
        return 0.0
    return speed if math.isfinite(speed) and SPEED_MIN <= speed <= SPEED_MAX else 0.0
