from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import says
from packages.core.tests.net.bot_directories import make_bot, make_team
from packages.core.tests.net.fixtures import Stack
from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.net.small_server import BOT_SECRET, PROTOCOL, SNAKES, until
from turnwright.games.snake.bots import BOTS
from turnwright.kernel.game import SeatInfo
from turnwright.net.participants import start_for_operator as booting
from turnwright.net.participants.seating import seat_secret
from turnwright.net.participants.start_for_operator import BOOTED_MAX, Booter

pytestmark = pytest.mark.process
WAITING = "import time\ntime.sleep(60)\n"
FAILING = "import sys\nprint('no luck', file=sys.stderr)\nsys.exit(3)\n"


class Operator:
    """Keeps the answers to an operator."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def __call__(self, data: bytes) -> None:
        self.heard.append(json.loads(data))

    @property
    def errors(self) -> list[str]:
        return [one["message"] for one in self.heard if one["type"] == "error"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_bot(tmp_path, "Waiting", {"Waiting.py": WAITING})
    make_bot(tmp_path, "Failing", {"Failing.py": FAILING})
    make_bot(tmp_path, "Missing", ["Missing.java", "Missing.cs"], {"platform": "none of ours"})
    make_team(tmp_path, "Pair", ["Waiting", "Waiting"])
    return tmp_path


@asynccontextmanager
async def booter(root: Path, room: int = BOOTED_MAX) -> AsyncIterator[Booter]:
    secrets = [seat_secret(BOT_SECRET, number) for number in range(room)]
    one = Booter([root], PROTOCOL, SNAKES, secrets)
    one.open("ws://127.0.0.1:9")
    try:
        yield one
    finally:
        await one.stop()
        assert one.running == []


def seats(*names: str) -> Sequence[SeatInfo]:
    return [SeatInfo(name, "1.0", None, {}) for name in names]


def ignore(_seat: int, _text: str, _is_error: bool) -> None:
    """Ignore what a bot printed."""


def pids(directory: Path) -> list[int]:
    """Return the processes that run in the directory of a bot."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink() == directory:
                found.append(int(process.name))
    return found


def test_an_operator_gets_the_list_of_directories(loop_name: str, root: Path) -> None:
    async def main() -> None:
        async with booter(root) as one:
            operator = Operator()
            one.show(operator)
            await until(lambda: operator.heard)
            (told,) = operator.heard
            assert told["type"] == "directories"
            rows = {row["id"]: row["kind"] for row in told["entries"]}
            assert rows["1/Pair"] == "team"
            assert len(rows) == len(BOTS) + 4

    Stack(loop_name).run(main())


def test_bots_and_teams_are_started_and_end_with_the_server(loop_name: str, root: Path) -> None:
    started: list[int] = []

    async def main() -> None:
        async with booter(root) as one:
            operator = Operator()
            one.boot(["1/Waiting", "1/Pair"], operator)
            await until(lambda: len(one.running) == 3 <= len(pids(root / "Waiting")))
            started.extend(pids(root / "Waiting"))
            assert operator.heard == []

    Stack(loop_name).run(main())
    assert len(started) >= 3
    assert not [pid for pid in started if is_alive(pid)]


def test_a_bot_that_was_not_chosen_ends_when_a_battle_begins(loop_name: str, root: Path) -> None:
    async def main() -> None:
        make_bot(root, "Second", {"Second.py": WAITING})
        async with booter(root) as one:
            operator = Operator()
            one.boot(["1/Waiting", "1/Second", "1/Second"], operator)
            await until(lambda: len(one.running) == 3)
            idle = pids(root / "Second")
            assert len(idle) >= 2
            one.battle_began(seats("Waiting", "somebody else"), ["", ""], ignore)
            assert one.running == ["Waiting"]
            await until(lambda: not any(is_alive(pid) for pid in idle))
            assert operator.heard == []

    Stack(loop_name).run(main())


def test_a_bot_that_ends_by_itself_is_reported_with_its_last_words(loop_name: str, root: Path) -> None:
    async def main() -> None:
        async with booter(root) as one:
            operator = Operator()
            one.boot(["1/Failing"], operator)
            await until(lambda: operator.heard)
            assert says(*operator.errors, "Failing … exit code 3 … no luck")
            assert operator.heard[0]["about"] == "boot"
            assert one.running == []

    Stack(loop_name).run(main())


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (["1/Waiting", "1/Nobody"], "'1/Nobody' … list"),
        (["1/Waiting", "../Waiting"], "'../Waiting'"),
        (["1/Waiting", "Greedy"], "'Greedy'"),
        (["1/Waiting", "1/Missing"], "Missing"),
    ],
)
def test_either_all_chosen_bots_start_or_none(ids: list[str], said: str, loop_name: str, root: Path) -> None:
    async def main() -> None:
        async with booter(root) as one:
            operator = Operator()
            one.boot(ids, operator)
            await until(lambda: operator.heard)
            assert len(operator.errors) == 1
            assert says(operator.errors[0], said)
            assert one.running == []

    Stack(loop_name).run(main())


def test_a_missing_program_also_ends_the_bots_started_before_it(loop_name: str, root: Path) -> None:
    async def main() -> None:
        make_bot(root, "Java", ["Java.java"])
        async with booter(root) as one:
            operator = Operator()
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("PATH", "/nowhere")
                one.boot(["house/Greedy", "1/Java"], operator)
                await until(lambda: operator.heard)
            assert says(operator.errors[0], "Java … 'java'")
            assert one.running == []

    Stack(loop_name).run(main())


def test_a_bot_beyond_the_room_of_the_server_is_refused(loop_name: str, root: Path) -> None:
    async def main() -> None:
        async with booter(root, room=3) as one:
            operator = Operator()
            one.boot(["1/Pair", "1/Waiting"], operator)
            await until(lambda: len(one.running) == 3)
            one.boot(["1/Waiting"], operator)
            await until(lambda: operator.heard)
            assert says(*operator.errors, "1 … room for 0")

    Stack(loop_name).run(main())


def test_a_defect_is_logged_and_the_next_request_is_served(
    loop_name: str, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    async def main() -> None:
        async with booter(root) as one:
            operator = Operator()
            with monkeypatch.context() as patch:
                patch.setattr(booting, "find", fail)
                one.show(operator)
                await until(lambda: "a defect" in caplog.text)
            one.show(operator)
            await until(lambda: operator.heard)

    Stack(loop_name).run(main())


def test_stopping_twice_is_harmless(loop_name: str, root: Path) -> None:
    async def main() -> None:
        async with booter(root) as one:
            await asyncio.gather(one.stop(), one.stop())

    Stack(loop_name).run(main())
