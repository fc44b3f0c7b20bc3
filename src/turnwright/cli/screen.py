"""A terminal that is drawn on again and again, and given back as it was; and the keys pressed there.

Only lines that have changed are written, so that a picture over a slow connection costs little.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

__all__ = ["Keys", "Screen", "keys_in", "restoring"]

_ENTER = "\033[?1049h\033[?25l\033[2J"
_LEAVE = "\033[?25h\033[?1049l"
_NAMES = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end",
          b"1~": "home", b"7~": "home", b"4~": "end", b"8~": "end"}  # fmt: skip
_KEY = re.compile(rb"\033[\[O]([0-?]*[ -/]*[@-~])|(.)", re.DOTALL)
_READ_BYTES = 256


class Screen:
    """A terminal's second screen, from `enter` to `leave`; both are harmless when called again."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown: list[str] = []
        self._shown_size = (0, 0)
        self._entered = False

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines, as they are now."""
        columns, lines = shutil.get_terminal_size()
        return columns, lines

    def enter(self) -> None:
        """Show an empty screen without a cursor."""
        if not self._entered:
            self._entered = True
            self._write(_ENTER)

    def leave(self) -> None:
        """Show again what the terminal had shown before."""
        if self._entered:
            self._entered = False
            self._shown = []
            self._write(_LEAVE)

    def show(self, lines: Sequence[str]) -> None:
        """Draw a picture: lines that fit, from the top. What is below them is cleared."""
        size = self.size
        wanted = list(lines[: size[1]])
        before = self._shown if size == self._shown_size else []
        text = "" if before else "\033[2J"
        for at, line in enumerate(wanted):
            if at >= len(before) or before[at] != line:
                text += f"\033[{at + 1};1H{line}\033[0m\033[K"
        if len(before) > len(wanted):
            text += f"\033[{len(wanted) + 1};1H\033[J"
        self._shown, self._shown_size = wanted, size
        if text:
            self._write(text)

    def forget(self) -> None:
        """Draw everything anew the next time: the terminal may have shown something else."""
        self._shown = []

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def keys_in(data: bytes) -> Iterator[str]:
    """Yield the keys in what a terminal sent: letters, "space", "up", "down", "left", "right", "home", "end".

    Other keys that send more than one letter are passed over.
    """
    for found in _KEY.finditer(data):
        sequence, letter = found.groups()
        if sequence is not None:
            name = _NAMES.get(sequence)
            if name is not None:
                yield name
        elif letter != b"\033":
            text = letter.decode("ascii", "replace")
            yield "space" if text == " " else text


class Keys:
    """Keys of a terminal, one at a time, without waiting for Enter; of anything else there are none."""

    def __init__(self, stream: TextIO) -> None:
        self._number: int | None = None
        self._before: list[Any] | None = None
        if getattr(stream, "isatty", lambda: False)():
            self._number = stream.fileno()

    def enter(self) -> None:
        """Ask the terminal for single keys; Ctrl-C goes on to interrupt."""
        if self._number is not None:
            import termios
            import tty

            self._before = termios.tcgetattr(self._number)
            tty.setcbreak(self._number, termios.TCSANOW)

    def leave(self) -> None:
        """Set the terminal back."""
        if self._number is not None and self._before is not None:
            import termios

            termios.tcsetattr(self._number, termios.TCSANOW, self._before)
            self._before = None

    def wait(self, timeout_s: float) -> list[str]:
        """Return the keys pressed within so many seconds, as soon as there are some."""
        if self._number is None:
            select.select([], [], [], timeout_s)
            return []
        ready, _, _ = select.select([self._number], [], [], timeout_s)
        if not ready:
            return []
        data = os.read(self._number, _READ_BYTES)
        if not data:
            self._number = None
            return ["q"]
        return list(keys_in(data))


@contextmanager
def restoring(screen: Screen, keys: Keys | None = None) -> Iterator[None]:
    """Enter the screen, and leave it whatever happens; SIGTERM is then like Ctrl-C."""

    def stop(number: int, _: object) -> None:
        raise KeyboardInterrupt

    def resumed(number: int, _: object) -> None:
        screen.forget()

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGCONT)}
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGCONT, resumed)
    try:
        if keys is not None:
            keys.enter()
        screen.enter()
        yield
    finally:
        screen.leave()
        if keys is not None:
            keys.leave()
        for number, handler in before.items():
            signal.signal(number, handler)
