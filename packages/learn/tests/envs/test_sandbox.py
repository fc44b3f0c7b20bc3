"""Bot directories of an environment in the sandbox."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.sandbox.conftest import sandboxed  # noqa: F401
from packages.core.tests.net.sandbox.upload_attacks import ATTACKS, SECRET, Place
from packages.learn.tests.envs.records import assert_records_verify
from turnwright.errors import ParticipantStartError, SetupError, TurnwrightError
from turnwright.net.files.reader import read_record
from turnwright_learn.envs import make_env

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.usefixtures("sandboxed")]

_WRITES_A_TROPHY = """\
open({trophy!r}, "w")
from turnwright.client import play

play(lambda observation: "up")
"""
_GOES_UP = """\
from turnwright.client import play

play(lambda observation: "up")
"""


@pytest.fixture
def place() -> Iterator[Place]:
    """The operator's folder, which every user can enter; in the end there is no trophy in it."""
    with tempfile.TemporaryDirectory(prefix="turnwright-uploads-") as folder:
        Path(folder).chmod(0o755)
        made = Place(Path(folder) / "operator")
        made.set_up()
        yield made
        assert not list(Path(folder).rglob("trophy"))


def test_a_bot_in_the_sandbox_plays_episode_after_episode(place: Place, tmp_path: Path) -> None:
    bot = make_bot(place.theirs, "Upward", {"Upward.py": _GOES_UP})

    def digests(**options: object) -> list[object]:
        env = make_env("snake", "Snake-v0", opponents=bot, **options)
        found = []
        for seed in range(3):
            env.reset(seed=seed)
            for _ in range(3):
                env.step(0)
                found.append(env.episode.battle.digest)
        env.close()
        return found

    assert digests(sandbox="full", record=tmp_path) == digests(processes=True)
    files = sorted(tmp_path.glob("*.twr"))
    assert {read_record(file).header.sandbox for file in files} == {"full"}
    assert_records_verify(tmp_path, 3)


@pytest.mark.parametrize("attack", sorted(ATTACKS)[::6])
def test_no_directory_runs_a_program_outside(place: Place, attack: str) -> None:
    bot = ATTACKS[attack](place)
    told = ""
    try:
        env = make_env("snake", "Snake-v0", opponents=bot, sandbox="full", connect_timeout=3)
        env.reset(seed=1)
        env.close()
    except TurnwrightError as error:
        told = str(error)
    assert SECRET not in told


def test_a_file_that_could_be_loaded_is_not(place: Place) -> None:
    bot = make_bot(place.theirs, "Loaded", {"Loaded.py": _WRITES_A_TROPHY.format(trophy=str(place.trophy))})
    env = make_env("snake", "Snake-v0", opponents=bot, sandbox="full", connect_timeout=5)
    with pytest.raises(ParticipantStartError, match="Loaded"):
        env.reset(seed=1)
    env.close()


def test_without_the_sandbox_such_a_directory_has_its_trophy(place: Place) -> None:
    """So the tests above see what the sandbox prevents."""
    bot = ATTACKS["first line: a program in its folder"](place)
    with suppress(TurnwrightError):
        make_env("snake", "Snake-v0", opponents=bot, connect_timeout=3).reset(seed=1)
    assert place.trophy.exists()
    place.trophy.unlink()


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(SetupError, match="sandbox is 'some': give 'none', 'auto' or 'full'"):
        make_env("snake", "Snake-v0", sandbox="some")
