"""The lobby: session ids, secrets, the list of bots, and the rate of messages."""

from __future__ import annotations

import msgspec

from tests.games.tank.host.royale_rooms import S
from turnwright.games.tank.host.handshakes import bot_hello
from turnwright.games.tank.host.royale import RoyaleProtocol
from turnwright.games.tank.wire.royale import messages as m
from turnwright.host.lobby import (
    Client,
    Lobby,
)
from turnwright.host.protocol import HelloMessage

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
    ("observer", {"b"}, {"c"}, "c", True),
    ("observer", {"b"}, {"c"}, "b", False),
    ("observer", {"b"}, NONE, None, True),
    ("controller", {"b"}, {"c"}, "c", True),
    ("controller", {"b"}, {"c"}, None, False),
    ("bot", {"süß😀"}, NONE, "süß😀", True),
    ("bot", {"süß"}, NONE, "su\u0308ß", False),
    ("bot", {"b"}, NONE, "é" * 300, False),
    ("bot", {"b"}, NONE, "\ud800", False),
]


# ---- who is here ---------------------------------------------------------------------------------------


def test_bots_are_listed_with_their_address_and_without_secrets():
    room = lobby()
    client = room.open(1, "127.0.0.1", 5001, 0, bytes(16))
    said = {"secret": "s3cret", "authors": ("me",), "team_id": 4, "is_droid": True}
    room.admit(client, bot_hello(m.BotHandshake(session_id="s", name="n", version="1", **said)))
    data = RoyaleProtocol().bot_list(room.introduced_bots())
    (info,) = msgspec.json.decode(data)["bots"]
    assert (info["host"], info["port"], info["authors"]) == ("127.0.0.1", 5001, ["me"])
    assert (info["teamId"], info["isDroid"], info["countryCodes"]) == (4, True, [])
    assert b"s3cret" not in data
    assert "s3cret" not in repr(client.hello)


CHOICES = [
    ([("127.0.0.1", 5002), ("127.0.0.1", 5001)], [2, 1]),
    ([("localhost", 5001), ("127.0.0.1", 5001)], [1]),
    ([("localhost", 5003)], [3]),
    ([("::1", 5003), ("127.0.0.1", 5003)], [3]),
    ([("10.0.0.9", 5001), ("127.0.0.1", 9)], []),
    ([("127.0.0.1", 5004)], []),
]


# ---- the rate of messages ------------------------------------------------------------------------------


def a_client():
    return Client(1, "h", 1, S, "x")


def allowed(client, per_s, duration_s, from_ns=S):
    """Return how many messages pass, sent at an even rate."""
    gap = S // per_s
    return sum(client.charge(from_ns + k * gap) for k in range(per_s * duration_s))
