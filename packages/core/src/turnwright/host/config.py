"""Settings of a host, given once when it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from turnwright.host.protocol import GameProtocol
from turnwright.host.watching.history import HISTORY_BYTES_MAX
from turnwright.kernel.game import Game
from turnwright.kernel.pace import TPS_DEFAULT, Pacing
from turnwright.kernel.printed import BATTLE_CHARS_MAX
from turnwright.kernel.record import TurnRules

HANDSHAKE_TIMEOUT_NS = 5_000_000_000
"""The time limit for a connection to send its handshake."""


@dataclass(frozen=True, slots=True)
class HostConfig:
    """Settings of one server. An empty set of secrets means that the role needs none.

    Attributes:
        new_game: makes the rules. The argument says what happens if a stage of the rules fails. True means
            that the stage is skipped. False means that the battle ends.
        protocol: the protocol of its clients.
        random_bytes: entropy for session ids, and for seeds if none is given.
        stopwatch: returns nanoseconds. It is used only to measure the phases of a turn for the metrics.
        open_to_spectators: whether spectators need no secret even if operators do.
        tps: the speed in turns per second. With pacing `apart`, this is only the speed that spectators see at
            first.
        pacing: whether turns wait for the speed `tps`. None means that when a battle begins, it gets the
            pacing that its operators and spectators need.
        debug_mode, breakpoint_mode: whether operators may use this mode.
        turn_timeout_cap_us: the longest turn timeout that an operator may choose. None means no limit.
        opening_timeout_us: the timeout of the first observation of a round, if it is longer than the turn
            timeout. Bots may need more time there to start up. None means the turn timeout.
        first_answer: whether the first turn of a battle waits for the answer of every bot. It waits at most
            for the ready timeout.
        rules: the rules for answers and missed turns. Each battle has its own timeouts.
        on_rules_error_continue: the argument of `new_game`.
        seed: the seed of the first battle (see `start_battle`). None means random seeds.
        record: whether the host emits RecordOpen, RecordTurn and RecordClose.
        record_checks: whether the record has all optional parts. These are the checks from which `verify`
            names differing fields, the answer times and the keyframes.
        source_hashes: by seat, the hashes of bots whose directories are known.
        unanswered_turns_max: the number of turns after which a battle ends if no seat has answered any turn.
            None means that the battle continues.
        turns_max: the number of turns after which a battle is ended. None means no limit.
        refusal: returns why no battle can begin now, or None.
        bots_max: the largest number of connected bots. None means no limit.
        spectators_max, spectators_per_address_max: the largest number of spectators, in all and from one
            address. None means no limit. Operators do not count as spectators.
        sandbox: the sandbox level of the bots, for the record. "" means not known.
        one_bot_a_name: whether the server refuses a bot while another bot with the same name is connected.
            There are two exceptions: bots that the server has started itself (they send one of
            own_bot_secrets), and members of one team at one address.
        errors_public: whether the errors of failed bots, and the output of bots, are recorded and shown to
            spectators. If not, only a failure's reason, round and turn are recorded and shown.
        prints_max: the number of characters of each bot's output that are kept in a battle.
        footer_later: whether a record stays open after its battle until `BattleRoom.close_record` is called.
            Such a record contains the lines that bots printed last.
        history_bytes_max: the number of bytes of a battle that are kept in memory for spectators with their
            own pace. 0 means that there are no such spectators.
    """

    new_game: Callable[[bool], Game]
    protocol: GameProtocol
    random_bytes: Callable[[int], bytes]
    stopwatch: Callable[[], int] = lambda: 0
    version: str = "0"
    bot_secrets: frozenset[str] = frozenset()
    controller_secrets: frozenset[str] = frozenset()
    open_to_spectators: bool = False
    tps: int = TPS_DEFAULT
    pacing: Pacing | None = "together"
    debug_mode: bool = True
    breakpoint_mode: bool = True
    turn_timeout_cap_us: int | None = None
    opening_timeout_us: int | None = None
    first_answer: bool = False
    rules: TurnRules = field(default_factory=TurnRules)
    on_rules_error_continue: bool = False
    seed: int | None = None
    record: bool = False
    record_checks: bool = False
    source_hashes: tuple[str | None, ...] = ()
    unanswered_turns_max: int | None = None
    turns_max: int | None = None
    refusal: Callable[[], str | None] = lambda: None
    bots_max: int | None = None
    spectators_max: int | None = None
    spectators_per_address_max: int | None = None
    sandbox: str = ""
    one_bot_a_name: bool = False
    own_bot_secrets: frozenset[str] = field(default=frozenset(), repr=False)
    errors_public: bool = True
    prints_max: int = BATTLE_CHARS_MAX
    footer_later: bool = False
    history_bytes_max: int = HISTORY_BYTES_MAX
