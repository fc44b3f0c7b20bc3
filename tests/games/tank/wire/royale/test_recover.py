"""The slow path of intents."""

from __future__ import annotations

import pytest

from turnwright.games.tank.intent import TankIntent, TeamMessage
from turnwright.games.tank.wire.royale.recover import parse, repair_intent
from turnwright.wire.faults import Fault, FaultCode


def _mend(fields: str) -> TankIntent | Fault:
    return repair_intent(parse("{" + fields + "}"), [])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("", TankIntent()),
        ('"turnRate": null, "teamMessages": null', TankIntent()),
        ('"turnRate": NaN', TankIntent()),
        ('"turnRate": " 5"', None),
        ('"turnRate": "5_0"', None),
        ('"turnRate": "٣"', None),
        ('"turnRate": "0x10"', None),
        ('"turnRate": "1e2"', TankIntent(turn_rate=100.0)),
        ('"rescan": "TRUE"', TankIntent(rescan=True)),
        ('"rescan": "false"', TankIntent(rescan=False)),
        ('"rescan": NaN', None),
        ('"bodyColor": 123', TankIntent(body_color="123")),
        ('"bodyColor": []', None),
        ('"turnNumber": 12.0', TankIntent(turn_number=12)),
        ('"turnNumber": NaN', TankIntent()),
        (f'"turnNumber": {"9" * 400}', TankIntent()),
        ('"turnNumber": "12"', None),
        ('"turnNumber": 1.5', None),
    ],
)
def test_a_field_is_read_dropped_or_refused(fields: str, said: TankIntent | None) -> None:
    found = _mend(fields)
    if said is None:
        assert isinstance(found, Fault)
        assert found.code is FaultCode.WRONG_TYPE
        assert found.closes is None
    else:
        assert found == said


@pytest.mark.parametrize(
    ("messages", "read"),
    [
        ("[]", ()),
        ('[{"message": "m", "messageType": "t"}]', (TeamMessage("m", "t"),)),
        ('[{"message": "m", "messageType": "t", "receiverId": null}]', (TeamMessage("m", "t"),)),
        ('[{"message": "m", "messageType": "t", "receiverId": 2.0}]', (TeamMessage("m", "t", 2),)),
        ('[{"message": "\\ud800", "messageType": "t"}]', (TeamMessage("\ufffd", "t"),)),
        ('[{"message": 5, "messageType": "t"}]', None),
        ('[{"message": "m", "messageType": null}]', None),
        ('[{"message": "m", "messageType": "t", "receiverId": "2"}]', None),
        ('[{"message": "m", "messageType": "t", "receiverId": 2.5}]', None),
        ('[{"message": "m", "messageType": "t", "receiverId": NaN}]', None),
        ("[1]", None),
        ("{}", None),
        ('"x"', None),
    ],
)
def test_team_messages_are_read_or_close_the_connection(
    messages: str, read: tuple[TeamMessage, ...] | None
) -> None:
    found = _mend(f'"teamMessages": {messages}')
    if read is None:
        assert isinstance(found, Fault)
        assert (found.code, found.closes) == (FaultCode.TEAM_MESSAGE, 1008)
    else:
        assert found == TankIntent(team_messages=read)
