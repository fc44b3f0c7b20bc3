import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveBuffer } from "../../../src/turnwright/viewer/time/live_buffer.js";
import { FilmSource, rounds } from "../films.js";

test("the rate of arrival is measured where the server does not keep its own", () => {
  const source = new FilmSource(rounds(5000), "live", 1);
  source.status.tps = 1000;
  const edge = new LiveBuffer();
  edge.note(source, 0);
  assert.equal(edge.arrivals, 1000);
  for (let picture = 0; picture < 600; picture++) {
    source.grow(2);
    edge.note(source, 1 / 60);
  }
  assert.ok(Math.abs(edge.arrivals - 120) < 1, String(edge.arrivals));
});

test("playback is faster when behind, and never goes back when ahead", () => {
  const source = new FilmSource(rounds(5000), "live", 100);
  const edge = new LiveBuffer();
  edge.note(source, 0);
  const even = edge.move(source, 97, 1 / 60).turns;
  assert.ok(edge.move(source, 90, 1 / 60).turns > even);
  assert.equal(edge.move(source, 120, 1 / 60).turns, 0);
  assert.equal(edge.move(source, 3, 1 / 60).jump, true);
});

test("a pause shows the newest frame itself", () => {
  const source = new FilmSource(rounds(50), "live", 10);
  const edge = new LiveBuffer();
  edge.note(source, 0);
  source.become("paused");
  assert.equal(edge.move(source, 8, 1 / 60).to, 9);
  assert.ok(edge.move(source, 8.9, 1 / 60).turns > 0.2);
});
