"""The state of a room that the commands of operators can change."""

from __future__ import annotations

from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.lifecycle import Move, Phase, advance
from turnwright.host.lobby import Client, Lobby
from turnwright.host.protocol import BattleMessages
from turnwright.host.turn_output import TurnOutput
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import RoundProgress
from turnwright.kernel.pace import TPS_UNLIMITED, Pace, Pacing, check_tps

NOT_BEGUN = RoundProgress(0, 0, False, False, False, ())
"""The progress of a room without a battle."""


class BattleRoomState:
    """A room's phase, pace and battle. `effects` is the host's list.

    Attributes:
        debug_mode: whether the battle pauses after each turn.
        tps: the speed that operators have chosen (see `check_tps`).
        battle: the battle that is running or paused, or None.
        turns_total: the number of turns of all battles.
    """

    def __init__(self, config: HostConfig, effects: list[fx.Effect], lobby: Lobby) -> None:
        self.config = config
        self.protocol = config.protocol
        self.phase = Phase.WAITING_FOR_PARTICIPANTS
        self.playing = False
        """Whether a battle is running or paused."""
        self.debug_mode = False
        self.battle: Battle | None = None
        self.progress = NOT_BEGUN
        """The progress of the battle after its newest turn."""
        self.tps = check_tps(config.tps)
        self.output = TurnOutput(effects, lobby, tps=config.tps)
        self.pacing: Pacing = "together"
        """The pacing of the newest battle. Before the first battle, the pacing that it would have."""
        self.pace_as(self.next_pacing)
        self.turns_total = 0
        self._out = effects
        self._messages: BattleMessages | None = None

    @property
    def place(self) -> tuple[int, int]:
        """The round and turn of the newest turn that spectators see."""
        return self.progress.round, self.progress.turn

    @property
    def is_taken(self) -> bool:
        """Whether bots are getting ready for a battle, or a battle is running or paused."""
        return self.playing or self.phase is Phase.WAITING_FOR_READY

    @property
    def apart(self) -> bool:
        """Whether turns do not wait for spectators. If so, the room's speed is only the speed that spectators
        have at first.
        """
        return self.pacing == "apart"

    @property
    def pacing_now(self) -> Pacing:
        """The pacing of the running battle. Between battles, the pacing of the next one."""
        return self.pacing if self.playing else self.next_pacing

    @property
    def next_pacing(self) -> Pacing:
        """The pacing of a battle that would begin now.

        If the server sets no pacing, turns wait only if a connected client needs this to watch or to command
        the battle.
        """
        if self.config.pacing is not None:
            return self.config.pacing
        waits = self.debug_mode or any(client.breakpoint for client in self.clients)
        return "together" if waits or self.output.has_clockless() else "apart"

    def pace_as(self, pacing: Pacing) -> None:
        """Use this pacing from now on. If the pacing has changed, notify pages."""
        is_news = pacing != self.pacing
        self.pacing, self.output.apart = pacing, pacing == "apart"
        self.pace = Pace(TPS_UNLIMITED if self.apart else self.tps)
        if is_news:
            self.output.tell_ours(self.protocol.speed(self.tps, pacing))

    @property
    def clients(self) -> list[Client]:
        """The clients that play, by seat."""
        return self.output.clients

    @property
    def messages(self) -> BattleMessages:
        """The messages of the running battle."""
        assert self._messages is not None
        return self._messages

    def move(self, move: Move) -> None:
        """Change the phase. The move must be allowed."""
        after = advance(self.phase, move)
        assert after is not None, f"{move} is not legal while {self.phase}"
        self.phase = after
        self.playing = after in (Phase.RUNNING, Phase.PAUSED)

    def soon(self) -> None:
        """Ask the server to call the host as soon as all input that was read so far has been processed."""
        self._out.append(fx.CallSettled())
