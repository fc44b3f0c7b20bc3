"""A real world under attack: killed while people trade, its database lost, one account everywhere at once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
import websockets

from packages.core.tests.net.postgres import Postgres
from packages.world.tests.net.demo_server import (
    PHRASE,
    Demo,
    Program,
    body_of,
    holdings,
    kept_world,
    misplaced,
)

pytestmark = [pytest.mark.process, pytest.mark.long]

QUICK = ("--turn", "100ms", "--seed", "7")
NAMES = ("Anna", "Bert", "Carl")
KILLS = 3
TRADES = ("buy bread", "sell bread", "buy lamp", "sell lamp", "drop bread", "take bread")
LOST, BACK = "cannot be saved at the moment", "is saved again"


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "world.db")
        return
    with Postgres() as server:
        yield server.url


async def players(demo: Demo, known: bool) -> list[Program]:
    """Return programs that are in a shop; their characters are kept."""
    programs = [Program(name) for name in NAMES]
    for program in programs:
        await program.come(demo, PHRASE if known else "")
        if not known:
            await program.type("keep", PHRASE, PHRASE)
            await program.hears("is saved")
            await program.type("east", "in")
            await program.until(lambda program=program: program.turn["place"]["id"] == "store")
    return programs


async def trade(programs: Sequence[Program], dice: random.Random, seconds: float) -> None:
    """Let the players buy, sell and give."""
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        giver, taker = dice.sample(programs, 2)
        gifts = (f"give bread to {taker.name}", f"give {dice.randint(1, 4)} to {taker.name}")
        await giver.type(dice.choice((*TRADES, *gifts)))
        await asyncio.sleep(dice.uniform(0.01, 0.06))


def check(where: str, programs: Sequence[Program]) -> int:
    """Check that every item is in one place, and that the last reported turn or the one before is saved."""
    world, kept = kept_world(where)
    assert misplaced(world) == {}
    compared = 0
    for program in programs:
        assert world.turn >= max(program.seen) - 1
        if world.turn in program.seen:
            assert holdings(world, body_of(world, kept, program.name)) == program.seen[world.turn]
            compared += 1
    return compared


def test_a_world_killed_while_people_trade_has_every_coin_and_thing_once(where: str, tmp_path: Path) -> None:
    dice = random.Random(9)

    async def life(known: bool) -> list[Program]:
        with Demo("--data", where, *QUICK) as demo:
            programs = await players(demo, known)
            reading = [asyncio.create_task(program.drain()) for program in programs]
            await trade(programs, dice, dice.uniform(0.2, 1.5))
            demo.kill()
            await asyncio.gather(*reading)
        return programs

    compared = [check(where, asyncio.run(life(known=number > 0))) for number in range(KILLS)]
    assert sum(compared) >= KILLS


def test_a_world_survives_the_loss_of_postgresql_and_saves_nothing_twice(tmp_path: Path) -> None:
    dice = random.Random(5)

    async def lost(database: Postgres, how: str) -> None:
        """Lose the database for a while, in one of its ways."""
        if how == "paused":
            database.pause()
            await asyncio.sleep(2.5)
            database.resume()
        elif how == "a connection killed":
            for pid in database.processes()[1:]:
                with suppress(ProcessLookupError):  # the first one's end takes others along
                    os.kill(pid, signal.SIGKILL)
        else:
            await asyncio.to_thread(database.stop, how)
            await asyncio.sleep(1.5)
            await asyncio.to_thread(database.start)

    async def played(database: Postgres) -> list[Program]:
        with Demo("--data", database.url, *QUICK) as demo:
            programs = await players(demo, known=False)
            reading = [asyncio.create_task(program.drain()) for program in programs]
            for how in ("fast", "immediate", "paused", "a connection killed"):
                for program in programs:
                    program.texts = []
                before = max(programs[0].seen)
                await asyncio.gather(lost(database, how), trade(programs, dice, 5))
                assert max(programs[0].seen) - before >= 10, f"the world stood still ({how})"
                for program in programs:
                    while not any(BACK in text for text in program.texts):
                        await asyncio.sleep(0.1)
                    assert any(LOST in text for text in program.texts), how
            demo.kill()
            await asyncio.gather(*reading)
        return programs

    with Postgres() as database:
        programs = asyncio.run(asyncio.wait_for(played(database), 200))
        assert check(database.url, programs) >= 1


def test_simultaneous_logins_of_one_account_share_one_body(tmp_path: Path) -> None:
    dice = random.Random(3)
    data = str(tmp_path / "world.db")
    lines = ("buy bread", "sell bread", "give 1 to bert", "give bread to bert", "drop bread", "quit", "stop")

    async def terminal(demo: Demo, until: float) -> None:
        while asyncio.get_running_loop().time() < until:
            _, writer = await asyncio.open_connection("127.0.0.1", demo.telnet_port)
            writer.write(f"Anna\r\n{PHRASE}\r\n".encode())
            for _ in range(dice.randint(1, 12)):
                await asyncio.sleep(0.1)
                writer.write(f"{dice.choice(lines)}\r\n".encode())
            if dice.random() < 0.5:
                writer.transport.abort()
            writer.close()

    async def browser(demo: Demo, until: float) -> None:
        while asyncio.get_running_loop().time() < until:
            async with demo.browser() as socket:
                with suppress(websockets.ConnectionClosed):
                    await socket.send(f"Anna\r\n{PHRASE}\r\n".encode())
                    for _ in range(dice.randint(1, 12)):
                        await asyncio.sleep(0.1)
                        await socket.send(f"{dice.choice(lines)}\r\n".encode())

    async def program(demo: Demo, until: float) -> None:
        while asyncio.get_running_loop().time() < until:
            anna = Program("Anna")
            try:
                await anna.come(demo, PHRASE)
                for _ in range(dice.randint(1, 8)):
                    await anna.type(dice.choice(lines))
                    await anna.read()
                await anna.socket.close()
            except (OSError, websockets.ConnectionClosed):
                await asyncio.sleep(0.3)

    async def played() -> list[Program]:
        with Demo("--data", data, *QUICK) as demo:
            first, bert, _ = await players(demo, known=False)
            await first.socket.close()
            watching = asyncio.create_task(bert.drain())
            until = asyncio.get_running_loop().time() + 6
            await asyncio.gather(*(kind(demo, until) for kind in (terminal, terminal, browser, program)))
            await asyncio.sleep(3)
            anna = Program("Anna")
            await anna.come(demo, PHRASE)
            assert [other["name"] for other in anna.turn["here"]].count("Anna") == 0
            reading = asyncio.create_task(anna.drain())
            await asyncio.sleep(0.5)
            _, log = demo.end(signal.SIGKILL)
            await asyncio.gather(watching, reading)
            assert "Traceback" not in log
        return [anna, bert]

    assert check(data, asyncio.run(asyncio.wait_for(played(), 100))) >= 1
    world, _ = kept_world(data)
    assert [body.name for body in world.creatures.values()].count("Anna") == 1
