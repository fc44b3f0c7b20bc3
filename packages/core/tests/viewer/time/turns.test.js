import assert from "node:assert/strict";
import { test } from "node:test";
import { findFirst, findRound, findTurn } from "../../../src/turnwright/viewer/time/turns.js";
import { FilmSource, rounds } from "../films.js";

test("rounds and turns are found by halving", () => {
  const source = new FilmSource(rounds(5, 3, 4));
  assert.deepEqual([1, 2, 3].map((round) => findRound(source, round)), [0, 5, 8]);
  assert.equal(findRound(source, 4), null);
  assert.equal(findTurn(source, 2, 3), 7);
  assert.equal(findTurn(source, 2, 4), null);
  assert.equal(findTurn(source, 9, 1), null);
});

test("forgotten turns are not found", () => {
  const source = new FilmSource(rounds(5, 3));
  source.first = 6;
  assert.equal(findRound(source, 1), null);
  assert.equal(findTurn(source, 2, 1), 6, "the first turn held after it");
  assert.equal(findFirst(new FilmSource([]), () => true), 0);
});
