import assert from "node:assert/strict";
import { test } from "node:test";
import { trailOf } from "../../../../src/turnwright_tank/view/draw/tanks/trails.js";
import { botState, rounds } from "../../../../../core/tests/viewer/films.js";

function film() {
  const frames = rounds(10, 10);
  frames.forEach((frame, index) => (frame.botStates = [botState(1, { x: 100 + 8 * index })]));
  return frames;
}

const pose = (frame) => ({ bot: frame.botStates[0], x: frame.botStates[0].x + 4, y: 200 });

test("the trail begins where the tank is drawn and ends with the round or the turns asked for", () => {
  const frames = film();
  const at = (index) => frames[index] ?? null;
  assert.deepEqual(trailOf(at, frames[14], pose(frames[14]), 90).map(({ x }) => x), [216, 212, 204, 196, 188, 180]);
  assert.equal(trailOf(at, frames[9], pose(frames[9]), 3).length, 4);
});

test("a leap ends it", () => {
  const frames = film();
  frames[3].botStates[0].x = 700;
  assert.equal(trailOf((index) => frames[index], frames[6], pose(frames[6]), 90).length, 4);
});
