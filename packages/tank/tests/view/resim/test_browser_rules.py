"""The rules in JavaScript and in Python are one: every digest and every frame, bit for bit.

By hand, over as many random battles as one likes:

    python -m packages.tank.tests.view.resim.random_battles DIRECTORY FIRST COUNT
    python -m packages.tank.tests.view.resim.test_browser_rules DIRECTORY
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from packages.tank.tests.golden.battles import golden_battles
from packages.tank.tests.view.resim.random_battles import play_random, write_expected, write_starts
from tests.parts import few
from tests.viewer.node import NODE, beside_viewer, environment, why_no_node
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.play import play
from turnwright.kernel.record import Footer, Record
from turnwright.kernel.rng import Streams
from turnwright_tank.game import TankGame

GOLDEN_USUAL = 3
"""The number of golden battles that `make test` plays."""

RANDOM = range(1, 21)
TURNS_MAX = 1200
STARTS = 8
"""Keyframes of a battle, from each of which the rest of it is played."""

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(why_no_node() is not None, reason=str(why_no_node())),
]


def compared(folder: str | Path) -> str:
    """Return node's output on the records in a folder; it finds no difference."""
    with TemporaryDirectory() as links:
        compare = beside_viewer("games/tank/view/resim", Path(links)) / "compare_frames.js"
        command = [str(NODE), str(compare), str(folder)]
        done = subprocess.run(
            command, env=environment(links=True), capture_output=True, text=True, timeout=240
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("seed", few(RANDOM, 1, 3))
def test_a_random_battle_comes_out_the_same_in_the_browser(seed: int, tmp_path: Path) -> None:
    battle, record = play_random(seed)
    write_expected(record, tmp_path / "random")
    assert compared(tmp_path).strip() == f"1 records, {battle.turn} turns, 0 differ"


@pytest.mark.parametrize(
    "golden",
    [
        pytest.param(g, marks=pytest.mark.matrix if n >= GOLDEN_USUAL else ())
        for n, g in enumerate(golden_battles())
    ],
    ids=lambda golden: golden.name,
)
def test_golden_battles_come_out_the_same_in_the_browser(golden, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    battle = Battle(TankGame("interpreted"), golden.setup, golden.seats, golden.seed)
    scripts = Streams(golden.seed)
    players = {seat: golden.behave(scripts.stream("golden", seat)) for seat in range(len(golden.seats))}
    record = Record(battle.header)

    def keep(closed: Closed) -> None:
        record.turns.append(closed.entry)

    play(battle, players, record=keep)
    del record.turns[TURNS_MAX:]
    record.footer = Footer("aborted" if len(record.turns) < battle.turn else "over", len(record.turns))
    write_expected(record, tmp_path / "golden")
    assert "0 differ" in compared(tmp_path)


@pytest.mark.parametrize("seed", few(RANDOM, 1, 1))
def test_a_page_that_begins_at_a_keyframe_plays_the_rest_the_same(seed: int, tmp_path: Path) -> None:
    _, record = play_random(seed)
    write_expected(record, tmp_path / "random")
    write_starts(record, tmp_path / "random.starts", every=max(1, len(record.turns) // STARTS))
    assert "0 differ" in compared(tmp_path)


def test_a_difference_of_one_bit_is_found(tmp_path: Path) -> None:
    _, record = play_random(10)
    write_expected(record, tmp_path / "random")
    expected = tmp_path / "random.jsonl"
    lines = expected.read_text("utf-8").split("\n")
    lines[0] = lines[0].replace('"energy":1', '"energy":-1', 1)
    expected.write_text("\n".join(lines), "utf-8")
    with pytest.raises(AssertionError, match=r"frame 0.*energy.*in Python -1"):
        compared(tmp_path)


if __name__ == "__main__":
    print(compared(sys.argv[1]))
