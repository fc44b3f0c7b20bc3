"""Hostile uploads to each command that accepts bots, as this user and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from packages.core.tests.app.commanding import PATIENCE_S, served
from packages.core.tests.cli.playing import PLAYING_BOT, Run, turnwright
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.sandbox.conftest import NOBODY, sandboxed  # noqa: F401
from packages.core.tests.net.sandbox.upload_attacks import ATTACKS, SECRET, Place, thief
from packages.league.tests.app.clusters.dask_cluster import DaskCluster
from packages.league.tests.app.ladder.client import LadderClient, enroll
from packages.league.tests.app.ladder.served import Served
from packages.league.tests.app.ladder.zips import zip_of
from tests.house.source import PACKAGES
from tests.parts import few

pytestmark = [
    pytest.mark.process,
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("sandboxed", "user"),
]

CHOSEN = [
    "environment: a script as its Python",
    "environment: a file of paths with a program",
    "environment: its environment is the operator's folder",
    "first line: a program in its folder",
    "first line without its mode: another bot's program",
    "first line: the operator's Python",
    "JSON: a link to the operator's JSON",
    "JSON: Python 3, base ../../private/Secret",
    "link: Evil.sh to the operator's program",
    "module: turnwright",
    "beside it: venv has a Python",
]
SLOW = [CHOSEN[0], CHOSEN[3], CHOSEN[7], CHOSEN[8]]
"""The attacks for entrances that need a new command for each attack."""
_AS_ANOTHER = """\
#!/bin/sh
exec setpriv --reuid={uid} --regid={uid} --clear-groups \\
    env HOME=/nonexistent PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 {python} "$@"
