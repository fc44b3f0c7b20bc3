from __future__ import annotations

import os
import socket

import pytest

from turnwright.errors import SetupError
from turnwright.net.http.ports import (
    FDS_MAX,
    PORT_MAX,
    PORT_MIN,
    bind,
    check_exposure,
    check_port,
    inherited,
    listener_names,
)


@pytest.mark.parametrize("port", [0, PORT_MIN, 7654, PORT_MAX])
def test_a_port_of_the_range_or_a_free_one_will_do(port: int) -> None:
    check_port(port)


@pytest.mark.parametrize("port", [-1, 1, PORT_MIN - 1, PORT_MAX + 1])
def test_another_port_is_refused_with_the_range(port: int) -> None:
    with pytest.raises(SetupError, match=f"port is {port}: give {PORT_MIN} to {PORT_MAX}"):
        check_port(port)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1", "[::1]"])
def test_loopback_needs_no_secrets(host: str) -> None:
    check_exposure(host, has_bot_secrets=False, has_controller_secrets=False, insecure=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "*", "192.168.1.5", "arena.example"])
@pytest.mark.parametrize(("bots", "controllers"), [(False, False), (True, False), (False, True)])
def test_a_wider_bind_needs_both_or_to_be_called_insecure(host: str, bots: bool, controllers: bool) -> None:
    with pytest.raises(SetupError) as caught:
        check_exposure(host, has_bot_secrets=bots, has_controller_secrets=controllers, insecure=False)
    assert ("bot" in str(caught.value).split("secrets:")[0]) is not bots
    assert "--insecure" in str(caught.value)
    assert "\n" not in str(caught.value)
    check_exposure(host, has_bot_secrets=True, has_controller_secrets=True, insecure=False)
    check_exposure(host, has_bot_secrets=bots, has_controller_secrets=controllers, insecure=True)


def close(sockets: list[socket.socket]) -> None:
    for bound in sockets:
        bound.close()


@pytest.mark.process
def test_localhost_is_both_loopback_addresses_on_one_free_port() -> None:
    sockets = bind("localhost", 0)
    names = [bound.getsockname() for bound in sockets]
    close(sockets)
    assert names[0][0] == "127.0.0.1"
    assert {name[1] for name in names} == {names[0][1]}
    assert {name[0] for name in names} <= {"127.0.0.1", "::1"}


@pytest.mark.process
def test_a_taken_port_is_refused_with_advice_and_nothing_stays_bound() -> None:
    first = bind("127.0.0.1", 0)
    port = first[0].getsockname()[1]
    with pytest.raises(SetupError, match=f"port {port} on 127.0.0.1 is taken") as caught:
        bind("localhost", port)
    assert "--port" in str(caught.value)
    close(first)
    close(bind("localhost", port))


@pytest.mark.process
@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-name.invalid", "x" * 300])
def test_a_host_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(SetupError, match="--host"):
        bind(host, 0)


@pytest.mark.process
@pytest.mark.process
def test_the_option_that_asked_for_the_port_is_named() -> None:
    (taken,) = bind("127.0.0.1", 0)
    with pytest.raises(SetupError, match="choose another with --telnet-port"):
        bind("127.0.0.1", taken.getsockname()[1], option="--telnet-port")
    taken.close()


def test_a_port_can_be_taken_again_right_after_a_connection_on_it() -> None:
    first = bind("127.0.0.1", 0)
    port = first[0].getsockname()[1]
    with socket.create_connection(("127.0.0.1", port)):
        first[0].setblocking(True)
        served, _ = first[0].accept()
        served.close()
    close(first)
    close(bind("127.0.0.1", port))


@pytest.mark.parametrize(
    ("pid", "count"),
    [
        ("", ""),
        (str(os.getpid()), ""),
        (str(os.getpid()), "0"),
        (str(os.getpid()), "x"),
        (str(os.getpid()), str(FDS_MAX + 1)),
        (str(os.getpid() + 1), "1"),
    ],
    ids=["nobody", "no count", "none", "no number", "too many", "another"],
)
def test_a_socket_that_was_not_handed_to_this_process_is_not_taken(pid: str, count: str) -> None:
    environ = {"LISTEN_PID": pid, "LISTEN_FDS": count, "LISTEN_FDNAMES": "a", "OTHER": "x"}
    with pytest.raises(SetupError, match="systemd socket unit"):
        inherited(environ)
    assert environ == {"OTHER": "x"}


@pytest.mark.parametrize(
    ("given", "count", "names"),
    [
        ("", 1, ("",)),
        ("", 3, ("", "2", "3")),
        ("arena.socket:team-b", 2, ("", "team-b")),
        ("arena.socket:arena.socket", 2, ("", "")),
        ("unknown:unknown", 2, ("", "2")),
        ("a:b b:c%d:" + "e" * 65, 4, ("", "2", "3", "4")),
        ("a:" + "e" * 64, 2, ("", "e" * 64)),
        ("a:1:3:b:c", 4, ("", "2", "3", "b")),
    ],
)
def test_every_listener_after_the_first_has_its_name_or_number(
    given: str, count: int, names: tuple[str, ...]
) -> None:
    assert listener_names(given, count) == names
