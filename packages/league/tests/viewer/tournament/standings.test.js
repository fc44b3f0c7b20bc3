import assert from "node:assert/strict";
import { test } from "node:test";

import { columnsOf, valueOf } from "../../../src/turnwright_league/viewer/tournament/standings.js";

const entry = (battles, low = null) => ({ rank: 3, battles, aps_low: low, aps_high: low === null ? null : low + 9, survival: null, points: null, ratings: {} });
const columns = ["rank", "interval", "alike"].map((name) => ({ name, kind: name, is_optional: name !== "rank" }));
const keys = (entries) => columnsOf({ columns, entries }).map(({ name }) => name);
const rankOf = (one) => valueOf(columns[0], one);

test("columns that would have only dashes are left out", () => {
  assert.ok(!keys([entry(0), entry(1)]).includes("interval"));
  assert.ok(!keys([entry(0), entry(1)]).includes("alike"));
  assert.ok(keys([entry(0), entry(9, 40)]).includes("interval"));
});

test("an entry that has not played has no place", () => {
  assert.equal(rankOf(entry(0)), null);
  assert.equal(rankOf(entry(2)), 3);
});
