"""Settings of a host, given once when it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from turnwright.host.protocol import GameProtocol
from turnwright.host.watching.history import HISTORY_BYTES_MAX
from turnwright.kernel.game import Game, OnSkip
from turnwright.kernel.pace import TPS_DEFAULT, Pacing
from turnwright.kernel.printed import BATTLE_CHARS_MAX
from turnwright.kernel.record import OnDisconnect, OnLate
from turnwright.kernel.skipped_turns import MAX_SKIPPED_DEFAULT

HANDSHAKE_TIMEOUT_NS = 5_000_000_000
"""The time within which a connection must send its handshake."""


@dataclass(frozen=True, slots=True)
class HostConfig:
    """Settings of one server. An empty set of secrets means that the role needs none.

    Attributes:
        new_game: makes the rules. Its argument is whether a failing stage is skipped (True) or ends the
            battle (False).
        protocol: the protocol of its clients.
        random_bytes: entropy for session ids, and for seeds if none is given.
        stopwatch: nanoseconds, only for the duration of phases in the metrics.
        open_to_spectators: whether spectators need no secret even if operators do.
        tps: the pace. With pacing apart it is the pace of spectators alone.
        pacing: whether turns wait for the pace. None gives each battle what its operators and spectators
            need when it begins.
        turn_timeout_cap_us: the longest turn timeout that a battle gets. None: as its operator asks.
        opening_timeout_us: the limit for the first observation of a round, if it is longer than the turn
            timeout, because bots start up then. None is the turn timeout.
        first_answer: whether a battle in its first turn waits for every bot's answer until the ready
            timeout.
        record: whether RecordOpen, RecordTurn and RecordClose are asked for.
        record_checks: whether the record has everything that a record may keep: names for the part that
            differs, answer times and keyframes.
        source_hashes: by seat, the hashes of bots whose directories are known.
        unanswered_turns_max: a battle ends when no seat has answered any of its first turns, as many as
            this. None: it continues.
        turns_max: the number of turns after which a battle is ended. None: never.
        refusal: why no battle can begin now, or None.
        bots_max: how many bots may be connected. None is any number.
        spectators_max, spectators_per_address_max: how many may watch at once, in all and from one
            address. None is any number. Operators are not counted as spectators.
        sandbox: the level under which bots play, for the record. "" if it is not known.
        one_bot_a_name: whether a bot is refused while another bot of its name is connected. Bots that
            show one of own_bot_secrets were started by the server itself. They may have the same name,
            and so may members of one team at one address.
        errors_public: whether the error of a bot that failed, and what bots print, are recorded and shown
            to spectators. Otherwise only the reason and the place of a failure are.
        prints_max: how many characters of each bot are kept in a battle.
        footer_later: whether a record stays open at the end of its battle, until
            `BattleRoom.close_record`. It then contains what bots print last.
        history_bytes_max: bytes of a battle that are kept for spectators that read it. 0: no spectator
            can read it.
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
    on_late: OnLate = "drop"
    on_skip: OnSkip = "repeat"
    max_skipped: int = MAX_SKIPPED_DEFAULT
    max_silence_us: int = 0
    on_disconnect: OnDisconnect = "skip"
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
