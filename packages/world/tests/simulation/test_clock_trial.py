"""The trial of a clock finds the errors of a clock."""

from __future__ import annotations

from packages.core.tests.simulation.bad_network import Conditions
from packages.world.tests.simulation.clock_trial import OneShot, try_clock
from turnwright_world.wire.clock import TimePong, TimeSegment

LINE = Conditions(100_000, 0, loss=0, spike=0)


class Backwards(OneShot):
    """A ring that goes back, and leads by 200 ms."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def ring_us(self, local_us: float) -> int:
        self.looks += 1
        return self.game_us(local_us) + 200_000 - self.looks * 150_000

    def press(self, local_us: float) -> int | None:
        return self.game_us(local_us) + 200_000


def test_the_clock_of_document_003_is_behind_by_one_way() -> None:
    trial = try_clock(OneShot(), LINE, seed=1, seconds=30)
    assert all(45_000 < error < 55_000 for error in trial.errors_us)
    assert len(trial.errors_us) == 200
    assert (trial.pings, trial.presses) == (1, 10)
    assert set(trial.early_us) == {0}


def test_presses_that_need_one_way_more_than_they_have_are_late() -> None:
    late = presses = 0
    for seed in range(20):
        trial = try_clock(OneShot(), LINE, seed, seconds=60)
        late, presses = late + trial.late, presses + trial.presses
    assert 0.18 < late / presses < 0.32  # both ways of 50 ms, of 400


def test_steps_back_are_counted_and_early_presses_are_known() -> None:
    trial = try_clock(Backwards(), LINE, seed=1, seconds=20)
    assert trial.backwards > 50
    assert min(trial.early_us) > 90_000


def test_one_seed_gives_one_trial() -> None:
    assert try_clock(OneShot(), LINE, 4, 30) == try_clock(OneShot(), LINE, 4, 30)
    assert try_clock(OneShot(), LINE, 4, 30) != try_clock(OneShot(), LINE, 5, 30)


def test_a_clock_without_pauses_ignores_a_pause() -> None:
    clock = OneShot()
    assert clock.game_us(7) == 7
    clock.pong(TimePong(1, 0, 50, 60), 10)
    clock.change(TimeSegment(0, 0, 0))
    assert clock.game_us(20) == 70
