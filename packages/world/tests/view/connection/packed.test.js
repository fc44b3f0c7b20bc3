import assert from "node:assert/strict";
import { test } from "node:test";
import { PACKED, packMessage, unpackMessage } from "../../../src/turnwright_world/view/connection/packed.js";

/** @param {string} hex */
function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
}

test("messages that the server packs are read", () => {
  assert.deepEqual(unpackMessage(bytes("980403cd04b0ab43656c6c61722072c3a474a462697465ce12635620ce002dc6c008")), {
    name: "Combat.Threat.Add",
    data: {"id": 3, "from": 1200, "name": "Cellar rät", "kind": "bite", "at": 308500000, "us": 3000000, "damage": 8},
  });
  assert.deepEqual(unpackMessage(bytes("940503a66c616e64656400")), {
    name: "Combat.Threat.Gone",
    data: {"id": 3, "why": "landed", "damage": 0},
  });
  assert.deepEqual(unpackMessage(bytes("950201cf0000010000000000ce00011170ce00011171")), {
    name: "Time.Pong",
    data: {"n": 1, "c": 1099511627776, "r": 70000, "s": 70001},
  });
  assert.deepEqual(unpackMessage(bytes("9300ab436861722e566974616c7383a2687063a56d6178687064a46465657081a16198ffd1ff38d2fffeee90cb3ff8000000000000c3c2c0da012c787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878")), {
    name: "Char.Vitals",
    data: {"hp": 99, "maxhp": 100, "deep": {"a": [-1, -200, -70000, 1.5, true, false, null, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]}},
  });
  assert.deepEqual(unpackMessage(bytes("9300a9526f6f6d2e496e666f82a56578697473de0014a130a178a131a178a132a178a133a178a134a178a135a178a136a178a137a178a138a178a139a178a23130a178a23131a178a23132a178a23133a178a23134a178a23135a178a23136a178a23137a178a23138a178a23139a178a468657265dc0028000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627")), {
    name: "Room.Info",
    data: {"exits": {"0": "x", "1": "x", "2": "x", "3": "x", "4": "x", "5": "x", "6": "x", "7": "x", "8": "x", "9": "x", "10": "x", "11": "x", "12": "x", "13": "x", "14": "x", "15": "x", "16": "x", "17": "x", "18": "x", "19": "x"}, "here": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]},
  });
});

test("messages that the page packs are short and can be read back", () => {
  const messages = [
    ["Time.Ping", { n: 1, c: 123456789012, l: 38000 }],
    ["Combat.React", { reaction: "parry", at: 81500000, id: 3 }],
    ["Core.Size", { columns: 80, rows: 40 }],
    ["Mind.Put", { source: "ü".repeat(70000), target: "", deep: [true, null, { a: [] }] }],
  ];
  for (const [name, data] of messages) {
    assert.deepEqual(unpackMessage(packMessage(String(name), /** @type {object} */ (data))), { name, data });
  }
  assert.ok(packMessage("Time.Ping", { n: 1, c: 123456789012 }).length < 16);
});

test("an invalid message is ignored", () => {
  for (const hex of ["", "ff", "93", "9301", "80", "9163", "92ff01", "c1", "dd7fffffff", "9".repeat(200)]) {
    assert.equal(unpackMessage(bytes(hex)), null, hex);
  }
  assert.equal(Object.keys(PACKED).length, 7);
});
