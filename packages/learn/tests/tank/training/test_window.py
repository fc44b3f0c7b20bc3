from __future__ import annotations

from statistics import fmean, pstdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from turnwright_learn.tank.opponents import Rated
from turnwright_learn.tank.training.window import Window, interval


def update(seconds: float, returns: list[float], entropy: float = 1.0) -> Any:
    return SimpleNamespace(
        seconds=seconds, turns=int(1000 * seconds), entropy=entropy, episodes=len(returns),
        returns=fmean(returns or [0.0]), spread=pstdev(returns or [0.0]),
    )  # fmt: skip


@pytest.mark.parametrize("part", [0.05, 0.5, 0.9])
def test_the_interval_holds_the_truth_in_95_of_100_cases(part: float) -> None:
    drawn = np.random.default_rng(1).binomial(60, part, 4000) / 60
    held = fmean(low <= part <= high for low, high in (interval(float(one), 60) for one in drawn))
    assert 0.92 < held < 0.985


def test_an_interval_stays_between_nothing_and_all() -> None:
    assert interval(0.0, 0) == (0.0, 1.0)
    assert interval(0.0, 10)[0] == 0.0
    assert interval(1.0, 10)[1] == 1.0


def test_figures_cover_all_episodes_of_the_window() -> None:
    before = {"Tracker": Rated(10, 4.0), "Seesaw": Rated(2, 1.0)}
    window, all_returns = Window(before), [[1.0, 2.0, 6.0], [], [-3.0]]
    window.take(update(1.0, all_returns[0]), before)
    after = {"Tracker": Rated(14, 7.0), "Seesaw": Rated(4, 3.0), "Dodger": Rated(2, 0.0)}
    window.take(update(2.0, all_returns[1]), after)
    window.take(update(3.0, all_returns[2], entropy=4.0), after)
    figures = window.figures()
    assert figures is not None
    flat = [one for returns in all_returns for one in returns]
    assert figures["return"] == pytest.approx(fmean(flat))
    assert figures["return_high"] - figures["return"] == pytest.approx(1.96 * pstdev(flat) / len(flat) ** 0.5)
    assert figures["against"]["Tracker"][:2] == [4, 0.75]
    assert figures["against"]["Seesaw"][:2] == [2, 1.0]
    assert figures["against"]["Dodger"][:2] == [2, 0.0]
    assert figures["won"] == pytest.approx(5 / 8)
    assert figures["entropy"] == 2.0
    assert (figures["seconds"], figures["turns"]) == (3.0, 3000)


def test_a_window_without_updates_has_no_figures() -> None:
    assert Window({}).figures() is None
