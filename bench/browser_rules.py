"""Turns a second at which a record is played again, in Node and in Chromium: read, simulated, verified, kept.

    python bench/browser_rules.py [--turns N] [--repeat N] [--chromium PROGRAM]

2 tanks in 800×600, 10 in 1500×1500, 100 in 5000×5000; every tank changes all it wants every turn, which is
the worst case. What is measured is what the page does with a file: unpack, check the chain of hashes, play,
compare the digest of each turn, keep the frame. In Chromium a page of this server does the same, without a
window. "at" is the time to make one frame out of what is kept. Figures are medians (lowest … highest) over
the repeats.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from physics import new_intent
from rig import OUT, markdown

from turnwright.games.tank.game import TankGame
from turnwright.games.tank.intent import TankIntent
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer
from turnwright.kernel.rng import Streams
from turnwright.wire.record.v2 import Encoder

ROOT = Path(__file__).resolve().parents[1]
FIELDS = ((2, 800, 600, 6000), (10, 1500, 1500, 3000), (100, 5000, 5000, 600))
SECONDS_MAX = 240

MEASURE = """
import { RecordSource } from "/src/turnwright/games/tank/view/resim/source_record.js";
export async function measure(bytes, repeat) {
  const runs = [];
  for (let k = 0; k <= repeat; k++) {
    const began = performance.now();
    const source = new RecordSource(bytes);
    await source.loaded;
    const tookMs = performance.now() - began;
    if (source.verified !== "ok") throw new Error(source.status.message);
    const before = performance.now();
    for (let at = 0; at < source.length; at += 3) source.at(at);
    const atUs = ((performance.now() - before) * 3000) / source.length;
    if (k > 0) runs.push({ turnsPerS: (source.length * 1000) / tookMs, atUs });
  }
  return runs;
}
"""
NODE = """
import { readFileSync } from "node:fs";
const { measure } = await import("./measure.mjs");
const [record, repeat] = process.argv.slice(2);
console.log(JSON.stringify(await measure(readFileSync(record), Number(repeat))));
"""
PAGE = """<!doctype html><script type="module">
import { measure } from "./measure.mjs";
const query = new URLSearchParams(location.search);
const bytes = new Uint8Array(await (await fetch(query.get("record"))).arrayBuffer());
const runs = await measure(bytes, Number(query.get("repeat"))).catch((error) => String(error));
await fetch("/done", { method: "POST", body: JSON.stringify(runs) });
</script>
"""


def write_record(path: Path, tanks: int, width: int, height: int, turns: int) -> None:
    """Play tanks that change everything every turn, and write the record."""
    setup = {"arena_width": width, "arena_height": height, "max_inactivity_turns": 10**9}
    game = TankGame()
    battle = Battle(game, setup, [SeatInfo(f"Tank {k}") for k in range(tanks)], 1, keep_checks=True)
    encoder = Encoder(game.write_intent)
    lines = [encoder.encode_header(battle.header)]
    chances = [Streams(1).stream("bench", seat) for seat in range(tanks)]
    for turn in range(turns):
        for seat in battle.open_turn().asked:
            battle.sent(seat, 0)
            battle.submit(seat, _wanted(chances[seat], seat, turn), 1)
        battle.cut(10**9)
        closed = battle.close_turn()
        lines.append(encoder.encode_turn(closed.entry))
        if closed.outcome is not None:
            break
    lines.append(encoder.encode_footer(Footer("aborted", battle.turn)))
    path.write_bytes(gzip.compress(b"".join(lines)))


def _wanted(chance: Any, seat: int, turn: int) -> TankIntent:
    base = new_intent(chance, seat, turn)
    return TankIntent(
        target_speed=base.target_speed,
        turn_rate=20.0 * chance.uniform() - 10.0,
        gun_turn_rate=40.0 * chance.uniform() - 20.0,
        radar_turn_rate=45.0 - 20.0 * chance.uniform(),
        firepower=0.1 if turn % 30 == seat % 30 else 0.0,
    )


def in_node(folder: Path, record: str, repeat: int) -> list[dict[str, float]]:
    """Return what Node measured."""
    command = ["node", str(folder / "node.mjs"), str(folder / record), str(repeat)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS_MAX)
    runs: list[dict[str, float]] = json.loads(done.stdout)
    return runs


class _Handler(SimpleHTTPRequestHandler):
    """The repository's files, and a place to post what was measured to."""

    def __init__(self, results: list[Any], done: threading.Event, *args: Any, **kwargs: Any) -> None:
        self.results = results
        self.done = done
        super().__init__(*args, **kwargs)

    def guess_type(self, path: Any) -> str:
        return "text/javascript" if str(path).endswith(("js", "mjs")) else super().guess_type(path)

    def do_POST(self) -> None:
        self.results.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()
        self.done.set()

    def log_message(self, *_: Any) -> None:
        pass


def in_chromium(program: str, folder: Path, record: str, repeat: int) -> list[dict[str, float]]:
    """Return what a page in Chromium measured."""
    results: list[Any] = []
    done = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, results, done, directory=str(ROOT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = folder.relative_to(ROOT).as_posix()
    url = f"http://127.0.0.1:{server.server_port}/{where}/page.html?record={record}&repeat={repeat}"
    with tempfile.TemporaryDirectory() as profile:
        switches = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
        browser = subprocess.Popen(
            [program, *switches, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            if not done.wait(SECONDS_MAX) or not isinstance(results[0], list):
                raise SystemExit(f"chromium measured nothing: {results}")
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    runs: list[dict[str, float]] = results[0]
    return runs


def row_of(where: str, tanks: int, runs: Sequence[dict[str, float]]) -> list[str]:
    """Return a row of the table."""
    rates = sorted(run["turnsPerS"] for run in runs)
    middle = statistics.median(rates)
    rate = f"{middle:,.0f} ({rates[0]:,.0f} … {rates[-1]:,.0f})"
    at_us = statistics.median(run["atUs"] for run in runs)
    return [where, str(tanks), rate, f"{middle / 30:,.0f}×", f"{at_us:.1f}"]


def main() -> None:
    """Run the bench and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=0, help="of each record; 0: 6000, 3000 and 600")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--chromium", default=shutil.which("chromium") or "")
    options = parser.parse_args()
    folder = OUT / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "measure.mjs").write_text(MEASURE.replace('"/src', '"../../../src'), encoding="utf-8")
    (folder / "node.mjs").write_text(NODE, encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    rows = []
    for tanks, width, height, turns in FIELDS:
        record = f"{tanks}.twr"
        write_record(folder / record, tanks, width, height, options.turns or turns)
        rows.append(row_of("Node", tanks, in_node(folder, record, options.repeat)))
        if options.chromium:
            rows.append(
                row_of("Chromium", tanks, in_chromium(options.chromium, folder, record, options.repeat))
            )
    print(markdown(["where", "tanks", "turns/s", "at 30 turns/s", "at, µs"], rows))


if __name__ == "__main__":
    main()
