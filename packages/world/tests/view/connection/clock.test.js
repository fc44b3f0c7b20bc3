import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gameAt, Steady, WorldClock } from "../../../src/turnwright_world/view/connection/clock.js";

const SAMPLES = JSON.parse(readFileSync(new URL("clock_samples.json", import.meta.url), "utf8"));

/** A clock that knows the time: 100 ms each way, the server's clock `ahead` of the client's. */
function known(ahead = 5_000_000, leadUsMax = 0) {
  const clock = new WorldClock(0, leadUsMax);
  clock.change({ g: 0, w: 0, rate: 1_000_000 });
  const ping = clock.ping(0);
  clock.pong({ n: ping.n, c: ping.c, r: ahead + 100_000, s: ahead + 100_000 }, 200_000);
  return clock;
}

for (const [name, steps] of Object.entries(SAMPLES)) {
  test(`over a line that is ${name}, the clock equals Python's clock, number for number`, () => {
    const clock = new WorldClock();
    for (const [number, [what, at, given, wanted]] of steps.entries()) {
      const where = `step ${number}: ${what}`;
      if (what === "segment") {
        clock.change({ g: given[0], w: given[1], rate: given[2] });
      } else if (what === "rings") {
        clock.rings = given;
      } else if (what === "ping") {
        const ping = clock.ping(at);
        assert.deepEqual([ping.n, ping.c, ping.l ?? null, clock.pingDueUs], wanted, where);
      } else if (what === "pong") {
        const [n, c, r, s] = given;
        assert.deepEqual([clock.pong({ n, c, r, s }, at), clock.leadUs], wanted, where);
      } else if (what === "read") {
        const shown = [clock.wallUs(at), clock.gameUs(at), clock.ringUs(at)];
        assert.deepEqual([...shown, clock.remainingUs(9_000_000, 90_000_000, at)], wanted, where);
      } else if (what === "press") {
        assert.equal(clock.press(at), wanted, where);
      } else {
        assert.equal(what, "ack");
        clock.acknowledged(given);
      }
    }
  });
}

test("a threat of one second that came 100 ms ago shows 0.9 s, without a lead", () => {
  const clock = known();
  assert.equal(clock.gameUs(100_000), 5_100_000);
  assert.equal(clock.remainingUs(5_000_000, 1_000_000, 100_000), 900_000);
});

test("with a lead, a ring runs ahead by the way up and a margin", () => {
  const clock = known(5_000_000, 250_000);
  assert.equal(clock.leadUs, 104_000);
  assert.equal(clock.remainingUs(5_000_000, 1_000_000, 100_000), 796_000);
});

test("game time is exact where the product of time and rate is too great for a number", () => {
  const years = 10 * 365 * 86_400 * 1e6;
  assert.equal(gameAt({ g: 7, w: 1, rate: 437_001 }, 1 + years), 7 + (years / 1e6) * 437_001);
  assert.equal(gameAt({ g: 7, w: 10, rate: 0 }, 4), 7);
  assert.equal(gameAt({ g: 100, w: 10, rate: 500_000 }, 7), 98);
});

test("one segment freezes every ring, and one lets them go on", () => {
  const clock = known();
  clock.change({ g: 5_500_000, w: 5_500_000, rate: 0 });
  assert.equal(clock.remainingUs(5_000_000, 1_000_000, 600_000), 500_000);
  assert.equal(clock.remainingUs(5_000_000, 1_000_000, 60_000_000), 500_000);
  clock.change({ g: 5_500_000, w: 65_000_000, rate: 2_000_000 });
  assert.equal(clock.remainingUs(5_000_000, 1_000_000, 60_100_000), 300_000);
});

test("the shown time is corrected without a step while rings run, and immediately otherwise", () => {
  const shown = new Steady();
  shown.aim(0, 1000, 1, true);
  shown.aim(1000, 102_000, 1, false);
  assert.equal(shown.at(1000), 2000);
  assert.equal(shown.at(1_001_000), 1_002_000 + 5000);
  shown.aim(1_001_000, 900_000, 1, false);
  assert.ok(shown.at(1_002_000) > shown.at(1_001_000));
  shown.aim(1_002_000, 900_000, 1, true);
  assert.equal(shown.at(1_002_000), 900_000);
  shown.aim(1_003_000, 2_000_000, 1, false);
  assert.equal(shown.at(1_003_000), 2_000_000);
});

test("an answer to nothing, twice, or that cannot be is of no use", () => {
  const clock = new WorldClock();
  assert.equal(clock.pong({ n: 1, c: 0, r: 5, s: 5 }, 10), false);
  clock.ping(100);
  assert.equal(clock.pong({ n: 1, c: 100, r: 5, s: 500 }, 110), false);
  clock.ping(200);
  assert.equal(clock.pong({ n: 2, c: 200, r: NaN, s: 5 }, 210), false);
  clock.ping(300);
  assert.equal(clock.pong({ n: 3, c: 300, r: 5, s: 5 }, 310), true);
  assert.equal(clock.pong({ n: 3, c: 300, r: 5, s: 5 }, 310), false);
  assert.equal(clock.ready, false);
});

test("the time is unknown between the first segment and the first pong", () => {
  const clock = new WorldClock();
  clock.change({ g: 70_000_000, w: 3_600_000_000, rate: 1_000_000 });
  assert.deepEqual([clock.gameUs(200), clock.ringUs(200)], [0, 0]);
});

test("it asks eight times at joining, then every five seconds, then every ten", () => {
  const clock = new WorldClock();
  const gaps = [];
  let at = 7;
  for (let k = 0; k < 40; k++) {
    clock.ping(at);
    gaps.push(clock.pingDueUs - at);
    at = clock.pingDueUs;
  }
  assert.deepEqual(gaps.slice(0, 8), [...Array(7).fill(150_000), 5_000_000]);
  assert.equal(gaps.filter((gap) => gap === 5_000_000).length, 24);
  assert.equal(gaps[39], 10_000_000);
});
