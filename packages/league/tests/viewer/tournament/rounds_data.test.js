import assert from "node:assert/strict";
import { test } from "node:test";

import { roundName, swissResults } from "../../../src/turnwright_league/viewer/tournament/rounds_data.js";

const DATA = {
  rounds: [
    { number: 1, groups: [[[0, 1], [60, 40], 2], [[2, 3], [50, 50], 2]], idle: [4], bye: 4 },
    { number: 2, groups: [[[1, 4], [null, null], 0], [[0, 2], [30, 70], 1]], idle: [3, 5], bye: 3 },
  ],
};

const kinds = (entry) => swissResults(DATA, entry).map(({ kind, opponent }) => [kind, opponent]);

test("an entry has won, lost, drawn or waits in each round", () => {
  assert.deepEqual(kinds(0), [["won", 1], ["lost", 2]]);
  assert.deepEqual(kinds(1), [["lost", 0], ["waiting", 4]]);
  assert.deepEqual(kinds(2), [["drawn", 3], ["won", 0]]);
});

test("a bye is distinguished from a round without a point", () => {
  assert.deepEqual(kinds(4), [["bye", null], ["waiting", 1]]);
  assert.deepEqual(kinds(3), [["drawn", 2], ["bye", null]]);
  assert.deepEqual(kinds(5), [["away", null], ["away", null]]);
});

test("a result has both shares, the entry's own first", () => {
  assert.deepEqual(swissResults(DATA, 1)[0].shares, [40, 60]);
  assert.deepEqual(swissResults(DATA, 0)[1], { round: 2, kind: "lost", opponent: 2, shares: [30, 70], battles: 1 });
});

test("rounds of a bracket have their usual names", () => {
  assert.deepEqual([1, 2, 3, 4, 6].map(roundName), ["Final", "Semi-finals", "Quarter-finals", "Round of 16", "Round of 64"]);
});
