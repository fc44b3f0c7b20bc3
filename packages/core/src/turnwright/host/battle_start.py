"""The start of a battle. It waits for the bots that were chosen, and makes a battle of the bots that are
ready.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from turnwright.errors import SetupError
from turnwright.host.config import HostConfig
from turnwright.host.lobby import Client, Origin
from turnwright.host.message_rate import MessageRate
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import RoundProgress, Seat, SeatInfo
from turnwright.kernel.record import TurnRules
from turnwright.kernel.skipped_turns import MAX_ROUNDS_OUT
from turnwright.kernel.units import NS_PER_US

_NOBODY = -1
"""The connection number of a seat whose intents come from a record."""


class ReadyRoom:
    """The bots that were chosen for a battle, until it begins.

    Attributes:
        clients: the connections by seat.
        recorded: the seats whose intents come from a record.
        ready: the seats in `recorded`, and the seats whose bots are ready.
        deadline_ns: the time until which bots may get ready.
    """

    def __init__(self, setup: BattleSetup, chosen: Sequence[Client], now_ns: int) -> None:
        self.setup = setup
        self.clients, self.recorded = _by_seat(setup, chosen)
        self.ready = set(self.recorded)
        self.deadline_ns = now_ns + setup.ready_timeout_us * NS_PER_US

    def hellos(self) -> Sequence[HelloMessage]:
        """Return the handshakes by seat."""
        if self.setup.recorded is not None:
            return self.setup.recorded.hellos
        return [client.hello for client in self.clients if client.hello is not None]

    def is_enough(self) -> bool:
        """Return whether enough seats are ready for the battle. Seats in `recorded` count, too."""
        return len(self.ready) >= max(1, self.setup.bots_min)

    def missing(self, present: Collection[Seat]) -> str:
        """Return in one line which bots did not get ready in time.

        Args:
            present: the seats whose bots are still connected.
        """
        late = [self.clients[seat].name for seat in sorted(set(present) - self.ready)]
        return f"not ready after {self.setup.ready_timeout_us / 1e6:g} s: {', '.join(late)}"

    def drop_others(self) -> bool:
        """Drop the bots that are not ready. Return whether any bot was dropped.

        No client has a seat then. The room must number the seats again.
        """
        for client in self.clients:
            client.seat = None
        others = len(self.clients) - len(self.ready)
        self.clients = [client for seat, client in enumerate(self.clients) if seat in self.ready]
        return others > 0

    def begin(self, config: HostConfig, number: int) -> Battle:
        """Return battle number `number`, of the ready bots. `start_battle` lists the errors."""
        if self.setup.recorded is not None:
            return self.setup.recorded.begin()
        return start_battle(config, self.setup, self.hellos(), number)


def _by_seat(setup: BattleSetup, clients: Sequence[Client]) -> tuple[list[Client], set[Seat]]:
    """Return the clients by seat, and the seats whose intents come from a record. These seats have clients
    without a connection.
    """
    recorded = setup.recorded
    if recorded is None:
        return list(clients), set()
    live = dict(zip(recorded.live, clients, strict=True))
    by_seat = [
        live.get(seat) or Client(_NOBODY, Origin("", 0), "", MessageRate(0), role="bot", hello=hello)
        for seat, hello in enumerate(recorded.hellos)
    ]
    return by_seat, set(range(len(by_seat))) - live.keys()


def start_battle(config: HostConfig, setup: BattleSetup, bots: Sequence[HelloMessage], number: int) -> Battle:
    """Return battle number `number` of a server, before its first turn.

    If the server has a seed, the first battle has this seed, and it increases by one for each later battle.
    Otherwise the seed is random.

    Args:
        bots: the handshakes by seat.

    Raises:
        SetupError: the battle cannot be played with these settings.
        Exception: other exceptions of the rules are raised unchanged.
    """
    if (why := config.refusal()) is not None:
        raise SetupError(why)
    seats = _seats(config, bots)
    battle = Battle(
        config.new_game(config.on_rules_error_continue),
        setup.settings,
        seats,
        _seed(config, number),
        _rules(config, setup),
        keep_checks=config.history_bytes_max > 0 or (config.record and config.record_checks),
        keep_digests=config.history_bytes_max > 0 or config.record,
        tolerant=config.on_rules_error_continue,
        made_by=f"turnwright {config.version}",
        announced=config.protocol.announced(setup, bots, seats),
    )
    battle.header = replace(battle.header, sandbox=config.sandbox)
    if config.first_answer:
        battle.collecting.first_timeout_ns = setup.ready_timeout_us * NS_PER_US
    return battle


def progress_of(battle: Battle) -> RoundProgress:
    """Return the progress of a battle.

    If the game does not report its progress, the battle has one round, and the turn is the kernel's turn.
    """
    progress = battle.game.round_progress(battle.state)
    if progress is not None:
        return progress
    over = battle.outcome is not None
    return RoundProgress(1, battle.turn, battle.turn == 1, over, over, battle.game.asked(battle.state))


def _seats(config: HostConfig, bots: Sequence[HelloMessage]) -> list[SeatInfo]:
    """Return the seats. Each has the hash of its source code, if that is known."""
    infos = config.protocol.seat_infos(bots)
    hashes = config.source_hashes
    if len(hashes) != len(infos):
        return infos
    return [replace(info, source_hash=known) for info, known in zip(infos, hashes, strict=True)]


def _seed(config: HostConfig, number: int) -> int:
    if config.seed is None:
        return int.from_bytes(config.random_bytes(8), "little") >> 1
    return (config.seed + number - 1) % 2**63


def _rules(config: HostConfig, setup: BattleSetup) -> TurnRules:
    opening = config.opening_timeout_us
    return replace(
        config.rules,
        timeout_ns=setup.turn_timeout_us * NS_PER_US,
        opening_timeout_ns=None if opening is None else max(opening, setup.turn_timeout_us) * NS_PER_US,
        max_rounds_out=MAX_ROUNDS_OUT,
    )
