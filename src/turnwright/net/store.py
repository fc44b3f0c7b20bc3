"""Keeps a world while it runs: turns are written on a thread of their own, one transaction each.

The world plays at most one turn ahead of what has been written, so a kill takes it back by one turn at most.
A database that fails stops nobody: what could not be written is kept and goes with the next turn that can be.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from turnwright.host.world.accounts import Account
from turnwright.net.store_sql import Database

__all__ = ["Store"]

_QUEUE_MAX = 1_000
"""Pieces of work; a turn is one, and at most two of them wait."""
CLOSE_WAIT_S = 10.0

_log = logging.getLogger("turnwright")
Key = tuple[str, int | str]


@dataclass
class _Unwritten:
    """What the next transaction has to write."""

    changed: dict[Key, bytes | None] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    lines: list[tuple[int, bytes]] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)


class Store:
    """database: already loaded; from now on ours. on_saved(turn): called on the store's thread.

    trouble: why nothing can be written at the moment, or None.
    """

    def __init__(self, database: Database, on_saved: Callable[[int], None]) -> None:
        self.trouble: str | None = None
        self._database = database
        self._on_saved = on_saved
        self._work: queue.Queue[Callable[[], None] | None] = queue.Queue(_QUEUE_MAX)
        self._unwritten = _Unwritten()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def turn(
        self, turn: int, changed: Mapping[Key, bytes | None], facts: Mapping[str, str], line: bytes | None
    ) -> None:
        """Write a turn; `on_saved` is told. Returns at once."""

        def write() -> None:
            unwritten = self._unwritten
            unwritten.changed.update(changed)
            unwritten.facts.update(facts)
            if line is not None:
                unwritten.lines.append((turn, line))
            self._write()
            self._on_saved(turn)

        self._work.put(write)

    def account(self, account: Account) -> None:
        """Write an account, behind the turns that were given before it."""

        def write() -> None:
            self._unwritten.accounts.append(account)
            self._write()

        self._work.put(write)

    def close(self) -> None:
        """Write what waits, also what could not be written before, and let the database go."""
        self._work.put(None)
        self._thread.join(CLOSE_WAIT_S)
        if self._thread.is_alive():
            _log.error("the world's data could not be written within %g s", CLOSE_WAIT_S)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
        if self.trouble is not None:
            self._write()
        self._database.close()

    def _write(self) -> None:
        unwritten = self._unwritten
        try:
            self._database.write(unwritten.changed, unwritten.facts, unwritten.lines, unwritten.accounts)
        except Exception as error:
            why = " ".join(str(error).split()) or type(error).__name__
            if self.trouble is None:
                ours = not isinstance(error, self._database.errors)
                _log.error("the world cannot be kept at the moment: %s", why, exc_info=ours)
            self.trouble = why
            del unwritten.lines[:-_LINES_KEPT]
        else:
            if self.trouble is not None:
                _log.warning("the world is kept again")
            self.trouble, self._unwritten = None, _Unwritten()


_LINES_KEPT = 1_000
"""Of the journal, while nothing can be written."""
