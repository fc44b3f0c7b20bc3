"""Checks whether a game keeps the contract of a game, with one call in a test.

    def test_the_tank_keeps_the_contract_of_a_game():
        check_game(TankGame())

The function plays battles with random intents and missed turns. It checks the rules that `kernel.game` sets
for every game.
"""

from __future__ import annotations

import copy
import json
import math
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Game, OnSkip, SeatInfo
from turnwright.kernel.record import Record, TurnEntry, TurnRules
from turnwright.kernel.replay import Replayer, replay
from turnwright.kernel.rng import Stream, Streams
from turnwright.kernel.state_checks import fields
from turnwright.kernel.verify import verify
from turnwright.net.processes.hash_seeds import difference_elsewhere

_CHANCE = (
    "; take random numbers only from streams.stream(), not from random or time, nor from the order of a set"
)
_SEATS_TRIED = (3, 2, 4, 1, 5, 6, 7, 8)
"""The numbers of seats that are tried, in this order."""
IntentOf = Callable[[random.Random], Any]
"""Draws any intent that a participant can send."""


@dataclass(slots=True)
class _TriedBattle:
    """A battle that was played: its entries and the observations.

    Attributes:
        asked: the seats that were asked, for each turn.
        seen: for each turn, all that the method `look` returned. Empty if nothing looked at the battle.
    """

    battle: Battle
    entries: list[TurnEntry] = field(default_factory=list)
    asked: list[tuple[int, ...]] = field(default_factory=list)
    seen: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _GameUnderTest:
    """The game under test, with its setup."""

    game: Game
    intent_of: IntentOf | None
    setup: Mapping[str, Any]
    seats: Sequence[SeatInfo]
    turns: int

    def battle(self, seed: int, on_skip: OnSkip = "repeat", max_skipped: int = 0) -> Battle:
        rules = TurnRules(on_skip=on_skip, max_skipped=max_skipped)
        return Battle(self.game, self.setup, self.seats, seed, rules, keep_checks=True)

    def play(self, seed: int, look: bool = True, *, misses: bool = False, **rules: Any) -> _TriedBattle:
        """Play a battle.

        Args:
            misses: whether the first asked seat misses the first turn in which a seat is asked.
        """
        play = _TriedBattle(self.battle(seed, **rules))
        while len(play.entries) < self.turns and play.battle.outcome is None:
            self.turn(play, seed, look, miss=misses and not any(play.asked))
        return play

    def turn(self, play: _TriedBattle, seed: int, look: bool = True, *, miss: bool = False) -> None:
        """Play one turn.

        The seed and the number of the turn determine whether a seat sends a random intent or no intent.

        Args:
            miss: whether the first asked seat sends no intent.
        """
        battle = play.battle
        opened = battle.open_turn()
        play.asked.append(opened.asked)
        if look:
            play.seen.append(self.look(battle, opened.asked))
        for seat in opened.asked[1:] if miss else opened.asked:
            rng = random.Random(f"{seed}/{battle.turn}/{seat}")
            for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 1, 1, 2))):
                battle.collecting.submit(seat, self.intent(battle.state, seat, rng), 0)
        battle.end_collecting(0)
        play.entries.append(battle.close_turn().entry)

    def intent(self, state: Any, seat: int, rng: random.Random) -> Any:
        """Return a random intent: from `intent_of` if it is given, otherwise from the game."""
        if self.intent_of is not None:
            return self.intent_of(rng)
        return self.game.random_intent(state, seat, Stream(rng.getrandbits(64)))

    def look(self, battle: Battle, asked: Sequence[int]) -> Any:
        """Return all observations, frames, scores and fields. Make them twice, and check that this changes
        nothing.
        """
        game, state = self.game, battle.state
        before = game.snapshot(state)
        first, second = (
            (
                [game.observe(state, seat) for seat in asked],
                game.frame(state),
                game.live_frame(state, ()),
                game.scores(state),
                dict(fields(game, state)),
            )
            for _ in range(2)
        )
        assert first == second, "two looks at one state differ"
        assert game.snapshot(state) == before, "looking at a state changes it"
        return copy.deepcopy(first)


