"""Plans of environments: the game, the players of the seats, and the meaning of observations.

`spaces` of a game's GamePackage encodes observations and decodes actions, and `environments` has the named
environments. If a game has no `spaces`, its rules need observation_space, action_space, encode and decode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from typing import Any

from gymnasium.spaces import Space

from turnwright.app.game.playable import PlayableGame, find_game
from turnwright.errors import SetupError
from turnwright.kernel.game import Game, SeatInfo
from turnwright.net.participants.seating import Entrant
from turnwright_learn.envs.checks import checked_space
from turnwright_learn.envs.opponents import takers_of, wishes_of
from turnwright_learn.envs.server_options import ServerOptions

_METHODS = ("observation_space", "action_space", "encode", "decode")
_LEARNER = None
"""The player of a seat that the environment's caller plays."""


@dataclass(frozen=True)
class EnvPlan:
    """All that an episode needs to begin.

    Attributes:
        spaces: converts between numbers and observations or intents.
        settings: the settings of the rules.
        takers: the player of each seat. It is a bot of this process, a program (an Entrant), a policy (a
            function of encoded observations), or None for a learner.
        is_policy: whether each seat has a policy.
        teams: the number of each seat's team, or None for a seat without a team.
        serving: the options of programs.
        made_by: makes the same plan again, for copied and pickled environments.
    """

    game: str
    played: PlayableGame
    spaces: Any
    settings: Mapping[str, Any]
    takers: tuple[Any, ...]
    is_policy: tuple[bool, ...]
    teams: tuple[int | None, ...]
    serving: ServerOptions
    made_by: Callable[[], EnvPlan]

    def __reduce__(self) -> tuple[Callable[[], EnvPlan], tuple[()]]:
        return self.made_by, ()

    @property
    def has_programs(self) -> bool:
        """Whether any seat has a program. If so, a server plays the battles."""
        return any(isinstance(taker, Entrant) for taker in self.takers)

    @property
    def learners(self) -> tuple[int, ...]:
        """The seats that the caller plays."""
        return tuple(
            seat
            for seat, (taker, policy) in enumerate(zip(self.takers, self.is_policy, strict=True))
            if taker is _LEARNER and not policy
        )

    @cached_property
    def observation_space(self) -> Space[Any]:
        """The space of encoded observations, the same for all seats.

        Raises:
            GameError: the game has not returned a space of Gymnasium.
        """
        space = self.spaces.observation_space(self.settings, self._seats())
        return checked_space(space, "observation_space", self.game)

    @cached_property
    def action_space(self) -> Space[Any]:
        """The space of actions, the same for all seats.

        Raises:
            GameError: the game has not returned a space of Gymnasium.
        """
        return checked_space(
            self.spaces.action_space(self.settings, self._seats()), "action_space", self.game
        )

    @cached_property
    def rewards(self) -> Callable[[Any], Mapping[str, Sequence[float]]]:
        """A function that returns the reward terms of the last turn, by name, for a state of the game.

        If a game does not define it, its result is empty, and the reward is the change of the scores.
        """
        return getattr(self.spaces, "rewards", lambda _state: {})

    def _seats(self) -> list[SeatInfo]:
        return [SeatInfo(f"seat{seat}", team=team) for seat, team in enumerate(self.teams)]


def plan_of(
    game: str,
    env: str | None = None,
    *,
    opponents: Any = None,
    seats: int | None = None,
    learners: int = 1,
    settings: Mapping[str, Any] | None = None,
    serving: ServerOptions | None = None,
    **options: Any,
) -> EnvPlan:
    """Return the plan of an environment.

    Args:
        env: the name of one of the game's environments. None means only the settings that are given.
        opponents: the opponents in the seats after the learners: names of built-in bots, bot directories, Bot
            classes, policies or `ConnectingBot`s. A single opponent plays in all of these seats. None means
            the opponents of `env`.
        seats: the number of seats. None means the number of `env`, or one for each learner and opponent.
        learners: the number of learners. They have the first seats.
        serving: the options of programs.
        options: the options of the game's spaces.

    Raises:
        SetupError: a value is wrong. The message names the argument, what was given and what is expected.
    """
    played = find_game(game)
    named = played.environments
    if env is not None and env not in named:
        close = get_close_matches(env, named, n=1)
        hint = f"did you mean {close[0]}?" if close else f"give one of {', '.join(named)}"
        raise SetupError(f"env is {env!r}: {hint}")
    wanted = named[env] if env is not None else {}
    given = {"opponents": opponents, "seats": seats, "learners": learners, "settings": settings}
    given |= {"serving": serving}
    _check(learners, seats, settings)
    if seats not in (None, fixed := wanted.get("seats", seats)):
        raise SetupError(f"seats is {seats}: {env} has {fixed}. Leave seats out")
    serving = serving or ServerOptions()
    wishes = wishes_of(opponents if opponents is not None else wanted.get("opponents", ()))
    count = wanted.get("seats") or seats or learners + (len(wishes) if isinstance(wishes, list) else 1)
    if not 1 <= learners <= count:
        raise SetupError(f"learners is {learners}: give 1 to {count}, the seats of this environment")
    others = takers_of(played.bots, wishes, count - learners, serving, exact=opponents is not None)
    plan = EnvPlan(
        game,
        played,
        _spaces_of(played, options),
        {**wanted.get("settings", {}), **(settings or {})},
        (_LEARNER,) * learners + tuple(taker for taker, _ in others),
        (False,) * learners + tuple(policy for _, policy in others),
        tuple(wanted.get("teams", (None,) * count)),
        serving,
        partial(plan_of, game, env, **given, **options),
    )
    if serving.turn_timeout is not None and not plan.has_programs:
        raise SetupError(
            "turn_timeout is a deadline for programs, but no opponent is a program: give processes=True"
        )
    return plan


def _check(learners: Any, seats: Any, settings: Any) -> None:
    for name, number in (("learners", learners), ("seats", 1 if seats is None else seats)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise SetupError(f"{name} is {number!r:.60}: give a whole number")
    if not isinstance(settings, Mapping | None):
        raise SetupError(f"settings is {settings!r:.60}: give the game's settings by name")


def _spaces_of(game: PlayableGame, options: Mapping[str, Any]) -> Any:
    spaces = game.part("spaces")
    if spaces is not None:
        try:
            return spaces(**options)
        except TypeError as error:
            raise SetupError(f"the environments of {game.name} have no such option: {error}") from error
    if options:
        raise SetupError(f"{next(iter(options))} is not an option of an environment of {game.name}")
    rules = game.rules()
    rules = getattr(rules, "game", rules)  # behind the checks, other packages' rules keep the game
    missing = [name for name in _METHODS if getattr(type(rules), name) is getattr(Game, name)]
    if missing:
        raise SetupError(
            f"the game {game.name} has no {missing[0]}(): an environment for learners needs"
            f" {', '.join(_METHODS)}"
            " of its class"
        )
    return rules
