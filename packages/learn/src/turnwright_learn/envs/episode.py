"""An episode: one battle whose caller steps it.

Bots of this process, programs and policies have the other seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from turnwright.app.battle_in_process import InProcessBattle
from turnwright.app.prepared_battle import PreparedBattle
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright.kernel.game import Seat, SeatInfo
from turnwright.kernel.units import US_PER_S
from turnwright.net.files.battle_record import BattleRecord, NoRecord
from turnwright.net.participants.command import Team
from turnwright.net.participants.seating import Entrant
from turnwright_learn.envs.battle_thread import BattleThread
from turnwright_learn.envs.checks import checked_action, checked_observation, checked_terms
from turnwright_learn.envs.plan import EnvPlan
from turnwright_learn.envs.served_battle import ServedBattle

_OPTION_OF = {"number_of_rounds": "rounds"}
"""The settings of rules for which the option of a battle has another name."""
_STOPPED = "the episode was stopped before its end"


def _placeholder(observation: Any) -> None:
    """Take the place of the bot in a seat whose intents the caller gives.

    The battle calls this function only with the observation of the seat's death.
    """


class Episode:
    """A battle that its caller steps. The constructor begins it, and plays until a learner may act.

    Args:
        seed: the seed of the battle.
        record: the file to write, or None.
        encode_all: whether the observations of bots are encoded, too.
        thread: the thread that plays the battle if the plan has programs. Otherwise None.

    Attributes:
        over: whether the battle has ended.
        closed: whether its record is closed.
        encoded: the newest encoded observations of learners and policies, by seat.
        terms: the reward terms of the last step, by name. Each has a number for each seat.

    Raises:
        SetupError: the settings cannot be played.
        GameError: the game's observations or rewards are invalid.
        ParticipantStartError: a program does not start, or ends.
        VoidBattleError: the rules failed.
    """

    def __init__(
        self,
        plan: EnvPlan,
        seed: int,
        record: Path | None = None,
        *,
        encode_all: bool = False,
        thread: BattleThread | None = None,
    ) -> None:
        self.plan, self.seed, self.record = plan, seed, record
        self._encoding = [
            seat
            for seat, policy in enumerate(plan.is_policy)
            if encode_all or policy or seat in plan.learners
        ]
        self._battle = _battle_of(plan, seed, record, thread)
        self.over = self.closed = False
        try:
            self._battle.begin()
        except BaseException:
            self.closed = True
            self._battle.prepared.record_files.finish()
            raise
        self.battle = self._battle.battle
        self.game, self.seats = self.battle.game, self.battle.header.seats
        self.terms: Mapping[str, Any] = {}
        self._totals: list[float] = [0.0] * len(self.seats)
        known = {"seats": self.seats, "settings": self.battle.header.setup}
        self._memories: list[dict[str, Any]] = [{"seat": seat, **known} for seat in range(len(self.seats))]
        self.encoded: dict[Seat, Any] = {}
        try:
            self._begin()
        except BaseException:
            self.close()
            raise
        self.first_turn = self.battle.turn
        """The turn in which the first learner was asked."""

    def _begin(self) -> None:
        if self.asked:
            self.terms = self._rewards()
            self._encode()
        else:
            self._play({})
        checked_terms(self.terms, len(self.seats), self.plan.game)
        for seat in self._encoding:
            checked_observation(self.plan.observation_space, self.encoded[seat], self.plan.game)
        self._go_on()

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats of the learners that may act now."""
        if self.over:
            return ()
        asked = self.game.asked(self.battle.state)
        return tuple(seat for seat in self.plan.learners if seat in asked)

    @property
    def alive(self) -> list[bool]:
        """Whether each seat still plays, by seat. After the end of the battle, none does."""
        if self.over:
            return [False] * len(self.seats)
        progress = self.game.round_progress(self.battle.state)
        living = range(len(self.seats)) if progress is None else progress.alive
        return [seat in living for seat in range(len(self.seats))]

    def step(self, actions: Mapping[Seat, Any]) -> None:
        """Play one turn, and more turns until a learner may act or all learners are out.

        `terms` are then sums over these turns.

        Args:
            actions: the actions of the asked learners.

        Raises:
            ValueError: a policy's action is not in its space.
            VoidBattleError: the rules failed. The episode is over then.
            ParticipantStartError: a bot or program failed, or did not answer. The episode is over then.
        """
        decode, observe, state = self.plan.spaces.decode, self.game.observe, self.battle.state
        self._play({seat: decode(actions[seat], observe(state, seat)) for seat in self.asked})
        self._go_on()

    def _go_on(self) -> None:
        """Play the turns in which no learner is asked."""
        while not self.over and not self.asked and any(self.alive[seat] for seat in self.plan.learners):
            before = self.terms
            self._play({})
            self.terms = {
                name: [a + b for a, b in zip(before[name], found, strict=True)]
                for name, found in self.terms.items()
            }

    def _play(self, given: dict[Seat, Any]) -> None:
        plan, state = self.plan, self.battle.state
        if not self.over:
            asked = self.game.asked(state)
            for seat in asked:
                if plan.is_policy[seat]:
                    action = plan.takers[seat](self.encoded[seat])
                    action = checked_action(plan.action_space, action, f"the policy of seat {seat}")
                    given[seat] = plan.spaces.decode(action, self.game.observe(state, seat))
        try:
            self._battle.play_turn(given)
            if self.battle.referee.failures and self.battle.outcome is None:
                self._battle.check_bots()
        except VoidBattleError as error:
            self._close("void", str(error), error)
            raise
        except ParticipantStartError:
            self._close("void", _STOPPED)
            raise
        self.over = self.battle.outcome is not None
        self.terms = self._rewards()
        self._encode()

    def _encode(self) -> None:
        """Encode the observations of learners and policies.

        This is done in every turn, because their memory grows.
        """
        for seat in self._encoding:
            seen = self.game.observe(self.battle.state, seat)
            self.encoded[seat] = self.plan.spaces.encode(seen, self._memories[seat])

    def full_state(self) -> Any:
        """Return the encoded observations of all seats: (seat, …). The episode must have `encode_all`."""
        return np.stack([np.asarray(self.encoded[seat]) for seat in range(len(self.seats))])

    def _rewards(self) -> Mapping[str, Any]:
        if found := self.plan.rewards(self.battle.state):
            return found
        now = self.scores()
        totals = self._totals if now is None else list(now)
        gained = [after - before for after, before in zip(totals, self._totals, strict=True)]
        self._totals = totals
        return {"score": gained}

    def scores(self) -> Sequence[float] | None:
        """Return the score of each seat so far, or None if it is not known before the end."""
        outcome = self.battle.outcome
        return self.game.scores(self.battle.state) if outcome is None else outcome.scores

    def close(self) -> None:
        """End the battle, if it has not ended, and close its record."""
        if self.over:
            self._close("over")
        else:
            self._close("void", _STOPPED)

    def _close(
        self, ending: Literal["over", "void"], why: str = "", error: VoidBattleError | None = None
    ) -> None:
        if not self.closed:
            self.closed = True
            self._battle.end(ending, why, error)
            self._battle.prepared.record_files.finish()


