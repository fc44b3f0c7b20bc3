"""Option negotiation without loops: the Q method of RFC 1143."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from turnwright_world.wire.telnet.parser import IAC, Command


class _OptionState(Enum):
    """The states of RFC 1143 §7. The last two states have the queue bit set."""

    NO = auto()
    YES = auto()
    WANT_NO = auto()
    WANT_NO_THEN_YES = auto()
    WANT_YES = auto()
    WANT_YES_THEN_NO = auto()


class _Half:
    """The negotiation of one side of one option.

    Methods return the answer to send: True for yes, False for no, None for no answer.
    """

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = _OptionState.NO

    def heard_yes(self) -> bool | None:
        state = self.state
        if state is _OptionState.NO:
            self.state = _OptionState.YES
            return True
        if state is _OptionState.WANT_NO:  # the peer answered "no" with "yes", which is an error
            self.state = _OptionState.NO
        elif state in (_OptionState.WANT_YES, _OptionState.WANT_NO_THEN_YES):
            self.state = _OptionState.YES
        elif state is _OptionState.WANT_YES_THEN_NO:
            self.state = _OptionState.WANT_NO
            return False
        return None

    def heard_no(self) -> bool | None:
        state = self.state
        if state is _OptionState.WANT_NO_THEN_YES:
            self.state = _OptionState.WANT_YES
            return True
        self.state = _OptionState.NO
        return False if state is _OptionState.YES else None

    def want(self, on: bool) -> bool | None:
        moved = (_WANTED_ON if on else _WANTED_OFF).get(self.state)
        if moved is None:
            return None
        before, self.state = self.state, moved
        return on if before in (_OptionState.NO, _OptionState.YES) else None


_WANTED_ON = {
    _OptionState.NO: _OptionState.WANT_YES,
    _OptionState.WANT_NO: _OptionState.WANT_NO_THEN_YES,
    _OptionState.WANT_YES_THEN_NO: _OptionState.WANT_YES,
}
_WANTED_OFF = {
    _OptionState.YES: _OptionState.WANT_NO,
    _OptionState.WANT_YES: _OptionState.WANT_YES_THEN_NO,
    _OptionState.WANT_NO_THEN_YES: _OptionState.WANT_NO,
}


class Negotiation:
    """The options that both ends have agreed on.

    Args:
        ours, theirs: options that our side or the peer may turn on. Requests for other options are refused.
    """

    __slots__ = ("_ours", "_theirs")

    def __init__(self, ours: Iterable[int], theirs: Iterable[int]) -> None:
        self._ours = {option: _Half() for option in ours}
        self._theirs = {option: _Half() for option in theirs}

    def we_do(self, option: int) -> bool:
        """Return whether our side of the option is on."""
        half = self._ours.get(option)
        return half is not None and half.state is _OptionState.YES

    def they_do(self, option: int) -> bool:
        """Return whether the peer's side of the option is on."""
        half = self._theirs.get(option)
        return half is not None and half.state is _OptionState.YES

    def offer(self, option: int, on: bool = True) -> bytes:
        """Turn our side on or off, and return the bytes to send. `option` is one of `ours`."""
        return _said(self._ours[option].want(on), Command.WILL, Command.WONT, option)

    def ask(self, option: int, on: bool = True) -> bytes:
        """Ask the peer to turn its side on or off. Return the bytes to send. `option` is one of `theirs`."""
        return _said(self._theirs[option].want(on), Command.DO, Command.DONT, option)

    def receive(self, verb: Command, option: int) -> bytes:
        """Handle WILL, WONT, DO or DONT, and return the answer of three bytes, or no bytes."""
        about_us = verb in (Command.DO, Command.DONT)
        half = (self._ours if about_us else self._theirs).get(option)
        yes = verb in (Command.DO, Command.WILL)
        if half is None:
            answer = False if yes else None
        else:
            answer = half.heard_yes() if yes else half.heard_no()
        words = (Command.WILL, Command.WONT) if about_us else (Command.DO, Command.DONT)
        return _said(answer, *words, option)


def _said(answer: bool | None, yes: Command, no: Command, option: int) -> bytes:
    return b"" if answer is None else bytes([IAC, yes if answer else no, option])
