import assert from "node:assert/strict";
import { test } from "node:test";
import { noResultsText } from "../../../src/turnwright_tank/view/panels/results_card.js";

const shared = (phase, next, index) => ({ player: { source: { status: { phase } } }, history: { next }, index });

test("a battle that is still loading does not say that no round is over", () => {
  assert.match(noResultsText(shared("loading", 40, 10)), /^Loading/);
  assert.match(noResultsText(shared("over", 5, 10)), /^Loading/);
  assert.match(noResultsText({ player: { source: null }, history: null, index: -1 }), /^No round is over/);
});

test("a battle in its first round says that no round is over", () => {
  assert.match(noResultsText(shared("running", 11, 10)), /^No round is over/);
});
