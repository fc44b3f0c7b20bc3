import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameList, battleOf, frameOf, resultsOf } from "../../../src/turnwright/viewer/generic/frames.js";

const SEATS = [{ name: "A", version: "1" }, { name: "B" }];
const put = (list, message) => list.put(JSON.stringify(message), message);
const line = (turn, more = {}) => ({ type: "frame", turn, frame: { turn }, ...more });

test("a battle has its seats by number, and missing fields are empty", () => {
  const battle = battleOf({ type: "ready", game: "snake", seats: SEATS, settings: { turns: 5 }, turnTimeoutUs: 9000 });
  assert.deepEqual([battle.gameType, battle.settings, battle.turnTimeoutUs, battle.results], ["snake", { turns: 5 }, 9000, null]);
  assert.deepEqual(battle.seats.map(({ id, name, version }) => [id, name, version]), [[0, "A", "1"], [1, "B", ""]]);
});

test("a frame contains the game's own frame and the seats that missed the turn", () => {
  const frame = frameOf(line(7, { skipped: [1], events: [{ type: "ate" }] }), 6);
  assert.deepEqual([frame.index, frame.roundNumber, frame.turnNumber, frame.state], [6, 1, 7, { turn: 7 }]);
  assert.deepEqual([[...frame.timing.keys()], frame.events], [[1], [{ type: "ate" }]]);
});

test("results keep the server's order and ranks, and get the seats' versions", () => {
  const sent = [{ rank: 1, seat: 1, name: "B", score: 5 }, { rank: 1, seat: 0, name: "A", score: 5 }];
  const rows = resultsOf({ type: "result", ending: "over", rows: sent, details: { a: 1 } }, battleOf({ type: "ready", seats: SEATS }).seats);
  assert.deepEqual(rows.map(({ id, rank, version }) => [id, rank, version]), [[1, 1, ""], [0, 1, "1"]]);
  assert.deepEqual(rows.details, { a: 1 });
  assert.deepEqual([rows.headings, rows[0].columns, rows[0].skipped, rows[0].marks], [[], [], 0, []], "an older server says no more");
});

test("results have the columns of the game, missed turns and departures", () => {
  const row = { rank: 1, seat: 0, name: "A", score: 5, columns: [3, "x"], skipped: 7, left: true, disqualified: true };
  const rows = resultsOf({ type: "result", ending: "over", headings: ["Eaten", "Word"], rows: [row] }, []);
  assert.deepEqual(rows.headings, ["Eaten", "Word"]);
  assert.deepEqual([rows[0].columns, rows[0].skipped, rows[0].marks], [[3, "x"], 7, ["disqualified", "left"]]);
});

test("frames are kept up to a limit, at, below and above it", () => {
  for (const [count, first] of [[2, 0], [3, 0], [4, 1]]) {
    const list = new FrameList(3);
    for (let turn = 1; turn <= count; turn += 1) {
      put(list, line(turn));
    }
    assert.deepEqual([list.first, list.length, list.at(first).turnNumber], [first, count, first + 1]);
    assert.equal(list.at(first - 1), null);
  }
});

test("the newest turn again is old, and an earlier one starts a new list", () => {
  const list = new FrameList();
  assert.deepEqual([list.isOld(line(1)), list.isAnew(line(1))], [false, false]);
  put(list, line(1));
  put(list, line(2));
  assert.deepEqual([list.isOld(line(2)), list.isOld(line(3)), list.isAnew(line(1)), list.isAnew(line(3))], [true, false, true, false]);
});
