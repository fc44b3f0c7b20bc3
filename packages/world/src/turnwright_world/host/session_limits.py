"""SessionLimits: ends connections that send too much or do not log in in time."""

from __future__ import annotations

from collections.abc import Callable

from turnwright_world.host.limits import Addresses
from turnwright_world.host.sessions import Session, Sessions

NAME_WAIT_NS = 300_000_000_000
"""The time that a connection may take to log in."""


class SessionLimits:
    """Limits how much connections may send, and how long they may take to log in.

    Args:
        say: shows a session a line.
        drop: closes its connection with a last line.
    """

    def __init__(
        self, sessions: Sessions, say: Callable[[Session, str], None], drop: Callable[[Session, str], None]
    ) -> None:
        self._sessions, self._say, self._drop = sessions, say, drop
        self._addresses = Addresses()
        self._login_until_ns: dict[int, int] = {}
        """Deadlines of connections that have not logged in yet, in order."""
        self._throttled: dict[int, Session] = {}
        """Sessions over the limit of lines that have not had their notice yet, by connection."""

    def opened(self, session: Session, now_ns: int) -> None:
        """Count a new connection, and set its deadline to log in."""
        self._addresses.enter(session.address)
        self._login_until_ns[session.conn] = now_ns + NAME_WAIT_NS

    def came_in(self, session: Session) -> None:
        """Note that a session has logged in: it has a body, or watches."""
        self._login_until_ns.pop(session.conn, None)

    def closed(self, session: Session) -> None:
        """Note that a connection has ended."""
        self._throttled.pop(session.conn, None)
        self._login_until_ns.pop(session.conn, None)
        self._addresses.leave(session.address)

    def allow(self, session: Session, now_ns: int) -> bool:
        """Count a line, and return whether to read it. If not, warn the session, or close it if it floods."""
        if session.guard.allow(now_ns, self._addresses.lines(session.address)):
            return True
        self._too_fast(session, now_ns)
        return False

    def _too_fast(self, session: Session, now_ns: int) -> None:
        """Report dropped lines, at most once per second. Close a connection that continues to flood."""
        if session.guard.flooding:
            self._drop(session, "That was too much; the connection is closed.")
            return
        notice = session.guard.notice(now_ns)
        if notice is not None:
            self._say(session, notice)
        if session.guard.notice_due_ns is None:
            self._throttled.pop(session.conn, None)
        else:
            self._throttled[session.conn] = session

    def wake(self, now_ns: int) -> None:
        """Report dropped lines, and drop connections that have not logged in in time."""
        for session in list(self._throttled.values()):
            self._too_fast(session, now_ns)
        for conn in [conn for conn, until_ns in self._login_until_ns.items() if until_ns <= now_ns]:
            del self._login_until_ns[conn]
            waiting = self._sessions.of(conn)
            if waiting is not None and not waiting.playing:
                self._drop(waiting, f"Nobody came in for {NAME_WAIT_NS // 60_000_000_000} minutes.")

    def next_ns(self) -> int | None:
        """Return the time of the next due notice or deadline, or None if there is none."""
        times = [session.guard.notice_due_ns for session in self._throttled.values()]
        times.append(next(iter(self._login_until_ns.values()), None))
        return min((at_ns for at_ns in times if at_ns is not None), default=None)