def check_game(
    game: Game,
    intent_of: IntentOf | None = None,
    setup: Mapping[str, Any] | None = None,
    *,
    seats: int | Sequence[SeatInfo] | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    turns: int = 150,
) -> None:
    """Check that a game meets all requirements of turnwright.

    The function also replays each battle in another process, with another PYTHONHASHSEED. If that process
    cannot import the game, the function only warns.

    Args:
        setup: settings that replace the game's defaults.
        turns: the maximum number of turns in each battle.
        intent_of: a function that draws intents instead of the game's `random_intent`.
        seats: the seats of a battle, or their number. None means three seats. If the game refuses three
            seats, the function uses the first number of seats that the game accepts.

    Raises:
        AssertionError: the game does not meet a requirement. The message names it.
        SetupError: the game cannot be set up.
    """
    kit = _GameUnderTest(game, intent_of, setup or {}, _seats_of(game, setup or {}, seats), turns)
    _check_setup(kit)
    _check_intents(kit)
    plays = []
    for seed in seeds:
        play = kit.play(seed)
        plays.append(play)
        _check_replay(kit, play)
        _check_course(kit, play)
        _check_restore(kit, play)
        _check_nothing_else_goes_in(kit, play, seed)
        _check_misses(kit, seed)
        _check_retirement(kit, seed)
    assert any(any(play.asked) for play in plays), "asked() names no seat in any battle; give other setup="
    _check_elsewhere(game, [Record(play.battle.header, play.entries) for play in plays])


def _seats_of(
    game: Game, setup: Mapping[str, Any], given: int | Sequence[SeatInfo] | None
) -> Sequence[SeatInfo]:
    """Return the seats of the battles. Without `given`, try the numbers in _SEATS_TRIED, and use the first
    that the game accepts.
    """
    if given is not None and not isinstance(given, int):
        return given
    why = ""
    for count in _SEATS_TRIED if given is None else (given,):
        seats = [SeatInfo(f"seat {seat}") for seat in range(count)]
        try:
            game.setup({**game.defaults, **setup}, seats, Streams(0))
        except (SetupError, ValueError) as error:
            why = why or str(error)
        else:
            return seats
    tried = f"{given}" if given is not None else f"1 to {len(_SEATS_TRIED)}"
    raise SetupError(
        f"setup() refuses battles of {tried} seats: {why}; give check_game(game, seats=…, setup={{…}})"
    )


def _check_elsewhere(game: Game, records: Sequence[Record]) -> None:
    """Check that battles are the same in other processes, in which Python's hashes of texts are different."""
    try:
        difference = difference_elsewhere(game, records)
    except ImportError as error:
        text = f"not checked in another process: {error}; write the class of the game into a module"
        warnings.warn(text, stacklevel=3)
        return
    assert not difference, (
        f"a replay in another process differs: {difference}; nothing may depend on the order of"
        " a set, nor on hash() or id()"
    )


def _check_setup(kit: _GameUnderTest) -> None:
    game = kit.game
    assert game.name, "a game has a name"
    assert game.behaviour_version >= 1, "a game's behaviour has a version from 1 on"
    assert json.loads(json.dumps(dict(game.defaults))) == dict(game.defaults), "defaults are JSON values"
    full = {**game.defaults, **kit.setup}
    given, seats = copy.deepcopy(full), list(kit.seats)
    assert game.setup(full, seats, Streams(0)) is not None, "setup() returns a state"
    assert full == given, "setup() changes the settings it is given"
    assert seats == list(kit.seats), "setup() changes the seats it is given"
    try:
        Battle(game, full, [], 0)
    except SetupError:
        return
    raise AssertionError("a game without seats is refused with a SetupError")


def _check_intents(kit: _GameUnderTest) -> None:
    game, rng, state = kit.game, random.Random("intents"), kit.battle(0).state
    for _ in range(200):
        one, two = kit.intent(state, 0, rng), kit.intent(state, 0, rng)
        for intent in (one, two, game.merge(one, two)):
            data = json.loads(json.dumps(game.write_intent(intent)))
            assert game.read_intent(data) == intent, f"an intent comes back changed: {intent!r}"
    try:
        game.read_intent("no intent at all")
    except ValueError:
        return
    raise AssertionError("read_intent() must raise a ValueError for data that is not an intent")


def _check_course(kit: _GameUnderTest, play: _TriedBattle) -> None:
    """Check which seats were asked, and how the battle ended."""
    game, count = kit.game, len(kit.seats)
    again = kit.battle(play.battle.streams.seed)
    for k, entry in enumerate(play.entries):
        asked, awaited = list(game.asked(again.state)), list(game.awaited(again.state))
        assert asked == sorted(set(asked)), "asked() must return each seat once, in order"
        assert set(asked) <= set(range(count)), "asked() may return only seats of the battle"
        assert set(awaited) <= set(asked), "awaited() may return only seats that are asked"
        assert tuple(asked) == play.asked[k], f"turn {entry.turn}: a replay asks other seats"
        assert game.outcome(again.state) is None, "the battle continues after outcome() has returned scores"
        again.replay_turn(entry)
        assert not tuple(game.faults(again.state)), "faults(): a stage of the rules failed"
        _check_scores(game.scores(again.state), count)
    names = [name for name, _ in fields(game, again.state)]
    assert len(names) == len(set(names)), "fields must have different names"
    one, two = game.outcome(again.state), game.outcome(again.state)
    if one is not None:
        assert len(one.scores) == count, "outcome() must have a score for each seat"
        assert all(math.isfinite(score) for score in one.scores), "the scores of outcome() must be finite"
    assert one == two == play.battle.outcome, "outcome() must return the same when it is called again"
    scores = game.scores(again.state)
    if one is not None and scores is not None:
        assert tuple(scores) == tuple(one.scores), "at the end scores() must return those of outcome()"


