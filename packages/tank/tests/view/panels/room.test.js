import assert from "node:assert/strict";
import { test } from "node:test";
import { isAlive, soundsOf, tickerOf, winnersOf } from "../../../src/turnwright_tank/view/panels/room.js";
import { death, frame, hit, row } from "./making.js";

const nameOf = (id) => `Bot ${id}`;
const BOTS = [[1, 100], [2, 50], [3, 20]];

test("a round is won by the bots that have one more first place than before", () => {
  const rows = (...firsts) => firsts.map((firstPlaces, k) => ({ ...row(k + 1, 10), firstPlaces }));
  const [before, after] = [rows(1, 0), rows(1, 1)];
  assert.deepEqual(winnersOf(after, before).map(({ id }) => id), [2]);
  assert.deepEqual(winnersOf(before, []).map(({ id }) => id), [1]);
  assert.deepEqual(winnersOf(after, after), []);
});

test("the ticker shows kills and hard hits, and no soft ones", () => {
  const events = [hit(1, 2, 16, -3), hit(3, 1, 9, 20), hit(1, 3, 1, 40), death(2)];
  assert.deepEqual(tickerOf(frame(0, BOTS, events), nameOf), ["Bot 3 hit Bot 1 −9", "✕ Bot 1 killed Bot 2"]);
  assert.deepEqual(tickerOf(frame(0, BOTS, [death(3)]), nameOf), ["✕ Bot 3 is out"]);
  assert.deepEqual(tickerOf(frame(0, BOTS, []), nameOf), []);
});

test("each kind of sound is made once a turn", () => {
  assert.deepEqual(soundsOf(frame(0, BOTS, [hit(1, 2, 16, -3), hit(1, 3, 4, 5), death(2)])), ["out", "hit"]);
  assert.deepEqual(soundsOf(frame(0, BOTS, [], { roundResults: [] })), ["end"]);
});

test("a winner that is dead has won on points; of a team one may live", () => {
  const seats = [{ id: 1, teamId: null }, { id: 2, teamId: 7 }, { id: 3, teamId: 7 }];
  const alive = (bots, more) => isAlive({ ...row(1, 10), ...more }, seats, new Set(bots));
  assert.deepEqual([alive([1, 3]), alive([3]), alive([3], { isTeam: true, id: 7 }), alive([1], { isTeam: true, id: 7 })], [
    true,
    false,
    true,
    false,
  ]);
});
