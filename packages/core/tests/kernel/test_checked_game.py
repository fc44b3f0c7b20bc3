"""A game's mistake is reported in one line, and does no more than void the battle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from packages.core.tests.messages import missing, says
from turnwright.errors import GameError, SetupError, VoidBattleError
from turnwright.games.countdown.game import Countdown
from turnwright.kernel.battle import Battle
from turnwright.kernel.checked_game import CheckedGame
from turnwright.kernel.game import Outcome, SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.record import TurnEntry
from turnwright.testing.check_game import check_game
from turnwright.wire.record.v2 import Encoder


def test_an_intent_of_a_class_of_the_games_own_is_recorded_as_the_game_writes_it() -> None:
    encoder = Encoder(lambda intent: {"thing": len(intent.given)})
    lines = [
        encoder.encode_turn(TurnEntry(turn, {0: Own(given)}, (), {}, (), digest="00"))
        for turn, given in enumerate(("a", "b", "bb"), start=1)
    ]
    assert [b"thing" in line for line in lines] == [True, False, True]


class Own:
    def __init__(self, given: str) -> None:
        self.given = given


class Thing:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def broken(**methods: Any) -> CheckedGame:
    """Countdown, with other methods."""
    kind = type("Broken", (Countdown,), {name: staticmethod(method) for name, method in methods.items()})
    kind.__module__ = __name__  # not that of its metaclass
    return CheckedGame(kind())


def played(game: CheckedGame, turns: int = 4) -> Battle:
    battle = Battle(game, {"turns": 3}, [SeatInfo("one"), SeatInfo("two")], 1)
    while battle.outcome is None and battle.turn < turns:
        for seat in battle.open_turn().asked:
            battle.observe(seat)
            game.live_frame(battle.state, [])
            battle.collecting.submit(seat, 2, 0)
        battle.end_collecting(0)
        battle.close_turn()
    return battle


def fails(*args: Any) -> Any:
    raise KeyError("x")


RETURNED = [
    ("asked", 3, r"asked\(\) returned 3; expected seats in order"),
    ("asked", [1, 0], "expected seats in order, each once"),
    ("asked", [-1], "expected seats in order"),
    ("asked", [0, 9], r"asked\(\) named seat 9; there are 2 seats"),
    ("asked", [0, 10**400], r"asked\(\) named seat 1000\d*; there are 2 seats"),
    ("awaited", "01", r"awaited\(\) returned '01'"),
    ("observe", {"a": Thing()}, r"observe\(\) returned a dict; expected JSON values"),
    ("observe", object, r"observe\(\) returned <class 'object'>; expected JSON values"),
    ("resolve", None, r"resolve\(\) returned None; expected a list of what happened, e\.g\. \[\]"),
    ("live_frame", {}, r"live_frame\(\) returned \{\}; expected a tuple of a frame and a list of events"),
    ("live_frame", ({1: Thing()}, []), r"live_frame\(\) returned a tuple; expected a frame and events that"),
    ("live_frame", ("x" * 2_000_000, []), r"live_frame\(\) returned 2,000,007 bytes of JSON"),
    ("outcome", True, r"outcome\(\) returned True; expected None, or Outcome"),
    ("observe", "x" * 2_000_000, r"observe\(\) returned 2,000,002 bytes of JSON; at most 1,048,576"),
    ("resolve", [Thing()], r"resolve\(\) returned a list; expected a list of what happened, of JSON values"),
    ("resolve", ["x" * 2_000_000], r"resolve\(\) returned 2,000,004 bytes of JSON"),
    ("outcome", Outcome((1.0, float("inf"))), "scores that are finite numbers"),
    ("outcome", Outcome((1.0, 10**400)), "scores that are finite numbers"),
    ("outcome", Outcome(None), r"outcome\(\) returned None; expected scores"),  # type: ignore[arg-type]
    ("outcome", Outcome((1.0,)), r"outcome\(\) returned 1 scores; expected one for each of 2 seats"),
    ("outcome", Outcome((1.0,) * 5), r"outcome\(\) returned 5 scores; expected one for each of 2 seats"),
    (
        "outcome",
        Outcome((1.0, 1.0), Thing()),
        r"outcome\(\) returned a Thing; expected results that are JSON",
    ),
    ("snapshot", "text", r"snapshot\(\) returned 'text'; expected bytes"),
]


@pytest.mark.parametrize(("method", "value", "words"), RETURNED)
def test_a_wrong_return_value_of_a_method_voids_the_battle_in_one_line(
    method: str, value: Any, words: str
) -> None:
    with pytest.raises((VoidBattleError, GameError), match=words) as caught:
        played(broken(**{method: lambda *args: value}))
    assert "\n" not in str(caught.value)
    assert "countdown." in str(caught.value)


@pytest.mark.parametrize(
    "method", ["asked", "observe", "resolve", "outcome", "snapshot", "opening", "awaited"]
)
def test_an_exception_in_a_method_voids_the_battle_with_file_and_line(method: str) -> None:
    with pytest.raises((VoidBattleError, GameError)) as caught:
        played(broken(**{method: fails}))
    assert f"countdown.{method}() raised KeyError: 'x' (test_checked_game.py, line " in str(caught.value)


@pytest.mark.parametrize("method", ["setup", "asked", "observe", "resolve", "outcome"])
def test_a_game_that_exits_voids_its_battle_and_not_the_process(method: str) -> None:
    def leaves(*args: Any) -> Any:
        raise SystemExit(3)

    with pytest.raises((VoidBattleError, GameError), match=rf"countdown\.{method}\(\) raised SystemExit: 3"):
        played(broken(**{method: leaves}))


@pytest.mark.parametrize("kind", [asyncio.CancelledError, GeneratorExit])
def test_no_exception_of_a_game_gets_past_its_battle_as_if_it_were_ours(kind: type[BaseException]) -> None:
    def breaks_off(*args: Any) -> Any:
        raise kind

    with pytest.raises(VoidBattleError, match=rf"countdown\.resolve\(\) raised {kind.__name__}"):
        played(broken(resolve=breaks_off))
    with pytest.raises(GameError, match=rf"countdown\.read_intent\(\) raised {kind.__name__}"):
        broken(read_intent=breaks_off).read_intent(1)


def test_control_c_in_a_game_is_not_a_mistake_of_the_game() -> None:
    def interrupted(*args: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(broken(resolve=interrupted))


def test_a_game_that_exits_over_an_intent_is_named_and_the_process_lives() -> None:
    def leaves(*args: Any) -> Any:
        raise SystemExit(3)

    with pytest.raises(GameError, match=r"countdown\.read_intent\(\) raised SystemExit: 3"):
        broken(read_intent=leaves).read_intent(1)


def test_a_frame_longer_than_a_message_is_refused() -> None:
    game = broken(frame=lambda *args: "x" * 2_000_000)
    with pytest.raises(GameError, match=r"frame\(\) .*2,000,002 bytes .*1,048,576"):
        game.frame(None)


def test_a_battle_that_failed_is_void() -> None:
    for method in ("observe", "resolve"):
        battle = Battle(broken(**{method: fails}), {}, [SeatInfo("one")], 1)
        with pytest.raises(VoidBattleError):
            play(battle, {0: lambda observation: 1})
        assert battle.void is not None


def test_setup_is_the_operators_mistake_or_the_games() -> None:
    with pytest.raises(GameError, match=r"setup\(\) raised KeyError"):
        played(broken(setup=fails))
    for value in (None, "a", 3, [0], {"pile": 3}, iter(())):
        with pytest.raises(GameError, match=r"setup\(\) returned .*state"):
            played(broken(setup=lambda *args, value=value: value))

    def refuses(*args: Any) -> Any:
        raise SetupError("too many")

    with pytest.raises(SetupError, match=r"^too many$"):
        played(broken(setup=refuses))


def test_only_a_value_error_in_read_intent_is_the_participants_mistake() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        CheckedGame(Countdown()).read_intent("one")
    with pytest.raises(GameError) as caught:
        broken(read_intent=fails).read_intent(1)
    assert "countdown.read_intent() raised KeyError: 'x' (test_checked_game.py, line " in str(caught.value)
    with pytest.raises(GameError, match=r"read_intent\(\) returned None; .*intent"):
        broken(read_intent=lambda data: None).read_intent(1)
    with pytest.raises(GameError, match=r"write_intent\(\) raised TypeError"):
        broken(read_intent=lambda data: Thing()).read_intent(1)


def test_the_line_that_is_named_is_the_games_own_and_not_a_librarys() -> None:
    game = broken(read_intent=json.loads)
    with pytest.raises(GameError, match=r"TypeError: .*, not int \(__init__\.py, line \d+\)$"):
        game.read_intent(1)
    game = broken(read_intent=lambda data: json.loads(data))
    with pytest.raises(GameError, match=r"TypeError: .*, not int \(test_checked_game\.py, line \d+\)$"):
        game.read_intent(1)


@pytest.mark.parametrize("data", [None, True, [1], {"take": 1}, 2.5, float("inf"), "9" * 5_000])
def test_countdown_refuses_invalid_numbers_as_the_participants_mistake(data: Any) -> None:
    with pytest.raises(ValueError, match=r"int|digits"):
        Countdown().read_intent(data)


def unread(battle: Battle, seats: Sequence[int], turns: int = 1) -> None:
    """Play turns in which the game fails to read the intents of these seats."""
    for _ in range(turns):
        battle.open_turn()
        for seat in seats:
            battle.collecting.note_unread(seat, GameError("countdown.read_intent() raised KeyError"))
        battle.end_collecting(0)
        battle.close_turn()


def after_the_opening(seats: int) -> Battle:
    battle = Battle(CheckedGame(Countdown()), {}, [SeatInfo(f"bot {k}") for k in range(seats)], 1)
    unread(battle, ())
    return battle


def test_a_game_that_fails_over_an_intent_of_every_seat_voids_the_battle() -> None:
    battle = after_the_opening(2)
    with pytest.raises(VoidBattleError, match=r"countdown\.read_intent\(\) raised KeyError"):
        unread(battle, (0, 1))
    battle = after_the_opening(2)
    battle.leave(1)
    with pytest.raises(VoidBattleError):
        unread(battle, (0,))


def test_no_participant_alone_voids_a_battle_by_an_intent_that_the_game_fails_over() -> None:
    battle = after_the_opening(2)
    unread(battle, (0,), 3)
    assert battle.void is None
    assert [seat.skipped for seat in battle.referee.skips.seats] == [3, 3]
    battle = after_the_opening(2)
    battle.open_turn()
    battle.collecting.submit(1, 3, 0)
    battle.end_collecting(0)
    battle.close_turn()
    unread(battle, (0, 1), 3)
    assert battle.void is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("defaults", None),
        ("defaults", {3: 1}),
        ("defaults", {"a": (1, 2)}),
        ("defaults", {"a": float("nan")}),
        ("behaviour_version", 0),
        ("behaviour_version", True),
        ("keyframe_turns", -1),
        ("rules_hash", None),
    ],
)
def test_an_attribute_that_no_record_can_hold_is_refused_in_one_line(name: str, value: Any) -> None:
    with pytest.raises(GameError) as caught:
        CheckedGame(type("Broken", (Countdown,), {name: value})())
    assert says(str(caught.value), f"countdown.{name} is … expected")


def test_a_checked_game_keeps_the_contract_and_its_digests() -> None:
    check_game(CheckedGame(Countdown()), setup={"pile": 400})
    plain, checked = (
        Battle(game, {}, [SeatInfo("one")], 1) for game in (Countdown(), CheckedGame(Countdown()))
    )
    assert plain.header == checked.header
    for battle in (plain, checked):
        battle.open_turn()
        battle.end_collecting(0)
    assert plain.close_turn().entry == checked.close_turn().entry


def test_a_checked_game_passes_the_methods_for_learners_on() -> None:
    game = broken(
        observation_space=lambda settings, seats: ("sees", settings, len(seats)),
        action_space=lambda settings, seats: ("does", settings, len(seats)),
        encode=lambda observation, memory: (observation, memory),
        decode=lambda action, observation: (action, observation),
        rewards=lambda state: {"taken": [float(state)]},
    )
    seats = [SeatInfo("one")]
    assert game.observation_space({"pile": 3}, seats) == ("sees", {"pile": 3}, 1)
    assert game.action_space({"pile": 3}, seats) == ("does", {"pile": 3}, 1)
    assert game.encode(7, {"seat": 0}) == (7, {"seat": 0})
    assert game.decode(2, 7) == (2, 7)
    assert game.rewards(4) == {"taken": [4.0]}


def test_a_checked_game_without_methods_for_learners_says_so() -> None:
    game = broken()
    with pytest.raises(SetupError) as caught:
        game.encode(7, {})
    assert not missing(str(caught.value), "countdown", "encode()", "observation_space")
    assert game.rewards(None) == {}