def _check_scores(scores: Sequence[float] | None, count: int) -> None:
    if scores is not None:
        assert len(scores) == count, "scores() must have a score for each seat"
        assert all(math.isfinite(score) for score in scores), "the scores of scores() must be finite"


def _check_replay(kit: _GameUnderTest, play: _TriedBattle) -> None:
    """Check that equal states have equal snapshots and fields, and that a replay matches the record."""
    record = Record(play.battle.header, play.entries)
    result = verify(record, kit.game)
    assert result.ok, f"a replay differs: {result.mismatch}{_CHANCE}"
    snapshots: dict[bytes, Any] = {}
    for entry, closed, battle in replay(record, kit.game):
        besides = {name: getattr(entry, name) for name in ("checks", "answered", "keyframe")}
        same = replace(closed.entry, **besides) == entry
        assert same, f"turn {entry.turn} of a replay differs from the record{_CHANCE}"
        snapshot, named = kit.game.snapshot(battle.state), dict(fields(kit.game, battle.state))
        assert snapshots.setdefault(snapshot, named) == named, "equal snapshots must have equal tables"
    changes = any(named != next(iter(snapshots.values())) for named in snapshots.values())
    assert changes or len(snapshots) == 1, "snapshot() changes, but tables() does not"


def _check_restore(kit: _GameUnderTest, play: _TriedBattle) -> None:
    """Check that a restored battle continues like the saved one, and looks the same from the next turn on."""
    through = Replayer(Record(play.battle.header, play.entries), kit.game)
    rng = random.Random(play.battle.streams.seed)
    for turn in sorted(rng.sample(range(1, through.turns), min(5, through.turns - 1))):
        saved = through.seek(turn).save()
        assert b"\n" not in saved, "save() must return one line"
        assert json.loads(saved), "save() must return JSON"
        again = kit.battle(play.battle.streams.seed)
        again.restore(saved)
        assert again.save() == saved, "save() differs after restore()"
        for entry in play.entries[turn : turn + 20]:
            same = again.replay_turn(entry).entry.digest == entry.digest
            assert same, "a restored battle continues differently"
            asked = tuple(kit.game.asked(again.state))
            there = through.seek(entry.turn)
            same = kit.look(again, asked) == kit.look(there, asked)
            assert same, "observations of a restored battle differ"
    for data in (b"", b"{}", b"[1]", b"null", b'"x"'):
        try:
            kit.game.restore(kit.battle(0).state, data)
        except (ValueError, TypeError):
            continue
        raise AssertionError(
            f"restore() must raise a ValueError for data that is not a saved state: {data!r}"
        )


def _check_nothing_else_goes_in(kit: _GameUnderTest, play: _TriedBattle, seed: int) -> None:
    """Check that a battle does not depend on other battles (through a random generator or a cache) or on
    observations.
    """
    unseen = kit.play(seed, look=False)
    assert unseen.entries == play.entries, "a battle that is not observed is different"
    one, other = _TriedBattle(kit.battle(seed)), _TriedBattle(kit.battle(seed + 1))
    for _ in play.entries:
        kit.turn(one, seed)
        if other.battle.outcome is None:
            kit.turn(other, seed + 1)
    assert one.entries == play.entries, (
        f"a battle is different when another one runs, or when it is played again{_CHANCE}"
    )
    assert one.seen == play.seen, (
        "observations of a battle differ when another one runs, or when it is played again"
    )


def _check_misses(kit: _GameUnderTest, seed: int) -> None:
    """Check that a missed turn can be played with both values of `on_skip`, and that a replay gives the same
    battle.
    """
    policies: tuple[OnSkip, ...] = ("repeat", "idle")
    for on_skip in policies:
        play = kit.play(seed, look=False, misses=True, on_skip=on_skip)
        result = verify(Record(play.battle.header, play.entries), kit.game)
        assert result.ok, f"a replay with on_skip={on_skip!r} differs: {result.mismatch}"


def _check_retirement(kit: _GameUnderTest, seed: int) -> None:
    """Check that a retired seat is out from the next turn on, and that the battle continues without this
    seat.
    """
    play = _TriedBattle(kit.battle(seed))
    last = len(kit.seats) - 1
    for k in range(kit.turns):
        if play.battle.outcome is not None:
            return
        if k in (2, 3):
            kit.game.retire(play.battle.state, last)
        kit.turn(play, seed)
        assert k <= 2 or last not in play.asked[-1], "asked() returns a seat that has retired"
