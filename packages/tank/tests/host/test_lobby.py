"""The list of bots in the official words."""

from __future__ import annotations

import msgspec

from packages.tank.tests.host.royale_rooms import Room
from turnwright.host.lobby import Lobby
from turnwright_tank.host.handshakes import bot_hello
from turnwright_tank.host.royale import RoyaleProtocol
from turnwright_tank.wire.royale import messages as m


def test_members_of_a_team_at_one_address_may_have_one_name() -> None:
    room = Room(one_bot_a_name=True)

    def join(address: str = "127.0.0.1", **team: int) -> bool:
        said = room.stranger(address).hello("bot", name="Ace", authors=["a"], **team)
        return said.closed is None

    assert join(teamId=1)
    assert join(teamId=1)
    assert not join(teamId=2)
    assert not join(address="127.0.0.2", teamId=1)
    assert not join()


def test_bots_are_listed_with_their_address_and_without_secrets():
    room = Lobby(frozenset(), frozenset())
    client = room.open(1, "127.0.0.1", 5001, 0, bytes(16))
    said = {"secret": "s3cret", "authors": ("me",), "team_id": 4, "is_droid": True}
    room.admit(client, bot_hello(m.BotHandshake(session_id="s", name="n", version="1", **said)))
    data = RoyaleProtocol().bot_list(room.introduced_bots())
    (info,) = msgspec.json.decode(data)["bots"]
    assert (info["host"], info["port"], info["authors"]) == ("127.0.0.1", 5001, ["me"])
    assert (info["teamId"], info["isDroid"], info["countryCodes"]) == (4, True, [])
    assert b"s3cret" not in data
    assert "s3cret" not in repr(client.hello)
