"""Messages that the typed decoder refuses: repairs, and faults that say what to do."""

from __future__ import annotations

import pytest

from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.wire.royale import messages as m
from turnwright.games.tank.wire.royale.recover import Expected, recover_message
from turnwright.wire.faults import Fault, FaultCode

EXPECTED = Expected.of(TankIntent | m.ChangeTps | m.ObserverHandshake, m.SkippedTurnEvent | m.TpsChangedEvent)


def _look(data: bytes) -> object:
    return recover_message(data, EXPECTED, [])


def test_a_direction_knows_its_types_by_their_names_on_the_wire() -> None:
    assert set(EXPECTED.types) == {"BotIntent", "ChangeTps", "ObserverHandshake"}
    assert EXPECTED.not_from_here == {"SkippedTurnEvent", "TpsChangedEvent"}


def test_what_can_be_repaired_is() -> None:
    assert _look(b'{"type":"ChangeTps","tps":5.0,"x":NaN}') == m.ChangeTps(5)
    assert _look(b'{"type":"BotIntent","turnRate":1e999,"x":"\\ud800"}') != TankIntent()


@pytest.mark.parametrize(
    ("data", "code", "refers_to"),
    [
        (b'{"type":"TpsChangedEvent","tps":1}', FaultCode.SERVER_ONLY, "TpsChangedEvent"),
        (b'{"type":"StopGame"}', FaultCode.UNKNOWN_TYPE, None),
        (b'{"type":"ChangeTps"}', FaultCode.MISSING_FIELD, "ChangeTps"),
        (b'{"type":"ChangeTps","tps":"5"}', FaultCode.WRONG_TYPE, "ChangeTps"),
        (
            b'{"type":"ObserverHandshake","name":"","version":"1"}',
            FaultCode.OUT_OF_BOUNDS,
            "ObserverHandshake",
        ),
    ],
)
def test_a_fault_names_the_message_it_is_about(data: bytes, code: FaultCode, refers_to: str | None) -> None:
    fault = _look(data)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.refers_to) == (code, refers_to)


def test_only_a_broken_handshake_closes_the_connection() -> None:
    handshake, command = _look(b'{"type":"ObserverHandshake"}'), _look(b'{"type":"ChangeTps"}')
    assert isinstance(handshake, Fault)
    assert isinstance(command, Fault)
    assert (handshake.closes, command.closes) == (1008, None)


def test_a_huge_type_name_is_not_repeated_in_full() -> None:
    fault = _look(b'{"type":"' + b"x" * 100_000 + b'"}')
    assert isinstance(fault, Fault)
    assert len(fault.advice) < 120
