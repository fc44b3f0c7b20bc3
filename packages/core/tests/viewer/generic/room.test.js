import assert from "node:assert/strict";
import { test } from "node:test";
import { genericRoom, winnerOf } from "../../../src/turnwright/viewer/generic/room.js";

const row = (id, rank, score) => ({ id, name: `Bot ${id}`, rank, score });

test("the winner is the first of the ranking, and equal ranks are a draw", () => {
  assert.match(winnerOf([row(1, 1, 5), row(2, 2, 3)]).title, /^Bot 1 wins/);
  assert.match(winnerOf([row(1, 1, 5), row(2, 1, 5), row(3, 3, 0)]).title, /Bot 1 and Bot 2 win/);
  assert.equal(winnerOf([row(1, 1, 5), row(2, 1, 5)]).title, "Draw");
});

test("a seat is out from its end on, and a game that says nothing has a board, too", () => {
  const view = { mark: ({ type }) => (type === "died" ? "end" : "mark"), status: () => "4 long" };
  const entries = [{ kind: "end", index: 7, bot: 1 }];
  const shared = { seats: [{ id: 0, name: "A" }, { id: 1, name: "B" }], history: { log: { entries }, results: new Map() }, plainNameOf: (id) => "AB"[id] };
  const frame = (index, events = []) => ({ index, state: {}, scores: [3, 4], events, roundResults: null });
  const out = (index) => genericRoom(view, shared, String).board(frame(index)).map((line) => [line.name, line.value, line.out]);
  assert.deepEqual(out(6), [["B", "4", false], ["A", "3", false]]);
  assert.deepEqual(out(7), [["B", "4", true], ["A", "3", false]]);
  const bare = genericRoom({}, { ...shared, history: null }, ({ type }) => type);
  assert.deepEqual(bare.board({ ...frame(0), scores: null }).map(({ value, note }) => [value, note]), [["–", ""], ["–", ""]]);
  assert.deepEqual(bare.ticker(frame(0, [{ type: "x" }])), ["x"]);
});
