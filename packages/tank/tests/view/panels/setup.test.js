import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf, presetOf, PRESETS, problemOf } from "../../../src/turnwright_tank/view/panels/setup.js";

const wish = (more) => ({ gameType: "classic", rounds: 10, width: 800, height: 600, bots: 2, ...more });

test("presets are those of Tank Royale, and custom", () => {
  assert.deepEqual(
    PRESETS.map((preset) => preset.gameType),
    ["classic", "1v1", "twinduel", "melee", "custom"],
  );
  assert.equal(presetOf("twinduel").rounds, 75);
  assert.equal(presetOf("unknown").gameType, "classic");
});

test("a playable setup has no problem", () => {
  for (const { gameType, least } of PRESETS) {
    assert.equal(problemOf(wish({ gameType, bots: least })), "");
  }
});

test("a problem is one line with advice", () => {
  assert.match(problemOf(wish({ bots: 0 })), /^No bot is chosen; classic needs at least 2: choose 2 more\.$/);
  assert.match(problemOf(wish({ gameType: "melee", bots: 1 })), /needs at least 10: choose 9 more/);
  assert.match(problemOf(wish({ gameType: "1v1", bots: 1 })), /1 bot is chosen; 1v1 needs exactly 2: choose 1 more/);
  assert.match(problemOf(wish({ gameType: "1v1", bots: 5 })), /is for 2: remove 3/);
  assert.match(problemOf(wish({ rounds: 0 })), /Rounds: give a whole number from 1/);
  assert.match(problemOf(wish({ rounds: NaN })), /Rounds/);
  assert.match(
    problemOf(wish({ gameType: "custom", width: 100 })),
    /Arena width: give a whole number from 400 to 5000/,
  );
  assert.equal(problemOf(wish({ width: 100 })), "");
});

test("the same bot from several places is one choice", () => {
  const bot = (name, port) => ({ name, version: "1", host: "127.0.0.1", port });
  const groups = groupsOf([bot("B", 1), bot("A", 2), bot("B", 3)]);
  assert.deepEqual(
    groups.map((group) => [group.name, group.addresses.map(({ port }) => port)]),
    [
      ["A", [2]],
      ["B", [1, 3]],
    ],
  );
});
