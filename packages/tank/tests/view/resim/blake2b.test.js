import assert from "node:assert/strict";
import { test } from "node:test";
import { Blake2b } from "../../../src/turnwright_tank/view/resim/blake2b.js";

const bytes = (text) => new TextEncoder().encode(text);

/** As Python's hashlib.blake2b(text, digest_size=8) gives them. */
const KNOWN = [
  ["", "e4a6a0577479b2b4"],
  ["abc", "d8bb14d833d59559"],
  ["x".repeat(128), "901ce374e8e12402"],
  ["x".repeat(129), "18de14b9d8eea5a3"],
  ["y".repeat(1000), "eae43dac6e010082"],
];

test("digests are those of hashlib, at and around the size of a block", () => {
  const hasher = new Blake2b();
  for (const [text, digest] of KNOWN) {
    assert.equal(hasher.hex(bytes(text)), digest);
  }
});

test("only the first bytes count when a length is given", () => {
  assert.equal(new Blake2b().hex(bytes("abcdef"), 3), "d8bb14d833d59559");
});

test("a hasher forgets its earlier input", () => {
  const hasher = new Blake2b();
  hasher.hex(bytes("something long ".repeat(50)));
  assert.equal(hasher.hex(bytes("abc")), "d8bb14d833d59559");
});
