"""A battle with players in the same process. The code shows the steps of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import Outcome, Seat

Player = Callable[[Any], Any]
"""A function from an observation to an intent. If it returns None, the seat misses the turn."""


_NONE: Mapping[Seat, Any] = {}


def play_turn(battle: Battle, players: Mapping[Seat, Player], given: Mapping[Seat, Any] = _NONE) -> Closed:
    """Play one turn of a battle, and return it. The players are asked one after another.

    Args:
        given: by seat, intents that replace the players' own intents. These players are not called.

    Raises:
        VoidBattleError: the rules failed. An exception of a player is raised unchanged.
    """
    gone, observe, answers = battle.referee.gone, battle.observe, dict[Seat, Any]()
    for seat in battle.open_turn(timed=False).asked:
        intent = given[seat] if seat in given else players[seat](observe(seat))  # observe, collect
        if intent is not None and seat not in gone:
            answers[seat] = intent
    return battle.close_turn(answers)  # resolve


def play(
    battle: Battle,
    players: Mapping[Seat, Player],
    record: Callable[[Closed], None] | None = None,
    publish: Callable[[Battle], None] | None = None,
) -> Outcome:
    """Play a battle to its end as fast as possible, and return its outcome.

    There are no deadlines. A player misses a turn only if it returns None.

    Args:
        record: called after each turn with the turn.
        publish: called after `record` with the battle.

    Raises:
        VoidBattleError: the rules fail. An exception of a player is raised unchanged.
    """
    while battle.outcome is None:
        closed = play_turn(battle, players)
        if record is not None:
            record(closed)  # record
        if publish is not None:
            publish(battle)  # publish
    return battle.outcome  # pace: no waiting
