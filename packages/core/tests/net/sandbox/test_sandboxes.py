"""Sandboxed bots at a real server play, and get only their own data."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import PLAYING_BOT, turnwright
from packages.core.tests.messages import missing, says
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.small_server import PROTOCOL, SNAKES
from packages.core.tests.waiting import wait_until
from turnwright import run_battle
from turnwright.app.results import BattleResult
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.net.files.reader import read_record
from turnwright.net.participants.start_for_operator import Booter
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.sandbox.bubblewrap import PORT
from turnwright.net.sandbox.cgroups import find_groups
from turnwright.net.sandbox.sandboxes import SandboxedBot, Sandboxes

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("sandboxed")]

MARK = b"TURNWRIGHT_PROCESS="
HELLO = """
import json, os, sys, urllib.request
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

me = {"name": os.environ["BOT_NAME"], "version": os.environ["BOT_VERSION"], "protocol": 1}

def say(role, session, **more):
    secret = os.environ["SERVER_SECRET"]
    return json.dumps({"type": "hello", "role": role, "session": session, "secret": secret, **me, **more})

def tried(what, *words):
    with connect(os.environ["SERVER_URL"]) as other:
        own = json.loads(other.recv())["session"]
        role, session, more = words
        other.send(say(role, session or own, **more))
        try:
            answer = other.recv(timeout=1)
        except TimeoutError:
            answer = "nothing"
        except ConnectionClosed as closed:
            answer = f"closed with {closed.rcvd.code}"
    print(what, "got", answer, file=sys.stderr, flush=True)
"""
STAY = """
with connect(os.environ["SERVER_URL"]) as socket:
    session = json.loads(socket.recv())["session"]
    socket.send(say("bot", session))
    attack(session)
    for message in socket:
        if json.loads(message)["type"] == "ready":
            socket.send(json.dumps({"type": "ready"}))
"""
THIEF = """
def attack(session):
    tried("its session again", "bot", session, {})
    tried("an operator", "operator", None, {})
    tried("a spectator", "spectator", None, {})
    try:
        urllib.request.urlopen(os.environ["SERVER_URL"].replace("ws:", "http:"))
    except OSError as error:
        print("a page got", error, file=sys.stderr, flush=True)
    tried("another bot's name", "bot", None, {"name": "Ann", "version": "1.0"})
"""
TELLER = """
def attack(session):
    print(sorted(os.environ), file=sys.stderr, flush=True)
