"""Measures the wire's codec and the standard library's json on equal messages.

Run: python bench/codec.py [--json]. Prints nanoseconds a message: median, min and max of the repeats.
"""

from __future__ import annotations

import argparse
import json
import statistics
import timeit
from collections.abc import Callable
from typing import Any

import msgspec

from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.observation import (
    BulletState,
    Frame,
    Observation,
    ScannedBotEvent,
    TankFrame,
    TankState,
)
from turnwright.games.tank.wire.royale.codec import decode, decode_server, encode
from turnwright.kernel.record import TurnEntry
from turnwright.wire.record.v2 import Encoder

REPEATS = 15
_UNSET = (
    *("adjustGunForBodyTurn", "adjustRadarForBodyTurn", "adjustRadarForGunTurn", "bulletColor"),
    *("debugGraphics", "fireAssist", "radarColor", "rescan", "scanColor", "stdErr", "tracksColor"),
)


def python_api_intent() -> bytes:
    """Return an intent as the official Python API writes it: indented, sorted, null where unset."""
    fields: dict[str, Any] = dict.fromkeys(_UNSET)
    fields |= {"type": "BotIntent", "turnRate": -4.123456789012345, "gunTurnRate": 10.5, "radarTurnRate": 45}
    fields |= {"targetSpeed": 8, "firepower": 1.5, "teamMessages": [], "bodyColor": "#ff0000"}
    fields |= {
        "gunColor": "#00ff00",
        "turretColor": "#0000ff",
        "stdOut": "Scanned an enemy at 300 units\n" * 4,
    }
    return json.dumps(fields, indent=4, sort_keys=True).encode()


def observation() -> Observation:
    """Return what a tank sees in the middle of a battle: two bullets, three scans."""
    state = TankState(
        is_droid=False,
        energy=87.4,
        x=225.80118383040735,
        y=50.78987498153997,
        direction=250.32822194849575,
        gun_direction=250.32822194849575,
        radar_direction=340.32822194849575,
        radar_sweep=49.0,
        speed=8.0,
        turn_rate=4.0,
        gun_turn_rate=0.0,
        radar_turn_rate=45.0,
        gun_heat=0.9999999999999997,
        enemy_count=9,
        is_debugging_enabled=False,
        body_color="#FF0000",
    )
    bullets = [BulletState(n, 1, 2.0, 202.01385047627645, 30.786990156023876, 230.3282) for n in (1, 2)]
    scans = [ScannedBotEvent(35, 1, n, 99.0, 126.8, 579.1, 192.8, -8.0) for n in (2, 3, 4)]
    return Observation(1, 35, state, bullets, list(scans))


def frame(tanks: int) -> Frame:
    """Return what spectators see of a battle of so many tanks."""
    seen = observation()
    names = TankState.__struct_fields__
    values = {name: getattr(seen.bot_state, name) for name in names}
    states = [TankFrame(n, "J0fEL5kiTYmfre7ibJJzgA", f"Bot {n}", "1.0", **values) for n in range(tanks)]
    return Frame(1, 35, states, seen.bullet_states * tanks, seen.events)


def cases() -> dict[str, tuple[int, Callable[[], object], Callable[[], object]]]:
    """Return, by name: bytes of the message, ours, and json doing the same."""
    pretty = python_api_intent()
    compact = encode(TankIntent(turn_rate=-4.123456789012345, radar_turn_rate=45.0, target_speed=8.0))
    broken = pretty.replace(b"10.5", b"NaN")
    tick, seen = observation(), msgspec.to_builtins(observation())
    crowd, crowd_seen = frame(100), msgspec.to_builtins(frame(100))
    tick_bytes = encode(tick)
    battle = Encoder(msgspec.to_builtins)
    entry = TurnEntry(1, {seat: TankIntent(turn_rate=float(seat)) for seat in range(10)}, digest="0" * 16)
    flat = msgspec.to_builtins(entry)
    return {
        "decode intent, Python API": (len(pretty), lambda: decode(pretty), lambda: json.loads(pretty)),
        "decode intent, compact": (len(compact), lambda: decode(compact), lambda: json.loads(compact)),
        "decode intent with NaN": (len(broken), lambda: decode(broken), lambda: json.loads(broken)),
        "decode nonsense": (9, lambda: decode(b"nonsense!"), lambda: _failing(b"nonsense!")),
        "encode tick for a bot": (len(tick_bytes), lambda: encode(tick), lambda: json.dumps(seen)),
        "encode frame, 100 tanks": (
            len(encode(crowd)),
            lambda: encode(crowd),
            lambda: json.dumps(crowd_seen),
        ),
        "decode tick (client)": (
            len(tick_bytes),
            lambda: decode_server(tick_bytes),
            lambda: json.loads(tick_bytes),
        ),
        "encode record line, 10 seats": (
            len(battle.encode_turn(entry)),
            lambda: battle.encode_turn(entry),
            lambda: json.dumps(flat),
        ),
    }


def _failing(data: bytes) -> None:
    try:
        json.loads(data)
    except ValueError:
        return


def measure(run: Callable[[], object]) -> tuple[float, float, float]:
    """Return median, min and max nanoseconds a call over REPEATS repeats of about 10 ms."""
    once = max(min(timeit.repeat(run, number=10, repeat=3)) / 10, 1e-8)
    number = max(1, int(0.01 / once))
    times = [t / number * 1e9 for t in timeit.repeat(run, number=number, repeat=REPEATS)]
    return statistics.median(times), min(times), max(times)


def main() -> None:
    """Measure every case and print a table, or one JSON object with --json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    rows = {name: (size, measure(ours), measure(theirs)) for name, (size, ours, theirs) in cases().items()}
    if as_json:
        print(json.dumps({n: {"bytes": b, "ours_ns": o, "json_ns": t} for n, (b, o, t) in rows.items()}))
        return
    print(
        f"{'':30}{'bytes':>7}{'ours ns':>10}{'min':>9}{'max':>9}{'json ns':>10}{'min':>9}{'max':>9}{'×':>6}"
    )
    for name, (size, ours, theirs) in rows.items():
        cells = "".join(
            f"{value:>{width},.0f}" for value, width in zip(ours + theirs, (10, 9, 9) * 2, strict=True)
        )
        print(f"{name:30}{size:>7,}{cells}{theirs[0] / ours[0]:>6.1f}")


if __name__ == "__main__":
    main()
