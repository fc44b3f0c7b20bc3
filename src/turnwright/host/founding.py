"""From a setup and those who are ready to a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from turnwright.errors import SetupError
from turnwright.host import announce
from turnwright.host.config import HostConfig
from turnwright.host.lobby import Client
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import TurnRules
from turnwright.wire.record.shown import announced
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.setup import tank_setup

__all__ = ["found"]

_NS_PER_US = 1_000


def found(config: HostConfig, setup: m.GameSetup, clients: Sequence[Client], number: int) -> Battle:
    """Return battle number `number` of a server, before its first turn.

    Its seed is the server's, one more for each later battle, or a random one.
    Raises: SetupError when it cannot be played like this; whatever the rules raise.
    """
    if (why := config.refusal()) is not None:
        raise SetupError(why)
    seats = _seats(config, clients)
    battle = Battle(
        config.new_game(config.on_rules_error_continue),
        tank_setup(setup),
        seats,
        _seed(config, number),
        _rules(config, setup),
        keep_checks=config.record and config.record_checks,
        keep_digests=config.record and config.record_digests,
        tolerant=config.on_rules_error_continue,
        made_by=f"turnwright {config.version}",
        announced=announced(setup, announce.participants(clients), seats),
    )
    battle.restarts = frozenset(s for s, c in enumerate(clients) if announce.restarts(c.hello))
    battle.state.debugging = battle.debugged
    return battle


def _seats(config: HostConfig, clients: Sequence[Client]) -> list[SeatInfo]:
    """Return who sits where, with the hashes of their sources where they are known."""
    infos = announce.seat_infos(clients, config.initial_positions)
    hashes = config.source_hashes
    if len(hashes) != len(infos):
        return infos
    return [replace(info, source_hash=known) for info, known in zip(infos, hashes, strict=True)]


def _seed(config: HostConfig, number: int) -> int:
    if config.seed is None:
        return int.from_bytes(config.random_bytes(8), "little") >> 1
    return (config.seed + number - 1) % 2**63


def _rules(config: HostConfig, setup: m.GameSetup) -> TurnRules:
    opening = config.opening_timeout_us
    return TurnRules(
        timeout_ns=setup.turn_timeout * _NS_PER_US,
        opening_timeout_ns=None if opening is None else max(opening, setup.turn_timeout) * _NS_PER_US,
        on_late=config.on_late,
        on_skip=config.on_skip,
        max_skipped=config.max_skipped,
        on_disconnect=config.on_disconnect,
    )
