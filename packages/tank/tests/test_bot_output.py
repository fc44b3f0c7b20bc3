from __future__ import annotations

from typing import Any

import pytest

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.bot_output import MESSAGES_MAX
from turnwright_tank.game import TankGame
from turnwright_tank.structs import TankIntent, TeamMessage, TeamMessageEvent


def begin(*teams: int | None) -> tuple[TankGame, Any, Streams]:
    game, streams = TankGame("interpreted"), Streams(1)
    state = game.setup({}, [SeatInfo(f"b{k}", team=team) for k, team in enumerate(teams)], streams)
    game.resolve(state, {}, streams)
    return game, state, streams


def heard(game: TankGame, state: Any, seat: int) -> list[tuple[str, int]]:
    events = game.observe(state, seat).events
    return [(e.message, e.sender_id) for e in events if isinstance(e, TeamMessageEvent)]


def test_messages_reach_only_living_teammates_in_the_order_sent() -> None:
    game, state, streams = begin(1, 1, 1, 2, None)
    messages = (
        TeamMessage("all", "s"),
        TeamMessage("two", "s", 2),
        TeamMessage("enemy", "s", 4),
        TeamMessage("self", "s", 1),
        TeamMessage("nobody", "s", 99),
    )
    game.resolve(state, {0: TankIntent(team_messages=messages)}, streams)
    assert [heard(game, state, seat) for seat in range(5)] == [
        [],
        [("all", 1), ("two", 1)],
        [("all", 1)],
        [],
        [],
    ]
    game.resolve(state, {0: game.default_intent(state, 0, "repeat")}, streams)
    assert heard(game, state, 1) == []


def test_team_messages_beyond_the_maximum_are_dropped() -> None:
    game, state, streams = begin(1, 1, 2)
    many = tuple(TeamMessage(str(k), "s") for k in range(MESSAGES_MAX + 5))
    game.resolve(state, {0: TankIntent(team_messages=many)}, streams)
    assert [text for text, _ in heard(game, state, 1)] == [str(k) for k in range(MESSAGES_MAX)]


def test_streams_are_shown_once_and_blank_ones_never() -> None:
    game, state, streams = begin(None, None)
    game.resolve(state, {0: TankIntent(std_out="out", std_err="err")}, streams)
    assert (game.frame(state).bot_states[0].std_out, game.frame(state).bot_states[0].std_err) == (
        "out",
        "err",
    )
    game.resolve(state, {0: TankIntent(std_out=" \n")}, streams)
    assert game.frame(state).bot_states[0].std_out is None


def test_a_disabled_tank_still_shows_its_last_prints() -> None:
    game, state, streams = begin(None, None)
    game.resolve(state, {0: TankIntent(std_out="last words")}, streams)
    state.tables.rows.tanks[0].energy = 0.0
    game.resolve(state, {0: TankIntent(std_out="unheard")}, streams)
    assert game.frame(state).bot_states[0].std_out == "last words"
    state.tables.rows.tanks[0].energy = 50.0
    game.resolve(state, {0: game.default_intent(state, 0, "repeat")}, streams)
    assert game.frame(state).bot_states[0].std_out == "unheard"


def test_graphics_stay_and_are_shown_only_while_debugging() -> None:
    game, state, streams = begin(None, None)
    game.resolve(state, {0: TankIntent(debug_graphics="<svg/>")}, streams)
    assert game.frame(state).bot_states[0].debug_graphics is None
    state.debugging.add(0)
    game.resolve(state, {0: TankIntent(debug_graphics=" ")}, streams)
    assert game.frame(state).bot_states[0].debug_graphics == "<svg/>"
    assert game.observe(state, 0).bot_state.is_debugging_enabled
    assert not game.observe(state, 1).bot_state.is_debugging_enabled


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_texts_are_not_in_the_snapshot(text: str) -> None:
    game, state, streams = begin(None, None)
    _, other, _ = begin(None, None)
    game.resolve(state, {0: TankIntent(std_out="x" + text)}, streams)
    game.resolve(other, {0: TankIntent()}, streams)
    assert game.snapshot(state) == game.snapshot(other)
