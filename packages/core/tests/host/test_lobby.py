"""The lobby: session ids, secrets, and the list of bots."""

from __future__ import annotations

import hmac

import pytest

from packages.core.tests.messages import says
from turnwright.errors import SetupError
from turnwright.host.lobby import Lobby, session_id
from turnwright.host.protocol import HelloMessage, RemoteAddress

NONE: frozenset[str] = frozenset()


def lobby(bots=NONE, controllers=NONE):
    return Lobby(frozenset(bots), frozenset(controllers))


def hello(client, role="bot", **fields):
    return HelloMessage(role, **{"session_id": client.session_id, "name": "n", "version": "1", **fields})


def join(room, conn, role="bot", host="127.0.0.1", port=None, listener="", **fields):
    client = room.open(conn, host, port or 5000 + conn, 0, bytes([conn]) * 16, listener)
    room.admit(client, hello(client, role, **fields))
    return client


# ---- session ids ---------------------------------------------------------------------------------------


def test_a_session_id_is_16_bytes_of_entropy_in_22_characters():
    client = lobby().open(1, "h", 1, 0, bytes(range(16)))
    assert client.session_id == "AAECAwQFBgcICQoLDA0ODw"


def test_session_ids_have_no_padding_and_differ():
    assert session_id(bytes(16)) == "A" * 22
    assert session_id(bytes(15) + b"\x01") != session_id(bytes(16))


def test_a_session_id_counts_on_its_own_connection_only():
    room = lobby()
    one, two = (room.open(c, "h", c, 0, bytes([c]) * 16) for c in (1, 2))
    assert room.refusal(one, hello(one), 0) is None
    assert room.refusal(one, hello(two), 0) == "Missing session id"
    assert room.refusal(one, hello(one, session_id=""), 0) == "Missing session id"


# ---- secrets -------------------------------------------------------------------------------------------

SECRETS = [
    # role, secrets of bots, of controllers, given, accepted
    ("bot", {"b"}, {"c"}, "b", True),
    ("bot", {"b"}, {"c"}, "c", False),
    ("bot", {"b"}, {"c"}, None, False),
    ("bot", {"b"}, {"c"}, "", False),
    ("bot", {"b"}, {"c"}, "B", False),
    ("bot", {"b"}, {"c"}, "b ", False),
    ("bot", {"a", "b", "d"}, NONE, "b", True),
    ("bot", NONE, {"c"}, None, True),
    ("bot", NONE, {"c"}, "anything", True),
    ("spectator", {"b"}, {"c"}, "c", True),
    ("spectator", {"b"}, {"c"}, "b", False),
    ("spectator", {"b"}, NONE, None, True),
    ("operator", {"b"}, {"c"}, "c", True),
    ("operator", {"b"}, {"c"}, None, False),
    ("bot", {"süß😀"}, NONE, "süß😀", True),
    ("bot", {"süß"}, NONE, "su\u0308ß", False),
    ("bot", {"b"}, NONE, "é" * 300, False),
    ("bot", {"b"}, NONE, "\ud800", False),
]


@pytest.mark.parametrize(("role", "bots", "controllers", "given", "accepted"), SECRETS)
def test_a_secret_must_be_valid_for_its_role(role, bots, controllers, given, accepted):
    room = lobby(bots, controllers)
    client = room.open(1, "h", 1, 0, bytes(16))
    refusal = room.refusal(client, hello(client, role, secret=given), 0)
    assert refusal == (None if accepted else "Invalid secret")


@pytest.mark.parametrize("given", ["a", "b", "c", "wrong"])
def test_every_secret_is_compared_in_constant_time_whichever_matches(monkeypatch, given):
    compared = []
    true_compare = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: compared.append(b) or true_compare(a, b))
    room = lobby({"a", "b", "c"})
    client = room.open(1, "h", 1, 0, bytes(16))
    room.refusal(client, hello(client, secret=given), 0)
    assert compared == [b"a", b"b", b"c"]


def test_a_secret_is_forgotten_once_its_owner_is_in():
    client = join(lobby({"b"}), 1, secret="b")
    assert client.hello.secret is None


# ---- who is here ---------------------------------------------------------------------------------------


