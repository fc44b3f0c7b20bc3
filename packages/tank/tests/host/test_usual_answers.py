"""A host reads usual answers without decoding, with the same result as for any other answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.tank.tests.host.royale_rooms import MS, TIMEOUT, Room, S
from turnwright.host.protocol import BattleMessages
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame
from turnwright_tank.host.royale import RoyaleBattle, RoyaleProtocol

if not extension.available():
    pytest.skip(extension.why_missing(), allow_module_level=True)

TURNS = 40
KINDS = (*["usual"] * 12, "again", "numbered", "printing", "coloured", "broken", "two", "none")
DELAYS = (1, *[MS] * 12, TIMEOUT - 1, TIMEOUT, TIMEOUT + 1, TIMEOUT + 4 * MS, 3 * TIMEOUT, 320 * MS)


class _Decoding(RoyaleProtocol):
    """The same protocol, which decodes every message."""

    def battle(self, *what: Any) -> RoyaleBattle:
        messages = super().battle(*what)
        messages.read_intent = None
        return messages


def play(script: list[tuple[str, int, float]], on_late: str, protocol: RoyaleProtocol) -> tuple[Any, ...]:
    """Play a battle of three bots that follow the script; return everything that can be seen of it."""
    room = Room(
        new_game=lambda tolerant: TankGame("compiled"),
        record=True,
        record_checks=True,
        turns_max=TURNS,
        on_late=on_late,
        max_skipped=0,
    )
    room.host.room.protocol = protocol
    steps = iter(script * TURNS)

    def answer(bot: Any) -> Any:
        def said(seen: dict[str, Any]) -> dict[str, Any] | None:
            kind, delay_ns, number = next(steps)
            bot.after_ns = delay_ns
            fields: dict[str, Any] = {"turnRate": number, "radarTurnRate": 45, "firepower": 1}
            if kind == "again":
                fields = {"turnRate": 5}
            elif kind == "numbered":
                fields["turnNumber"] = seen["turnNumber"]
            elif kind == "printing":
                fields["stdOut"] = "text"
            elif kind == "coloured":
                fields["bodyColor"] = "#FF0000"
            elif kind == "broken":
                fields["turnRate"] = "fast"
            elif kind == "two":
                bot.post("BotIntent", delay_ns // 2, gunTurnRate=number)
            return None if kind == "none" else fields

        return said

    boss, bots = room.operator(turnwright=1), room.bots(3)
    for bot in bots:
        bot.answer = answer(bot)
    room.start(boss, bots)
    room.run(20 * S)
    record = room.record()
    timings = [
        (one.answers.count, one.answers.total_ns, one.late_by.total_ns) for one in room.host.room.seat_timing
    ]
    heard = [(c.heard, c.stamps_ns, c.closed) for c in room.clients.values()]
    rates = [(c.rate._credit, c.rate.credited_turn) for c in room.host.lobby.clients.values()]
    return record.turns, record.footer, timings, heard, rates, room.log


STEPS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(DELAYS), st.floats(-10, 10)), min_size=20, max_size=90
)


@given(STEPS, st.sampled_from(("drop", "next")))
@settings(max_examples=20)
def test_a_battle_is_the_same_whether_answers_are_read_fast_or_decoded(
    script: list[tuple[str, int, float]], on_late: str
) -> None:
    one, two = (play(script, on_late, protocol) for protocol in (RoyaleProtocol(), _Decoding()))
    assert one == two


def test_usual_answers_are_not_decoded() -> None:
    room, _, one, two = Room.duel(plays=True, new_game=lambda tolerant: TankGame("compiled"))
    decoded: list[bytes] = []
    decode = room.host._decode
    room.host._decode = lambda data, notes: (decoded.append(data), decode(data, notes))[1]  # type: ignore
    one.answer = lambda seen: {"turnRate": 5}
    two.answer = lambda seen: {"turnRate": 5, "bodyColor": "#FF0000"}
    room.run(20 * MS)
    assert decoded
    assert all(b"bodyColor" in data for data in decoded[2:])


def test_a_protocol_without_a_reader_has_no_reader() -> None:
    assert BattleMessages.read_intent is None
