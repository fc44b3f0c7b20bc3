"""Numbers that both ends must know alike."""

from __future__ import annotations

from turnwright.games.world.wire.telnet.parser import IAC, Command, Option


def test_commands_fill_the_numbers_from_eor_to_dont() -> None:
    assert sorted(Command) == list(range(239, 255))
    assert IAC == 255


def test_options_have_the_numbers_that_the_rfcs_and_clients_use() -> None:
    assert {option.name: option.value for option in Option} == {
        "BINARY": 0, "ECHO": 1, "SGA": 3, "TTYPE": 24, "EOR": 25, "NAWS": 31, "NEW_ENVIRON": 39,
        "CHARSET": 42, "MSDP": 69, "MSSP": 70, "MCCP2": 86, "MCCP3": 87, "MXP": 91, "GMCP": 201,
    }  # fmt: skip
