"""A replay without players gives the recorded battle, and `verify` reports every difference."""

from __future__ import annotations

import dataclasses
import random

import pytest

from packages.core.tests.kernel.support import MS, battle, drive, every_game, kept, some_intent
from packages.core.tests.rounds import Rounds
from tests.parts import few
from turnwright import catalog
from turnwright.errors import RecordError
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.record import ChangedLine, Footer, Record
from turnwright.kernel.replay import Replayer, replay
from turnwright.kernel.state_checks import part_names
from turnwright.kernel.verify import verify


def recorded(game, seed=3, turns=40, **rules):
    rng = random.Random(seed)
    script = {}

    def offset(turn, seat):
        key = (turn, seat)
        script.setdefault(key, rng.choice((1, 2, 500, None, 999)))
        return script[key]

    it = drive(game, offset, -1, turns, timeout_ns=MS, **rules)
    return Record(it.battle.header, [c.entry for c in it.closed])


@every_game
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("on_skip", ["repeat", "idle"])
def test_a_replay_without_players_has_every_digest(game, seed, on_skip):
    record = recorded(game, seed, on_skip=on_skip, max_skipped=5)
    result = verify(record, catalog.load(game))
    assert result.ok, result.mismatch
    assert result.turns == len(record.turns) > 0
    assert any(entry.skipped for entry in record.turns)


@every_game
def test_a_changed_digest_is_named_by_its_turn(game):
    record = recorded(game)
    record.turns[7] = dataclasses.replace(record.turns[7], digest="0" * 16)
    result = verify(record, catalog.load(game))
    assert (result.turns, result.mismatch.turn) == (7, 8)


@every_game
def test_a_changed_skip_is_found(game):
    """The first intent that changes its turn; some do what the seat does anyway."""
    record = recorded(game)
    for index, entry in enumerate(record.turns):
        turns = list(record.turns)
        fewer = dict(sorted(entry.intents.items())[1:])
        turns[index] = dataclasses.replace(entry, intents=fewer)
        result = verify(dataclasses.replace(record, turns=turns), catalog.load(game))
        if not result.ok:
            assert result.mismatch.turn >= entry.turn
            return
    raise AssertionError("no intent that is left out is found")


@every_game
def test_the_seats_and_fields_that_differ_are_named(game):
    record = kept(game, 2, turns=40)
    at = next(k for k, entry in enumerate(record.turns) if k > 3 and 1 in entry.intents)
    entry, rng = record.turns[at], random.Random(2)
    wanted = next(i for i in (some_intent(game, rng) for _ in range(99)) if i != entry.intents[1])
    record.turns[at] = dataclasses.replace(entry, intents={**entry.intents, 1: wanted})
    mismatch = verify(record, catalog.load(game)).mismatch
    assert mismatch.turn == entry.turn
    it = battle(game, 3)
    assert mismatch.fields
    assert set(mismatch.fields) <= set(part_names(it.game, it.state))


@every_game
def test_another_behaviour_version_is_refused(game):
    record = recorded(game, turns=5)
    record.header = dataclasses.replace(record.header, behaviour_version=99)
    with pytest.raises(RecordError, match="behaviour version 99"):
        verify(record, catalog.load(game))


def test_another_game_is_refused():
    with pytest.raises(RecordError, match=r"'countdown'.*'snake'"):
        verify(recorded("countdown", turns=5), catalog.load("snake"))


@every_game
def test_departures_are_part_of_the_record(game):
    for policy in ("skip", "dead", "official"):
        it = drive(game, lambda t, s: 5, -1, 6, timeout_ns=MS, on_disconnect=policy, max_skipped=4)
        it.battle.leave(1)
        it.run(25)
        record = Record(it.battle.header, [c.entry for c in it.closed])
        assert [e.turn for e in record.turns if e.gone] == [7]
        assert verify(record, catalog.load(game)).ok, policy
        out = it.battle.referee.skips.seats[1].disqualified
        assert out is (policy == "skip")
        skipped_after = [e.turn for e in record.turns[7:] if 1 in e.skipped]
        assert bool(skipped_after) is (policy != "dead")


