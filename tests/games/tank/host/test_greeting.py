"""Every server of ours introduces itself alike, in a form that official bots take."""

from __future__ import annotations

import msgspec

from turnwright.games.tank.host.handshakes import greeting
from turnwright.games.tank.wire.royale.codec import encode


def test_bots_find_the_variant_and_the_major_version_they_check():
    said = msgspec.json.decode(encode(greeting("s")))
    assert said["sessionId"] == "s"
    assert said["variant"] == "Tank Royale"
    assert said["version"].split(".")[0] == "1"
    assert "classic" in said["gameTypes"]
    assert "gameSetup" not in said


def test_a_server_offers_what_it_is_told_to():
    assert greeting("s", ("1v1",)).game_types == ("1v1",)
