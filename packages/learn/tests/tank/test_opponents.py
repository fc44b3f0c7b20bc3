from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from packages.core.tests.messages import missing
from packages.learn.tests.tank.single import actions_at, fighting
from turnwright.app.verify import verify_file
from turnwright.errors import SetupError
from turnwright.kernel.rng import Stream
from turnwright_learn.envs.episode import Episode
from turnwright_learn.envs.plan import plan_of
from turnwright_learn.tank.batch import IN_BATCHES
from turnwright_learn.tank.opponents import OpponentPool
from turnwright_learn.tank.vector import Policy, TankVectorEnv

LEFT = np.array([0.0, 1.0, 0.0, 0.0, 0.0], np.float32)


@pytest.mark.parametrize("name", IN_BATCHES)
@pytest.mark.parametrize("speed", ["auto", "interpreted"])
def test_a_built_in_bot_plays_in_a_batch_as_in_a_single_environment(name: str, speed: str) -> None:
    envs = TankVectorEnv(1, opponents=name, speed=speed, autoreset_mode="Disabled")
    observations, _ = envs.reset(seed=3)
    seed = Stream(int(np.random.SeedSequence(3).generate_state(1, np.uint64)[0])).bits64() >> 1
    episode = Episode(plan_of("tank", "TankDuel-v0", opponents=name), seed)
    for step in range(150):
        assert np.array_equal(observations[0], episode.encoded[0])
        action = actions_at(5, step, 1)
        observations, _, terminated, _, infos = envs.step(action)
        episode.step({0: action[0]})
        assert infos["reward_terms"]["score"][0] == episode.terms["score"][0]
        if terminated[0]:
            break
    episode.close()
    assert envs.opponent_names == [name]


def test_records_of_battles_against_built_in_bots_verify(tmp_path: Path) -> None:
    pool = OpponentPool({name: name for name in IN_BATCHES}, seed=1)
    envs = TankVectorEnv(4, opponents=pool, max_turns=60, frame_skip=2, record=tmp_path, recorded=4)
    envs.reset(seed=1)
    for step in range(70):
        envs.step(actions_at(3, step, 4))
    files = sorted(tmp_path.glob("*.twr"))
    assert len(files) == 8
    for file in files:
        found = verify_file(file)
        assert found.deterministic
        assert not found.differs


def test_a_pool_draws_better_opponents_most_often_and_beaten_ones_least() -> None:
    pool = OpponentPool({"weak": "Spinner", "strong": "Crawler", "better": fighting}, seed=1)
    for battle in range(200):
        pool.note(0, 1.0)
        pool.note(1, 0.0)
        pool.note(2, float(battle % 4 == 0))
    drawn = Counter(pool.draw(1)[0] for _ in range(4000))
    assert drawn[2] > drawn[1] > 1.5 * drawn[0] > 0
    shown = pool.shown
    assert shown["weak"].chance > 0.9 > shown["better"].chance > 0.15 > shown["strong"].chance
    assert shown["strong"].battles == 200
    pool.remove("strong")
    assert not Counter(pool.draw(1)[0] for _ in range(100))[1]
    assert "strong" not in pool.shown


