import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentFrames } from "../../../src/turnwright/viewer/page/recent_frames.js";
import { frame } from "../films.js";

function counted(frames) {
  const source = {
    first: 0,
    asked: 0,
    at: (index) => {
      source.asked += 1;
      return frames[index] ?? null;
    },
  };
  return source;
}

const FRAMES = Array.from({ length: 100 }, (_, k) => frame(k, k < 50 ? 1 : 2, k + 1));
const indices = (trail) => trail.frames.map((each) => each.index);

test("a trail holds the last turns up to the one shown", () => {
  const trail = new RecentFrames(5);
  trail.moveTo(counted(FRAMES), 20);
  assert.deepEqual(indices(trail), [16, 17, 18, 19, 20]);
});

test("a step forward looks once", () => {
  const [trail, source] = [new RecentFrames(5), counted(FRAMES)];
  trail.moveTo(source, 20);
  source.asked = 0;
  trail.moveTo(source, 21);
  assert.equal(source.asked, 1);
  assert.deepEqual(indices(trail), [17, 18, 19, 20, 21]);
});

test("jumps in both directions look again at most at the bound of frames", () => {
  const [trail, source] = [new RecentFrames(5), counted(FRAMES)];
  for (const index of [80, 30, 31, 90]) {
    trail.moveTo(source, index);
    assert.equal(trail.newest, index);
    assert.equal(trail.frames.length, 5);
  }
  assert.ok(source.asked <= 16);
});

test("another source is looked at from the start", () => {
  const trail = new RecentFrames(5);
  trail.moveTo(counted(FRAMES), 3);
  trail.moveTo(counted(FRAMES.slice(0, 2)), 1);
  assert.deepEqual(indices(trail), [0, 1]);
});

test("a trail of one round forgets the round before", () => {
  const trail = new RecentFrames(10, true);
  trail.moveTo(counted(FRAMES), 51);
  assert.deepEqual(indices(trail), [50, 51]);
});
