import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf } from "../../../src/turnwright/viewer/generic/frames.js";
import { GenericHistory, seatOf } from "../../../src/turnwright/viewer/generic/history.js";

const VIEW = { mark: (event) => (event.type === "died" ? "end" : event.type === "ate" ? "mark" : null) };
const NAMES = (seat) => ["Ann", "Bob"][seat];

function historyOf(...turns) {
  const history = new GenericHistory(VIEW, [{ id: 0 }, { id: 1 }], 0);
  turns.forEach((turn, k) => history.add({ ...frameOf({ type: "frame", turn: k + 1, frame: {}, ...turn }, k), roundResults: turn.results ?? null }));
  return history;
}

test("events become entries and marks; missed turns are counted", () => {
  const history = historyOf({ events: [{ type: "ate", seat: 0 }, { type: "wind" }] }, { skipped: [1] }, { events: [{ type: "died", seat: 1 }], results: [] });
  assert.deepEqual(history.log.entries.map(({ kind, bot, turn }) => [kind, bot, turn]), [
    ["mark", 0, 1],
    ["other", -1, 1],
    ["skip", 1, 2],
    ["end", 1, 3],
    ["over", -1, 3],
  ]);
  assert.deepEqual([history.marks.deaths, history.missed.get(1)], [[{ index: 2, ids: [1] }], 1]);
  assert.deepEqual([history.round(1), history.round(2), history.next], [{ first: 0, last: 2 }, null, 3]);
});

test("where a view does not say, all events are bars", () => {
  const history = new GenericHistory({}, [{ id: 0 }], 0);
  history.add(frameOf({ type: "frame", turn: 1, frame: {}, events: [{ type: "ate", seat: 0 }, 5] }, 0));
  assert.deepEqual(history.log.entries.map(({ kind }) => kind), ["mark", "mark"]);
  assert.equal(history.marks.bins(0, 1, 1)[0].hits, 2);
});

test("results that come after their frame are taken once", () => {
  const history = historyOf({});
  const frame = { ...frameOf({ type: "frame", turn: 1, frame: {} }, 0), roundResults: [] };
  assert.deepEqual([history.settle(frame), history.settle(frame)], [true, false]);
});

test("entries are found by kind, seat and text", () => {
  const { log } = historyOf({ events: [{ type: "ate", seat: 0 }, { type: "ate", seat: 1 }] });
  const kinds = new Set(["mark"]);
  assert.deepEqual(log.find({ kinds, bot: 1, text: "" }, NAMES, 0, 9), [1]);
  assert.deepEqual(log.find({ kinds, bot: null, text: "ann" }, NAMES, 0, 9), [0]);
  assert.deepEqual(log.find({ kinds: new Set(), bot: null, text: "" }, NAMES, 0, 9), []);
});

test("an event is about the seat that it names", () => {
  assert.deepEqual([{ seat: 2 }, { bot: 0 }, { seat: "x" }, null].map(seatOf), [2, 0, -1, -1]);
});
