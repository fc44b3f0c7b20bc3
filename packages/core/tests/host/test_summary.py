"""A summary is a value: equal when all of it is, and safe to keep."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from packages.core.tests.host.support import MS, S, duel
from turnwright.host.summary import BattleSummary, SeatSummary, footer, without_battle


def test_summaries_of_equal_battles_are_equal_and_cannot_be_changed():
    seats = (SeatSummary("a", "1", 1, 2, 3, 4, 0, 0, 0, False),)
    one, two = (BattleSummary("over", 5, "classic", 1, 10, seats=seats) for _ in range(2))
    assert one == two
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.turns = 11


def test_unknown_fields_are_empty():
    it = BattleSummary("aborted", 0, "", 0, 0)
    assert (it.rows, it.seats, it.why, it.traceback, it.void_entry) == ((), (), "", "", None)


# From a battle to its summary and the last line of its record.


def over():
    room, _, one, two = duel(plays=True, max_skipped=2, record=True, setup={"rounds": 2})
    one.answer = lambda seen: {"intent": 5}
    two.answer = lambda seen: {"intent": 2} if seen["turn"] < 2 else None
    room.run(3 * MS)
    one.send(b"{")
    room.run(S)
    return room


def test_a_summary_has_results_times_and_faults_by_seat():
    (summary,) = over().server.over
    assert (summary.ending, summary.rounds, summary.why, summary.traceback) == ("over", 2, "", "")
    assert [r.name for r in summary.rows] == ["one", "two"]
    assert summary.rows[0].score > summary.rows[1].score
    one, two = summary.seats
    assert (one.name, one.version, one.malformed, one.skipped, one.disqualified) == ("one", "1", 1, 0, False)
    assert (two.malformed, two.disqualified) == (0, True)
    assert two.skipped >= 2
    assert (one.held_ns, two.held_ns > 0) == (0, True)
    assert one.p50_ns <= one.p95_ns <= one.p99_ns <= one.max_ns
    assert one.max_ns >= MS


def test_the_record_ends_with_the_results_as_json_values():
    room = over()
    (summary,) = room.server.over
    end = room.record().footer
    assert end == footer(summary)
    assert (end.ending, end.turns) == ("over", len(room.record().turns))
    assert msgspec.json.decode(msgspec.json.encode(end.results))[0]["name"] == "one"


def test_an_aborted_battle_has_no_results_and_says_why():
    room, boss, *_ = duel(plays=True, record=True)
    room.run(5 * MS)
    boss.say("stop")
    (summary,) = room.server.over
    assert (summary.ending, summary.rows, summary.turns) == ("aborted", (), room.record().footer.turns)
    assert "operator" in summary.why
    assert room.record().footer.ending == "aborted"
    assert room.record().footer.results == []


def test_a_game_that_never_began_has_a_summary_too():
    summary = without_battle("classic", "nobody came")
    assert (summary.ending, summary.turns, summary.seats, summary.why) == ("aborted", 0, (), "nobody came")
