"""Variables for directories of games."""

from __future__ import annotations

from turnwright_world.wire.telnet import mssp
from turnwright_world.wire.telnet.parser import Option, Sub, TelnetParser

FACTS = {"name": "Hülltal", "PLAYERS": 7, "UPTIME": 1_700_000_000, "PORT": [4000, "4001"], "HOSTNAME": ""}


def test_facts_come_back_as_they_were_written() -> None:
    (token,) = TelnetParser().feed(mssp.write(FACTS))
    assert isinstance(token, Sub)
    assert token.option == Option.MSSP
    assert mssp.read(token.data) == {
        "NAME": ["Hülltal"],
        "PLAYERS": ["7"],
        "UPTIME": ["1700000000"],
        "PORT": ["4000", "4001"],
        "HOSTNAME": [""],
    }


def test_a_value_cannot_forge_another_variable() -> None:
    (token,) = TelnetParser().feed(mssp.write({"NAME": "a\1EVIL\2yes\xff\udcff"}))
    assert isinstance(token, Sub)
    assert mssp.read(token.data) == {"NAME": ["aEVILyesÿ?"]}
