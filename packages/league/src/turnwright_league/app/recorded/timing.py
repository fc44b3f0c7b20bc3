"""Compares the lateness and failures in a result with its record.

in the record       turns in which the server was late, missed turns, failures, answers at all,
                    the level of the sandbox, the version that played
not in the record   answer times, attempts, the moment of the battle
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from turnwright.kernel.failure import OUT_REASONS, Failure
from turnwright.kernel.record import Record
from turnwright.kernel.skipped_turns import LATE_TURNS_MIN, LateMisses
from turnwright_league.app.worker import entry_seats, suspicions
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle


@dataclass(frozen=True, slots=True)
class RecordedTiming:
    """The lateness and failures in a record.

    Attributes:
        server_late_turns: the number of turns in which the server was late.
        late_missed_turns: the number of these turns in which an answer came after the end of the turn, but by
            less time than the server was late.
        shared_skips: the number of turns that two or more seats missed together.
        skipped: the number of missed turns, by seat.
        late_misses: by seat, the number of missed turns that the lateness of the server may have caused.
        rounds_out: by seat, the rounds from which it was disqualified.
        disqualified: the seats that were disqualified from the battle.
        answered, gone: the seats that answered, and those that left.
        failures: the failures by seat that were known before the last turn.
    """

    server_late_turns: int = 0
    late_missed_turns: int = 0
    shared_skips: int = 0
    skipped: Mapping[int, int] = field(default_factory=dict)
    late_misses: Mapping[int, int] = field(default_factory=dict)
    rounds_out: Mapping[int, Set[int]] = field(default_factory=dict)
    disqualified: frozenset[int] = frozenset()
    answered: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    failures: Mapping[int, Failure] = field(default_factory=dict)


def recorded_timing(record: Record) -> RecordedTiming:
    """Return the lateness and failures in a record."""
    late = shared = 0
    misses = LateMisses()
    skipped: Counter[int] = Counter()
    late_misses: Counter[int] = Counter()
    rounds = 0
    rounds_out: dict[int, set[int]] = {}
    disqualified: set[int] = set()
    answered: set[int] = set()
    gone: set[int] = set()
    failures: dict[int, Failure] = {}
    spares = record.header.rules.on_disconnect == "official"
    for entry in record.turns:
        late += entry.server_late_ns > 0
        rounds += entry.opening
        late_misses.update(misses.note(entry, entry.server_late_ns))
        gone.update(entry.gone)
        shared += len(entry.skipped) > 1
        skipped.update(seat for seat in entry.skipped if not (spares and seat in gone))
        for seat in entry.disqualified:
            rounds_out.setdefault(seat, set()).add(rounds)
            if seat in gone:
                disqualified.add(seat)
        answered.update(entry.intents, entry.late_ns)
        failures.update(entry.failures)
    most = min(record.header.rules.max_rounds_out, rounds)
    disqualified.update(seat for seat, out in rounds_out.items() if len(out) >= most)
    return RecordedTiming(
        late,
        misses.turns,
        shared,
        skipped,
        late_misses,
        rounds_out,
        frozenset(disqualified),
        frozenset(answered),
        frozenset(gone),
        failures,
    )


def timing_problems(
    played: PlayedBattle, record: Record, told: RecordedTiming, labels: Mapping[str, str]
) -> Iterator[str]:
    """Yield the differences between a result and its record.

    Args:
        labels: the labels of entries, by id.
    """
    said = {
        "server_late_turns": (played.server_late_turns, told.server_late_turns),
        "sandbox": (played.sandbox, record.header.sandbox or "none"),
        "turnwright": (f"turnwright {played.turnwright}", record.header.made_by),
    }
    for name, (mine, theirs) in said.items():
        if mine != theirs:
            yield f"its {name} is {mine}, its record has {theirs}"
    rows = {row.entry: row for row in played.scores}
    for entry, seats in entry_seats(played.spec):
        if entry in rows:
            yield from _entry_problems(labels.get(entry, entry[:6]), rows[entry], set(seats), told)
    marks = recorded_suspicions(played, told)
    if marks != played.suspect:
        yield f"it is {_marked(played.suspect)}, but by its record it is {_marked(marks)}"
    forfeit = any(row.is_forfeit for row in played.scores)
    if forfeit != (played.state == "forfeit") and played.state != "void":
        yield f"it is called {played.state}, its rows say {'forfeit' if forfeit else 'ok'}"


def recorded_suspicions(played: PlayedBattle, told: RecordedTiming) -> tuple[str, ...]:
    """Return why a battle is suspect, judged by its record.

    If a bot failed, the turns that several bots missed together do not count, because the failure may be
    their cause.
    """
    failed = any(row.failure is not None for row in played.scores) or bool(told.gone)
    failed = failed or any(_rounds_out(seats, told) for _, seats in entry_seats(played.spec))
    answering = sum(not _never_answered(set(seats), told) for _, seats in entry_seats(played.spec))
    busy = sum(row.is_of_machine for row in played.scores)
    shared = 0 if failed else told.shared_skips
    return suspicions(played.turns, told.late_missed_turns, shared, answering, busy)


def _rounds_out(seats: Iterable[int], told: RecordedTiming) -> Set[int]:
    """Return the rounds in which each of these seats was disqualified."""
    return frozenset.intersection(*(frozenset(told.rounds_out.get(seat, ())) for seat in seats))


def _never_answered(seats: Set[int], told: RecordedTiming) -> bool:
    return not seats & told.answered and any(told.skipped.get(seat, 0) for seat in seats)


def _entry_problems(name: str, row: EntryScore, seats: Set[int], told: RecordedTiming) -> Iterator[str]:
    missed = sum(told.skipped.get(seat, 0) for seat in seats)
    if row.skipped != missed:
        yield f"{name} missed {row.skipped} turns, but {missed} by its record"
    said, failure = _recorded_failure(seats, told), row.failure
    if failure is None:
        if said:
            yield f"{name} {said} by its record, but not in the result"
        return
    is_missed = seats <= told.disqualified or _never_answered(seats, told)
    if failure.reason in OUT_REASONS and not is_missed:
        yield f"{name} is marked as failed ({failure.text}), but answers in its record"
    if row.is_of_machine and max(told.late_misses.get(seat, 0) for seat in seats) < LATE_TURNS_MIN:
        yield f"{name} is marked as failed ({failure.text}), but the server was in time in its record"
    first = told.failures.get(min(seats))
    if first is None or not seats <= told.failures.keys() or not failure.turn:
        return  # it became known after the last turn, or an earlier version did not tell the turn
    if first.learnt(failure.reason, failure.error).reason is not failure.reason or first.turn != failure.turn:
        yield f"{name} is marked as failed ({failure.text}), but by its record it {first.text}"


def _recorded_failure(seats: Set[int], told: RecordedTiming) -> str:
    """Return the failure of an entry in a record, or "".

    Records of earlier versions have no reasons.
    """
    if seats <= told.failures.keys():
        return told.failures[min(seats)].text
    if seats <= told.disqualified:
        return "was disqualified"
    return "left" if seats <= told.gone else ""


def _marked(suspect: tuple[str, ...]) -> str:
    return f"suspect ({'; '.join(suspect)})" if suspect else "not suspect"