def _battle_of(
    plan: EnvPlan, seed: int, record: Path | None, thread: BattleThread | None
) -> InProcessBattle | ServedBattle:
    entrants = [_entrant(plan, seat) for seat in range(len(plan.takers))]
    serving = plan.serving
    options = plan.played.options
    named = {_OPTION_OF.get(name, name): value for name, value in plan.settings.items()}
    given: dict[str, Any] = {"bots": [one.given for one in entrants], "seed": seed, "record": record}
    given |= {"turn_timeout_us": serving.turn_timeout_us, "connect_timeout_s": float(serving.connect_timeout)}
    if "settings" in options.__dataclass_fields__:
        given |= {"game": plan.game, "settings": tuple(plan.settings.items())}
    else:
        unknown = [name for name in named if name not in options.__dataclass_fields__]
        if unknown:
            raise SetupError(f"settings has {unknown[0]!r}, which a battle of {plan.game} does not have")
        given |= named
    made = options(**given)
    setup = plan.played.battles.setup(made, [_info(one) for one in entrants])
    files = NoRecord() if record is None else BattleRecord(plan.played.rules(), record, required=True)
    new_game = plan.played.battles.new_game(made)
    prepared: PreparedBattle = plan.played.prepared(made, setup, entrants, seed, files, new_game, None)
    prepared = replace(prepared, sandbox=serving.sandbox_level)
    if thread is None:
        return plan.played.battles.in_process(prepared, lambda _: None)
    return _served(plan, prepared, thread)


def _served(plan: EnvPlan, prepared: PreparedBattle, thread: BattleThread) -> ServedBattle:
    """Return a battle at a server.

    The caller gives the intents of learners and policies, which have seats there.
    """
    places, serving = prepared.places, plan.serving
    played = [seat for seat, one in enumerate(places) if one.given is _placeholder]
    untimed = frozenset(range(len(places)) if serving.turn_timeout is None else played)
    setup = replace(prepared.setup, untimed=frozenset() if serving.learner_deadline else untimed)
    hellos = {seat: plan.played.records.given_hello(_info(places[seat])) for seat in played}
    answer_s = serving.answer_timeout + (serving.turn_timeout_us or 0) / US_PER_S
    return ServedBattle(thread, replace(prepared, setup=setup, stepped=True), hellos, answer_s)


def _entrant(plan: EnvPlan, seat: Seat) -> Entrant:
    """Return the participant in a seat of a battle."""
    taker, number = plan.takers[seat], plan.teams[seat]
    team = None if number is None else Team(number, f"Team {number}", "1.0")
    if isinstance(taker, Entrant):
        return replace(taker, team=team)
    given = _placeholder if taker is None or plan.is_policy[seat] else taker
    name = _name_of(plan, seat, alone=len(plan.learners) == 1)
    return Entrant(name, team=team, given=given, game_bots=plan.played.bots)


def _name_of(plan: EnvPlan, seat: Seat, *, alone: bool) -> str:
    """Return the name of the participant in a seat.

    Args:
        alone: whether there is only one learner.
    """
    if plan.is_policy[seat]:
        return f"Policy {seat}"
    if plan.takers[seat] is None:
        return "Learner" if alone else f"Learner {seat}"
    return plan.played.bots.name_of(plan.takers[seat])


def _info(entrant: Entrant) -> SeatInfo:
    team = entrant.team
    if team is None:
        return SeatInfo(entrant.name, entrant.version)
    named = {"team_name": team.name, "team_version": team.version}
    return SeatInfo(entrant.name, entrant.version, team.id, named)
