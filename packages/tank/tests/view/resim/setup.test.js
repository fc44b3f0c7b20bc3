import assert from "node:assert/strict";
import { test } from "node:test";
import { FileProblem } from "../../../src/turnwright_tank/view/files/file_problem.js";
import { readSetup } from "../../../src/turnwright_tank/view/resim/setup.js";
import { header } from "./making.js";

const read = (changes = {}) => readSetup(header(changes), 1n);

test("fields missing in a header have the defaults of the game", () => {
  const setup = readSetup(header({ setup: {} }), 7n);
  assert.deepEqual(
    [setup.width, setup.height, setup.rounds, setup.arena],
    [800, 600, 10, { width: 800, height: 600, cooling_rate: 0.1, max_inactivity_turns: 450 }],
  );
  assert.deepEqual([setup.onSkip, setup.onDisconnect, setup.maxSkipped, setup.tolerant], ["repeat", "skip", 30, false]);
  assert.deepEqual([setup.maxSilenceNs, setup.maxRoundsOut], [0, 1]);
});

test("seats are read with teams, droids, wishes and authors", () => {
  const setup = read({
    seats: [
      { name: "A", team: 4, options: { team_name: "T", team_version: "1", droid: true }, authors: ["Me"], platform: "JVM" },
      { name: "B", options: { initial_position: { x: 30, direction: 400 } } },
      { name: "C", team: 4, authors: [], platform: null },
    ],
    announced: { participants: [{}, {}, { authors: ["You"], platform: "Python" }] },
  });
  assert.deepEqual(setup.teams, [0, 1, 0]);
  assert.deepEqual([setup.hasTeams, setup.oddDirections], [true, true]);
  assert.deepEqual(setup.seats[0].authors, ["Me"]);
  assert.deepEqual([setup.seats[2].authors, setup.seats[2].platform], [["You"], "Python"]);
  assert.deepEqual(setup.seats[1].wish, { x: 30, y: null, direction: 400 });
  assert.deepEqual([setup.seats[0].isDroid, setup.seats[1].isDroid], [true, false]);
});

test("without teams no seat has a teammate", () => {
  assert.deepEqual([read().teams, read().hasTeams], [[0, 1], false]);
});

const WRONG = [
  [{ game: "countdown" }, /of the game "countdown", and this page shows "tank"/],
  [{ behaviour_version: 2 }, /behaviour version 2 of the rules, this page has version 1/],
  [{ setup: { arena_width: 0 } }, /arena_width is 0; expected a whole number from 1 to 1000000/],
  [{ setup: { arena_height: 1.5 } }, /arena_height is 1.5/],
  [{ setup: { gun_cooling_rate: "x" } }, /gun_cooling_rate is x; expected a number/],
  [{ setup: { arena_width: 99, arena_height: 50 } }, /2 tanks; expected 1 to 1/],
  [{ setup: [] }, /the setup of the record is \[\]; expected a JSON object/],
  [{ seats: [] }, /0 tanks/],
  [{ seats: 5 }, /seats of the record are 5; expected a list/],
  [{ seats: [{ name: 5 }] }, /seat 0 of the record has no name/],
  [{ seats: [{ name: "A", options: { initial_position: { x: "1" } } }] }, /initial x of seat 0 is 1; expected a number/],
  [{ rules: { on_skip: "no" } }, /on_skip is no; expected repeat or idle/],
  [{ rules: { on_disconnect: "no" } }, /on_disconnect is no/],
];

for (const [changes, message] of WRONG) {
  test(`a header with ${JSON.stringify(changes)} is refused in one line`, () => {
    assert.throws(() => read(changes), (error) => error instanceof FileProblem && message.test(error.message));
  });
}

test("a seed out of range is refused", () => {
  assert.throws(() => readSetup(header(), 2n ** 63n), /the seed of the record is/);
});