"""


def played(*bots: Path | str, **options: object) -> BattleResult:
    settings = {
        "game": "snake",
        "turns": 30,
        "seed": 3,
        "python": sys.executable,
        "sandbox": "full",
        **options,
    }
    return run_battle(*bots, **settings)


def test_bots_play_in_sandboxes_and_the_result_and_the_record_say_so(tmp_path: Path) -> None:
    record = tmp_path / "b.twr"
    result = played(make_bot(tmp_path, "Ann", {"Ann.py": PLAYING_BOT}), "Wanderer", record=record)
    assert result.sandbox == "full"
    assert result.to_data()["sandbox"] == "full"
    assert {row.name for row in result.results} == {"Ann", "Wanderer"}
    assert not any(row.never_answered for row in result.results)
    assert read_record(record).header.sandbox == "full"


def test_a_battle_without_a_sandbox_does_not_mention_one(tmp_path: Path) -> None:
    result = run_battle("Greedy", "Wanderer", game="snake", turns=30, record=tmp_path / "b.twr")
    assert result.sandbox == "none"
    assert read_record(tmp_path / "b.twr").header.sandbox == ""


def test_a_battle_of_built_in_bots_has_the_requested_level() -> None:
    assert played("Greedy", "Wanderer").sandbox == "full"


@pytest.mark.long
def test_two_sandboxed_bots_play_each_with_a_port_of_the_same_number(tmp_path: Path) -> None:
    bots = [make_bot(tmp_path, name, {f"{name}.py": PLAYING_BOT}) for name in ("Ann", "Bob")]
    result = played(*bots)
    assert {row.name for row in result.results} == {"Ann", "Bob"}
    assert not any(row.never_answered for row in result.results)


@pytest.mark.long
def test_a_thief_gets_no_session_no_role_no_page_and_no_other_seat(tmp_path: Path) -> None:
    thief = make_bot(tmp_path, "Thief", {"Thief.py": HELLO + THIEF + STAY})
    ann = make_bot(tmp_path, "Ann", {"Ann.py": PLAYING_BOT})
    result = played(thief, ann)
    lines = "\n".join(result.last_lines["Thief"])
    for tried in ("session again", "an operator", "a spectator"):
        assert f"{tried} got closed with 1008" in lines
    assert says(lines, "a page got … 404")
    (row,) = [row for row in result.results if row.name == "Ann" and not row.never_answered]
    assert row.rank == 1


@pytest.mark.long
def test_the_environment_of_a_bot_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    result = played(make_bot(tmp_path, "Ann", {"Ann.py": HELLO + TELLER + STAY}), "Wanderer")
    (line,) = result.last_lines["Ann"]
    assert "SERVER_SECRET" in line
    assert "AWS_SECRET_ACCESS_KEY" not in line


@pytest.mark.parametrize(
    ("script", "said"),
    [("echo alas >&2; exit 3\n", "exit code 3"), ("kill -9 $$\n", "exit code 137")],
)
def test_a_bot_that_ends_in_its_sandbox_is_named_as_any_other(tmp_path: Path, script: str, said: str) -> None:
    bot = make_bot(tmp_path, "Bad", {"Bad.sh": script})
    with pytest.raises(ParticipantStartError, match=said):
        played(bot, "Wanderer")


@pytest.mark.long
def test_a_bot_that_takes_too_much_memory_is_ended_and_reported(tmp_path: Path) -> None:
    greedy = "held = []\nwhile True:\n    held.append(b'x' * (32 << 20))\n"
    with pytest.raises(ParticipantStartError, match=r"ended by.*limit of its memory"):
        played(make_bot(tmp_path, "Greedy", {"Greedy.py": greedy}), "Wanderer")


def test_a_program_missing_in_the_sandbox_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ParticipantStartError, match=r"Bot .*No such file .*in its sandbox"):
        in_a_sandbox(["/no/program"], folder(tmp_path), nothing)


def test_a_directory_that_only_root_can_read_is_refused_before_anything_starts(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Bot", {"Bot.sh": "exit 0\n"})
    bot.chmod(0o700)
    as_root = os.getuid() == 0  # another user's bots have that user's id
    with pytest.raises(
        SetupError if as_root else ParticipantStartError, match="chmod" if as_root else "ended"
    ):
        played(bot, "Wanderer")


# ---- sandboxes alone ---------------------------------------------------------------------------------------


def folder(place: Path) -> Path:
    """Return a directory that others may read, too."""
    made = place / "Bot"
    made.mkdir(mode=0o755)
    return made


async def nothing(sandboxed: SandboxedBot, bound: socket.socket) -> None:
    """Do nothing with a sandboxed bot."""


def in_a_sandbox(
    argv: list[str], directory: Path, scene: Callable[[SandboxedBot, socket.socket], Awaitable[None]]
) -> SandboxedBot:
    async def run() -> SandboxedBot:
        there: list[socket.socket] = []

        async def listen(bound: socket.socket, _name: str) -> Callable[[], None]:
            there.append(bound)
            return bound.close

        async with BotProcesses() as processes:
            sandboxes = Sandboxes(listen)
            sandboxed = await sandboxes.start(
                processes, directory.name, argv, directory, sandboxes.environment()
            )
            await scene(sandboxed, there[0])
        assert there[0].fileno() == -1
        return sandboxed

    return asyncio.run(run())


def test_the_socket_of_a_sandbox_listens_where_only_the_bot_is(tmp_path: Path) -> None:
    async def scene(_sandboxed: SandboxedBot, bound: socket.socket) -> None:
        assert bound.getsockname() == ("127.0.0.1", PORT)
        assert bound.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
        bound.setblocking(False)
        line, _ = await asyncio.get_running_loop().sock_accept(bound)
        line.close()

    knock = f"exec 3<>/dev/tcp/127.0.0.1/{PORT}; sleep 60"
    sandboxed = in_a_sandbox(["bash", "-c", knock], folder(tmp_path), scene)
    assert sandboxed.listener == "sandbox1"


SIGNALS = """
import ctypes, fcntl, sqlite3, sys
shared = open("/usr/bin/env", "rb")
libc = ctypes.CDLL(None, use_errno=True)
tried = {
    "flock": lambda: fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "test of a lock": lambda: fcntl.fcntl(shared, fcntl.F_GETLK, bytes(32)),
    "lease": lambda: fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "notice": lambda: fcntl.fcntl(shared, fcntl.F_NOTIFY, 1),
}
for name, call in tried.items():
    try:
        call()
        print(name, "works", file=sys.stderr)
    except OSError:
        pass
if libc.inotify_init1(0) >= 0:
    print("inotify works", file=sys.stderr)
