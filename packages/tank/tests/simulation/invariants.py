"""Invariants of a simulated server, checked by an independent account.

The witness sees what the server wrote to whom and when, and what came to its sockets and when. It asks
neither the host nor the kernel; only at the end it reads the record, which it plays again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from packages.core.tests.simulation.virtual_server import Played, Said
from turnwright.host.config import HostConfig
from turnwright.kernel.game import Game
from turnwright.kernel.record import TurnEntry
from turnwright.kernel.replay import replay
from turnwright.kernel.skipped_turns import MAX_ROUNDS_OUT
from turnwright_tank.structs import Frame, Observation, TankIntent
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode, decode_server
from turnwright_tank.wire.royale.results import results_for_bots, results_for_observers

SLACK_NS = 500_000
"""Lateness at which an answer may still count, in addition to the loop's lateness: its own steps and
writes between the deadline and the reading.
"""

_FAR_NS = 100_000_000
"""Time around a turn in which its lateness is looked for."""

Turn = tuple[int, int]
"""The round and the turn in it."""


@dataclass(slots=True)
class Seen:
    """One connection: messages of its current game, and arrival times of its intents."""

    role: m.Role | None = None
    session: str = ""
    left: bool = False
    playing: bool = False
    started: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    stamps_ns: list[int] = field(default_factory=list)
    skips: list[tuple[Turn, int]] = field(default_factory=list)
    """For each SkippedTurnEvent: the turn seen before it, and the turn that it names."""
    results: Any = None
    arrivals_ns: list[int] = field(default_factory=list)
    """The times of intents, in order. `numbers` contains the turn that each intent names, or None."""
    numbers: list[int | None] = field(default_factory=list)
    truths: list[Turn | None] = field(default_factory=list)
    """The turn that each intent answers, from its `stdOut`."""


@dataclass(slots=True)
class Watched:
    """One game, as a spectator sees it that is always there: its turns and when they were published (ns)."""

    setup: m.GameSetup
    turns: list[Turn] = field(default_factory=list)
    published_ns: list[int] = field(default_factory=list)
    results: Any = None
    aborted: bool = False
    breakpoints_ns: list[int] = field(default_factory=list)
    """Times at which it paused to wait for a bot without a deadline."""
    by_seat: list[Seen] = field(default_factory=list)


class Witness:
    """Checks all promises, some during the simulation and the rest at the end.

    Its methods raise AssertionError with `name` in front.

    Args:
        watcher: the connection of a spectator that is there from the beginning to the end.
    """

    def __init__(self, name: str, watcher: int) -> None:
        self.name = name
        self.watcher = watcher
        self.seen: dict[int, Seen] = {}
        self.games: list[Watched] = []
        self._late_at_ns: list[int] = []
        self._late_sum_ns: list[int] = [0]
        self._see: dict[type, Callable[[Seen, Any, Said], None]] = {
            m.ServerHandshake: self._hello,
            m.GameStartedEventForBot: self._bot_started,
            m.GameStartedEventForObserver: self._spectator_started,
            m.RoundStartedEvent: self._round_started,
            Observation: self._turn,
            Frame: self._turn,
            m.SkippedTurnEvent: self._skipped,
            m.RoundEndedEventForBot: self._round_ended,
            m.RoundEndedEventForObserver: self._round_ended,
            m.GameEndedEventForBot: self._game_ended,
            m.GameEndedEventForObserver: self._game_ended,
            m.GameAbortedEvent: self._aborted,
            m.GamePausedEventForObserver: self._paused,
        }

    def _must(self, holds: object, claim: str) -> None:
        assert holds, f"{self.name}: {claim}"

    # ---- what happens ------------------------------------------------------------------------------------

    def connected(self, conn: int) -> None:
        """Note that a connection was opened."""
        self.seen[conn] = Seen()

    def left(self, conn: int) -> None:
        """Note that the server knows that a connection is gone. It must send nothing more to it."""
        self.seen[conn].left = True

    def late(self, at_ns: int, by_ns: int) -> None:
        """Note that the server's loop was late or busy until `at_ns`. Times go up from call to call."""
        self._late_at_ns.append(at_ns)
        self._late_sum_ns.append(self._late_sum_ns[-1] + by_ns)

    def arrived(self, conn: int, data: bytes, at_ns: int) -> None:
        """Note a message that came to the server's socket."""
        message = decode(data)
        seen = self.seen[conn]
        if isinstance(message, TankIntent):
            seen.arrivals_ns.append(at_ns)
            seen.numbers.append(message.turn_number)
            truth = tuple(int(word) for word in (message.std_out or "").split() if word.isdigit())
            seen.truths.append((truth[0], truth[1]) if len(truth) == 2 else None)
        elif seen.role is None and isinstance(message, m.BotHandshake):
            seen.role = "bot"
        elif seen.role is None and isinstance(message, m.ObserverHandshake | m.ControllerHandshake):
            seen.role = "observer" if isinstance(message, m.ObserverHandshake) else "controller"

    def said(self, said: Said) -> m.ServerHandshake | Any:
        """Check a message that the server wrote, and return it, decoded."""
        seen = self.seen[said.conn]
        self._must(not seen.left, f"{said.conn} has left and is sent {said.data[:60]!r}")
        message = decode_server(said.data)
        allowed = m.MAY_RECEIVE[seen.role] if seen.role else (m.ServerHandshake,)
        self._must(type(message) in allowed, f"a {seen.role} is sent {message!r:.99}")
        see = self._see.get(type(message))
        if see is not None:
            see(seen, message, said)
        return message

    # ---- what one connection gets --------------------------------------------------------------------------

    def _hello(self, seen: Seen, message: m.ServerHandshake, said: Said) -> None:
        self._must(not seen.session, "the server says hello twice")
        seen.session = message.session_id

    def _bot_started(self, seen: Seen, message: m.GameStartedEventForBot, said: Said) -> None:
        seen.playing = True
        self._forget(seen)

    def _spectator_started(self, seen: Seen, message: m.GameStartedEventForObserver, said: Said) -> None:
        self._must(not seen.playing, "a game starts before the one before it has ended")
        seen.playing = True
        self._forget(seen)
        if said.conn == self.watcher:
            by_session = {s.session: s for s in self.seen.values()}
            seats = [by_session[p.session_id] for p in message.participants]
            self.games.append(Watched(message.game_setup, by_seat=seats))

    @staticmethod
    def _forget(seen: Seen) -> None:
        for row in (seen.started, seen.ended, seen.turns, seen.stamps_ns, seen.skips):
            row.clear()
        seen.results = None

    def _round_started(self, seen: Seen, message: m.RoundStartedEvent, said: Said) -> None:
        number = message.round_number
        before = seen.started[-1] if seen.started else None
        self._must(seen.playing, "a round starts outside a game")
        self._must(before is None or number == before + 1, f"round {number} starts after {before}")
        self._must(before is None or before in seen.ended, f"round {number} starts before {before} has ended")
        seen.started.append(number)

    def _turn(self, seen: Seen, message: Observation | Frame, said: Said) -> None:
        now = (message.round_number, message.turn_number)
        self._must(seen.started and seen.started[-1] == now[0], f"turn {now} before its round")
        self._must(not seen.ended or seen.ended[-1] < now[0], f"turn {now} after its round")
        if seen.turns and seen.turns[-1][0] == now[0]:
            missed = isinstance(message, Observation)  # it may get none while it is behind
            follows = now[1] > seen.turns[-1][1] if missed else now[1] == seen.turns[-1][1] + 1
            self._must(follows, f"turn {now} after {seen.turns[-1]}")
        elif isinstance(message, Observation) or said.conn == self.watcher:
            self._must(now[1] == 1, f"round {now[0]} begins with turn {now[1]}")
        seen.turns.append(now)
        seen.stamps_ns.append(said.at_ns)
        if said.conn == self.watcher:
            self.games[-1].turns.append(now)
            self.games[-1].published_ns.append(said.at_ns)

    def _skipped(self, seen: Seen, message: m.SkippedTurnEvent, said: Said) -> None:
        self._must(seen.turns, "a turn is skipped before the first")
        seen.skips.append((seen.turns[-1], message.turn_number))

    def _round_ended(self, seen: Seen, message: Any, said: Said) -> None:
        number = message.round_number
        self._must(number not in seen.ended, f"round {number} ends twice")
        self._must(seen.started[-1:] == [number], f"round {number} ends before it starts")
        seen.ended.append(number)

    def _game_ended(self, seen: Seen, message: Any, said: Said) -> None:
        self._must(seen.playing, "a game ends twice")
        self._must(
            seen.ended and seen.ended[-1] == message.number_of_rounds, "a game ends with its last round"
        )
        seen.playing, seen.results = False, message.results
        if said.conn == self.watcher:
            self.games[-1].results = message.results

    def _aborted(self, seen: Seen, message: Any, said: Said) -> None:
        if said.conn == self.watcher and seen.playing:
            self.games[-1].aborted = True
        seen.playing = False

    def _paused(self, seen: Seen, message: m.GamePausedEventForObserver, said: Said) -> None:
        if said.conn == self.watcher and message.pause_cause == "breakpoint":
            self.games[-1].breakpoints_ns.append(said.at_ns)

    # ---- what a battle was -------------------------------------------------------------------------------

    def check(self, game: Watched, played: Played, config: HostConfig, rules: Game) -> None:
        """Check one battle that is over, against its record and what its participants saw."""
        record, summary = played.record, played.summary
        assert record is not None
        assert summary is not None
        entries = record.turns
        self._must(summary.ending == ("aborted" if game.aborted else "over"), f"it ended as {summary.ending}")
        self._must(record.footer is not None and record.footer.ending == summary.ending, "the record's end")
        self._must((game.results is not None) != game.aborted, "a game ends exactly once, or is aborted")
        self._must([e.turn for e in entries] == list(range(1, len(game.turns) + 1)), "turns go up by one")
        self._must(summary.turns == len(entries), "the summary counts the turns of the record")
        for seat, seen in enumerate(game.by_seat):
            self._check_seat(game, seat, seen, played, config)
        self._check_disqualified(game, entries, config)
        self._replay(game, played, rules)

    def _check_seat(self, game: Watched, seat: int, seen: Seen, played: Played, config: HostConfig) -> None:
        """Check each turn k (from 0) of the battle: it takes the answers to what was shown in turn k - 1."""
        assert played.record is not None
        entries, timeout_ns = played.record.turns, played.record.header.rules.timeout_ns
        opening_ns = max(timeout_ns, (config.opening_timeout_us or 0) * 1_000)
        shown = dict(zip(seen.turns, seen.stamps_ns, strict=True))
        gone_from = next((e.turn for e in entries if seat in e.gone), len(entries) + 1)
        missed: set[Turn] = set()
        previous_ns, was_missed = 0, False
        told_apart_ns = self._told_apart_until_ns(game, seen)
        for entry, before, now, published_ns in zip(
            entries[1 : gone_from - 1], game.turns, game.turns[1:], game.published_ns[1:], strict=False
        ):
            stamp = shown.get(before)
            if stamp is None or now[1] == 1:
                if stamp is None and seat in entry.skipped and now[1] != 1:
                    missed.add(before)  # it was behind and got no observation
                continue
            deadline = stamp + (opening_ns if before[1] == 1 else timeout_ns)
            what = f"seat {seat}, shown {before} at {stamp}"
            drop = config.rules.on_late == "drop"
            if drop and published_ns > told_apart_ns:
                missed.update([before] if seat in entry.skipped else ())
                continue
            if seat in entry.skipped:
                missed.add(before)
                in_time = self._answers(seen, stamp, deadline, before, drop)
                in_time = in_time and not (drop and was_missed and None in seen.numbers)  # it was behind
                self._must(not in_time, f"{what}, answered in time and is skipped in turn {entry.turn}")
            elif seat in entry.intents:
                held = any(stamp <= at_ns <= published_ns for at_ns in game.breakpoints_ns)
                earliest = previous_ns - self._lateness_ns(previous_ns - _FAR_NS, previous_ns) - SLACK_NS
                latest = deadline + self._lateness_ns(stamp, published_ns + _FAR_NS) + SLACK_NS
                own = drop and None not in seen.numbers
                came = held or self._answers(seen, stamp if own else earliest, latest, before, own)
                came = came or (own and self._names(seen, stamp, latest, before))
                self._must(came, f"{what}, answered too late or never and counts in turn {entry.turn}")
            else:
                self._must(now not in shown, f"{what}, lives and is not asked in turn {entry.turn}")
            previous_ns = stamp
            was_missed = seat in entry.skipped
        self._check_told(seat, seen, missed)

    def _check_told(self, seat: int, seen: Seen, missed: set[Turn]) -> None:
        """Check that a seat that lives on gets a message for each turn that it missed, and for no other.

        The one exception is a bot that is released from a breakpoint: it also hears of the next turn.
        """
        told = {before for before, number in seen.skips if number == before[1]}
        named = {(before[0], number) for before, number in seen.skips}
        odd = [
            (before, number)
            for before, number in seen.skips
            if number not in (before[1], before[1] + 1) and (before[0], number) not in missed
        ]
        lived_on = {(r, t) for r, t in missed if (r, t + 2) in seen.turns}
        self._must(not odd, f"seat {seat} is told of turns that it did not miss: {odd}")
        wrong = told - missed - set(seen.turns[-1:])  # it may leave while the battle waits for its answer
        self._must(not wrong, f"seat {seat} is told of {sorted(wrong)}, which it did not miss")
        self._must(lived_on <= named, f"seat {seat} is not told of {sorted(lived_on - named)[:3]}")

    @staticmethod
    def _told_apart_until_ns(game: Watched, seen: Seen) -> int:
        """Return until when the turns that intents answer are certain, if late intents do nothing.

        A bot that names no turns has no deadline at a breakpoint, and may still think of the round before.
        A late intent of it may also cross with an observation that it has not seen: the server then takes
        its next intent for the answer to that one. So a bot in time is certainly not skipped, but a late bot
        may not be skipped either. Without a network (core's `test_deadline_of_programs.py`) both are certain.
        """
        if not seen.numbers or None not in seen.numbers:
            return 1 << 62
        second = [at_ns for turn, at_ns in zip(game.turns, game.published_ns, strict=True) if turn[0] > 1]
        return min([*second[:1], *game.breakpoints_ns, 1 << 62])

    def _answers(self, seen: Seen, from_ns: int, to_ns: int, turn: Turn, own: bool) -> bool:
        """Return whether an intent arrived within these times that counts for the turn shown last.

        Args:
            own: whether it must be the answer to exactly that turn.
        """
        first, last = bisect_left(seen.arrivals_ns, from_ns), bisect_right(seen.arrivals_ns, to_ns)
        if own:
            return turn in seen.truths[first:last]
        return any(number in (None, turn[1]) for number in seen.numbers[first:last])

    def _names(self, seen: Seen, from_ns: int, to_ns: int, turn: Turn) -> bool:
        """Return whether an intent arrived within these times that answers the same turn of an earlier round.

        An intent names the turn of its round and no round. So one that is late by a round is taken for the
        answer to the turn of that number.
        """
        first, last = bisect_left(seen.arrivals_ns, from_ns), bisect_right(seen.arrivals_ns, to_ns)
        return any(
            truth is not None and truth[0] < turn[0] and truth[1] == turn[1] == number
            for truth, number in zip(seen.truths[first:last], seen.numbers[first:last], strict=True)
        )

    def _lateness_ns(self, from_ns: int, to_ns: int) -> int:
        first, last = bisect_left(self._late_at_ns, from_ns), bisect_right(self._late_at_ns, to_ns)
        return self._late_sum_ns[last] - self._late_sum_ns[first]

    def _check_disqualified(self, game: Watched, entries: list[TurnEntry], config: HostConfig) -> None:
        in_row: dict[int, int] = {}
        out: set[int] = set()
        gone: set[int] = set()
        rounds_out: Counter[int] = Counter()
        for entry, (_, turn) in zip(entries, game.turns, strict=True):
            gone.update(entry.gone)
            if turn == 1:  # a new round, for all that are not out of the battle
                back = {seat for seat in out - gone if rounds_out[seat] < MAX_ROUNDS_OUT}
                out -= back
                in_row.update(dict.fromkeys(back, 0))
            for seat in entry.intents:
                in_row[seat] = 0
            fresh = []
            for seat in entry.skipped:
                if config.rules.on_disconnect == "official" and seat in gone:
                    continue
                in_row[seat] = in_row.get(seat, 0) + 1
                if config.rules.max_skipped and in_row[seat] >= config.rules.max_skipped and seat not in out:
                    fresh.append(seat)
            out.update(fresh)
            rounds_out.update(fresh)
            self._must(tuple(fresh) == entry.disqualified, f"turn {entry.turn}: disqualified {fresh}")

    def _replay(self, game: Watched, played: Played, rules: Game) -> None:
        record, summary = played.record, played.summary
        assert record is not None
        assert summary is not None
        results = None
        for entry, closed, battle in replay(record, rules):
            besides = {
                name: getattr(entry, name)
                for name in ("checks", "answered", "server_late_ns", "keyframe", "failures", "printed")
            }
            again = replace(closed.entry, **besides)
            self._must(again == entry, f"turn {entry.turn} comes out differently in the replay")
            if entry.keyframe:
                self._must(
                    battle.save() == entry.keyframe, f"the keyframe of turn {entry.turn} is another one"
                )
            results = battle.state.results
        if game.aborted or results is None:
            return
        rows = results_for_observers(results)
        self._must(rows == game.results == summary.rows, "the results are not those of the replay")
        own = results_for_bots(results)
        for seat, seen in enumerate(game.by_seat):
            if not seen.left:
                self._must(seen.results == own[seat], f"seat {seat} was told other results")
