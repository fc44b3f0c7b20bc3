"""Proximal policy optimization in one file: a learner of tank battles.

In some of the parallel battles the learner plays against itself, and in the others against a pool:

    play      play some steps of all battles with the current policy
    improve   change the policy, so that actions that went better than expected become more likely

While the learner learns from one batch of steps, another thread plays the next batch with the earlier policy.

Source: Schulman et al. 2017 (arXiv 1707.06347), with the details of Huang et al. 2022, The 37 Implementation
Details of Proximal Policy Optimization.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from turnwright_learn.tank.opponents import OpponentPool, Rated
from turnwright_learn.tank.policy import Policy
from turnwright_learn.tank.vector import TankVectorEnv
from turnwright_tank.envs.actions import ACTIONS, DISCRETE

_SIZES = [len(values) for values in DISCRETE]
_CHOICES = sum(_SIZES)
_NUMBER_OF = torch.from_numpy(np.repeat(np.arange(len(_SIZES)), _SIZES))
_GROUPS = torch.nn.functional.one_hot(_NUMBER_OF).float()
"""A matrix (choice, number of an action). It is 1 where the choice belongs to the number."""
DRAWN = ("speed", "turn")
"""The numbers of an action that a trained bot draws at random, so that opponents cannot predict its moves."""
_IS_DRAWN = torch.from_numpy(np.repeat([name in DRAWN for name in ACTIONS], _SIZES))
_LEAST = 1e-30
_IN_SIGHT = 0.025
"""The largest age, in hundred turns, at which a scan counts as new."""
_KINDS = 16
"""The number of kinds of opponents for the value function. All later opponents are of the last kind."""
_AVERAGED = 0.03
"""The weight of the newest network in the mean with which the bot plays. Single updates vary too much."""


@dataclass(frozen=True)
class PpoSettings:
    """Settings of a learner.

    Attributes:
        env: one of the tank's environments without teams.
        battles: the number of parallel battles.
        pooled: the share of the battles that the learner plays against the pool.
        steps: the steps of each battle between two updates.
        frame_skip: the turns for which an action is repeated.
        max_turns: the turns after which a battle is truncated.
        rounds: the rounds of a game. This many battles in a row have the same opponents, and all bots
            remember the game.
        widths: the widths of the hidden layers, both of the policy and of the value function.
        activation: the function between layers, "relu" or "tanh".
        rate: the rate of learning, at the start.
        gamma, smoothing: the discount of each step, and the lambda of advantage estimates.
        clip: the epsilon of the paper.
        passes: the number of times that an update uses each played step.
        entropy: the coefficient of the paper at the start. It falls for the numbers that the bot does not
            draw at random.
        parts: the number of parts of a pass. Each part is one step of the optimizer.
        price: the cost of each step. Without it, the learner could wait until the other tank has fired all
            its energy.
        blind: the cost of each step in which the radar did not see the nearest tank. So the policy learns to
            look around early.
        threads: the number of threads.
    """

    env: str = "TankDuel-v0"
    battles: int = 512
    pooled: float = 0.95
    steps: int = 32
    frame_skip: int = 2
    max_turns: int = 2000
    rounds: int = 16
    widths: tuple[int, ...] = (256, 128)
    activation: str = "relu"
    rate: float = 1e-3
    gamma: float = 0.995
    smoothing: float = 0.97
    clip: float = 0.2
    entropy: float = 0.005
    passes: int = 1
    parts: int = 4
    price: float = 0.001
    blind: float = 0.001
    seed: int = 1
    threads: int = 2


@dataclass
class Played:
    """The played steps of a learner, as arrays (step, environment, …), and how episodes ended.

    Attributes:
        foes: the share of each kind among the other tanks.
        chosen: 1 for each choice that was taken.
        log_probabilities: the logarithms of the probabilities of the chosen choices.
        values: the expected sums of discounted rewards, for one step more than the other arrays.
        over: 1 for each step that ended an episode.
        returns: sums of rewards of the episodes that ended.
    """

    seen: Tensor
    foes: Tensor
    chosen: Tensor
    log_probabilities: Tensor
    values: Tensor
    rewards: Tensor
    over: Tensor
    returns: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Update:
    """Figures of an update.

    Attributes:
        turns: the turns of learning tanks so far.
        returns, spread: mean and standard deviation of the sums of rewards of the episodes that ended, or 0
            if none ended.
        entropy: the entropy of the policy.
    """

    number: int
    turns: int
    seconds: float
    returns: float
    spread: float
    episodes: int
    entropy: float


class _Network(nn.Module):
    """The policy and the value function.

    The value function knows the opponent of each battle. The policy does not.
    """

    def __init__(self, features: int, settings: PpoSettings) -> None:
        super().__init__()
        self.actor = _layers(features, settings, _CHOICES, last=0.01)
        self.critic = _layers(features + _KINDS, settings, 1, last=1.0)

    def log_probabilities(self, seen: Tensor) -> Tensor:
        """Return the logarithm of each choice's probability: (many, choice)."""
        scores = self.actor(seen)
        scores = scores - scores.amax(1, keepdim=True).detach()
        sums = (scores.exp() @ _GROUPS).clamp_min(_LEAST)
        return scores - sums.log() @ _GROUPS.T

    def value(self, seen: Tensor, foes: Tensor) -> Tensor:
        """Return the expected sum of discounted rewards: (many)."""
        return self.critic(torch.cat((seen, foes), 1)).squeeze(1)


