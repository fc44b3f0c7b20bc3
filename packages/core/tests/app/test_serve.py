from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from packages.core.tests.app.served import Join, Served, joining, page
from packages.core.tests.cli.playing import PLAYING_BOT, turnwright
from packages.core.tests.messages import says
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.files.nearly_full import room_for
from packages.core.tests.waiting import wait_until
from turnwright.app.options import ServeOptions
from turnwright.app.serve import ServedRecords
from turnwright.errors import SetupError
from turnwright.games.snake.game import SnakeGame
from turnwright.host.summary import BattleSummary
from turnwright.kernel.record import Footer, Header, TurnRules
from turnwright.net.files.new_file import ROOM_BYTES
from turnwright.net.http.listener import OVERFLOW_MAX
from turnwright.net.http.ports import SPARE


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"port": 80}, "port is 80.*1000 to 65535"),
        ({"tps": 1001}, "tps.* 1001"),
        ({"seed": -1}, "seed.* -1"),
        ({"max_skipped": -1}, "--max-skipped.* -1"),
        ({"max_silence_us": -1}, "--max-silence.* -1"),
        ({"turn_timeout_cap_us": 0}, "--turn-timeout.* 0"),
        ({"opening_timeout_us": 0}, "--opening-timeout.* 0"),
        ({"python": "nopython"}, "--python nopython.*path"),
        ({"origins": frozenset({"example.org"})}, "--origin is example.org.*https://"),
        (
            {"origins": frozenset({"https://example.org/"})},
            "--origin is https://example.org/.*https://example",
        ),
        ({"origins": frozenset({"https://Example.org"})}, "--origin is https://Example.org"),
        ({"bots": (Path("/nowhere"),)}, "--bots is /nowhere.*directory"),
        ({"record_required": True}, "--record-required.*directory"),
        (
            {"host_name": "0.0.0.0"},
            "--host 0.0.0.0.*bots.*controllers.*secret",
        ),
        ({"host_name": "0.0.0.0", "bot_secrets": frozenset({"a"})}, "but controllers need no secret"),
        ({"trusted_proxies": ("proxy.example",)}, "--trusted-proxy is proxy.example.*proxy"),
        (
            {"trusted_proxies": ("localhost",)},
            "--trusted-proxy.*need no secret",
        ),
        (
            {"trusted_proxies": ("localhost",), "port": "inherit"},
            "--trusted-proxy.*need no secret",
        ),
    ],
)
def test_an_impossible_server_is_refused_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words) as caught:
        ServeOptions(**given)
    assert "\n" not in str(caught.value)


def test_valid_origins_are_accepted() -> None:
    ServeOptions(
        origins=frozenset({"https://example.org", "http://[::1]:8000", "null", "moz-extension://a-b"})
    )


HEADER = Header("snake", 1, 5, {}, (), TurnRules())


def test_a_server_whose_records_are_required_begins_nothing_without_room(tmp_path: Path) -> None:
    records = ServedRecords(tmp_path, SnakeGame(), required=True)
    assert records.refusal() is None
    with room_for(ROOM_BYTES - 1):
        assert "File too large" in str(records.refusal())
        assert ServedRecords(tmp_path, SnakeGame(), required=False).refusal() is None
        with pytest.raises(SetupError, match=r"File too large.*another place"):
            ServedRecords(tmp_path, SnakeGame(), required=True)
    assert list(tmp_path.iterdir()) == []


def test_a_server_knows_whether_a_record_was_spoilt(tmp_path: Path) -> None:
    records = ServedRecords(tmp_path, SnakeGame(), required=True)
    over = BattleSummary("over", 5, "classic", 1, 0)
    for battle, size in ((1, ROOM_BYTES), (2, 3), (3, ROOM_BYTES)):
        with room_for(size):
            records.recorder.open(battle, HEADER)
            records.recorder.close(battle, Footer("over", 0))
        records.over(battle, over)
        assert records.whole is (battle == 1)
    records.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle-0001.twr", "battle-0003.twr"]


