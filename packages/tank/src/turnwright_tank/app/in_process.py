"""A battle of tanks whose bots all play in this process, without sockets and deadlines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Literal

import msgspec

from turnwright.app.battle_in_process import InProcessBattle
from turnwright.app.prepared_battle import PreparedBattle, Report
from turnwright.kernel.game import Seat, SeatInfo
from turnwright.kernel.record import TurnEntry
from turnwright.net.participants.seating import Entrant
from turnwright_tank.bots.bot import Bot
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.bots.player import as_player, identity_of
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.recording.from_record import announced, opening_of, turn_messages
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.message_parts import Participant
from turnwright_tank.wire.royale.messages import GameAbortedEvent
from turnwright_tank.wire.royale.results import results_for_bots, results_for_observers


class TankBattle(InProcessBattle):
    """One battle between Bots and functions in this process. The bots get the same calls as bots on a
    server."""

    def __init__(self, prepared: PreparedBattle, report: Report) -> None:
        super().__init__(prepared, report)
        self._setup = msgspec.to_builtins(prepared.setup.wire)
        self._shown = prepared.record_files.shown
        self._players = [as_player(place.given, seed=prepared.seed) for place in prepared.places]

    def seat_infos(self, prepared: PreparedBattle) -> list[SeatInfo]:
        """Return the SeatInfo of each bot, with the bot's identity."""
        return [_seat_info(place, seat) for seat, place in enumerate(prepared.places)]

    def announced(self, prepared: PreparedBattle, seats: Sequence[SeatInfo]) -> Mapping[str, Any]:
        """Return the announcement of the battle to spectators, for the header of the record."""
        return announced(prepared.setup.wire, tuple(map(_participant, prepared.places, count(1))), seats)

    def begun(self) -> None:
        """Report the start of the game to spectators and bots."""
        self._show(opening_of(self.battle.header))
        for seat in range(len(self._players)):
            self._tell(seat, "game_started", self._info(seat))

    def player(self, seat: Seat) -> Callable[[Any], Any]:
        """Return the function that plays a turn of a bot."""
        player = self._players[seat]
        if isinstance(player, Bot):
            player._intent_class = TankIntent
        return player.step

    def closed(self, entry: TurnEntry) -> None:
        """Report a missed turn to the bots that missed it and whose tanks are alive."""
        for seat in entry.skipped:
            if seat in self.present and seat in self.battle.state.alive:
                if isinstance(player := self._players[seat], Bot):
                    player.skip_reason = self.battle.referee.skip_reason(seat)
                self._tell(seat, "on_skipped_turn", self.battle.state.turn_number - 1)

    def published(self) -> None:
        """Report the outcome of the turn to spectators and bots.

        A bot that is not asked in the next turn, because it died or the game is over, gets its observation
        here.
        """
        battle, state = self.battle, self.battle.state
        if self._shown is not None:
            self._show(*turn_messages(state))
        if state.opened_round:
            self._tell_all("round_started", [state.round_number] * len(self._players))
        next_asked = battle.game.asked(state)
        if next_asked != state.started:
            for seat in sorted(set(state.started).difference(next_asked)):
                self._tell(seat, "step", battle.observe(seat))
        if state.round_over:
            self._tell_all("on_round_ended", self._results())

    def ended(self, ending: Literal["over", "void"]) -> None:
        """Send the results to bots. For a void battle, send GameAbortedEvent to spectators."""
        if ending == "over":
            self._tell_all("on_game_ended", self._results())
        else:
            self._show(GameAbortedEvent())

    def rows(self) -> Sequence[Any]:
        """Return the results as spectators get them."""
        return results_for_observers(self.battle.state.results)

    def _show(self, *messages: object) -> None:
        """Write the spectators' frames, if a file was requested."""
        if self._shown is not None:
            for message in messages:
                self._shown.take(encode(message))

    def _tell_all(self, method: str, values: Sequence[Any]) -> None:
        for seat, value in enumerate(values):
            self._tell(seat, method, value)

    def _tell(self, seat: Seat, method: str, value: Any) -> None:
        if seat in self.present:
            self.guarded(seat, getattr(self._players[seat], method), value)

    def _info(self, seat: Seat) -> GameInfo:
        me = self.battle.header.seats[seat]
        return GameInfo.of_setup(self._setup, seat + 1, bot_names={seat + 1: f"{me.name} {me.version}"})

    def _results(self) -> list[Any]:
        return [msgspec.structs.asdict(row) for row in results_for_bots(self.battle.state.results)]


def _seat_info(place: Entrant, seat: int) -> SeatInfo:
    identity = identity_of(place.given, place.name)
    options = {"droid": identity.is_droid, "session_id": f"local {seat + 1}"}
    team = place.team
    if team is not None:
        options |= {"team_name": team.name, "team_version": team.version}
    return SeatInfo(
        identity.name,
        identity.version,
        None if team is None else team.id,
        options,
        authors=identity.authors,
        platform=identity.platform,
        programming_lang=identity.programming_lang,
    )


def _participant(place: Entrant, bot_id: int) -> Participant:
    identity = identity_of(place.given, place.name)
    return Participant(
        id=bot_id,
        session_id=f"local {bot_id}",
        name=identity.name,
        version=identity.version,
        authors=identity.authors,
        country_codes=identity.country_codes,
        game_types=identity.game_types,
        description=identity.description,
        homepage=identity.homepage,
        platform=identity.platform,
        programming_lang=identity.programming_lang,
        is_droid=identity.is_droid or None,
        team_id=None if place.team is None else place.team.id,
        team_name=None if place.team is None else place.team.name,
        team_version=None if place.team is None else place.team.version,
    )
