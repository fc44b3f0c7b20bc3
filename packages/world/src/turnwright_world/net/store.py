"""Writes turns to the database on a thread, one transaction each.

The world plays at most one turn ahead of the database, so a kill loses at most one turn. If the database
fails or does not answer, the world continues. Changes that could not be written are written with a later
turn, as soon as the database works again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from turnwright_world.host.accounts import Account
from turnwright_world.host.minds.player_mind import PlayerMind
from turnwright_world.net.database import Database

ANSWER_WAIT_S = 1.0
"""How long the world waits until a turn is written, in s. Then it continues as after a failure."""
CLOSE_WAIT_S = 10.0
_LINES_KEPT = 1_000
"""The most lines of the journal that wait in memory while the database fails."""

_log = logging.getLogger("turnwright")
Key = tuple[str, int | str]


@dataclass
class _Unwritten:
    """The content of the next transaction."""

    changed: dict[Key, bytes | None] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    lines: list[tuple[int, bytes]] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)
    minds: dict[tuple[str, int], PlayerMind | None] = field(default_factory=dict)

    def then(self, later: _Unwritten) -> _Unwritten:
        """Return one transaction with this content and the later one."""
        return _Unwritten(
            {**self.changed, **later.changed},
            {**self.facts, **later.facts},
            [*self.lines, *later.lines][-_LINES_KEPT:],
            [*self.accounts, *later.accounts],
            {**self.minds, **later.minds},
        )


class Store:
    """Writes turns to the database on a thread.

    Args:
        database: the loaded database, which the store owns from now on.
        on_saved: called on a thread of the store with each turn for which the world need not wait any longer:
            it is written, writing has failed, or wait_s have passed. In the last case it is called again
            when writing ends.
        wait_s: how long the world waits for a turn to be written, in s.
        on_trouble: called on a thread of the store with the reason when nothing can be written, and with None
            when it works again.

    Attributes:
        trouble: why nothing can be written at the moment, or None.
    """

    def __init__(
        self,
        database: Database,
        on_saved: Callable[[int], None],
        wait_s: float = ANSWER_WAIT_S,
        *,
        on_trouble: Callable[[str | None], None] = lambda why: None,
    ) -> None:
        self.trouble: str | None = None
        self._database = database
        self._on_saved = on_saved
        self._on_trouble = on_trouble
        self._wait_s = wait_s
        self._news = threading.Condition()
        """Guards the attributes below, and is notified when they change."""
        self._unwritten = _Unwritten()
        self._turns: list[int] = []
        """The turns whose callers wait until `_unwritten` is written."""
        self._asked = self._closing = self._tried = self._late = False
        """The state of the thread.

        * _asked: there is something new to write.
        * _tried: at the end, the thread has tried once more to write what had failed.
        * _late: the current transaction takes too long.
        """
        self._writing: tuple[_Unwritten, list[int]] | None = None
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()
        threading.Thread(target=self._watch, name="store's watch", daemon=True).start()

    def turn(
        self, turn: int, changed: Mapping[Key, bytes | None], facts: Mapping[str, str], line: bytes | None
    ) -> None:
        """Hand the changes of a turn to the thread that writes them, and return immediately.

        `on_saved` is called later.
        """
        lines = [] if line is None else [(turn, line)]
        self._put(_Unwritten(dict(changed), dict(facts), lines), [turn])

    def account(self, account: Account) -> None:
        """Hand an account to the thread, which writes it with or after the turns that were given earlier."""
        self._put(_Unwritten(accounts=[account]), [])

    def mind(self, owner: str, body: int, mind: PlayerMind | None) -> None:
        """Hand a player's mind to the thread, or None to delete it. It is written as soon as an account."""
        self._put(_Unwritten(minds={(owner, body): mind}), [])

    def close(self) -> None:
        """Write all waiting changes, also those that could not be written before, and close the database.

        This blocks for at most CLOSE_WAIT_S. Changes that are not written then are reported in the log.
        """
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._thread.join(CLOSE_WAIT_S)
        if self._thread.is_alive():
            _log.error("the world's data could not be written within %g s", CLOSE_WAIT_S)

    def _put(self, more: _Unwritten, turns: list[int]) -> None:
        with self._news:
            self._unwritten = self._unwritten.then(more)
            self._turns += turns
            self._asked = True
            self._news.notify_all()

    # ---- the thread that writes ----------------------------------------------------------------------------

    def _run(self) -> None:
        while (taken := self._take()) is not None:
            work, turns = taken
            written = self._write(work)
            with self._news:
                self._writing, self._late = None, False
                if not written:
                    self._unwritten = work.then(self._unwritten)
                elif self.trouble is not None:
                    _log.warning("the world is saved again")
                    self.trouble = None
                    self._on_trouble(None)
            self._tell(turns)
        self._database.close()

    def _take(self) -> tuple[_Unwritten, list[int]] | None:
        """Wait for something to write and return it, or return None at the end, after a last try."""
        with self._news:
            self._news.wait_for(lambda: self._asked or self._closing)
            if not self._asked:
                if self.trouble is None or self._tried:
                    return None
                self._tried = True
            self._asked = False
            self._writing = self._unwritten, self._turns
            self._unwritten, self._turns = _Unwritten(), []
            self._news.notify_all()
            return self._writing

    def _write(self, work: _Unwritten) -> bool:
        """Write a transaction, and return whether that was possible. If not, report the trouble."""
        try:
            self._database.write(work.changed, work.facts, work.lines, work.accounts, work.minds)
        except Exception as error:
            ours = not isinstance(error, self._database.errors)
            self._complain(" ".join(str(error).split()) or type(error).__name__, traced=ours)
            return False
        return True

    def _tell(self, turns: list[int]) -> None:
        for turn in turns:
            self._on_saved(turn)

    # ---- the thread that watches ---------------------------------------------------------------------------

    def _watch(self) -> None:
        """Let the world continue when a transaction takes too long."""
        while not self._closing:
            self._tell(self._overdue())

    def _overdue(self) -> list[int]:
        """Wait, and return the turns for which the world need not wait any longer."""
        with self._news:
            self._news.wait_for(lambda: self._closing or self._writing is not None)
            work = self._writing
            if work is None:
                return []
            if self._late:
                self._news.wait_for(lambda: self._is_over(work) or bool(self._turns))
            elif not self._news.wait_for(lambda: self._is_over(work), self._wait_s):
                self._late = True
                self._turns = [*work[1], *self._turns]
                self._complain(f"the database has not answered for {self._wait_s:g} s")
            if self._is_over(work):
                return []
            turns, self._turns = self._turns, []
            return turns

    def _is_over(self, work: tuple[_Unwritten, list[int]]) -> bool:
        return self._closing or self._writing is not work

    def _complain(self, why: str, *, traced: bool = False) -> None:
        """Note why nothing can be written. Log it and report it once."""
        if self.trouble is None:
            _log.error("the world cannot be saved at the moment: %s", why, exc_info=traced)
            self._on_trouble(why)
        self.trouble = why