def test_a_paused_start_and_an_insecure_one_on_demand_are_allowed() -> None:
    assert ServeOptions(tps=0).tps == 0
    assert ServeOptions(host_name="0.0.0.0", insecure=True).insecure


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served("--game", "snake", "--records", tmp_path / "records", "--tps=-1") as server:
        yield server


@pytest.fixture
def join() -> Iterator[Join]:
    with joining(lambda _, role: {"type": "hello", "protocol": 1, "name": "n", "role": role}) as join:
        yield join


@pytest.mark.process
def test_clients_of_the_protocol_are_served_and_its_end_is_clean(served: Served, join: Join) -> None:
    client, hello = join(served.url, "spectator")
    assert (hello["protocol"], hello["game"]) == (1, "snake")
    assert json.loads(client.recv())["type"] == "bots"
    run = served.stop()
    assert (run.code, run.out) == (0, "")
    assert "Traceback" not in run.err


@pytest.mark.process
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_stops_it(number: signal.Signals, code: int) -> None:
    assert Served("--game", "snake").stop(number).code == code


@pytest.mark.process
def test_quit_on_stdin_stops_it_and_the_end_of_stdin_does_not() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "turnwright.cli", "serve", "--game", "snake", "-p", "0", "--no-open"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.readline()
    process.stdin.write("something else\n  QuIt \n")
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
    server = Served("--game", "snake")
    with connect(server.url, proxy=None) as client:
        assert json.loads(client.recv())["type"] == "hello"
    assert server.stop().code == 0


@pytest.mark.process
def test_a_taken_port_is_reported_in_one_line_with_exit_code_2() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = turnwright("serve", "--game", "snake", "--port", port).finish()
    assert (run.code, run.out, len(run.lines)) == (2, "", 1)
    assert f"port {port} on 127.0.0.1 is taken" in run.err


@pytest.mark.process
def test_secrets_come_from_the_environment_and_never_show(tmp_path: Path, join: Join) -> None:
    file = tmp_path / "secrets"
    file.write_text("operators-only\n")
    server = Served(
        "--game",
        "snake",
        "--controller-secrets-file",
        file,
        environ={"TURNWRIGHT_BOT_SECRETS": "bots-only, other"},
    )
    refused, _ = join(server.url, "bot", secret="wrong")
    with pytest.raises(Exception, match="Invalid secret"):
        refused.recv()
    observer, _ = join(server.url, "spectator", secret="operators-only")
    bot, _ = join(server.url, "bot", secret="bots-only")
    while not (bots := heard(observer, "bots")["bots"]):
        pass
    assert bots[0]["name"] == "n"
    bot.close()
    run = server.stop()
    assert run.code == 0
    assert "only" not in run.err + run.out


@pytest.mark.process
def test_secrets_on_the_command_line_work_with_a_warning(join: Join) -> None:
    server = Served("--game", "snake", "-b", "a, b")
    refused, _ = join(server.url, "bot")
    with pytest.raises(Exception, match="Invalid secret"):
        refused.recv()
    assert says(server.stop().err, "--bot-secrets … --bot-secrets-file")


@pytest.mark.process
def test_participants_keep_places_where_few_files_may_be_open(
    tmp_path: Path, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = 8
    limited = tmp_path / "python"
    files = SPARE + OVERFLOW_MAX + places
    limited.write_text(f'#!/bin/sh\nulimit -n {files}\nexec "{sys.executable}" "$@"\n')
    limited.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(limited))
    server = Served("--game", "snake", "--lan", "--host", "127.0.0.1", "-b", "word")
    try:
        spectators = [join(server.url, "spectator")[0] for _ in range(places - 2)]
        assert {json.loads(one.recv())["type"] for one in spectators} == {"bots"}
        one_more, _ = join(server.url, "spectator")
        with pytest.raises(ConnectionClosed):
            one_more.recv()
        bot, _ = join(server.url, "bot", secret="word")
        assert heard(spectators[0], "bots")["bots"]
        bot.close()
    finally:
        server.stop()


