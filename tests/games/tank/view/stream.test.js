/**
 * The stream back to frames: what Python reads from the same messages, for random battles; and hostile ones.
 *
 * The battles come from tests/games/tank/view/test_stream.py, which says where in STREAM_BATTLES.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SEAT_COLUMNS, StreamReader, TANK_COLUMNS } from "../../../../src/turnwright/games/tank/view/stream.js";

const FILE = process.env.STREAM_BATTLES;
const BULLET_NEAR = 1e-7;

/** @returns {any} a Keyframe of one tank */
function keyframe(said = {}) {
  const table = (columns) => ({ ids: [1], values: columns.map(() => [0]), carry: columns.map(() => 0) });
  const tables = { tanks: table(TANK_COLUMNS), seats: table(SEAT_COLUMNS) };
  return { type: "Keyframe", frame: 1, roundNumber: 1, turnNumber: 1, ...tables, ...said };
}

/** Compare two values; numbers of bullets may differ in the last digits, since cosines do. */
function same(shown, meant, where) {
  if (typeof meant === "number" && typeof shown === "number") {
    const near = /(bulletStates|bullet|hitBullet)\.?.*\.[xy]$/.test(where) ? BULLET_NEAR : 0;
    assert.ok(Math.abs(shown - meant) <= near, `${where}: ${shown}, expected ${meant}`);
  } else if (meant !== null && typeof meant === "object") {
    const keys = Array.isArray(meant) ? [...meant.keys()] : Object.keys(meant);
    if (Array.isArray(meant)) {
      assert.equal(shown.length, meant.length, where);
    }
    for (const key of keys) {
      same(shown[key], meant[key], `${where}.${key}`);
    }
  } else {
    assert.equal(shown ?? null, meant ?? null, where);
  }
}

function checked(reader, turn, where) {
  const frame = reader.frame();
  assert.equal(frame.index, turn.number - 1, where);
  const { roundNumber, turnNumber, botStates, bulletStates, events } = turn.frame;
  const byId = (a, b) => a.bulletId - b.bulletId;
  same(
    { ...frame, bulletStates: [...frame.bulletStates].sort(byId) },
    { roundNumber, turnNumber, botStates, events, bulletStates: [...bulletStates].sort(byId) },
    where,
  );
  assert.equal(frame.events.length, events.length);
  same(Object.fromEntries(frame.timing), turn.times, `${where}.timing`);
  same(Object.fromEntries(frame.standings), turn.standings, `${where}.standings`);
  assert.equal(frame.serverLateUs, turn.lagUs, where);
}

test("random battles come out as they do in Python, number for number", { skip: !FILE }, () => {
  const battles = JSON.parse(readFileSync(FILE ?? "", "utf8"));
  for (const { name, seats, steps } of battles) {
    const reader = new StreamReader(new Map(seats.map((seat) => [seat.id, seat])));
    const late = new StreamReader(reader.seats);
    let copy = reader;
    for (const { message, keyframe: whole, turn } of steps) {
      const said = JSON.parse(message);
      assert.ok(reader.read(said));
      checked(reader, turn, `${name}, turn ${turn.number}`);
      if (whole !== null) {
        late.read(JSON.parse(whole));
        copy = reader.clone();
      } else {
        assert.equal(late.read(said), late.number !== 0);
        assert.ok(copy === reader || copy.read(said));
      }
      if (late.number !== 0) {
        checked(late, turn, `${name}, late, turn ${turn.number}`);
        checked(copy, turn, `${name}, copied, turn ${turn.number}`);
      }
    }
    assert.ok(steps.length > 0);
  }
});

test("a delta to another turn is left alone", () => {
  const reader = new StreamReader(new Map());
  assert.equal(reader.read({ type: "Delta", frame: 2 }), false);
  assert.ok(reader.read(keyframe()));
  assert.equal(reader.read({ type: "Delta", frame: 3 }), false);
  assert.ok(reader.read({ type: "Delta", frame: 2 }));
  assert.equal(reader.frame().turnNumber, 2);
});

test("a bot that nobody introduced has a name all the same", () => {
  const reader = new StreamReader(new Map());
  reader.read(keyframe());
  assert.equal(reader.frame().botStates[0].name, "bot 1");
});

test("an event of a newer server is left out", () => {
  const reader = new StreamReader(new Map());
  reader.read(keyframe({ events: [[99, 1], [1, 1]] }));
  assert.deepEqual(reader.frame().events, [{ type: "BotDeathEvent", turnNumber: 1, victimId: 1 }]);
});

test("what does not fit together is refused", () => {
  const reader = new StreamReader(new Map());
  assert.throws(() => reader.read(keyframe({ tanks: { ids: [1], values: [], carry: [] } })), /not whole/);
  for (const columns of [[[1, 2]], [[[5], [1]]], [[[-1], [1]]]]) {
    reader.read(keyframe());
    assert.throws(() => reader.read({ type: "Delta", frame: 2, tanks: { columns } }), /row/);
  }
  reader.read(keyframe({ events: [[8, 7]] }));
  assert.throws(() => reader.frame(), /bullet 7/);
});

test("standings are told as a whole, then where they change", () => {
  const seats = { ids: [1, 2], values: [[0, 0], [0, 0], [0, 0], [3, 0], [70, 20], [0, 90], [2, 1]], carry: [0, 0, 0, 0, 0, 0, 0] };
  const reader = new StreamReader(new Map([[2, { id: 2, teamId: 7 }]]));
  reader.read(keyframe({ seats }));
  const before = { points: 70, teamPoints: null, place: 2, missed: 3 };
  assert.deepEqual(reader.frame().standings, new Map([[1, before], [2, { points: 20, teamPoints: 90, place: 1, missed: 0 }]]));
  reader.read({ type: "Delta", frame: 2, seats: { columns: [0, 0, 0, 0, [[1], [4]], [[1], [4]]] } });
  assert.deepEqual(reader.frame().standings, new Map([[1, before], [2, { points: 24, teamPoints: 94, place: 1, missed: 0 }]]));
  reader.read({ type: "Delta", frame: 3 });
  assert.equal(reader.frame().standings.get(2).points, 24);
});

test("what a bot without a tank prints is in its turn alone, without a tank", () => {
  const reader = new StreamReader(new Map());
  reader.read(keyframe({ texts: [[1, "alive", null, null], [2, "I died\n", null, null]] }));
  assert.deepEqual(reader.frame().fallen, [{ id: 2, stdOut: "I died\n", stdErr: null }]);
  reader.read({ type: "Delta", frame: 2, texts: [[2, null, null, null]] });
  assert.deepEqual(reader.frame().fallen, []);
});
