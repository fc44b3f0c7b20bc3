import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, deflateRawSync } from "node:zlib";
import { Damaged, Inflater } from "../../src/turnwright/viewer/inflate.js";

function all(bytes, at = 0) {
  const inflater = new Inflater(bytes, at);
  const parts = [];
  for (let part = inflater.next(); part !== null; part = inflater.next()) {
    parts.push(part);
  }
  return { data: Buffer.concat(parts), inflater };
}

/** Numbers that look random, the same in every run. */
function noise(count) {
  let state = 1;
  return Buffer.from(Array.from({ length: count }, () => (state = (state * 48271) % 2147483647) & 255));
}

const TEXT = Buffer.from("turn after turn after turn; ".repeat(9000));
const KINDS = {
  "nothing": [Buffer.alloc(0), {}],
  "one byte": [Buffer.from("x"), {}],
  "text": [TEXT, {}],
  "text in fixed codes": [TEXT, { strategy: constants.Z_FIXED }],
  "noise, stored": [noise(150000), { level: 0 }],
  "noise, packed": [noise(150000), { level: 9 }],
  "a long row of zeros": [Buffer.alloc(300000), {}],
};

for (const [name, [data, options]] of Object.entries(KINDS)) {
  test(`${name} comes out as it was`, () => {
    const packed = deflateRawSync(data, options);
    const { data: out, inflater } = all(packed);
    assert.ok(out.equals(data));
    assert.equal(inflater.cut, false);
    assert.equal(inflater.at, packed.length);
  });
}

test("data that was cut off gives what there is, at any place", () => {
  const data = Buffer.concat([TEXT.subarray(0, 700), noise(300)]);
  const packed = deflateRawSync(data);
  let most = -1;
  for (let length = 0; length < packed.length; length++) {
    const { data: out, inflater } = all(packed.subarray(0, length));
    assert.equal(inflater.cut, true, `at ${length}`);
    assert.ok(data.subarray(0, out.length).equals(out));
    assert.ok(out.length >= most);
    most = out.length;
  }
  assert.ok(most > 900);
});

test("what begins later is read from there, and what follows is left alone", () => {
  const packed = Buffer.concat([Buffer.from("abc"), deflateRawSync("hello"), Buffer.from("rest")]);
  const { data, inflater } = all(packed, 3);
  assert.equal(String(data), "hello");
  assert.equal(String(packed.subarray(inflater.at)), "rest");
});

test("what is no deflate data is said to be damaged", () => {
  assert.throws(() => all(Buffer.from([0x07, 0, 0, 0])), Damaged);
  assert.throws(() => all(Buffer.from([0x01, 5, 0, 5, 0])), Damaged);
  assert.throws(() => all(Buffer.from([0x05, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])), Damaged);
});

test("bytes before the damage are given before it is told", () => {
  const packed = Buffer.from([0x00, 2, 0, 0xfd, 0xff, 104, 105, 0x07]);
  const inflater = new Inflater(packed, 0);
  assert.equal(String(Buffer.from(inflater.next())), "hi");
  assert.throws(() => inflater.next(), Damaged);
});
