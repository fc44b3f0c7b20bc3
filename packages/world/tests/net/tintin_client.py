"""TinTin++ on a pseudo-terminal: a real player's program, typed into and looked at."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

PROGRAM = shutil.which("tt++", path=f"{os.environ.get('PATH', '')}:/usr/games")
MISSING = "" if PROGRAM else "no tt++ on this machine: apt-get install tintin++"
COLUMNS, ROWS = 100, 40
WAIT_S = 60.0
_CODES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|.)")
_GMCP = """\
#event {IAC WILL GMCP} {
    #send {\\xFF\\xFD\\xC9\\};
    #send {\\xFF\\xFA\\xC9Core.Hello {"client": "TinTin++", "version": "2"}\\xFF\\xF0\\};
    #send {\\xFF\\xFA\\xC9Core.Supports.Set ["Char 1"]\\xFF\\xF0\\}
}
#event {IAC SB GMCP Char.Vitals IAC SE} {#showme VITALS %0}
"""
"""TinTin++ has no built-in GMCP: its players' scripts answer."""


class Tintin:
    """One program that runs.

    Attributes:
        seen: all it has shown, without colours and movements of the cursor.
    """

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self.seen = ""

    def type(self, line: str) -> None:
        """Type a line and press return."""
        os.write(self._terminal, line.encode() + b"\r")

    def resize(self, columns: int, rows: int) -> None:
        """Make its window larger or smaller."""
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    async def sees(self, text: str) -> None:
        """Wait until it shows `text`, which must not be broken by the end of a line."""
        loop = asyncio.get_running_loop()
        end = loop.time() + WAIT_S
        while text not in self.seen:
            assert loop.time() < end, f"no {text!r} in {self.seen!r}"
            await asyncio.sleep(0.01)

    def look(self) -> None:
        """Add the newly shown text to `seen`."""
        with suppress(BlockingIOError, OSError):
            self.seen += _CODES.sub("", os.read(self._terminal, 65_536).decode("utf-8", "replace"))


@asynccontextmanager
async def tintin(port: int, home: Path, *, script: str = _GMCP) -> AsyncIterator[Tintin]:
    """Run TinTin++ connected to a port of this machine. Its files are below `home`."""
    assert PROGRAM
    commands = home / "commands.tin"
    commands.write_text(f"#config {{charset}} {{utf-8}}\n{script}#session {{w}} {{127.0.0.1}} {{{port}}}\n")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [PROGRAM, "-G", str(commands)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={"PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(home)},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    os.set_blocking(ours, False)
    client = Tintin(ours)
    loop = asyncio.get_running_loop()
    loop.add_reader(ours, client.look)
    try:
        yield client
    finally:
        process.kill()
        await asyncio.to_thread(process.wait)
        loop.remove_reader(ours)
        os.close(ours)