"""


def _installed(name: str) -> Distribution:
    """Return an installed distribution. Builds leave a folder of the same name next to our source."""
    (found,) = Distribution.discover(name=name, path=[sysconfig.get_path("purelib")])
    return found


def _needed(name: str, extra: str = "", found: set[str] | None = None) -> set[str]:
    """Return a distribution and all that it requires."""
    found = set() if found is None else found
    if name not in found:
        found.add(name)
        for requirement in map(Requirement, _installed(name).requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                _needed(requirement.name, found=found)
    return found


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter, unlike the folders of pytest."""
    with tempfile.TemporaryDirectory(prefix="turnwright-uploads-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def python_of_another(open_folder: Path) -> str:
    """A program that starts Python, of an environment with turnwright, as an ordinary user."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if os.getuid() != 0 or python is None:
        pytest.skip("only root can become another user, who needs a system Python")
    environment = open_folder / "environment"
    subprocess.run([python, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    for name, source in PACKAGES.items():
        unfinished = shutil.ignore_patterns("*.pyc.*")  # compiled modules are copied with their times
        shutil.copytree(source, packages / name, ignore=unfinished)
    for name in _needed("turnwright-league", "dask"):
        for file in _installed(name).files or ():
            there = Path(str(file.locate()))
            if ".." not in file.parts and there.is_file() and there.suffix != ".pth":
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(there, packages / file)
    subprocess.run(["chmod", "-R", "o+rX", environment], check=True)
    started = open_folder / "start"
    started.write_text(_AS_ANOTHER.format(uid=NOBODY, python=environment / "bin/python"))
    started.chmod(0o755)
    return str(started)


@pytest.fixture(params=["this user", "an ordinary user"])
def user(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The user who runs the commands of a test: its id."""
    if request.param == "this user":
        return os.getuid()
    monkeypatch.setattr(sys, "executable", request.getfixturevalue("python_of_another"))
    return NOBODY


@pytest.fixture
def folder(open_folder: Path, user: int) -> Iterator[Path]:
    """A folder of the user who runs the commands."""
    made = Path(tempfile.mkdtemp(dir=open_folder))
    made.chmod(0o755)
    os.chown(made, user, user)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def place(folder: Path) -> Iterator[Place]:
    """The operator's folder, in which there must be no trophy in the end."""
    made = Place(folder / "operator")
    made.set_up()
    yield made
    assert not list(folder.rglob("trophy"))


def give(folder: Path, user: int) -> None:
    """Give all files of a folder to the user."""
    subprocess.run(["chown", "-hR", f"{user}:{user}", str(folder)], check=True)


def owned(place: Place, user: int) -> None:
    """Give all files to the user, who runs a cluster and could write trophies and read the secret."""
    (place.root / "dask").mkdir()
    give(place.root, user)


def attackers(place: Place, attacks: Sequence[str]) -> list[Path]:
    """Return the bots of some attacks, each with a folder of an operator for itself."""
    bots = []
    for number, attack in enumerate(attacks):
        there = Place(place.root / str(number))
        there.set_up()
        bots.append(ATTACKS[attack](there))
    return bots


def refused_or_played(run: Run) -> None:
    run.finish()
    assert run.code in (0, 2, 3), run.err
    assert SECRET not in run.out + run.err


@pytest.mark.parametrize("attack", CHOSEN)
def test_nothing_runs_outside_in_a_battle(place: Place, user: int, attack: str) -> None:
    bot = ATTACKS[attack](place)
    owned(place, user)
    words = ("--game", "snake", "--sandbox", "full", "--seed", "1")
    refused_or_played(turnwright("battle", bot, "Wanderer", *words, cwd=place.root))


@pytest.mark.parametrize("attack", few(SLOW, 2, 2))
def test_nothing_runs_outside_in_a_tournament(place: Place, user: int, attack: str) -> None:
    bot = ATTACKS[attack](place)
    owned(place, user)
    words = ("--game", "snake", "--sandbox", "full", "--battles", "1")
    cup = place.root / "cup"
    refused_or_played(turnwright("tournament", "run", cup, bot, "Wanderer", *words, cwd=place.root))


def test_nothing_runs_outside_when_an_operator_starts_bots_from_the_page(place: Place, user: int) -> None:
    bots = attackers(place, CHOSEN)
    honest = make_bot(place.theirs, "Ann", {"Ann.py": PLAYING_BOT})
    owned(place, user)
    told = ""
    given = [word for bot in (*bots, honest) for word in ("--bots", bot.parent)]
    with served("--game", "snake", "--sandbox", "full", *given, cwd=place.root) as (_url, operator):
        for number, bot in enumerate((*bots, honest), 1):
            operator.say("boot", ids=[f"{number}/{bot.name}"])
        while '"name":"Ann"' not in told.rpartition('"type":"bots"')[2]:
            told += str(operator.socket.recv(timeout=PATIENCE_S))
    assert SECRET not in told


def test_nothing_runs_outside_on_a_worker_of_a_cluster(place: Place, user: int) -> None:
    """An honest bot plays there, so the attacks are refused for what they do."""
    bots = attackers(place, SLOW)
    honest = make_bot(place.theirs, "Ann", {"Ann.py": PLAYING_BOT})
    owned(place, user)
    with DaskCluster(place.root / "dask", 1) as cluster:
        words = ("--game", "snake", "--battles", "1", "--on", cluster.on)
        for number, bot in enumerate(bots):
            cup = place.root / f"cup{number}"
            refused_or_played(turnwright("tournament", "run", cup, bot, "Wanderer", *words))
        run = turnwright("tournament", "run", place.root / "cup", honest, "Wanderer", "--json", *words)
        run.finish()
    assert run.code == 0, run.err
    assert '"sandbox": "full"' in run.out


def _uploads(place: Place, data: Path, number: int) -> dict[str, bytes]:
    """Return zips that name programs by the place at which the ladder server will put them."""
    here = data / "_arena/bots" / str(number)
    evil = {"Evil/python3": thief(place), "Evil/Evil.json": '{"name":"E","version":"1","authors":["E"]}'}
    first = {
        "its own program": f"{here}/Evil/python3",
        "its own program by env": f"/usr/bin/env {here}/Evil/python3",
        "a program of another upload": f"{data}/_arena/bots/1/Evil/python3",
        "the operator's program": f"{place.private}/tool",
    }
    found = {name: zip_of({**evil, "Evil/Evil": f"#!{line}\n"}) for name, line in first.items()}
    found["a library in place of ours"] = zip_of(
        {"Evil/Evil.py": PLAYING_BOT, "Evil/turnwright.py": f"open({str(place.trophy)!r}, 'w')\n"}
    )
    found["a base outside"] = zip_of(
        {
            "Evil/x.py": "",
            "Evil/Evil.json": f'{{"name":"E","version":"1","authors":["E"],"platform":"Python",'
            f'"base":"{place.private}/Secret"}}',
        }
    )
    return found


def test_nothing_runs_outside_in_the_arena(place: Place, folder: Path, user: int) -> None:
    data = folder / "club"
    enroll(data, "Eve")
    give(data, user)
    with Served("--data", str(data), "--game", "snake", "--sandbox", "full") as one:
        client = LadderClient(one.page(), "Eve")
        for number in range(1, 7):
            zipped = list(_uploads(place, data, number).values())[number - 1]
            status, said = client.upload(zipped, "Evil.zip")
            assert status == 202, said
            client.until_settled(said["upload"])
        seen = client.ask("GET", "/api/me")[1].decode()
        assert SECRET not in seen


def test_a_bot_that_is_honest_plays_in_a_battle(place: Place, user: int) -> None:
    """So the attacks above are refused for what they do, and not because nothing plays."""
    bot = make_bot(place.theirs, "Ann", {"Ann.py": PLAYING_BOT})
    owned(place, user)
    alone = turnwright("battle", bot, "Wanderer", "--game", "snake", "--json", "--sandbox", "full").finish()
    assert alone.code == 0, alone.err
    assert '"sandbox": "full"' in alone.out