def _layers(features: int, settings: PpoSettings, out: int, *, last: float) -> nn.Sequential:
    found: list[nn.Module] = []
    for width in settings.widths:
        activation = nn.Tanh() if settings.activation == "tanh" else nn.ReLU()
        found += [_dense(features, width, 2**0.5), activation]
        features = width
    return nn.Sequential(*found, _dense(features, out, last))


def _dense(features: int, out: int, gain: float) -> nn.Linear:
    layer = nn.Linear(features, out)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def choose(log_probabilities: Tensor, generator: torch.Generator) -> Tensor:
    """Return choices drawn by their probabilities: (many, number of an action)."""
    noise = torch.empty_like(log_probabilities).exponential_(generator=generator).clamp_min_(_LEAST).log_()
    return torch.stack([one.argmax(1) for one in (log_probabilities - noise).split(_SIZES, 1)], 1)


# It is large because one thread plays while another one improves the policy, with the same settings,
# environments and weights.
class Learner:
    """A policy that plays and improves. The constructor sets PyTorch's number of threads (`set_num_threads`).

    Battles and random draws follow from the settings' seed. The arithmetic of PyTorch may give other results
    on another machine.

    Args:
        pool: the opponents. Another thread uses the pool, so use `rated` for its results.
        begun: the number of updates in earlier runs. It gives later updates other battles.

    Attributes:
        network: the weights that learn.
        average: the mean of the policy's weights after the last updates. The bot plays with it.
        turns: the number of turns of tanks from which it has learned.
        chance: the random generator for actions.
    """

    def __init__(self, settings: PpoSettings, pool: OpponentPool, *, begun: int = 0) -> None:
        playing, improving = _shared(settings.threads)
        torch.set_num_threads(improving)
        self.chance, self._order = torch.Generator(), torch.Generator()
        self.chance.manual_seed(_seed_of(settings.seed, begun, 2))
        self._order.manual_seed(_seed_of(settings.seed, begun, 3))
        self.settings, self.pool = settings, pool
        self._envs = _environments(settings, pool)
        self.features = tuple(self._envs[0].features)
        self._age = self.features.index("age_1")
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(settings.seed)
            self.network = _Network(len(self.features), settings)
        self.average = deepcopy(self.network.actor)
        self._player = deepcopy(self.network)
        self.optimizer = torch.optim.Adam(self.network.parameters(), settings.rate, eps=1e-5)
        self.updates = self.turns = 0
        self.seconds = 0.0
        found = [env.reset(seed=_seed_of(settings.seed, begun, k)) for k, env in enumerate(self._envs)]
        self._seen = torch.from_numpy(np.concatenate([seen for seen, _ in found]))
        self._foes = self._kinds()
        self._returns = np.zeros(len(self._seen))
        self._aside = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(playing,))
        self._next: Future[Played] | None = None
        self._rated: dict[str, Rated] = {}

    def close(self) -> None:
        """Wait for the thread that plays. The learner cannot continue afterwards."""
        self._aside.shutdown()

    @property
    def rated(self) -> dict[str, Rated]:
        """The results against the pool, up to the steps from which the learner has learned last."""
        return _copied(self.pool) if self._next is None else self._rated

    def policy(self) -> Policy:
        """Return the policy with which the bot plays.

        Its weights are the mean over some dozens of updates, in which later updates have more weight.
        """
        layers = [
            (one.weight.detach().numpy().T.copy(), one.bias.detach().numpy().copy())
            for one in self.average
            if isinstance(one, nn.Linear)
        ]
        settings = self.settings
        return Policy(layers, self.features, settings.frame_skip, settings.activation, DRAWN)

    def update(self, part_done: float) -> Update:
        """Wait for the next batch of played steps, improve the policy by it, and return the figures.

        Another thread then plays the next batch.

        Args:
            part_done: the part of the training that is done, 0 … 1. During the training, the rate falls to a
                tenth. The bonus of entropy falls to 0, except for the numbers that the bot draws at random.
        """
        began = time.monotonic()
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * (1.0 - 0.9 * part_done)
        played = self._played()
        entropy = self._improve(played, part_done)
        self.updates += 1
        self.turns += played.rewards.numel() * self.settings.frame_skip
        self._note_average()
        self.seconds += time.monotonic() - began
        returns = played.returns or [0.0]
        mean, spread = float(np.mean(returns)), float(np.std(returns))
        return Update(self.updates, self.turns, self.seconds, mean, spread, len(played.returns), entropy)

    def _note_average(self) -> None:
        part = max(1.0 / self.updates, _AVERAGED)
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.network.actor.parameters(), strict=True):
                mean.lerp_(now, part)

    # ---- play ----------------------------------------------------------------------------------------------

    def _played(self) -> Played:
        """Return the played steps, and let the second thread play the next ones with the current policy."""
        begun = self._next or self._aside.submit(self._play)
        played = begun.result()
        self._rated = _copied(self.pool)
        self._player.load_state_dict(self.network.state_dict())
        self._next = self._aside.submit(self._play)
        if self.settings.threads == 1:
            wait([self._next])
        return played

    def _play(self) -> Played:
        with torch.no_grad():
            return self._play_steps()

    def _play_steps(self) -> Played:
        steps, many = self.settings.steps, len(self._seen)
        played = Played(
            torch.empty(steps, many, self._seen.shape[1]),
            torch.empty(steps, many, _KINDS),
            torch.zeros(steps, many, _CHOICES),
            torch.empty(steps, many),
            torch.empty(steps + 1, many),
            torch.empty(steps, many),
            torch.empty(steps, many),
        )
        first = torch.tensor([0, *np.cumsum(_SIZES)[:-1]])
        for step in range(steps):
            logs = self._player.log_probabilities(self._seen)
            chosen = choose(logs, self.chance)
            played.seen[step], played.foes[step] = self._seen, self._foes
            played.chosen[step].scatter_(1, chosen + first, 1.0)
            played.log_probabilities[step] = (logs * played.chosen[step]).sum(1)
            played.values[step] = self._player.value(self._seen, self._foes)
            played.rewards[step], played.over[step] = self._step(chosen.numpy(), played)
        played.values[steps] = self._player.value(self._seen, self._foes)
        return played

    def _step(self, chosen: Any, played: Played) -> tuple[Tensor, Tensor]:
        """Take a step of all battles, and return the rewards, less `price` and `blind`, and the ends.

        The reward of a truncated episode includes the expected value of its rest.
        """
        rewards, over, seen, at = [], [], [], 0
        for env in self._envs:
            found = env.step(chosen[at : at + env.num_envs])
            reward, ended = found[1].astype(np.float32), found[2] | found[3]
            self._returns[at : at + env.num_envs] += reward
            if found[3].any():
                finals = torch.from_numpy(found[4]["final_obs"][found[3]])
                foes = self._foes[at : at + env.num_envs][torch.from_numpy(found[3])]
                reward[found[3]] += self.settings.gamma * self._player.value(finals, foes).numpy()
            seen.append(found[0])
            rewards.append(reward)
            over.append(ended)
            at += env.num_envs
        ends = np.concatenate(over)
        played.returns += list(self._returns[ends])
        self._returns[ends] = 0.0
        self._seen, self._foes = torch.from_numpy(np.concatenate(seen)), self._kinds()
        goes_on = torch.from_numpy(~ends)
        blind = (self._seen[:, self._age] > _IN_SIGHT) & goes_on
        reward = torch.from_numpy(np.concatenate(rewards)) - self.settings.price - self.settings.blind * blind
        return reward, 1.0 - goes_on.float()

    def _kinds(self) -> Tensor:
        """Return the share of each kind among the other tanks: (environment, kind).

        Kind 0 is the learner itself. The other kinds are opponents of the pool.
        """
        itself, others = self._envs
        kinds = np.minimum(others.opponents + 1, _KINDS - 1)
        found = np.zeros((itself.num_envs + others.num_envs, _KINDS), np.float32)
        found[: itself.num_envs, 0] = 1.0
        np.add.at(found[itself.num_envs :], (np.arange(len(kinds))[:, None], kinds), 1.0 / kinds.shape[1])
        return torch.from_numpy(found)

    # ---- improve -------------------------------------------------------------------------------------------

    def _improve(self, played: Played, part_done: float) -> float:
        """Improve the policy by the played steps, and return its mean entropy."""
        settings = self.settings
        advantages = self._advantages(played)
        aims = (advantages + played.values[:-1]).flatten()
        seen, foes, chosen, logs_before = (
            one.flatten(0, 1) for one in (played.seen, played.foes, played.chosen, played.log_probabilities)
        )
        advantage, many = advantages.flatten(), len(aims)
        entropies, bonus = [], settings.entropy * torch.where(_IS_DRAWN, 1.0, 1.0 - part_done)
        for _ in range(settings.passes):
            for part in torch.randperm(many, generator=self._order).split(-(-many // settings.parts)):
                gain = advantage[part]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                logs = self.network.log_probabilities(seen[part])
                ratio = ((logs * chosen[part]).sum(1) - logs_before[part]).exp()
                clipped = ratio.clamp(1.0 - settings.clip, 1.0 + settings.clip)
                doubt = -(logs.exp() * logs).mean(0)
                error = self.network.value(seen[part], foes[part]) - aims[part]
                loss = -torch.minimum(ratio * gain, clipped * gain).mean()
                loss = loss + 0.5 * error.square().mean() - (bonus * doubt).sum()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()
                entropies.append(doubt.sum().item())
        return float(np.mean(entropies))

    def _advantages(self, played: Played) -> Tensor:
        """Return how much better each step went than expected: (step, environment)."""
        settings, ahead = self.settings, torch.zeros(len(self._seen))
        found = torch.empty_like(played.rewards)
        for step in reversed(range(settings.steps)):
            goes_on = settings.gamma * (1.0 - played.over[step])
            error = played.rewards[step] + goes_on * played.values[step + 1] - played.values[step]
            ahead = error + goes_on * settings.smoothing * ahead
            found[step] = ahead
        return found


def _copied(pool: OpponentPool) -> dict[str, Rated]:
    return {name: replace(rated) for name, rated in pool.shown.items()}


def _shared(threads: int) -> tuple[int, int]:
    """Return the number of threads that play, and the number of threads that improve at the same time.

    The threads that improve have more work.
    """
    return max(threads // 2, 1), max(threads - threads // 2, 1)


def _environments(settings: PpoSettings, pool: OpponentPool) -> list[TankVectorEnv]:
    """Return an environment for battles against itself, and one for battles against the pool.

    Both use all threads. If opponents think for long, the improving thread waits for them.
    """
    pooled = min(max(int(settings.battles * settings.pooled), 1), settings.battles - 1)
    common: dict[str, Any] = {
        "env": settings.env,
        "actions": "discrete",
        "frame_skip": settings.frame_skip,
        "max_turns": settings.max_turns,
        "rounds": settings.rounds,
        "autoreset_mode": "SameStep",
        "threads": settings.threads,
        "copy": False,
    }
    against_pool = TankVectorEnv(pooled, opponents=pool, **common)
    against_itself = (settings.battles - pooled) * against_pool.seats
    return [TankVectorEnv(against_itself, opponents="self", **common), against_pool]


def _seed_of(*numbers: int) -> int:
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])