@pytest.mark.process
def test_the_viewer_and_the_records_are_served_on_the_port_of_the_game(tmp_path: Path) -> None:
    (tmp_path / "old.twr").write_bytes(b"a record")
    server = Served("--game", "snake", "--records", tmp_path)
    try:
        root = server.page.partition("#")[0]
        assert b"<!doctype html>" in page(root)
        assert json.loads(page(root + "records.json"))["records"][0]["name"] == "old.twr"
        assert page(root + "records/old.twr") == b"a record"
    finally:
        server.stop()


@pytest.mark.process
def test_records_are_hidden_if_spectators_need_a_secret(tmp_path: Path) -> None:
    (tmp_path / "old.twr").write_bytes(b"a record")
    server = Served("--game", "snake", "--records", tmp_path, environ={"TURNWRIGHT_CONTROLLER_SECRETS": "s"})
    try:
        root = server.page.partition("#")[0]
        assert json.loads(page(root + "records.json")) == {"records": []}
        with pytest.raises(HTTPError, match="404"):
            page(root + "records/old.twr")
    finally:
        server.stop()


@pytest.mark.process
@pytest.mark.parametrize("secrets", [{}, {"TURNWRIGHT_BOT_SECRETS": "bots-only"}])
def test_an_operator_starts_bots_plays_them_and_they_end_with_the_server(
    secrets: dict[str, str], tmp_path: Path, join: Join
) -> None:
    make_bot(tmp_path, "Own", {"Own.py": PLAYING_BOT})
    words = ("--game", "snake", "--bots", tmp_path, "--tps=-1", "--python", sys.executable)
    server = Served(*words, environ=secrets)
    operator, _ = join(server.url, "operator")
    operator.send('{"type":"directories"}')
    entries = {entry["name"]: entry["id"] for entry in heard(operator, "directories")["entries"]}
    operator.send(json.dumps({"type": "boot", "ids": [entries["Own"], entries["Greedy"]]}))
    while len(listed := heard(operator, "bots")["bots"]) < 2:
        pass
    addresses = [{"host": bot["host"], "port": bot["port"]} for bot in listed]
    operator.send(json.dumps({"type": "start", "bots": addresses, "settings": {"turns": 9}}))
    results = heard(operator, "result")["rows"]
    assert {row["name"] for row in results} == {"Own", "Greedy"}
    run = server.stop()
    assert run.code == 0
    assert says(run.err, "started Own 1.0 … operator")
    assert run.nothing_left()


HANDED = """
import os, sys
given, names, command = sys.argv[1].split(","), sys.argv[2], sys.argv[3:]
copies = [os.dup(int(number)) for number in given]
for place, number in enumerate(copies):
    os.dup2(number, 40 + place)
for place in range(len(copies)):
    os.dup2(40 + place, 3 + place)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(given)), LISTEN_FDNAMES=names)
os.execv(command[0], command)
"""
"""Starts a command as systemd does, with sockets as descriptors 3 and up."""


