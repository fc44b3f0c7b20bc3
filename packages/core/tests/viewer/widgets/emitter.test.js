import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../src/turnwright/viewer/widgets/emitter.js";

test("listeners hear in order until they end it", () => {
  const emitter = new Emitter();
  const heard = [];
  const end = emitter.on("x", (value) => heard.push(["one", value]));
  emitter.on("x", (value) => heard.push(["two", value]));
  emitter.emit("x", 1);
  end();
  end();
  emitter.emit("x", 2);
  emitter.emit("unheard");
  assert.deepEqual(heard, [["one", 1], ["two", 1], ["two", 2]]);
});

test("one that throws does not keep the others from hearing", () => {
  const emitter = new Emitter();
  let heard = 0;
  emitter.on("x", () => {
    throw new Error("mine");
  });
  emitter.on("x", () => (heard += 1));
  assert.throws(() => emitter.emit("x"), /mine/);
  assert.equal(heard, 1);
});

test("a listener that is added during an event gets the next one", () => {
  const emitter = new Emitter();
  let late = 0;
  emitter.on("x", () => emitter.on("x", () => (late += 1)));
  emitter.emit("x");
  assert.equal(late, 0);
});
