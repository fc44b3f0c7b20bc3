"""The objects inside messages: liberal in what is read from a server, exact in what a StartGame must have."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from packages.tank.tests.wire.royale.samples import START_GAME
from turnwright.wire.faults import Fault, FaultCode
from turnwright_tank.settings import DeclaredSetting
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale import message_parts as parts
from turnwright_tank.wire.royale.codec import decode, decode_server

REQUIRED = sorted(set(START_GAME["gameSetup"]) - {"maxNumberOfParticipants"})


def _start(setup: dict[str, Any] | None = None, address: Any = None) -> object:
    message = dict(START_GAME)
    if setup is not None:
        message["gameSetup"] = setup
    if address is not None:
        message["botAddresses"] = [address]
    return decode(json.dumps(message).encode())


@pytest.mark.parametrize("name", REQUIRED)
def test_a_setup_without_a_required_field_is_a_fault_that_names_it(name: str) -> None:
    setup = {key: value for key, value in START_GAME["gameSetup"].items() if key != name}
    fault = _start(setup)
    assert isinstance(fault, Fault)
    assert fault.code is FaultCode.MISSING_FIELD
    assert fault.closes is None
    assert name in fault.advice


@pytest.mark.parametrize(
    ("port", "ok"), [(-1, False), (0, True), (65_535, True), (65_536, False), ("1", False)]
)
def test_an_address_has_a_port(port: object, ok: bool) -> None:
    assert isinstance(_start(address={"host": "127.0.0.1", "port": port}), Fault) is not ok


def test_an_address_has_a_host_of_bounded_length() -> None:
    assert not isinstance(_start(address={"host": "h" * limits.HOST_CHARS_MAX, "port": 1}), Fault)
    assert isinstance(_start(address={"host": "h" * (limits.HOST_CHARS_MAX + 1), "port": 1}), Fault)


def test_a_start_game_names_a_bounded_number_of_bots() -> None:
    address = {"host": "localhost", "port": 1}
    for count, ok in ((limits.BOTS_MAX, True), (limits.BOTS_MAX + 1, False)):
        found = decode(json.dumps({**START_GAME, "botAddresses": [address] * count}).encode())
        assert isinstance(found, Fault) is not ok


def test_a_client_reads_longer_names_than_the_server_takes() -> None:
    bot = {"sessionId": "s", "name": "n" * 99, "version": "v" * 99, "authors": [], "countryCodes": ["DNK"]}
    bot |= {"gameTypes": [], "host": "::1", "port": 9, "platform": None, "secret": None}
    update = decode_server(json.dumps({"type": "BotListUpdate", "bots": [bot]}).encode())
    assert update is not None
    assert not isinstance(update, Fault)


def test_a_description_is_found_again_where_the_page_looks_for_it() -> None:
    meta = parts.says("a text", max_length=3)
    assert (meta.description, meta.max_length) == ("a text", 3)
    assert isinstance(meta, msgspec.Meta)


def test_a_setting_of_ours_may_be_left_out_and_has_a_lock_flag() -> None:
    ours = DeclaredSetting(name="most_mines", kind=int, default=3, says="mines of a tank", is_ours=True)
    part = parts.setup_part("Ours", [ours])
    assert msgspec.json.decode(b"{}", type=part) == part(most_mines=3, is_most_mines_locked=False)
    assert msgspec.json.decode(b'{"mostMines":5}', type=part).most_mines == 5
    theirs = parts.setup_part("Theirs", [DeclaredSetting(name="width", kind=int, default=1, says="u")])
    with pytest.raises(msgspec.ValidationError, match="width"):
        msgspec.json.decode(b"{}", type=theirs)
