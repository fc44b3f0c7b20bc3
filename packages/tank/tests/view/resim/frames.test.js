import assert from "node:assert/strict";
import { test } from "node:test";
import { duel } from "./making.js";

test("frames are read in any order, again and again the same", () => {
  const tape = duel(50);
  const forward = Array.from({ length: 50 }, (_, k) => JSON.stringify(tape.at(k)));
  for (let k = 49; k >= 0; k--) {
    assert.equal(JSON.stringify(tape.at(k)), forward[k]);
  }
});

test("there is no frame outside", () => {
  const tape = duel(3);
  assert.deepEqual([tape.at(-1), tape.at(3), tape.at(1.5), tape.at(NaN)], [null, null, null, null]);
});

test("more frames than one chunk holds are kept", () => {
  const tape = duel(3000, 10);
  assert.ok(tape.chunks.length > 2);
  assert.equal(tape.at(2999).turnNumber, 3000);
  assert.equal(tape.at(1500).turnNumber, 1501);
});

test("the oldest frames of a long battle are forgotten", () => {
  const all = duel(3000, 10);
  const tape = duel(3000, 10, 10, 2);
  assert.ok(tape.first > 1000 && tape.first < 2900);
  assert.deepEqual([tape.length, tape.at(tape.first - 1), tape.at(0)], [3000, null, null]);
  assert.ok([tape.first, 2999].every((index) => JSON.stringify(tape.at(index)) === JSON.stringify(all.at(index))));
  assert.equal(tape.chunks.filter((chunk) => chunk.length > 0).length, 2);
});

test("prints of bots are shown in their frame, after the output of an intent", () => {
  const tape = duel(3);
  tape.addPrinted(1, new Map([[0, { out: "one\n", err: "" }]]));
  tape.addPrinted(1, new Map([[0, { out: "two\n", err: "oh\n" }]]));
  const [first, second] = [0, 1].map((index) => tape.at(index).botStates[0]);
  assert.deepEqual([first.stdOut, first.stdErr], [null, null]);
  assert.deepEqual([second.stdOut, second.stdErr], ["hi\none\ntwo\n", "oh\n"]);
});

test("prints of a bot without a tank are in its frame, without a tank", () => {
  const tape = duel(3);
  tape.addPrinted(1, new Map([[7, { out: "I died\n", err: "" }]]));
  assert.deepEqual(tape.at(0).fallen, []);
  assert.deepEqual(tape.at(1).fallen, [{ id: 8, stdOut: "I died\n", stdErr: null }]);
});
