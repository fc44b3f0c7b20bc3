"""CPU milliseconds that one picture of the arena takes in Debian's Chromium, headless, without a GPU.

    python bench/viewer.py [--tanks 10 100] [--runs N] [--pictures N]

Needs Linux, Chromium (`apt-get install chromium`) and Playwright (`pip install playwright`; its own
browsers are not needed). Films of house bots are played first; then each picture of a battle, at 60 a
second and 30 turns a second, is drawn with everything on: names, energy, tracks, bullets, radar sweeps,
explosions, one selected.

`draw`: our JavaScript up to the last call of the canvas. `with pixels`: the browser also paints at once (a
pixel of each canvas is read back), which it otherwise does aside, on a GPU where there is one. The figures
are CPU time of all threads of the page's process, taken from the kernel, a few pictures at a time, the call
from outside included; so a busy machine changes them little. p50, p95: of these groups; printed is the
median (min … max) over the runs.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/games/tank/view"))

SIZES = ((1280, 720, 1), (1280, 720, 2), (1920, 1080, 1), (1920, 1080, 2), (3840, 2160, 1))
FILMS = {
    2: ["Ace", "Dodger"],
    10: ["Ace", "Tracker", "Spinner", "Crawler", "Dodger", "Rammer", "Duck", "--count=10"],
    100: ["Tracker", "Spinner", "Crawler", "Rammer", "--count=100", "--width=5000", "--height=5000"],
}
FRAMES = 400
TARGET_MS = 8.0
TARGET_4K_MS = 16.0
"""One picture at 60 a second on a screen of 3840 × 2160."""
WARM_UP = 60
GROUP = 5

SET_UP = """() => {
  const { player, arena: { stage } } = app;
  player.pause();
  player.select(player.source.battle.seats[0].id);
  stage.setLook({ scans: "all", trails: "selected", names: true, losses: true });
}"""
DRAW = """({ from, count, paint }) => {
  const { player, arena: { stage } } = app;
  const last = player.source.length - 2;
  for (let picture = from; picture < from + count; picture++) {
    player.moveTo(40 + ((picture * 0.5) % (last - 40)));
    stage.touch();
    stage.draw(picture * 16.7);
    if (paint) Object.values(stage.layers).forEach((layer) => layer.getImageData(0, 0, 1, 1));
  }
}"""


def film(folder: Path, tanks: int) -> None:
    """Play a battle and keep what a spectator saw in TANKS.json."""
    command = [
        sys.executable,
        ROOT / "tests/games/tank/view/demo_frames.py",
        *FILMS[tanks],
        f"--frames={FRAMES}",
    ]
    with (folder / f"{tanks}.json").open("wb") as out:
        subprocess.run(command, stdout=out, check=True)


def open_page(browser: Any, url: str, size: tuple[int, int, int]) -> Any:
    """Return a page that shows a film."""
    width, height, ratio = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=ratio, color_scheme="dark"
    )
    page = context.new_page()
    page.goto(url)
    for _ in range(100):
        if page.evaluate("Boolean(globalThis.app && app.player.frame)"):
            return page
        page.wait_for_timeout(100)
    raise SystemExit(f"{url} shows nothing")


def cpu_ms(pids: list[int]) -> float:
    """Return the CPU time that all threads of some processes have had, ms."""
    total = 0
    for pid in pids:
        for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                total += int(path.read_text().split()[0])
    return total / 1e6


def measure(browser: Any, page: Any, options: argparse.Namespace, paint: bool) -> dict[str, list[float]]:
    """Return p50 and p95 of each run, CPU ms a picture."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pids = [process["id"] for process in processes if process["type"] == "renderer"]
    found: dict[str, list[float]] = {"p50": [], "p95": []}
    page.evaluate(SET_UP)
    page.evaluate(DRAW, {"from": 0, "count": WARM_UP, "paint": paint})
    for _ in range(options.runs):
        times = []
        for start in range(WARM_UP, WARM_UP + options.pictures, GROUP):
            before = cpu_ms(pids)
            page.evaluate(DRAW, {"from": start, "count": GROUP, "paint": paint})
            times.append((cpu_ms(pids) - before) / GROUP)
        times.sort()
        found["p50"].append(times[len(times) // 2])
        found["p95"].append(times[len(times) * 95 // 100])
    return found


def said(values: list[float]) -> str:
    """Return the median (min … max)."""
    return f"{statistics.median(values):.1f} ({min(values):.1f} … {max(values):.1f})"


def bench(browser: Any, address: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure and print each size; return the rows."""
    rows = []
    print("| tanks | view | draw p50 | draw p95 | with pixels p50 | with pixels p95 |")
    print("|---|---|---|---|---|---|")
    for tanks in options.tanks:
        for size in SIZES:
            page = open_page(browser, f"{address}/?film={tanks}&bare", size)
            drawn, painted = (measure(browser, page, options, paint) for paint in (False, True))
            page.context.close()
            cells = [said(drawn["p50"]), said(drawn["p95"]), said(painted["p50"]), said(painted["p95"])]
            print(f"| {tanks} | {size[0]}×{size[1]} @{size[2]} | {' | '.join(cells)} |", flush=True)
            rows.append({"tanks": tanks, "size": size, "draw": drawn, "with_pixels": painted})
    return rows


def main() -> None:
    """Play the films, serve them, measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tanks", type=int, nargs="+", default=[10, 100], choices=sorted(FILMS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--json", type=Path, help="write the rows here")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from demo import Handler
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise SystemExit("Playwright is missing: pip install playwright") from None
    if chromium is None:
        raise SystemExit("Chromium is missing: apt-get install chromium")
    with tempfile.TemporaryDirectory() as name:
        for tanks in options.tanks:
            film(Path(name), tanks)
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, Path(name)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            rows = bench(browser, f"http://127.0.0.1:{server.server_port}", options)
            browser.close()
        server.shutdown()
    if options.json:
        options.json.write_text(json.dumps(rows), encoding="utf-8")
    for row in rows:
        target = TARGET_4K_MS if row["size"][0] == 3840 else TARGET_MS
        if row["tanks"] == 10 and statistics.median(row["with_pixels"]["p95"]) > target:
            print(f"above the target of {target} ms: {row['size']}")


if __name__ == "__main__":
    main()
