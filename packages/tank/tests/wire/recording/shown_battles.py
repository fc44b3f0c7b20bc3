"""Small battles of tanks and their messages to spectators, for the tests of recordings."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from packages.tank.tests.battles import random_intent
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, Record
from turnwright.net.files.writer import LineFiles
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import announced, turn_messages
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.message_parts import GameSetup, Participant
from turnwright_tank.wire.royale.setup import preset, tank_setup


@dataclass
class Told:
    """A record, and the messages that spectators were sent while it was played."""

    record: Record
    messages: list[bytes] = field(default_factory=list)


def a_setup(game_type: str = "classic", rounds: int = 2) -> GameSetup:
    """Return a preset with few rounds and impatient rules, so that battles end soon."""
    setup = preset(game_type)
    setup.number_of_rounds, setup.max_inactivity_turns = rounds, 20
    setup.arena_width = setup.arena_height = max(400, setup.min_number_of_participants * 60)
    return setup


def some_seats(count: int, *, teams: bool = False, droids: bool = False) -> list[SeatInfo]:
    """Return seats with names that need care."""
    seats = []
    for seat in range(count):
        options = {"session_id": f"s{seat}", "droid": droids and seat % 2 == 1}
        if teams:
            options |= {"team_name": f"Team {seat % 2}", "team_version": "2"}
        seats.append(SeatInfo(f'Ä"\n{seat}', "1.0", seat % 2 + 10 if teams else None, options))
    return seats


def who_plays(seats: list[SeatInfo]) -> tuple[Participant, ...]:
    """Return the participants, as spectators get them."""
    return tuple(
        Participant(
            id=seat + 1,
            session_id=f"s{seat}",
            name=info.name,
            version=info.version,
            authors=("me",),
            country_codes=("dk",),
            game_types=(),
            platform="a platform",
            team_id=info.team,
            team_name=f"Team {seat % 2}" if info.team else None,
            team_version="2" if info.team else None,
            is_droid=bool(info.options["droid"]),
        )
        for seat, info in enumerate(seats)
    )


def play(
    setup: GameSetup, seats: list[SeatInfo], *, seed: int = 1, turns: int = 10_000, ending: str = "aborted"
) -> Told:
    """Play random intents for at most `turns` turns. Return the record and the messages to spectators.

    Args:
        ending: the ending of a battle that is not over then.
    """
    chance = random.Random(seed)
    who = who_plays(seats)
    game = TankGame()
    battle = Battle(game, tank_setup(setup), seats, seed, announced=announced(setup, who, seats))
    told = Told(Record(battle.header))
    told.messages.append(encode(m.GameStartedEventForObserver(setup, who)))
    while battle.outcome is None and battle.turn < turns:
        for seat in battle.open_turn().asked:
            if chance.random() < 0.9:
                intent = random_intent(chance)
                out = f"turn {battle.turn}\n" if chance.random() < 0.1 else None
                battle.collecting.submit(seat, msgspec.structs.replace(intent, std_out=out), 0)
        battle.end_collecting(0)
        told.record.turns.append(battle.close_turn().entry)
        told.messages += map(encode, turn_messages(battle.state))
    if battle.outcome is not None:
        told.record.footer = Footer("over", battle.turn)
    elif ending == "aborted":
        told.record.footer = Footer("aborted", battle.turn)
        told.messages.append(encode(m.GameAbortedEvent()))
    else:
        told.record.truncated = True
    return told


def write_record(told: Told, path: Path) -> Path:
    """Write a record as the server does, and return its path."""
    encoder = Encoder(TankGame().write_intent)
    archive = LineFiles(lambda battle: path)
    archive.open(1, encoder.encode_header(told.record.header))
    for entry in told.record.turns:
        archive.turn(1, encoder.encode_turn(entry))
    if told.record.footer is None:
        archive.abandon()
    else:
        archive.close(1, encoder.encode_footer(told.record.footer))
    return path