with open("/tmp/own", "wb") as own:
    fcntl.lockf(own, fcntl.LOCK_EX)
with sqlite3.connect("/tmp/own.db") as store:
    store.execute("create table t (x)")
    store.execute("insert into t values (1)")
print("own locks", store.execute("select x from t").fetchall(), file=sys.stderr, flush=True)
"""


def test_a_bot_locks_its_own_files_and_cannot_signal_others_by_shared_ones(tmp_path: Path) -> None:
    async def scene(sandboxed: SandboxedBot, _bound: socket.socket) -> None:
        await sandboxed.process.exited.wait()
        await sandboxed.process.output.settle()
        assert sandboxed.process.output.last_lines() == ["own locks [(1,)]"]

    in_a_sandbox([sys.executable, "-c", SIGNALS], folder(tmp_path), scene)


def test_control_groups_and_user_ids_are_given_back(tmp_path: Path) -> None:
    async def scene(sandboxed: SandboxedBot, _bound: socket.socket) -> None:
        if groups:
            assert all(list(Path(parent).glob(f"turnwright-{sandboxed.process.mark}")) for parent in groups)

    groups = dict(find_groups().parents).values()
    sandboxed = in_a_sandbox(["sleep", "60"], folder(tmp_path), scene)
    left = [path for parent in groups for path in Path(parent).glob(f"turnwright-{sandboxed.process.mark}")]
    assert left == []


def test_bots_that_an_operator_starts_are_sandboxed_and_built_in_bots_are_not(tmp_path: Path) -> None:
    make_bot(tmp_path, "Waiting", {"Waiting.sh": "sleep 60\n"})
    make_bot(tmp_path, "Failing", {"Failing.sh": "echo no luck >&2; exit 3\n"})
    ended: list[str] = []
    told: list[bytes] = []

    async def run() -> None:
        names: list[str] = []

        async def listen(bound: socket.socket, name: str) -> Callable[[], None]:
            names.append(name)
            return lambda: (bound.close(), ended.append(name))[0]

        booter = Booter([tmp_path], PROTOCOL, SNAKES, ["a", "b", "c"])
        booter.open("ws://127.0.0.1:9", Sandboxes(listen))
        try:
            booter.boot(["1/Waiting", "1/Failing", "house/Greedy"], told.append)
            async with asyncio.timeout(60):
                while not (any(b"Failing ended" in one for one in told) and ended == ["sandbox2"]):
                    await asyncio.sleep(0.02)
            assert names == ["sandbox1", "sandbox2"]
            assert "Waiting" in booter.running
        finally:
            await booter.stop()

    asyncio.run(run())
    assert any(b"exit code 3" in one and b"no luck" in one for one in told)
    assert sorted(ended) == ["sandbox1", "sandbox2"]


@pytest.mark.long
def test_a_server_that_is_killed_leaves_neither_processes_nor_control_groups(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Waiting", {"Waiting.sh": f"exec -a {tmp_path.name} sleep 600\n"})

    def there() -> set[str]:
        """Return the marks of the processes of the bot's family."""
        marks = set()
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (process / "cmdline").read_bytes().startswith(tmp_path.name.encode()):
                    environ = (process / "environ").read_bytes().split(b"\0")
                    marks |= {one.partition(b"=")[2].decode() for one in environ if one.startswith(MARK)}
        return marks

    def groups() -> list[Path]:
        parents = dict(find_groups().parents).values()
        return [
            one for parent in parents for mark in marks for one in Path(parent).glob(f"turnwright-{mark}")
        ]

    run = turnwright("battle", "--game", "snake", bot, "Wanderer", "--sandbox", "full")
    wait_until(lambda: bool(there()))
    marks = there()
    assert bool(groups()) is bool(dict(find_groups().parents))
    run.process.kill()
    run.finish()
    wait_until(lambda: not there() and not groups())


@pytest.mark.parametrize("linked", [False, True])
def test_a_program_that_leads_out_of_the_sandbox_is_named_with_its_target(
    tmp_path: Path, *, linked: bool
) -> None:
    bot, tool = folder(tmp_path), tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    if linked:
        (bot / "Bot").symlink_to(tool)
    else:
        (bot / "Bot").write_text(f"#!{tool}\n")
        (bot / "Bot").chmod(0o755)
    with pytest.raises(ParticipantStartError) as caught:
        in_a_sandbox([str(bot / "Bot")], bot, nothing)
    named = str(tool) if linked else "first line"
    assert not missing(str(caught.value), bot / "Bot", named, "sandbox does not show")
