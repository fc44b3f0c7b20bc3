"""TinTin++ from Debian, on a pseudo-terminal, plays over our telnet port."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.net.fixtures import until
from packages.world.tests.net.text_game import game
from packages.world.tests.net.tintin_client import COLUMNS, MISSING, ROWS, tintin
from turnwright_world.wire.messages import Hello
from turnwright_world.wire.telnet.events import Mtts, Terminal

pytestmark = [
    pytest.mark.process,
    pytest.mark.peer,
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
]


def run(main: Coroutine[Any, Any, Any]) -> None:
    asyncio.run(asyncio.wait_for(main, 60))


def test_tintin_sees_the_greeting_and_types_lines_in_utf_8(tmp_path: Path) -> None:
    async def main() -> None:
        async with game() as (app, _, port), tintin(port, tmp_path) as client:
            await client.sees("Welcome, Zoë.")
            client.type("grüß dich ☃")
            await client.sees("You said: grüß dich ☃")
            assert app.lines == ["grüß dich ☃"]

    run(main())


def test_tintin_tells_its_window_and_its_terminal(tmp_path: Path) -> None:
    async def main() -> None:
        async with game() as (app, _, port), tintin(port, tmp_path) as client:
            await until(lambda: app.terminals and app.terminals[-1].mtts is not None)
            assert app.sizes == [(COLUMNS, ROWS)]
            terminal = app.terminals[-1]
            assert terminal == Terminal("TINTIN++", "XTERM-256COLOR", terminal.mtts)
            assert terminal.mtts is not None
            assert Mtts.UTF_8 | Mtts.ANSI in terminal.mtts
            client.resize(120, 30)
            await until(lambda: app.sizes[-1] == (120, 30))

    run(main())


def test_tintin_and_the_game_send_each_other_gmcp(tmp_path: Path) -> None:
    async def main() -> None:
        async with game() as (app, _, port), tintin(port, tmp_path) as client:
            await until(lambda: len(app.messages) == 2)
            assert app.messages[0] == ("Core.Hello", Hello("TinTin++", "2"))
            assert app.messages[1] == ("Core.Supports.Set", ["Char 1"])
            assert not app.open[0].gmcp("Room.Info", {})  # not asked for
            client.type("vitals")
            await client.sees("VITALS {hp}{12}{maxhp}{20}{name}{Zoë}")

    run(main())


def test_tintin_reads_a_compressed_stream_from_its_first_turn_to_its_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with game() as (app, door, port), tintin(port, tmp_path) as client:
            (connection,) = await _connected(door)
            await until(lambda: connection.codec.compressed)
            for turn in range(20):
                app.open[0].write(f"turn {turn} is over\n")
                await client.sees(f"turn {turn} is over")
            client.type("bye")
            await client.sees("Farewell.")
            await client.sees("DIED")

    run(main())


def test_tintin_shows_nothing_of_a_passphrase_neither_the_first_nor_the_second_time(tmp_path: Path) -> None:
    async def main() -> None:
        async with game() as (app, _, port), tintin(port, tmp_path) as client:
            await client.sees("Name? ")
            for passphrase in ("sesame1", "sesame2"):
                client.type("secret")
                await client.sees("Passphrase: ")
                client.type(passphrase)
                await client.sees(f"You said: {passphrase}")
                assert client.seen.count(passphrase) == 1  # in the answer only
                client.type("shown")
                await client.sees("You said: shown")
                client.seen = ""
                client.type("visible")
                await client.sees("You said: visible")
                assert client.seen.count("visible") == 2  # as it was typed, and in the answer
            assert app.lines == [
                "secret",
                "sesame1",
                "shown",
                "visible",
                "secret",
                "sesame2",
                "shown",
                "visible",
            ]

    run(main())


def test_tintin_takes_our_prompts_for_prompts(tmp_path: Path) -> None:
    script = "#event {RECEIVED PROMPT} {#showme PROMPT<%0>}\n"

    async def main() -> None:
        async with game() as (_, _, port), tintin(port, tmp_path, script=script) as client:
            await client.sees("PROMPT<Name? >")
            client.type("look")
            await client.sees("PROMPT<> >")

    run(main())


async def _connected(door: Any) -> list[Any]:
    await until(lambda: door.connections)
    return list(door.connections)
