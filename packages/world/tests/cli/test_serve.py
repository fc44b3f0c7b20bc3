"""The demo world as its players meet it: in a separate process, from the first line to kill -9."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import turnwright
from packages.core.tests.messages import missing, naming, says
from packages.world.tests.cli.demo_players import Program, Telnet, demo
from packages.world.tests.net.tintin_client import MISSING, tintin
from turnwright.cli.__main__ import main
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK

process = pytest.mark.process
QUICK = ("--seed", "5", "--turn", "200ms")


def turn_kept(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "world-data" / "world.db")) as database:
        return int(database.execute("SELECT value FROM meta WHERE name = 'turn'").fetchone()[0])


def enter(port: int, name: str) -> Telnet:
    player = Telnet(port)
    player.sees("or guest: ")
    player.type(name)
    return player


def walk(player: Telnet, *steps: tuple[str, str]) -> None:
    for line, sight in steps:
        player.type(line)
        player.sees(sight)


@process
def test_two_meet_talk_trade_and_fight(tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK) as server:
        ann = enter(server.telnet_port, "Ann")
        ann.sees("The square")
        bob = Program(server.url, "Bob")
        body = bob.waits_for("Welcome")["body"]
        view = bob.waits_for("Turn")
        assert (view["place"]["name"], view["me"]["id"]) == ("The square", body)
        assert "Ann" in [other["name"] for other in view["here"]]
        ann.type("say mind the rats")
        assert bob.waits_for("Comm.Channel.Text", talker="Ann")["text"] == "mind the rats"
        bob.send("Command", text="say I will")
        ann.sees("Bob says: I will")
        walk(ann, ("east", "Market street"), ("in", "The lantern shop"), ("buy lamp", "You"))
        walk(ann, ("light lamp", "lamp"), ("out", "Market street"), ("north", "Back alley"), ("d", "Barrels"))
        ann.type("attack rat")
        ann.sees("prepare to attack")
        ann.sees("bite in ")
        ann.type("dodge")
        ann.sees("You have dodged the attack of")
        ann.type("stop")
        ann.sees("you stop with the next turn")
        ann.sees("You stop: ", "You lower your guard", "You had nothing to stop")
        bob.close()
        code, _ = server.end(signal.SIGINT)
        ann.sees("The world is stopping")
        assert code == EXIT_INTERRUPTED


@process
def test_a_lost_line_is_taken_up_again_and_so_is_a_killed_world(tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK) as server:
        ann = enter(server.telnet_port, "Ann")
        walk(ann, ("east", "Market street"), ("north", "Back alley"))
        ann.close()
        ann = enter(server.telnet_port, "Ann")
        ann.sees("Back alley")
        ann.type("search")
        ann.sees("You begin to search")
        ann.type("time")
        ann.sees("Turn ")
        shown = int(re.match(r"\d+", ann.text)[0])  # type: ignore[index]  # a number follows
        assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    assert turn_kept(tmp_path) >= shown - 1
    with demo(tmp_path, *QUICK) as server:
        ann = enter(server.telnet_port, "Ann")
        ann.sees("Back alley")
        code, log = server.end(signal.SIGTERM)
        assert code == EXIT_OK
        assert re.search(r"world-data/world\.db.* turn \d+", log)


@process
def test_a_world_in_memory_is_played_and_leaves_no_file(tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK, "--data", ":memory:") as server:
        before = set(tmp_path.iterdir())
        ann = enter(server.telnet_port, "Ann")
        ann.sees("The square")
        for line in ("keep", "three green apples", "three green apples"):
            ann.type(line)
        ann.sees("Ann is saved")
        code, log = server.end(signal.SIGTERM)
    assert code == EXIT_OK
    assert naming(log, "new world", "not stored")
    assert set(tmp_path.iterdir()) == before == {tmp_path / "content"}


@process
@pytest.mark.peer
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_tintin_walks_and_talks(tmp_path: Path) -> None:
    async def play(port: int) -> None:
        async with tintin(port, tmp_path) as client:
            await client.sees("or guest: ")
            client.type("Tina")
            await client.sees("The square")
            client.type("east")
            await client.sees("Market street")
            client.type("chat hello from here")
            await client.sees("[chat] Tina: hello from here")
            assert "VITALS" in client.seen

    with demo(tmp_path, *QUICK) as server:
        asyncio.run(asyncio.wait_for(play(server.telnet_port), 60))


@process
def test_bad_content_is_reported_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "land.toml").write_text('[settings]\nstart = "x"\nhome = "x"\n[place.x]\nname = 5\n')
    run = turnwright("world", "serve", "--content", str(tmp_path), "--data", str(tmp_path / "w.db")).finish()
    assert run.code == 2
    assert "land.toml:5:" in run.err
    assert not (tmp_path / "w.db").exists()


@process
def test_a_second_server_of_the_same_world_is_refused(tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK) as server:
        assert server.url
        data = str(tmp_path / "world-data" / "world.db")
        run = turnwright("world", "serve", "--port", "0", "--telnet-port", "0", "--data", data).finish()
        assert (run.code, len(run.err.splitlines())) == (2, 1)
        assert not missing(run.err, "another server", "world")


@process
def test_a_taken_port_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        data = str(tmp_path / "w.db")
        run = turnwright("world", "serve", "--port", port, "--telnet-port", "0", "--data", data).finish()
    assert run.code == 2
    assert f"port {port}" in run.err
    assert "is taken" in run.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--turn", "5ms"], "--turn is 5ms: give 20ms to 10000ms"),
        (["--turn", "50ms"], "--turn is 50ms … 100ms … too fast"),
        (["--port", "80"], "port is 80: give"),
        (["--port", "4000"], "both 4000"),
        (["--seed", "-1"], "--seed is -1"),
        (["--content", "nowhere"], "not a folder"),
        (["--data", "mysql://x"], "mysql … name of a file"),
    ],
)
def test_a_bad_option_is_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["world", "serve", "--no-open", *words]) == 2
    said = capsys.readouterr().err
    assert says(said, complaint)
    assert len(said.splitlines()) == 1
