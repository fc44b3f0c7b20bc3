"""Hostile uploads at every entrance of the product."""

from __future__ import annotations

import asyncio
import io
import shutil
import socket
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.app.arena.client import ArenaClient
from tests.app.arena.served import Served
from tests.app.arena.zips import zip_of
from tests.cli.playing import PLAYING_BOT, turnwright
from tests.net.bot_directories import make_bot
from tests.net.sandbox.conftest import boxed  # noqa: F401
from tests.net.sandbox.upload_attacks import ATTACKS, SECRET, Place, thief
from tests.net.small_server import PROTOCOL, SNAKES
from turnwright import run_battle
from turnwright.app.tournament.clusters.archives import ArchiveCache, archive_hash
from turnwright.errors import TurnwrightError
from turnwright.net.participants.start_for_operator import Booter
from turnwright.net.sandbox.boxes import Boxes

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.usefixtures("boxed")]

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


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """The operator's folder; in the end there is no trophy in it."""
    made = Place(tmp_path / "operator")
    made.set_up()
    yield made
    assert not made.trophy.exists()


@pytest.mark.parametrize("attack", CHOSEN)
def test_nothing_runs_outside_in_a_battle(place: Place, attack: str) -> None:
    bot = ATTACKS[attack](place)
    run = turnwright(
        "battle", "--game", "snake", bot, "Wanderer", "--sandbox", "full", "--seed", "1"
    ).finish()
    assert run.code in (0, 2, 3), run.err
    assert SECRET not in run.out + run.err


def test_nothing_runs_outside_in_a_tournament(place: Place, tmp_path: Path) -> None:
    bots = [ATTACKS[attack](place) for attack in CHOSEN[:1]]
    run = turnwright(
        "tournament", "run", tmp_path / "cup", *bots, "Wanderer", "--game", "snake", "--sandbox", "full"
    ).finish()
    assert run.code in (0, 2, 3), run.err
    assert SECRET not in run.out + run.err


def test_nothing_runs_outside_when_an_operator_starts_bots_from_the_page(place: Place) -> None:
    for at, attack in enumerate(CHOSEN):
        there = Place(place.root / str(at))
        there.set_up()
        bot = ATTACKS[attack](there)
        told: list[bytes] = []
        asyncio.run(_started_by_an_operator(bot, told))
        assert SECRET not in repr(told)
        assert not there.trophy.exists(), attack


async def _started_by_an_operator(bot: Path, told: list[bytes]) -> None:
    async def listen(bound: socket.socket, _name: str) -> Callable[[], None]:
        return bound.close

    booter = Booter([bot.parent], PROTOCOL, SNAKES, ["a", "b", "c"])
    booter.open("ws://127.0.0.1:9", Boxes(listen))
    try:
        booter.show(told.append)
        booter.boot([f"1/{bot.name}"], told.append)
        with suppress(TimeoutError):
            async with asyncio.timeout(3):
                while len(told) < 2:
                    await asyncio.sleep(0.02)
    finally:
        await booter.stop()


def test_nothing_runs_outside_on_a_worker_of_a_cluster(place: Place, tmp_path: Path) -> None:
    """Its files keep their modes there, and links are refused."""
    bot = ATTACKS["first line: a program in its folder"](place)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in (one for one in bot.rglob("*") if one.is_file() and not one.is_symlink()):
            info = zipfile.ZipInfo(f"Evil/{file.relative_to(bot).as_posix()}")
            info.external_attr = (stat.S_IFREG | 0o755) << 16
            archive.writestr(info, file.read_bytes())
    cache = ArchiveCache(tmp_path / "cache")
    digest = archive_hash(packed.getvalue())
    with cache.held(digest, lambda _: packed.getvalue()) as folder, suppress(TurnwrightError):
        run_battle(folder / "Evil", "Wanderer", game="snake", turns=5, sandbox="full")
    shutil.rmtree(tmp_path / "cache")


def _uploads(place: Place, data: Path, number: int) -> dict[str, bytes]:
    """Return zips that name programs by the place at which the arena will put them."""
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


def test_nothing_runs_outside_in_the_arena(place: Place, tmp_path: Path) -> None:
    data = tmp_path / "club"
    served = Served("--data", str(data), "--game", "snake", "--sandbox", "full")
    try:
        client = ArenaClient(served.page())
        client.register("Eve")
        for number in range(1, 7):
            zipped = list(_uploads(place, data, number).values())[number - 1]
            status, said = client.upload(zipped, "Evil.zip")
            assert status == 202, said
            client.until_settled(said["upload"])
        seen = client.ask("GET", "/api/me")[1].decode()
        assert SECRET not in seen
    finally:
        served.stop()


def test_a_bot_that_is_honest_plays_at_the_same_entrances(place: Place) -> None:
    """So the attacks above are refused for what they do, and not because nothing plays."""
    bot = make_bot(place.theirs, "Ann", {"Ann.py": PLAYING_BOT})
    result = run_battle(bot, "Wanderer", game="snake", turns=5, sandbox="full")
    assert not any(row.never_answered for row in result.results)