def test_an_opponent_with_a_share_is_drawn_as_often_however_strong_it_is() -> None:
    names = ("Spinner", "Tracker", "Ace")
    pool = OpponentPool({name: name for name in names}, shares={"Ace": 0.6}, seed=1)
    for result in (1.0, 0.0):
        for _ in range(300):
            pool.note(2, result)
            pool.note(0, 1.0)
        drawn = Counter(pool.draw(1)[0] for _ in range(4000))
        assert drawn[2] == pytest.approx(2400, abs=150)
        assert drawn[1] > 2 * drawn[0] > 0
    pool.remove("Spinner")
    pool.remove("Tracker")
    assert pool.draw(3) == [2, 2, 2]
    pool.add("Tracker", "Tracker")
    pool.set_shares({"Ace": 0.0})
    assert pool.draw(2) == [3, 3]
    pool.set_shares({})
    assert Counter(pool.draw(1)[0] for _ in range(100)).keys() == {2, 3}
    pool.set_shares({"Ace": 0.0, "Tracker": 0.0})
    with pytest.raises(SetupError, match="share of 0"):
        pool.draw(1)
    pool.set_shares({})
    pool.remove("Ace")
    assert pool.draw(2) == [3, 3]


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan")])
def test_a_share_that_cannot_be_is_refused(share: float) -> None:
    with pytest.raises(SetupError) as error:
        OpponentPool({"Spinner": "Spinner", "Tracker": "Tracker"}, shares={"Tracker": share})
    assert not missing(str(error.value), "shares", str(share), "less than 1")
    with pytest.raises(SetupError, match="Ace"):
        OpponentPool({"Spinner": "Spinner"}, shares={"Ace": 0.5})


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_opponents_stay_for_the_rounds_of_a_game(rounds: int) -> None:
    pool = OpponentPool({"Spinner": "Spinner", "Tracker": "Tracker"}, seed=1)
    envs = TankVectorEnv(8, opponents=pool, max_turns=4, rounds=rounds, autoreset_mode="SameStep")
    envs.reset(seed=1)
    games = [envs.opponents[:, 0].copy()]
    for _ in range(12 * 4):
        _, _, _, truncated, _ = envs.step(np.zeros((8, 5), np.float32))
        if truncated.any():
            games.append(envs.opponents[:, 0].copy())
    changes = [bool((one != two).any()) for one, two in pairwise(games)]
    assert [number for number, changed in enumerate(changes, 1) if changed] == list(range(rounds, 13, rounds))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_pool_learns_of_each_battle_once_and_infos_name_the_opponents(mode: str) -> None:
    pool = OpponentPool({"Tracker": "Tracker", "still": lambda seen: np.tile(LEFT, (len(seen), 1))}, seed=1)
    envs = TankVectorEnv(20, opponents=pool, max_turns=300, autoreset_mode=mode)
    _, infos = envs.reset(seed=1)
    ended: Counter[str] = Counter()
    for step in range(600):
        _, _, terminated, truncated, infos = envs.step(actions_at(2, step, 20))
        over = terminated | truncated
        if mode == "Disabled" and over.all():
            ended.update(envs.opponent_names[number] for number in infos["opponents"][:, 0])
            break
        if mode != "Disabled":
            ended.update(envs.opponent_names[number] for number in infos["opponents"][over, 0])
    assert {name: rated.battles for name, rated in pool.shown.items()} == dict(ended)
    assert pool.shown["still"].won == pool.shown["still"].battles / 2, "nobody dies"
    assert pool.shown["Tracker"].chance < 0.5


def counted_policy() -> tuple[list[int], Policy]:
    """Return a policy, and the list that gets how many battles it is asked for each time."""
    asked: list[int] = []

    def counted(seen: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        asked.append(len(seen))
        return np.tile(LEFT, (len(seen), 1))

    return asked, counted


def test_a_policy_of_a_pool_is_asked_for_its_own_battles_alone() -> None:
    asked, counted = counted_policy()
    pool = OpponentPool({"Spinner": "Spinner", "counted": counted}, seed=1)
    envs = TankVectorEnv(100, opponents=pool)
    _, infos = envs.reset(seed=1)
    for step in range(3):
        envs.step(actions_at(2, step, 100))
    assert asked == [int((infos["opponents"] == 1).sum())] * 3
    assert 20 < asked[0] < 80


def test_a_pool_may_grow_and_refuses_unsuitable_opponents() -> None:
    pool = OpponentPool({})
    with pytest.raises(SetupError):
        TankVectorEnv(1, opponents=pool).reset(seed=1)
    assert pool.add("first", "Spinner") == 0
    for wrong, words in (
        (lambda: pool.add("first", "Tracker"), ("first", "name")),
        (lambda: pool.add("two", "Duck"), ("Duck", "Tracker", "gymnasium.make")),
        (lambda: pool.add("two", "Spiner"), ("Spiner", "Spinner")),
        (lambda: pool.add("two", 5), ("5",)),  # type: ignore[arg-type]
        (lambda: pool.remove("first"), ("first", "last")),
        (lambda: pool.remove("second"), ("second",)),
    ):
        with pytest.raises(SetupError) as error:
            wrong()  # type: ignore[no-untyped-call]
        assert not missing(str(error.value), *words)


def test_infos_name_the_opponents_of_the_current_battles() -> None:
    asked, counted = counted_policy()
    pool = OpponentPool({"Tracker": "Tracker", "counted": counted}, seed=1)
    envs = TankVectorEnv(40, opponents=pool, max_turns=19, autoreset_mode="SameStep")
    envs.reset(seed=1)
    drawn = set()
    for step in range(60):
        now = envs.opponents
        *_, infos = envs.step(actions_at(2, step, 40))
        assert asked[-1] == (now == 1).sum()
        assert np.array_equal(infos["opponents"], now)
        drawn.add(now.tobytes())
    assert len(drawn) == 4, "a battle lasts 19 steps"
    assert TankVectorEnv(4, opponents="self").opponents.shape == (2, 0)
