import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Lines, parseLine } from "../../src/turnwright/viewer/lines.js";

const bytes = (text) => new TextEncoder().encode(text);

function all(data) {
  const lines = new Lines(data);
  const found = [];
  for (let line = lines.next(); line !== null; line = lines.next()) {
    found.push(new TextDecoder().decode(line));
  }
  return { found, lines };
}

test("lines come with their newlines, the last one without if it has none", () => {
  assert.deepEqual(all(bytes("one\n\ntwo\r\nthree")).found, ["one\n", "\n", "two\r\n", "three"]);
  assert.deepEqual(all(bytes("one\n")).found, ["one\n"]);
  assert.deepEqual(all(bytes("")).found, []);
});

test("packed lines are the same", () => {
  const text = Array.from({ length: 20000 }, (_, k) => `line ${k} ${"é".repeat(k % 50)}\n`).join("");
  const { found, lines } = all(gzipSync(text));
  assert.equal(found.join(""), text);
  assert.equal(found.length, 20000);
  assert.equal(lines.progress, 1);
  assert.equal(lines.cut, false);
});

test("a line longer than a piece is put together", () => {
  const long = `${"x".repeat(200000)}\n`;
  assert.deepEqual(all(bytes(`a\n${long}b\n`)).found, ["a\n", long, "b\n"]);
});

test("a packed file that ends too early is marked", () => {
  const packed = gzipSync("one\ntwo\n".repeat(1000));
  assert.equal(all(packed.subarray(0, packed.length - 9)).lines.cut, true);
});

test("a line's JSON is read, and bytes that are no UTF-8 are refused", () => {
  assert.deepEqual(parseLine(bytes('{"a":"é"}\r\n')), { a: "é" });
  assert.throws(() => parseLine(new Uint8Array([34, 0xff, 34])));
  assert.throws(() => parseLine(bytes("{")));
});