def test_spectators_are_listed_by_role_in_order_of_arrival():
    room = lobby()
    for conn, role in enumerate(("spectator", "operator", "bot", "spectator"), 1):
        join(room, conn, role)
    assert room.spectators() == (1, 2, 4)
    assert room.spectators("spectator") == (1, 4)
    assert room.spectators("operator") == (2,)
    room.close(1)
    assert room.spectators() == (2, 4)
    join(room, 5, "operator")
    assert room.spectators("operator") == (2, 5)


CHOICES = [
    ([("127.0.0.1", 5002), ("127.0.0.1", 5001)], [2, 1]),
    ([("localhost", 5001), ("127.0.0.1", 5001)], [1]),
    ([("localhost", 5003)], [3]),
    ([("::1", 5003), ("127.0.0.1", 5003)], [3]),
    ([("10.0.0.9", 5001), ("127.0.0.1", 9)], []),
    ([("127.0.0.1", 5004)], []),
]


@pytest.mark.parametrize(("addresses", "chosen"), CHOICES)
def test_bots_are_chosen_by_address_in_the_order_asked_for(addresses, chosen):
    room = lobby()
    join(room, 1), join(room, 2), join(room, 3, host="::1"), join(room, 4, "spectator")
    wanted = tuple(RemoteAddress(host, port) for host, port in addresses)
    assert [c.conn for c in room.choose(wanted)] == chosen


@pytest.mark.parametrize(
    ("host", "chosen"),
    [
        ("127.0.0.1", [1]),
        ("127.0.0.1%b", [2]),
        ("localhost", [1]),
        ("localhost%b", [2]),
        ("localhost%c", [3]),
        ("127.0.0.1%d", []),
        ("b", []),
    ],
)
def test_bots_of_two_listeners_at_one_address_are_two(host, chosen):
    room = lobby()
    join(room, 1, port=5000), join(room, 2, port=5000, listener="b")
    join(room, 3, host="::1", port=5000, listener="c")
    listed = [address for _, address in room.introduced_bots()]
    assert listed == [("127.0.0.1", 5000), ("127.0.0.1%b", 5000), ("::1%c", 5000)]
    assert [c.conn for c in room.choose([RemoteAddress(host, 5000)])] == chosen
    assert [c.conn for c in room.choose(listed)] == [1, 2, 3]
    assert [c.name for c in room.bots()][1] == "bot n 1 (127.0.0.1%b:5000)"


def test_an_address_that_two_bots_have_is_refused_in_one_line_until_one_of_them_has_left():
    room = lobby()
    join(room, 1, host="10.0.0.9", port=5000), join(room, 2, host="10.0.0.9", port=5000), join(room, 3)
    wanted = [RemoteAddress("127.0.0.1", 5003), RemoteAddress("10.0.0.9", 5000)]
    assert [c.conn for c in room.choose(wanted[:1])] == [3]
    with pytest.raises(SetupError) as caught:
        room.choose(wanted)
    assert says(str(caught.value), "2 … 10.0.0.9:5000")
    room.close(1)
    assert [c.conn for c in room.choose(wanted)] == [3, 2]


def test_silent_connections_are_known_until_they_speak_or_leave():
    room = lobby()
    room.open(1, "h", 1, 10, bytes(16)), room.open(2, "h", 2, 20, bytes(16))
    join(room, 3)
    assert room.silent == {1: 10, 2: 20}
    room.close(1)
    room.admit(room.clients[2], hello(room.clients[2]))
    assert room.silent == {}


def test_a_closed_connection_is_forgotten_once():
    room = lobby()
    client = join(room, 1)
    assert room.close(1) is client
    assert room.close(1) is None
    assert room.clients == {}


def test_spectators_are_distinguished_by_role_and_format():
    room = lobby()
    join(room, 1, "spectator", takes="pieces")
    join(room, 2, "spectator")
    join(room, 3, "operator", takes="pieces")
    join(room, 4, "operator", takes="frames")
    join(room, 5, "bot")
    assert (room.readers(), room.spectators()) == ((1, 3), (1, 2, 3, 4))
    assert room.spectators(None, ("paced frames",)) == (2,)
    assert room.spectators(None, ("frames", "paced frames")) == (2, 4)
    assert room.spectators("operator", ("frames", "paced frames")) == (4,)
    room.close(3)
    assert room.readers() == (1,)
