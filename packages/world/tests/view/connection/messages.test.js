import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fields,
  list,
  number,
  readMessage,
  readReaction,
  readRoom,
  readThreat,
  text,
} from "../../../src/turnwright_world/view/connection/messages.js";

test("a frame is a package and its data", () => {
  assert.deepEqual(readMessage('Char.Vitals {"hp": 3}'), { name: "Char.Vitals", data: { hp: 3 } });
  assert.deepEqual(readMessage("Core.Ping"), { name: "Core.Ping", data: {} });
});

test("an invalid message is ignored", () => {
  for (const frame of ["", " ", "{}", "Char.Vitals {", "a b c", "<b> {}", `${"x".repeat(65)} {}`, "Char. {}"]) {
    assert.equal(readMessage(frame), null, frame);
  }
  assert.deepEqual(readMessage("Room.Info [1]"), { name: "Room.Info", data: {} });
  assert.deepEqual(readMessage("Room.Info null"), { name: "Room.Info", data: {} });
});

test("values of the wrong kind become harmless ones", () => {
  assert.deepEqual(fields(null), {});
  assert.equal(number("3"), 0);
  assert.equal(number(Infinity, 7), 7);
  assert.equal(text({}), "");
  assert.equal(text("a\u001b[31mb\nc"), "a [31mb c");
  assert.equal(text("x".repeat(500)).length, 80);
  assert.deepEqual(list({ length: 9 }), []);
  assert.equal(list(new Array(1000).fill(0)).length, 100);
});

test("a threat needs its number, its time and its window", () => {
  const whole = { id: 3, from: 7, name: "wolf", kind: "bite", at: 5, us: 9 };
  assert.deepEqual(readThreat(whole), whole);
  for (const missing of ["id", "at", "us"]) {
    assert.equal(readThreat({ ...whole, [missing]: undefined }), null, missing);
  }
  assert.equal(readThreat({ ...whole, us: 0 }), null);
  assert.equal(readThreat("bite"), null);
  assert.equal(readThreat({ ...whole, name: "" })?.name, "somebody");
});

test("a room that is mostly missing is still a room", () => {
  const room = readRoom({ name: "Lane", exits: { north: "a", in: "b" }, here: [{ id: 1 }, 5, null] });
  assert.deepEqual(room.exits, ["north", "in"]);
  assert.deepEqual(room.here.map((one) => one.name), ["somebody", "somebody", "somebody"]);
  assert.deepEqual(room.items, []);
});

test("a reaction clears its declared threats, or one", () => {
  assert.equal(readReaction({ name: "dodge", clears: "all", lockout_us: 5 }).clears, "all");
  assert.equal(readReaction({ name: "dodge", clears: "everything" }).clears, "id");
});