@every_game
def test_replay_yields_each_turn_with_its_state(game):
    record = recorded(game, turns=6)
    turns = [(entry.turn, closed.entry.digest) for entry, closed, _ in replay(record, catalog.load(game))]
    assert turns == [(e.turn, e.digest) for e in record.turns]


# ---- any turn ------------------------------------------------------------------------------------------


@pytest.fixture
def frequent(monkeypatch):
    """Let a keyframe come every 16 turns."""
    for module in ("record", "replay"):
        monkeypatch.setattr(f"turnwright.kernel.{module}.keyframe_interval", lambda seats: 16)
    for kind in (type(catalog.load(name)) for name in catalog.names()):
        if getattr(kind, "keyframe_turns", None):
            monkeypatch.setattr(kind, "keyframe_turns", 16)


def looks(it):
    game, state = it.game, it.state
    seats = range(it.seats)
    faults = [(f.skipped, f.skipped_in_row, f.disqualified) for f in it.referee.skips.seats]
    return (
        it.turn,
        game.snapshot(state),
        list(game.asked(state)),
        [game.observe(state, seat) for seat in seats if it.turn],
        game.frame(state) if it.turn else None,
        faults,
        sorted(it.referee.gone),
        it.outcome,
        it.save() if it.turn else None,
    )


