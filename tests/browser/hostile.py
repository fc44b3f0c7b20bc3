"""A battle of 200 tanks in which every text is an injection, in all the forms in which a page can get it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from tests.browser.injections import DRAWINGS, INJECTIONS
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, Record, TurnRules
from turnwright.kernel.replay import replay
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.game import TankGame
from turnwright_tank.structs import Frame, TankIntent
from turnwright_tank.wire.royale.results import results_for_observers

COUNT = len(INJECTIONS)
DRAWN_AT_ONCE = 16
"""The page shows no more debug graphics at a time: they come in turns."""
_WRAPPED = (f"<svg xmlns='http://www.w3.org/2000/svg'>{text}</svg>" for text in INJECTIONS)
_GRAPHICS = (*INJECTIONS, *_WRAPPED, *DRAWINGS)
TURNS = -(-len(_GRAPHICS) // DRAWN_AT_ONCE)
SETUP = {"game_type": "custom", "arena_width": 5000, "arena_height": 5000, "number_of_rounds": 1}


@dataclass(frozen=True)
class Texts:
    """The texts of one tank, each a different injection."""

    name: str
    version: str
    author: str
    platform: str
    team: str
    out: str
    err: str


def texts_of(seat: int) -> Texts:
    """Return the texts of a seat, 0 to COUNT - 1. Over all seats, each injection is in each field."""
    return Texts(*(INJECTIONS[(seat + 29 * field) % COUNT] for field in range(7)))


def graphics_of(seat: int, turn: int) -> str | None:
    """Return the debug graphics of a tank in a turn (from 1), or None. Some tanks draw in each turn."""
    nth = (turn - 1) * DRAWN_AT_ONCE + seat
    return _GRAPHICS[nth] if seat < DRAWN_AT_ONCE and nth < len(_GRAPHICS) else None


def _seat(seat: int) -> SeatInfo:
    texts = texts_of(seat)
    options = {"session_id": f"s{seat}", "team_name": texts.team, "team_version": texts.version}
    return SeatInfo(
        texts.name, texts.version, seat + 1, options, authors=(texts.author,), platform=texts.platform
    )


@cache
def record() -> Record:
    """Play the battle, and return its record. All tanks send their texts. At the end, all but one leave."""
    seats = tuple(map(_seat, range(COUNT)))
    battle = Battle(TankGame("interpreted"), SETUP, seats, 5, TurnRules(on_disconnect="dead"))
    played = Record(battle.header)
    now_ns = 0
    while battle.outcome is None:
        opened = battle.open_turn()
        now_ns += 1_000_000_000
        for seat in opened.asked:
            battle.collecting.inbox.sent(seat, now_ns)
            if battle.turn > TURNS and seat > 0:
                battle.leave(seat)
            else:
                said = _intent(seat, battle.turn)
                battle.collecting.submit(seat, said, now_ns + 1000)
        battle.end_collecting(now_ns + 50_000_000)
        played.turns.append(battle.close_turn().entry)
    played.footer = Footer("over", battle.turn)
    return played


def _intent(seat: int, turn: int) -> TankIntent:
    texts = texts_of(seat)
    return TankIntent(
        std_out=texts.out,
        std_err=texts.err,
        debug_graphics=graphics_of(seat, turn),
        body_color=texts.out,
        scan_color=texts.err,
    )


def lines() -> list[bytes]:
    """Return the lines of its record."""
    encoder = Encoder(TankGame("interpreted").write_intent)
    played = record()
    assert played.footer is not None
    turns = map(encoder.encode_turn, played.turns)
    return [encoder.encode_header(played.header), *turns, encoder.encode_footer(played.footer)]


def twr() -> bytes:
    """Return the battle as a turnwright record."""
    return gzip.compress(b"".join(lines()))


def frames() -> Iterator[Frame]:
    """Yield the frames that spectators see, with debug graphics."""
    for _, _, battle in replay(record(), TankGame("interpreted")):
        battle.state.debugging = {
            seat
            for seat, texts in enumerate(battle.state.output.texts)
            if texts is not None and texts.graphics is not None
        }
        battle.state.view = None
        yield battle.game.frame(battle.state)


def participants() -> list[dict[str, Any]]:
    """Return the participants, as a server sends them to observers."""
    return [
        {
            "id": seat + 1,
            "sessionId": f"s{seat}",
            "name": texts.name,
            "version": texts.version,
            "authors": [texts.author],
            "description": texts.out,
            "homepage": texts.err,
            "countryCodes": [texts.team],
            "gameTypes": [texts.author],
            "platform": texts.platform,
            "programmingLang": texts.platform,
            "teamId": seat + 1,
            "teamName": texts.team,
            "teamVersion": texts.version,
            "isDroid": False,
        }
        for seat, texts in enumerate(map(texts_of, range(COUNT)))
    ]


def results() -> list[dict[str, Any]]:
    """Return the results, as a server sends them to observers."""
    last = None
    for _, _, battle in replay(record(), TankGame("interpreted")):
        last = battle
    assert last is not None
    return [dict(row) for row in msgspec.to_builtins(results_for_observers(last.state.results))]


def royale(game_type: str) -> bytes:
    """Return the battle as a recording of an official server."""
    setup = {"gameType": game_type, "arenaWidth": 5000, "arenaHeight": 5000, "numberOfRounds": 1}
    told: list[dict[str, Any]] = [
        {"type": "GameStartedEventForObserver", "gameSetup": setup, "participants": participants()}
    ]
    for frame in frames():
        tick = {"type": "TickEventForObserver", **msgspec.to_builtins(frame)}
        for state in tick["botStates"]:
            texts = texts_of(state["id"] - 1)
            state |= {
                "name": texts.name,
                "version": texts.version,
                "bodyColor": texts.out,
                "gunColor": texts.err,
            }
        told.append(tick)
    last = results()
    told.append({"type": "RoundEndedEventForObserver", "roundNumber": 1, "turnNumber": 1, "results": last})
    told.append({"type": "GameEndedEventForObserver", "numberOfRounds": 1, "results": last})
    return gzip.compress("".join(json.dumps(line) + "\n" for line in told).encode())
