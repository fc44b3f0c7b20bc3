from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import PLAYING_BOT, SILENT_BOT
from packages.core.tests.messages import missing, says
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.participants.early_output import EarlyOutput
from packages.core.tests.net.small_server import (
    BOT_SECRET,
    SNAKES,
    Overs,
    SmallServer,
    quick_setup,
    small_server,
    until,
)
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of
from turnwright.net.participants.start_bots import Gathering, Operator
from turnwright.net.processes.bot_process import BotProcesses

pytestmark = pytest.mark.process

Act = Callable[[Gathering, Operator, Overs], Awaitable[None]]


def gather(bots: list[Path | str], act: Act, told: list[tuple[str, ...]] | None = None) -> None:
    """Start bots at a server, let `act` wait for them, and stop everything."""
    overs: Overs = []
    report = (told if told is not None else []).append

    async def whole() -> None:
        async with small_server(overs) as server, BotProcesses() as processes:
            operator = Operator(server, server.host)
            places = entrants_of(bots, SNAKES, sys.executable)
            gathering = Gathering(places, operator, report)
            for seat, place in enumerate(places):
                if place.entry is None:
                    gathering.take_in(seat, LocalBot(server.connect_local, place, BOT_SECRET, 5))
            await gathering.start(processes, f"ws://127.0.0.1:{server.port}", BOT_SECRET, [5] * 10)
            await act(gathering, operator, overs)

    asyncio.run(whole())


def test_every_awaited_bot_is_named(tmp_path: Path) -> None:
    told: list[tuple[str, ...]] = []

    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        await gathering.connected(120)
        await gathering.ready(quick_setup(2))
        assert operator.started == 2
        await until(lambda: overs)

    gather([make_bot(tmp_path, "Bot", {"Bot.py": PLAYING_BOT}), "Greedy"], act, told)
    assert "Bot" in told[0]
    assert told[-1] == ()


def test_a_bot_that_never_connects_is_named_after_its_time(tmp_path: Path) -> None:
    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        with pytest.raises(SetupError, match=r"Sleeper .*connect.* 0\.3 s(.|\n)*\n  zzz"):
            await gathering.connected(0.3)

    code = "import sys, time; print('zzz', file=sys.stderr, flush=True); time.sleep(60)"
    gather(["Greedy", make_bot(tmp_path, "Sleeper", {"Sleeper.py": code})], act)


def test_a_program_that_ends_is_named_immediately_with_its_exit_code(tmp_path: Path) -> None:
    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        with pytest.raises(ParticipantStartError, match=r"Gone .*exit code 9"):
            await gathering.connected(120)

    gather([make_bot(tmp_path, "Gone", {"Gone.py": "raise SystemExit(9)"}), "Greedy"], act)


def test_a_script_that_only_starts_the_bot_and_ends_is_not_a_failure(tmp_path: Path) -> None:
    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        await gathering.connected(120)

    files = {"Behind.sh": f"{sys.executable} main.py &\nexit 0\n", "main.py": PLAYING_BOT}
    gather([make_bot(tmp_path, "Behind", files), "Greedy"], act)


def test_a_bot_that_is_never_ready_is_found_by_the_reason_of_the_host(tmp_path: Path) -> None:
    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        await gathering.connected(120)
        await gathering.ready(quick_setup(2, ready_timeout_us=200_000))
        await until(lambda: overs)
        error = gathering.never_ready(overs[0].why, 200_000)
        assert says(str(error), "Silent … ready … 0.2 s")
        assert "something else" in str(gathering.never_ready("something else", 1))

    gather([make_bot(tmp_path, "Silent", {"Silent.py": SILENT_BOT}), "Greedy"], act)


def test_a_bot_that_leaves_while_others_get_ready_is_named(tmp_path: Path) -> None:
    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        await gathering.connected(120)
        with pytest.raises(ParticipantStartError, match=r"Leaver .*exit code 4"):
            await gathering.ready(quick_setup(2))

    code = SILENT_BOT.replace("        socket.recv()", "        socket.recv(); os._exit(4)")
    gather([make_bot(tmp_path, "Leaver", {"Leaver.py": code}), "Greedy"], act)


def test_the_last_words_of_ended_programs_are_available(tmp_path: Path) -> None:
    async def act(gathering: Gathering, operator: Operator, overs: Overs) -> None:
        assert says(await gathering.last_words(), "Gone … \n  bye")

    code = "import sys; print('bye', file=sys.stderr)"
    gather([make_bot(tmp_path, "Gone", {"Gone.py": code}), "Greedy"], act)


def scene(act: Callable[[SmallServer, Operator], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with small_server() as server:
            await act(server, Operator(server, server.host))

    asyncio.run(whole())


def join(server: SmallServer, *names: str) -> list[LocalBot]:
    return [LocalBot(server.connect_local, place, BOT_SECRET, 5) for place in entrants_of(names, SNAKES)]


def test_an_operator_sees_bots_come_and_go() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        bots = join(server, "Wanderer", "Greedy")
        await until(lambda: [bot.name for bot in operator.bots] == ["Wanderer", "Greedy"])
        bots[0].leave()
        await until(lambda: [bot.name for bot in operator.bots] == ["Greedy"])

    scene(act)


def test_an_operator_that_starts_a_game_learns_how_many_play() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        join(server, "Wanderer", "Greedy")
        await until(lambda: len(operator.bots) == 2)
        operator.start_battle(quick_setup(2), operator.bots)
        await until(lambda: operator.started == 2)
        await until(lambda: operator.ended)

    scene(act)


def test_a_battle_without_bots_or_during_another_is_refused_with_its_reason() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        with pytest.raises(SetupError, match="address"):
            operator.start_battle(quick_setup(2), [])
        join(server, "Wanderer", "Greedy")
        await until(lambda: len(operator.bots) == 2)
        operator.start_battle(quick_setup(2), operator.bots)
        with pytest.raises(SetupError, match="running"):
            operator.start_battle(quick_setup(2), operator.bots)

    scene(act)


def test_an_operator_learns_why_a_battle_cannot_begin() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        join(server, "Wanderer", "Greedy")
        await until(lambda: len(operator.bots) == 2)
        setup = quick_setup(2)
        setup.settings = {**setup.settings, "width": 3}
        operator.start_battle(setup, operator.bots)
        await until(lambda: operator.ended)
        assert not missing(operator.ended, "width", "5 or more")
        assert operator.started is None

    scene(act)


def test_no_frames_are_encoded_for_an_operator_in_the_process() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        join(server, "Wanderer", "Greedy")
        await until(lambda: len(operator.bots) == 2)
        operator.start_battle(quick_setup(2), operator.bots)
        await until(lambda: operator.started)
        assert server.host.lobby.spectators() == ()

    scene(act)


def test_early_output_of_a_bot_is_passed_on(tmp_path: Path) -> None:
    code = r"import os, time; os.write(1, b'ready\n'); time.sleep(60)"
    bot = make_bot(tmp_path, "Early", {"Early.py": code})
    heard: list[tuple[int, str, bool]] = []

    async def whole() -> None:
        async with small_server([]) as server, EarlyOutput() as processes:
            places = entrants_of([bot], SNAKES, sys.executable)
            gathering = Gathering(places, Operator(server, server.host), lambda names: None)
            gathering.watch_output(lambda *piece: heard.append(piece))
            await gathering.start(processes, f"ws://127.0.0.1:{server.port}", BOT_SECRET, [5])

    asyncio.run(whole())
    assert heard == [(0, "ready\n", False)]