@every_game
@pytest.mark.parametrize("policy", ["skip", "dead", "official"])
@pytest.mark.parametrize("in_file", few([True, False], 1))
def test_any_turn_is_as_if_it_had_been_played_from_the_start(game, policy, in_file, frequent):
    record = kept(game, 5, on_disconnect=policy)
    assert sum(bool(e.keyframe) for e in record.turns) >= 3
    if not in_file:
        record.turns = [dataclasses.replace(entry, keyframe=b"") for entry in record.turns]
    rules = catalog.load(game)
    played = [looks(Replayer(record, rules).battle)]
    played += [looks(it) for _, _, it in replay(record, rules)]
    replayer, rng = Replayer(record, rules), random.Random(7)
    assert replayer.turns == len(record.turns)
    for _ in range(120):
        turn = rng.choice((rng.randint(0, replayer.turns), 16 * rng.randint(0, replayer.turns // 16)))
        assert looks(replayer.seek(turn)) == played[turn]
        assert (replayer.last.entry.turn if replayer.last else 0) == turn
        if rng.random() < 0.3 and replayer.step() is not None:
            assert looks(replayer.battle) == played[turn + 1]


@every_game
def test_a_far_turn_is_reached_from_the_keyframe_before_it(game, frequent, monkeypatch):
    record = kept(game, 6)
    replayer = Replayer(record, catalog.load(game))
    resolved = []
    step = replayer.step
    monkeypatch.setattr(replayer, "step", lambda: resolved.append(replayer.turn) or step())
    for turn in (55, 3, 56, 33, 17, 16, 1, 0, 48, 49):
        resolved.clear()
        replayer.seek(turn)
        assert len(resolved) <= 16


@every_game
def test_a_missing_turn_is_refused(game):
    replayer = Replayer(recorded(game, turns=5), catalog.load(game))
    for turn in (-1, 6):
        with pytest.raises(RecordError, match=f"turn {turn} .*0 to 5"):
            replayer.seek(turn)
    assert replayer.seek(5).turn == 5
    assert replayer.step() is None


@every_game
def test_an_invalid_keyframe_is_refused_when_it_is_needed(game, frequent):
    record = kept(game, 8)
    (at, *_) = [k for k, entry in enumerate(record.turns) if entry.keyframe]
    for bad in (b"{}", b"[]", b"x", b'{"turn":1,"ledger":[],"gone":[9],"game":{}}', b'{"turn":-1,"game":{}}'):
        record.turns[at] = dataclasses.replace(record.turns[at], keyframe=bad)
        replayer = Replayer(record, catalog.load(game))
        replayer.seek(at)
        with pytest.raises(RecordError, match="keyframe cannot be used"):
            replayer.seek(at + 3)


@every_game
def test_a_keyframe_that_lies_is_found_by_verify(game, frequent):
    record = kept(game, 8)
    (at, *_) = [k for k, entry in enumerate(record.turns) if entry.keyframe]
    lie = record.turns[at].keyframe.replace(b'"gone":[]', b'"gone":[0]')
    record.turns[at] = dataclasses.replace(record.turns[at], keyframe=lie)
    mismatch = verify(record, catalog.load(game)).mismatch
    assert (mismatch.turn, mismatch.what) == (at + 1, "keyframe.gone")


@every_game
def test_prepare_is_called_for_every_state(game, frequent):
    record, states = kept(game, 9), []
    replayer = Replayer(record, catalog.load(game), prepare=lambda it: states.append(id(it.state)))
    for turn in (40, 2, 41):
        assert id(replayer.seek(turn).state) == states[-1]
    assert len(states) == 4


@every_game
def test_the_distance_of_a_seek_is_how_many_turns_it_resolves(game, monkeypatch):
    replayer, resolved = Replayer(recorded(game), catalog.load(game)), []
    step = replayer.step
    monkeypatch.setattr(replayer, "step", lambda: resolved.append(1) or step())
    for turn in (11, 11, 3, 7, 0):
        distance = replayer.distance(turn)
        resolved.clear()
        replayer.seek(turn)
        assert len(resolved) == distance


@every_game
def test_a_replay_knows_the_debugged_seats_of_every_turn(game, frequent):
    it, entries, seen = battle(game), [], []
    switches = {5: {0}, 20: {0, 2}, 21: {2}, 40: set()}
    for turn in range(60):
        it.debugged.clear()
        it.debugged.update(next((seats for at, seats in reversed(switches.items()) if at <= turn), ()))
        it.open_turn()
        it.end_collecting(0)
        entries.append(it.close_turn().entry)
        seen.append(set(it.debugged))
        if it.outcome is not None:
            break
    said = {entry.turn - 1: set(entry.debugged) for entry in entries if entry.debugged is not None}
    assert said == {at: seats for at, seats in switches.items() if at < len(entries)}
    replayer = Replayer(Record(it.header, entries), catalog.load(game))
    for turn in [*range(1, len(entries) + 1), 50, 3, 22, 30, 6, 21, 41, 20]:
        if turn <= len(entries):
            assert replayer.seek(turn).debugged == seen[turn - 1], turn
    assert verify(Record(it.header, entries), catalog.load(game)).ok


def test_the_turns_that_began_a_round_are_known():
    it = Battle(Rounds(), {"rounds": 3, "turns": 9}, [SeatInfo("a"), SeatInfo("b")], 3, keep_checks=True)
    record = Record(it.header)
    players = {seat: lambda _: 2 for seat in (0, 1)}
    play(it, players, record=lambda closed: record.turns.append(closed.entry))
    starts = Replayer(record, Rounds()).rounds()
    assert starts == [1, 10, 19]
    assert verify(record, Rounds()).rounds == 3


def test_a_turn_in_which_the_rules_failed_cannot_be_seen():
    record = recorded("countdown", turns=6)
    record.turns[-1] = dataclasses.replace(record.turns[-1], digest="")
    assert Replayer(record, catalog.load("countdown")).turns == 5


def test_the_end_of_a_record_is_compared_too():
    record = recorded("countdown", turns=6)
    record.footer = Footer("over", 7)
    mismatch = verify(record, catalog.load("countdown")).mismatch
    assert (mismatch.turn, mismatch.what, mismatch.recorded, mismatch.replayed) == (None, "turns", "7", "6")


def test_a_changed_line_is_named_after_the_turns_before_it():
    record = recorded("countdown", turns=6)
    record.broken = ChangedLine(8, 7, "aaaa", "bbbb")
    found = verify(record, catalog.load("countdown"))
    assert (found.turns, found.mismatch.line, found.mismatch.turn) == (6, 8, 7)
    record.turns[2] = dataclasses.replace(record.turns[2], digest="0" * 16)
    assert verify(record, catalog.load("countdown")).mismatch.turn == 3


# ---- further contents of a kept record -------------------------------------------------------------------


def test_answer_times_are_recorded_now_and_then_and_lateness_where_it_was():
    record = kept("snake", 12, turns=40)
    coarse = [entry.answered for entry in record.turns if entry.answered]
    assert 2 <= len(coarse) <= 3
    assert all(len(code) == 3 and set(code) <= set("-06J") for code in coarse)
    assert "J" in "".join(coarse)  # 1 ms is in that step
    assert {entry.server_late_ns for entry in record.turns} == {0, 3 * MS}
