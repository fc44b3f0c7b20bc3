"""Battles that can begin, for tests."""

from __future__ import annotations

from turnwright.app.game_parts import parts_of
from turnwright.app.options import GenericBattleOptions
from turnwright.app.prepared_battle import PreparedBattle
from turnwright.kernel.game import SeatInfo
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.participants.seating import entrants_of


def prepared(options: GenericBattleOptions, seed: int) -> PreparedBattle:
    """A battle of these options, whose record is to be finished by the caller."""
    parts = parts_of(options.game)
    places = entrants_of(options.bots, parts.bots, options.python)
    setup = parts.battle_setup(options, [SeatInfo(place.name) for place in places])
    record_files = BattleRecord(parts.light_rules(), options.record)
    return parts.prepared(options, setup, places, seed, record_files, parts.new_game(options))
