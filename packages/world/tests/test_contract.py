"""The world keeps the contract of a game, and its battle takes seats that come while it runs."""

from __future__ import annotations

import pytest

from packages.world.tests.worlds import lively_intent
from turnwright import catalog
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Record, TurnRules
from turnwright.testing.check_game import check_game
from turnwright_world.game import WorldGame
from turnwright_world.intent import GateEvent, WorldIntent


@pytest.mark.filterwarnings("error:.*not checked in another process")
def test_the_world_keeps_the_contract_of_a_game():
    check_game(catalog.load("world"), lively_intent)


def test_seats_that_come_while_it_runs_are_asked_answer_and_miss():
    """Of a world without a single named seat: guests are asked, skipped, disqualified, kept and restored."""
    rules = TurnRules(max_skipped=3)
    it = Battle(WorldGame(), {"open": True}, [], 7, rules, keep_checks=True)
    it.open_turn()
    joining = [GateEvent("join", None, name, {"driver": name}) for name in ("player", "mind")]
    it.collecting.submit(0, WorldIntent(gate=tuple(joining)), 0)
    it.end_collecting(0)
    it.close_turn()
    player, mind = it.state.world.creatures
    record, saved = Record(it.header), b""
    for turn in range(4):
        opened = it.open_turn()
        assert opened.asked == ((0, player, mind) if turn < 3 else (0, player))
        it.collecting.submit(player, WorldIntent("say", "x"), 0)
        it.end_collecting(0)
        record.turns.append(it.close_turn().entry)
        saved = saved or it.save()
    assert [entry.skipped for entry in record.turns] == [(mind,)] * 3 + [()]
    assert [entry.disqualified for entry in record.turns] == [(), (), (mind,), ()]
    again = Battle(WorldGame(), {"open": True}, [], 7, rules)
    again.restore(saved)
    assert again.referee.skips.of(mind).skipped_in_row == 1
    for entry in record.turns[1:]:
        assert again.replay_turn(entry).entry.digest == entry.digest
