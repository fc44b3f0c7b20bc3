"""Random battles of all kinds, each with the frames and results that Python computes.

    python -m packages.tank.tests.view.resim.random_battles DIRECTORY FIRST COUNT

writes NAME.twr and NAME.jsonl for COUNT battles. Each line of the latter is a frame as spectators get it,
with the results of the round in its last frame.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, Record, TurnRules
from turnwright.kernel.replay import replay
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.game import TankGame
from turnwright_tank.structs import TankIntent, TeamMessage
from turnwright_tank.wire.royale.message_parts import HistoryStart
from turnwright_tank.wire.royale.results import half_up, results_for_observers
from turnwright_tank.wire.royale.setup import GAME_TYPES, preset

TURNS_MAX = 900
_TEXTS = (None, None, None, "", " \t", "hé \U0001f680 <b>&", 'line\n"two"', "\x1c\x85", "\ufeff", "x" * 300)
_COLORS = (None, None, "#123456", "#aBc", " #FF0000 ", "red", "", "#12345", "\ufeff#fff")


def _setup(random: Random) -> dict[str, Any]:
    game = preset(random.choice(sorted(GAME_TYPES)))
    setup: dict[str, Any] = {
        "game_type": game.game_type,
        "arena_width": game.arena_width,
        "arena_height": game.arena_height,
        "gun_cooling_rate": game.gun_cooling_rate,
        "number_of_rounds": random.randint(1, 5),
        "max_inactivity_turns": random.choice((20, 60, 150, 450)),
    }
    if random.random() < 0.4:
        setup["arena_width"], setup["arena_height"] = random.randint(300, 2500), random.randint(300, 2500)
        setup["gun_cooling_rate"] = random.choice((0, 0.03, 0.1, 0.37, 5, -0.1))
    return setup


def _seats(random: Random, setup: dict[str, Any]) -> tuple[SeatInfo, ...]:
    room = (setup["arena_width"] // 50) * (setup["arena_height"] // 50)
    count = min(room, random.choice((1, 2, 2, 2, 3, 4, 7, 10, 20, 45)))
    teams = random.random() < 0.4
    seats = []
    for seat in range(count):
        options: dict[str, Any] = {"session_id": f"s{seat}"}
        if random.random() < 0.2:
            options["droid"] = True
        if random.random() < 0.2:
            options["initial_position"] = {
                "x": random.choice((None, 100, -50.5, 1e9)),
                "y": random.choice((None, 18, 200.25)),
                "direction": random.choice((None, 90, -45, 720.5, 360, 0)),
            }
        team = random.choice((None, 1, 2, 7)) if teams else None
        if team is not None:
            options |= {"team_name": f"Team {team}", "team_version": "2.0"}
        name = random.choice((f"Tank {seat}", "<script>alert(1)</script>", "Ünïcode \U0001f916", "a\u2028b"))
        seats.append(SeatInfo(name, f"1.{seat}", team, options))
    return tuple(seats)


def _rules(random: Random) -> TurnRules:
    return TurnRules(
        on_skip=random.choice(("repeat", "idle")),
        max_skipped=random.choice((0, 3, 30)),
        max_silence_ns=random.choice((0, 1, 1_000_000)),
        max_rounds_out=random.choice((1, 3)),
        on_disconnect=random.choice(("skip", "dead", "official")),
    )


def _number(random: Random, limit: float) -> Any:
    kind = random.random()
    if kind < 0.1:
        return random.choice((None, 0, -0.0, 1, -7, 1e-7, limit, -limit, 1e300, -1e308))
    return random.uniform(-limit, limit)


def _wild(random: Random, _observation: Any) -> TankIntent:
    return TankIntent(
        turn_rate=_number(random, 14),
        gun_turn_rate=_number(random, 26),
        radar_turn_rate=_number(random, 60),
        target_speed=_number(random, 10),
        firepower=None if random.random() < 0.6 else _number(random, 3.5),
        adjust_gun_for_body_turn=random.choice((None, True, False)),
        adjust_radar_for_body_turn=random.choice((None, True, False)),
        adjust_radar_for_gun_turn=random.choice((None, True, False)),
        rescan=random.choice((None, None, True, False)),
        fire_assist=random.choice((None, True, False)),
        body_color=random.choice(_COLORS),
        bullet_color=random.choice(_COLORS),
        gun_color=random.choice(_COLORS),
        std_out=random.choice(_TEXTS),
        std_err=random.choice(_TEXTS) if random.random() < 0.2 else None,
        debug_graphics=random.choice(_TEXTS) if random.random() < 0.2 else None,
        team_messages=(TeamMessage("hello", "str"),) if random.random() < 0.1 else None,
    )


def _hunter(random: Random, observation: Any) -> TankIntent:
    sees = [e for e in observation.events if type(e).__name__ == "ScannedBotEvent"]
    return TankIntent(
        turn_rate=0.5 if sees else random.choice((10.0, -3.0)),
        gun_turn_rate=0.0 if sees else 5.0,
        radar_turn_rate=-20.0 if sees else 45.0,
        target_speed=8.0,
        firepower=random.choice((0.5, 1.7, 3.0)) if sees else 0.0,
        body_color="#0f0",
    )


def _still(_random: Random, _observation: Any) -> TankIntent:
    return TankIntent(target_speed=8.0, firepower=1.0, gun_turn_rate=3.0, debug_graphics="<svg/>")


def play_random(seed: int) -> tuple[Battle, Record]:
    """Play a random battle to its end or for TURNS_MAX turns. Return it and its record."""
    random = Random(seed)
    setup = _setup(random)
    seats = _seats(random, setup)
    battle_seed = random.choice((seed, 2**63 - 1 - seed, random.getrandbits(63)))
    tolerant = random.random() < 0.1
    game = TankGame("interpreted", on_error="continue" if tolerant else "raise")
    kept = random.random() < 0.5
    rules = _rules(random)
    battle = Battle(game, setup, seats, battle_seed, rules, tolerant=tolerant, keep_checks=kept)
    minds = [random.choice((_wild, _hunter, _hunter, _still)) for _ in seats]
    skips = [random.choice((0.0, 0.0, 0.02, 0.5)) for _ in seats]
    leaves = [random.choice((0, 0, 0, random.randint(1, 300))) for _ in seats]
    record = Record(battle.header)
    now_ns = 0
    while battle.outcome is None and battle.turn < TURNS_MAX:
        opened = battle.open_turn()
        now_ns += 1_000_000_000
        for seat in opened.asked:
            battle.collecting.inbox.sent(seat, now_ns)
            if leaves[seat] and battle.turn >= leaves[seat]:
                battle.leave(seat)
            elif random.random() >= skips[seat]:
                battle.collecting.submit(seat, minds[seat](random, battle.observe(seat)), now_ns + 1000)
            elif random.random() < 0.3:
                battle.collecting.submit(seat, minds[seat](random, battle.observe(seat)), now_ns + 40_000_000)
        if random.random() < 0.02:
            battle.debugged.symmetric_difference_update({random.randrange(battle.seats)})
        battle.end_collecting(now_ns + 50_000_000)
        record.turns.append(battle.close_turn().entry)
    ending = "aborted" if battle.outcome is None else "over"
    record.footer = Footer(ending, battle.turn)
    return battle, record


def write_record(record: Record, path: Path) -> None:
    """Write a record into a `.twr` file."""
    encoder = Encoder(TankGame("interpreted").write_intent)
    lines = [encoder.encode_header(record.header), *map(encoder.encode_turn, record.turns)]
    if record.footer is not None:
        lines.append(encoder.encode_footer(record.footer))
    path.write_bytes(gzip.compress(b"".join(lines)))


def write_starts(record: Record, path: Path, every: int) -> None:
    """Write the data with which a page can start after a turn, for every `every`th turn."""
    encoder = Encoder(TankGame("interpreted").write_intent)
    encoder.encode_header(record.header)
    starts = []
    for entry, (_, _, battle) in zip(record.turns, replay(record, TankGame("interpreted")), strict=False):
        encoder.encode_turn(entry)
        if entry.turn % every == 0 and entry.turn < len(record.turns):
            keyframe = msgspec.Raw(battle.save())
            starts.append(msgspec.json.encode(HistoryStart(entry.turn, keyframe, *encoder.referred_to())))
    path.write_bytes(b"\n".join(starts))


def frames_of(record: Record) -> Iterator[bytes]:
    """Yield the frames of a record as JSON, with debug graphics, standings, and results of ended rounds."""
    for _, _, battle in replay(record, TankGame("interpreted")):
        state = battle.state
        state.debugging = {
            seat
            for seat, texts in enumerate(state.output.texts)
            if texts is not None and texts.graphics is not None
        }
        state.view = None
        frame = msgspec.to_builtins(battle.game.frame(state))
        for tank in frame["botStates"]:
            del tank["sessionId"]
        if state.round_over:
            frame["roundResults"] = msgspec.to_builtins(results_for_observers(state.results))
        frame["standings"] = _standings(battle)
        yield msgspec.json.encode(frame)


def _standings(battle: Battle) -> dict[str, Any]:
    """Return the standings by bot id, as the page has them."""
    results = battle.state.results_so_far
    sides = {(row.is_team, row.id): row for row in results.rows}
    standings = {}
    for info, row, faults in zip(
        battle.state.lineup.seats, results.seats, battle.referee.skips.seats, strict=True
    ):
        side = sides[(False, row.id) if info.team is None else (True, info.team)]
        standings[str(row.id)] = {
            "points": half_up(row.total),
            "teamPoints": None if info.team is None else half_up(side.total),
            "place": side.rank,
            "missed": faults.skipped,
        }
    return standings


def write_expected(record: Record, path: Path) -> None:
    """Write a record and its expected frames: NAME.twr and NAME.jsonl."""
    write_record(record, path.with_suffix(".twr"))
    path.with_suffix(".jsonl").write_bytes(b"\n".join(frames_of(record)) + b"\n")


def write_random(folder: Path, first: int, count: int) -> None:
    """Write random battles into a folder."""
    for seed in range(first, first + count):
        _, record = play_random(seed)
        write_expected(record, folder / f"random-{seed}")


if __name__ == "__main__":
    write_random(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
