"""The state: saved and restored, at either speed; an untrusted keyframe does no harm."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from packages.tank.tests.battles import random_intent, random_setup
from packages.tank.tests.small_battles import duel
from tests.parts import few
from turnwright.kernel.rng import Streams
from turnwright_tank.backends import extension
from turnwright_tank.game import REPEAT, TankGame
from turnwright_tank.rules.rows import TANK
from turnwright_tank.state import TankBattleState, restore_state, save_state
from turnwright_tank.structs import TankIntent, TeamMessage


def test_before_the_first_turn_no_tank_lives_and_nothing_is_over() -> None:
    _, state, _ = duel((100, 100, 0), (500, 100, 0))
    assert (state.round_number, state.turn_number, state.alive) == (0, 0, ())
    assert (state.opened_round, state.round_over, state.game_over) == (False, False, False)
    assert [row.total for row in state.scores] == [0.0, 0.0]
    assert state.faults == []


def test_scores_are_by_seat_and_results_best_first() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0))
    game.retire(state, 0)
    while not state.game_over:
        game.resolve(state, {}, streams)
    assert [row.total for row in state.scores] == [0.0, 60.0]
    assert [(row.id, row.rank) for row in state.results.rows] == [(2, 1), (1, 2)]
    assert [row.rank for row in state.results.seats] == [2, 1]


PYTHON = TankGame("interpreted")
SPEEDS = ["interpreted", "compiled"] if extension.available() else ["interpreted"]


def intents_of(chance: random.Random, game: TankGame, state: TankBattleState) -> dict[int, TankIntent]:
    """Return random intents, some with texts, and some turns missed."""
    intents = {}
    for seat in game.asked(state):
        intent = random_intent(chance)
        if chance.random() < 0.2:
            intent = TankIntent(
                std_out=chance.choice(["", "hello\n", "\u2028"]),
                std_err=chance.choice([None, "oh"]),
                debug_graphics=chance.choice([None, "<svg/>"]),
                team_messages=(TeamMessage("{}", "m"),) * chance.randrange(3),
                body_color=chance.choice(["#123456", "#F00", None, "no colour"]),
            )
        intents[seat] = REPEAT if chance.random() < 0.1 else intent
    return intents


def setup_of(game: TankGame, number: int) -> tuple[TankBattleState, Streams]:
    chance = random.Random(number)
    streams = Streams(number)
    setup, seats = random_setup(chance, chance.choice((2, 3, 5, 20)))
    return game.setup(setup, seats, streams), streams


def seen(game: TankGame, state: TankBattleState) -> Any:
    return [game.observe(state, seat) for seat in state.started], game.frame(state), game.outcome(state)


@pytest.mark.parametrize("number", few(range(30), 10))
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_restored_battle_continues_like_the_saved_one(speed: Any, number: int) -> None:
    """Saved interpreted, restored at either speed; what is seen is compared from the next turn on."""
    other = TankGame(speed)
    chance = random.Random(f"saved {number}")
    state, streams = setup_of(PYTHON, number)
    state.debugging.add(1)
    for _ in range(chance.randint(1, 150)):
        if PYTHON.outcome(state) is None:
            PYTHON.resolve(state, intents_of(chance, PYTHON, state), streams)
    again, _ = setup_of(other, number)
    again.debugging.add(1)
    other.restore(again, PYTHON.save(state))
    assert other.snapshot(again) == PYTHON.snapshot(state)
    assert other.save(again) == PYTHON.save(state)
    assert (other.opening(again), list(other.asked(again))) == (
        PYTHON.opening(state),
        list(PYTHON.asked(state)),
    )
    for _ in range(60):
        if PYTHON.outcome(state) is not None:
            break
        intents = intents_of(chance, PYTHON, state)
        if chance.random() < 0.02:
            for game, one in ((PYTHON, state), (other, again)):
                game.retire(one, 0)
        PYTHON.resolve(state, intents, streams)
        other.resolve(again, intents, streams)
        assert other.snapshot(again) == PYTHON.snapshot(state)
        assert seen(other, again) == seen(PYTHON, state)


@pytest.mark.skipif(len(SPEEDS) == 1, reason=extension.why_missing())
@pytest.mark.parametrize("number", range(5))
def test_both_speeds_save_the_same(number: int) -> None:
    games = [TankGame(speed) for speed in SPEEDS]  # type: ignore[arg-type]
    battles = [setup_of(game, number) for game in games]
    chance = random.Random(number)
    for _ in range(80):
        if games[0].outcome(battles[0][0]) is not None:
            return
        intents = intents_of(chance, games[0], battles[0][0])
        for game, (state, streams) in zip(games, battles, strict=True):
            game.resolve(state, intents, streams)
        one, two = (save_state(state) for state, _ in battles)
        assert one == two


# ---- strangers -------------------------------------------------------------------------------------------


class Guarded(list[Any]):
    """A table in which no index is below 0: compiled rules would write outside it."""

    def __getitem__(self, at: Any) -> Any:
        assert isinstance(at, slice) or at >= 0
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        assert isinstance(at, slice) or at >= 0
        super().__setitem__(at, value)


def saved_battle(number: int) -> dict[str, Any]:
    chance = random.Random(number)
    state, streams = setup_of(PYTHON, number)
    for _ in range(chance.randint(20, 90)):
        if PYTHON.outcome(state) is None:
            PYTHON.resolve(state, intents_of(chance, PYTHON, state), streams)
    data: dict[str, Any] = json.loads(PYTHON.save(state))
    return data


def spoil(chance: random.Random, data: Any) -> None:
    """Replace one value somewhere by a bad one."""
    while True:
        keys = list(data) if isinstance(data, dict) else range(len(data))
        key = chance.choice(list(keys))
        inner = data[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.05:
            data[key] = chance.choice(
                (-1, 0, 1, 2, 7, 1_000_000, 2**31, 2**63, 2**70, 0.1, 1e308, -1e308, None, "x", [], {}, True)
            )
            return
        data = inner


def test_a_spoiled_keyframe_is_refused_or_plays_on_within_the_tables() -> None:
    chance = random.Random("spoiled")
    whole = [saved_battle(number) for number in range(12)]
    refused = played = 0
    for turn in range(1_500):
        number = turn % len(whole)
        data = json.loads(json.dumps(whole[number]))
        spoil(chance, data)
        state, streams = setup_of(PYTHON, number)
        try:
            restore_state(state, json.dumps(data).encode())
        except (ValueError, TypeError):
            refused += 1
            continue
        played += 1
        tables: Any = state.tables
        rows = tables.rows
        tables.rows = rows._replace(  # `grow` itself speaks of the last bullet as -1
            **{name: Guarded(getattr(rows, name)) for name in rows._fields[1:] if name != "bullets"}
        )
        for _ in range(3):
            if PYTHON.outcome(state) is None:
                PYTHON.resolve(state, intents_of(chance, PYTHON, state), streams)
                seen(PYTHON, state)
    assert refused > 500
    assert played > 100


@pytest.mark.skipif(len(SPEEDS) == 1, reason=extension.why_missing())
def test_a_spoiled_keyframe_that_is_taken_plays_on_compiled_as_interpreted() -> None:
    chance = random.Random("spoiled")
    whole = [saved_battle(number) for number in range(12)]
    compared = 0
    for turn in range(600):
        number = turn % len(whole)
        data = json.loads(json.dumps(whole[number]))
        spoil(chance, data)
        ends = []
        for speed in SPEEDS:
            game = TankGame(speed)  # type: ignore[arg-type]
            state, streams = setup_of(game, number)
            try:
                restore_state(state, json.dumps(data).encode())
            except (ValueError, TypeError):
                break
            own = random.Random(turn)
            for _ in range(3):
                if game.outcome(state) is None:
                    game.resolve(state, intents_of(own, game, state), streams)
            ends.append(game.snapshot(state))
        compared += len(ends) == 2
        assert len(set(ends)) < 2, turn
    assert compared > 40


@pytest.mark.parametrize(
    ("names", "value"),
    [
        (("radar_direction", "radar_sweep"), 1.7e308),
        (("scanned_x", "scanned_y"), 1.7e308),
        (("turn_rate",), -1.1e300),
    ],
)
def test_angles_and_places_whose_sums_have_no_end_are_refused(names: tuple[str, ...], value: float) -> None:
    data = saved_battle(0)
    for name in names:
        data["tanks"][0][TANK.names.index(name)] = value
    state, _ = setup_of(PYTHON, 0)
    with pytest.raises(ValueError, match="is impossible"):
        restore_state(state, json.dumps(data).encode())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("tanks", 0, 3), 1e6),  # far outside
        (("tanks", 0, 9), 1e6),  # much too fast
        (("tanks", 0, 0), 2),
        (("tanks", 0, 4), "100"),
        (("tanks", 0, 14), 1 << 30),
        (("tanks",), []),
        (("arena", 0), 99),
        (("arena", 6), 5_000),
        (("arena", 7), -1),
        (("scores", 0, 0), None),
        (("scores", 0), []),
        (("order",), [0, 0]),
        (("texts",), [None]),
        (("duels",), [[0, 999, 1.0, 0, 0, 0]]),
        (("bullets",), [[1, 0, 9.0, 1.0, 1.0, 0.0, -1, 0, 1.0, 1.0]]),
    ],
)
def test_impossible_values_are_refused(place: tuple[Any, ...], value: Any) -> None:
    data = saved_battle(3)
    inner: Any = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    state, _ = setup_of(PYTHON, 3)
    with pytest.raises(ValueError):
        restore_state(state, json.dumps(data).encode())


def test_a_bullet_at_a_wrong_place_is_refused() -> None:
    number = next(n for n in range(50) if saved_battle(n)["bullets"])
    data = saved_battle(number)
    data["bullets"][0][3] += 1.0
    state, _ = setup_of(PYTHON, number)
    with pytest.raises(ValueError, match="place of a bullet"):
        restore_state(state, json.dumps(data).encode())
