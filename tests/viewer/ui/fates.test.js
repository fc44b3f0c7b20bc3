import assert from "node:assert/strict";
import { test } from "node:test";
import { fateOf, placeOf, worstFirst } from "../../../src/turnwright/viewer/ui/fates.js";
import { RoundTally } from "../../../src/turnwright/viewer/ui/tally.js";
import { death, frame, hit, nameOf, row, SEATS } from "./making.js";

const WHOLE = [
  [1, 100],
  [2, 100],
];

/** A round in which the second bot dies by a bullet of the first one. */
function killed(number, over = true) {
  const tally = new RoundTally(number, 0);
  tally.add(frame(0, WHOLE, [], { roundNumber: number }));
  const last = [[1, 100], [2, -4]];
  tally.add(frame(1, last, [hit(1, 2, 101, -4), death(2)], { roundNumber: number, roundResults: over ? [] : null }));
  return tally;
}

test("of several rounds that are over it is told how often a bot died, and by whom", () => {
  assert.equal(fateOf([killed(1), killed(2)], 2, nameOf), "killed in 2 of 2 rounds: by Ann in 2");
  assert.equal(fateOf([killed(1), killed(2)], 1, nameOf), "survived all 2 rounds");
});

test("of one round, or while none is over, it is told how that one went", () => {
  assert.equal(fateOf([killed(1)], 2, nameOf), "died in turn 2 by Ann");
  assert.equal(fateOf([killed(1, false)], 1, nameOf), "alive, 100.0 energy");
  assert.equal(fateOf([], 1, nameOf), "not seen yet");
});

test("who had died when the page came is said to be dead, from the turn that is known", () => {
  const tally = new RoundTally(2, 50, [1, 2, 3]);
  tally.add(frame(50, WHOLE, [], { roundNumber: 2, turnNumber: 31 }));
  tally.add(frame(51, WHOLE.slice(0, 1), [], { roundNumber: 2, turnNumber: 32 }));
  assert.equal(fateOf([tally], 3, nameOf), "died before turn 31");
  assert.equal(fateOf([tally], 1, nameOf), "alive, 100.0 energy");
  assert.equal(tally.size, 3);
  const whole = new RoundTally(1, 0, [1, 2, 3]);
  whole.add(frame(0, WHOLE));
  assert.equal(fateOf([whole], 3, nameOf), "not seen yet", "it has never begun");
});

test("place and points are told when the battle is over", () => {
  const rows = [row(2, "Bob", 1513, { rank: 1 }), row(1, "Ann", 7, { rank: 2 })];
  assert.equal(placeOf(rows, 1, false), "2nd, 7 points");
  assert.equal(placeOf(rows, 2, false), "1st, 1,513 points");
  assert.equal(placeOf(rows, 1, true), "", "a team of that number is another one");
  assert.equal(placeOf(null, 1, false), "");
});

test("the worst stands first: by the results, before them by what is so far", () => {
  const so = SEATS.map((seat) => ({ seat }));
  const ids = (rows) => worstFirst(rows, so).map(({ seat }) => seat.id);
  assert.deepEqual(ids(null), [3, 2, 1]);
  const results = [row(2, "Bob", 9, { rank: 1 }), row(3, "Cid", 8, { rank: 2 }), row(1, "Ann", 7, { rank: 3 })];
  assert.deepEqual(ids(results), [1, 3, 2]);
});
