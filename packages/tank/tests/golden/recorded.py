"""Random battles of the tank, written as records: every preset, teams, droids, misses, departures.

Everything about one follows from its number. Used for the corpus in records/, and for battles that are played
and read back at once.
"""

from __future__ import annotations

import random
import zlib
from pathlib import Path
from typing import Any

from turnwright.host.summary import result_data
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, Header, OnLate, TurnEntry, TurnRules
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.game import TankGame
from turnwright_tank.structs import TankIntent, TeamMessage
from turnwright_tank.wire.royale.results import results_for_observers
from turnwright_tank.wire.royale.setup import preset, tank_setup

RECORDS = Path(__file__).with_name("records")
"""A folder for each behaviour version of the tank, v1, v2 …; a file in it is never written again."""
CORPUS: dict[int, OnLate] = dict.fromkeys(range(1000, 1015), "next") | dict.fromkeys(
    range(1030, 1035), "drop"
)
"""The battles that a new behaviour version adds there: the number, and the treatment of late intents."""
GAME_TYPES = ("classic", "1v1", "melee", "twinduel", "custom")
"""The game types by number, in a separate order, so that a number stays the same battle."""
MS = 1_000_000
CORPUS_TURNS = 230


def play(
    number: int, turns: int, speed: Any = "interpreted", on_late: OnLate = "drop"
) -> tuple[Header, list[TurnEntry], Footer | None]:
    """Play a battle for at most `turns` turns, and return its record.

    If the battle is not over by then, the record ends as aborted, or has no footer.
    """
    chance = random.Random(f"recorded {number}")
    battle = _battle(chance, number, TankGame(speed), on_late)
    leaving = {seat: chance.randint(1, 2 * turns) for seat in range(battle.seats)}
    entries = []
    while battle.outcome is None and battle.turn < turns:
        _turn(chance, battle, leaving)
        late_ns = chance.choice((0,) * 30 + (5 * MS,))
        entries.append(battle.close_turn(server_late_ns=late_ns).entry)
    if battle.outcome is None:
        ending = chance.choice(("aborted", None))
        return battle.header, entries, None if ending is None else Footer(ending, battle.turn, [])
    rows = [result_data(row) for row in results_for_observers(battle.state.results)]
    return battle.header, entries, Footer("over", battle.turn, rows)


def _battle(chance: random.Random, number: int, game: TankGame, on_late: OnLate) -> Battle:
    game_type = GAME_TYPES[number % len(GAME_TYPES)]
    setup = preset(game_type)
    setup.number_of_rounds = chance.randint(1, 3)
    setup.max_inactivity_turns = chance.choice((1, 5, 450))
    if chance.random() < 0.5:
        setup.gun_cooling_rate = chance.choice((0.1, 1.0, 3.0))
    if game_type == "custom":
        setup.arena_width, setup.arena_height = chance.randint(200, 1000), chance.randint(200, 1000)
    rules = TurnRules(
        timeout_ns=30 * MS,
        opening_timeout_ns=chance.choice((None, 1000 * MS)),
        on_skip=chance.choice(("repeat", "idle")),
        max_skipped=chance.choice((0, 3, 30)),
        on_disconnect=chance.choice(("skip", "dead", "official")),
        on_late=on_late,
    )
    return Battle(
        game, tank_setup(setup), _seats(chance, game_type), number, rules, keep_checks=True, made_by="tests"
    )


def _seats(chance: random.Random, game_type: str) -> list[SeatInfo]:
    count = {"1v1": 2, "twinduel": 4, "melee": chance.randint(10, 12)}.get(game_type, chance.randint(2, 8))
    teams = game_type == "twinduel" or (count > 3 and chance.random() < 0.4)
    seats = []
    for seat in range(count):
        droid = teams and seat % 2 == 1 and chance.random() < 0.7
        options: dict[str, Any] = {"droid": droid, "session_id": f"s{seat}"}
        if chance.random() < 0.1:
            options["initial_position"] = {"x": chance.uniform(0, 800), "direction": chance.uniform(-90, 450)}
        if teams:
            options |= {"team_name": f"Team {seat // 2}", "team_version": "1"}
        seats.append(SeatInfo(f"Bot {seat}", "1.0", seat // 2 if teams else None, options, ("Ann",), "Test"))
    return seats


def _turn(chance: random.Random, battle: Battle, leaving: dict[int, int]) -> None:
    """Let each seat answer in time, too late, twice or not at all. Seats leave in the turns of `leaving`."""
    for seat, turn in leaving.items():
        if turn == battle.turn:
            battle.leave(seat)
    for seat in battle.open_turn().asked:
        battle.collecting.inbox.sent(seat, 0)
        if seat not in battle.collecting.inbox.missing or (fate := chance.random()) < 0.08:
            continue
        at_ns = chance.randint(1_000, 29 * MS) if fate < 0.92 else chance.randint(31 * MS, 40 * MS)
        battle.collecting.submit(seat, _intent(chance), at_ns)
        if fate > 0.98:
            battle.collecting.submit(seat, _intent(chance), at_ns)
    battle.end_collecting(50 * MS)


def _intent(chance: random.Random) -> TankIntent:
    if chance.random() < 0.4:
        return TankIntent(target_speed=8.0, gun_turn_rate=20.0, radar_turn_rate=45.0, firepower=1.0)
    said: dict[str, Any] = {
        "turn_rate": chance.uniform(-12, 12),
        "gun_turn_rate": chance.choice((0.0, -0.0, 20.0, chance.uniform(-25, 25))),
        "radar_turn_rate": chance.uniform(-50, 50),
        "target_speed": chance.choice((8.0, -8.0, chance.uniform(-9, 9))),
        "firepower": chance.choice((0.0, 0.1, 1.0, 3.0)),
        "rescan": chance.random() < 0.3,
        "body_color": chance.choice(("#102030", "#fff", None)),
        "std_out": chance.choice((None, None, None, "text\n\u2028")),
        "debug_graphics": chance.choice((None, None, None, "<svg/>")),
        "team_messages": (TeamMessage('{"at":[1,2]}', "Where"),) if chance.random() < 0.05 else None,
    }
    return TankIntent(**{name: value for name, value in said.items() if chance.random() < 0.8})


def packed(header: Header, entries: list[TurnEntry], footer: Footer | None) -> bytes:
    """Return the bytes of a record's file."""
    encoder = Encoder(TankGame("interpreted").write_intent)
    lines = [encoder.encode_header(header), *map(encoder.encode_turn, entries)]
    if footer is not None:
        lines.append(encoder.encode_footer(footer))
    gzip = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return gzip.compress(b"".join(lines)) + gzip.flush()


def corpus_file(number: int) -> tuple[str, bytes]:
    """Play a battle of the corpus, and return the name and the bytes of its file."""
    record = play(number, CORPUS_TURNS, on_late=CORPUS[number])
    return f"{record[0].setup['game_type']}-{number}.twr", packed(*record)


def write_corpus() -> list[Path]:
    """Write the records of the corpus that this behaviour version lacks, and return their paths."""
    folder = RECORDS / f"v{TankGame.behaviour_version}"
    folder.mkdir(parents=True, exist_ok=True)
    there = {path.stem.rpartition("-")[2] for path in folder.iterdir()}
    written = []
    for number in CORPUS:
        if str(number) not in there:
            name, data = corpus_file(number)
            written.append(folder / name)
            written[-1].write_bytes(data)
    return written
