"""What is said first, and what is agreed to."""

from __future__ import annotations

import pytest

from tests.games.world.wire.telnet.peer import Peer, do, said, will
from turnwright.games.world.wire.telnet import options
from turnwright.games.world.wire.telnet.options import OPTIONS
from turnwright.games.world.wire.telnet.parser import Command, Option


def test_the_opening_asks_for_the_terminal_and_offers_what_a_world_has() -> None:
    assert Peer().feed(options.opening(options.start())).negotiated() == [
        ("DO", Option.TTYPE),
        ("DO", Option.NAWS),
        ("WILL", Option.CHARSET),
        ("WILL", Option.EOR),
        ("WILL", Option.GMCP),
        ("WILL", Option.MSSP),
        ("WILL", Option.MCCP2),
    ]


@pytest.mark.parametrize("row", OPTIONS, ids=lambda row: row.option.name)
def test_a_request_out_of_the_blue_is_answered_as_the_table_says(row: options.OptionRow) -> None:
    negotiation = options.start()
    agreed = row.ours in ("first", "agreed")
    assert negotiation.receive(Command.DO, row.option) == said(
        Command.WILL if agreed else Command.WONT, row.option
    )
    agreed = row.theirs in ("first", "agreed")
    expected = do(row.option) if agreed else said(Command.DONT, row.option)
    assert negotiation.receive(Command.WILL, row.option) == expected


def test_what_players_send_is_never_compressed() -> None:
    """MCCP3 from TinTin++ broke another server: the marker and the stream came in one packet."""
    negotiation = options.start()
    assert negotiation.receive(Command.WILL, Option.MCCP3) == said(Command.DONT, Option.MCCP3)
    assert will(Option.MCCP3) not in options.opening(negotiation)


def test_every_option_with_a_name_has_one_row() -> None:
    assert sorted(row.option for row in OPTIONS) == sorted(Option)
