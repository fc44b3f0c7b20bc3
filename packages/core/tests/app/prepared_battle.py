"""Battles that can begin, for tests."""

from __future__ import annotations

from turnwright.app.game.playable import find_game
from turnwright.app.options import GenericBattleOptions
from turnwright.app.prepared_battle import PreparedBattle
from turnwright.kernel.game import SeatInfo
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.participants.seating import entrants_of


def prepared(options: GenericBattleOptions, seed: int) -> PreparedBattle:
    """Return a battle with these options. The caller must finish its record."""
    game = find_game(options.game)
    places = entrants_of(options.bots, game.bots, options.python)
    setup = game.battles.setup(options, [SeatInfo(place.name) for place in places])
    record_files = BattleRecord(game.rules(), options.record)
    return game.prepared(options, setup, places, seed, record_files, game.battles.new_game(options))