def handed(*given: socket.socket, names: str = "", words: Sequence[str] = ()) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "turnwright.cli", "serve", "--game", "snake", "-p", "inherit"]
    command += ["--no-open", *words]
    return subprocess.Popen(
        [sys.executable, "-c", HANDED, ",".join(str(one.fileno()) for one in given), names, *command],
        pass_fds=tuple(one.fileno() for one in given),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.process
def test_the_socket_of_a_supervisor_is_served(join: Join) -> None:
    with socket.create_server(("127.0.0.1", 0)) as given:
        process = handed(given)
        url = f"ws://127.0.0.1:{given.getsockname()[1]}"
        assert process.stdout is not None
        assert process.stdout.readline() == f"turnwright serves on {url}\n"
        _, hello = join(url, "spectator")
        assert hello["game"] == "snake"
        process.terminate()
        assert process.communicate(timeout=60)[1].count("Traceback") == 0
    assert process.returncode == 0


@pytest.mark.process
def test_a_public_socket_needs_secrets_and_a_silent_one_is_refused() -> None:
    with socket.create_server(("0.0.0.0", 0)) as wide:
        for words in ((), ("--rooms", "duel,melee")):
            process = handed(wide, words=words)
            assert "secret" in process.communicate(timeout=60)[1]
            assert process.returncode == 2
    with socket.socket() as silent:
        process = handed(silent)
        assert says(process.communicate(timeout=60)[1], "descriptor 3 … TCP socket")
        assert process.returncode == 2


def come_from(port: int, to: int) -> socket.socket:
    """Return a connection from a given port, which another connection may also use."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    client.bind(("127.0.0.1", port))
    client.connect(("127.0.0.1", to))
    return client


@pytest.mark.process
@pytest.mark.parametrize("words", [(), ("--rooms", "only")], ids=["a server", "a room"])
def test_bots_with_one_address_are_distinguished_by_their_listeners(words: tuple[str, ...]) -> None:
    """Network namespaces may give two bots one address; so do two ports of one machine."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        ports = [int(bound.getsockname()[1]) for bound in (one, two)]
        process = handed(one, two, names="arena:team-b", words=("--tps=-1", *words))
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"turnwright serves on ws://127.0.0.1:{ports[0]}\n"
            if words:
                rooms = f"http://127.0.0.1:{ports[0]}/rooms.json"
                wait_until(lambda: b'"starting"' not in page(rooms))
            said = [choose_one_of_two(ports, place) for place in range(2)]
        finally:
            process.terminate()
            log = process.communicate(timeout=60)[1]
    assert said == [["127.0.0.1", "127.0.0.1%team-b"]] * 2
    assert "Traceback" not in log
    assert says(log, f"127.0.0.1:{ports[1]} … ADDRESS%team-b")


def choose_one_of_two(ports: Sequence[int], chosen: int) -> list[str]:
    """Connect two bots from one address to two listeners, start one; return the listed hosts."""
    with ExitStack() as stack:
        first = come_from(0, ports[0])
        port = int(first.getsockname()[1])
        bots = []
        for place, sock in enumerate((first, come_from(port, ports[1]))):
            bot = stack.enter_context(connect(f"ws://127.0.0.1:{ports[place]}", sock=sock, proxy=None))
            greet(bot, "bot", name=f"bot {place}")
            bots.append(bot)
        operator = stack.enter_context(connect(f"ws://127.0.0.1:{ports[0]}", proxy=None))
        greet(operator, "operator")
        while len(listed := heard(operator, "bots")["bots"]) < 2:
            pass
        assert [bot["port"] for bot in listed] == [port, port]
        [wanted] = [bot for bot in listed if bot["name"] == f"bot {chosen}"]
        address = {"host": wanted["host"], "port": wanted["port"]}
        operator.send(json.dumps({"type": "start", "bots": [address]}))
        heard(bots[chosen], "ready")
        bots[chosen].send('{"type":"ready"}')
        assert [row["name"] for row in heard(operator, "ready")["seats"]] == [f"bot {chosen}"]
        operator.send('{"type":"stop"}')
        heard(operator, "result")
        with pytest.raises(TimeoutError):
            bots[1 - chosen].recv(timeout=0)
        return sorted(bot["host"] for bot in listed)


def greet(client: ClientConnection, role: str, **fields: Any) -> None:
    heard(client, "hello")
    client.send(json.dumps({"type": "hello", "protocol": 1, "name": "n", "role": role, **fields}))


def heard(client: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while (message := json.loads(client.recv(timeout=60)))["type"] != kind:
        assert message["type"] != "error", message
    return dict(message)
