"""The seam between a game of text and whatever carries its lines: telnet; a WebSocket may, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from turnwright.net.transport import Peer
from turnwright.wire.telnet.events import Terminal

__all__ = ["LineConnection", "Lines", "Listing"]

Listing = Mapping[str, str | int | Sequence[str | int]]
"""Facts for directories of games (MSSP): NAME, PLAYERS, UPTIME (when it began, in seconds since 1970), …"""


class LineConnection(Protocol):
    """A connection to one player's terminal. Once closed, calls do nothing.

    What is written in one go of the event loop leaves as one write to the socket, after the code that wrote
    it has returned. When more than BACKLOG_BYTES_MAX wait for a peer that does not read, it is cut off.
    """

    key: int
    """The application's own number for it; 0 until it sets one."""

    @property
    def peer(self) -> Peer:
        """Where it comes from."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Columns and rows of the window; None: not known."""

    @property
    def terminal(self) -> Terminal:
        """What is known of the peer's program."""

    @property
    def has_gmcp(self) -> bool:
        """Whether the peer takes GMCP messages."""

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent."""

    def write(self, text: str) -> None:
        """Show text; lines end in "\\n". Escape sequences for colours are the caller's business."""

    def prompt(self, text: str) -> None:
        """Show text after which the player types, and mark its end for programs (EOR or GA)."""

    def gmcp(self, package: str, data: object) -> bool:
        """Send a GMCP message, if the peer takes messages of that package; return whether it does.

        data: whatever becomes JSON (dict, list, str, number, structure); None: the package alone.
        """

    def echo(self, on: bool) -> None:
        """Off: what the player types next is secret, its program does not show it. On: shown again."""

    def close(self, reason: str = "") -> None:
        """Show the reason, if there is one, and end the connection once that has arrived."""

    def abort(self) -> None:
        """End the connection now; what was not sent is lost."""

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and how much it varies, µs, or None where it is not known."""


class Lines(Protocol):
    """A game of text. Nothing here is called from inside a call to a connection."""

    def on_open(self, connection: LineConnection, peer: Peer) -> None:
        """A player's program connected; what is written now is the first thing it sees."""

    def on_line(self, connection: LineConnection, text: str) -> None:
        """A line was typed: without its end, without control characters, of at most 1,000 characters."""

    def on_gmcp(self, connection: LineConnection, package: str, data: object) -> None:
        """A GMCP message came. Core.Supports.* and Core.Ping are dealt with already and come here too."""

    def on_size(self, connection: LineConnection, columns: int, rows: int) -> None:
        """The window has this size, in characters, each 1 to 65,535."""

    def on_terminal(self, connection: LineConnection, terminal: Terminal) -> None:
        """More is known of the peer's program: its name, colours, screen reader, or that it takes GMCP."""

    def on_close(self, connection: LineConnection, reason: str) -> None:
        """The connection is gone, told once for each that was opened. reason: one line for the log."""

    def listing(self) -> Listing:
        """Return what directories of games shall know."""
