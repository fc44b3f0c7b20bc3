import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import "../resim/browser_streams.js";
import { Lines, parseLine } from "../../../src/turnwright_tank/view/files/lines.js";

const bytes = (text) => new TextEncoder().encode(text);

async function all(data) {
  const lines = new Lines(data);
  const found = [];
  do {
    for (let line = lines.next(); line !== null; line = lines.next()) {
      found.push(new TextDecoder().decode(line));
    }
  } while (await lines.fill());
  return { found, lines };
}

test("lines come with their newlines, the last one without if it has none", async () => {
  assert.deepEqual((await all(bytes("one\n\ntwo\r\nthree"))).found, ["one\n", "\n", "two\r\n", "three"]);
  assert.deepEqual((await all(bytes("one\n"))).found, ["one\n"]);
  assert.deepEqual((await all(bytes(""))).found, []);
});

test("packed lines are the same", async () => {
  const text = Array.from({ length: 20000 }, (_, k) => `line ${k} ${"é".repeat(k % 50)}\n`).join("");
  const { found, lines } = await all(gzipSync(text));
  assert.equal(found.join(""), text);
  assert.equal(found.length, 20000);
  assert.equal(lines.progress, 1);
  assert.equal(lines.cut, false);
});

test("a line longer than a piece is put together", async () => {
  const long = `${"x".repeat(200000)}\n`;
  assert.deepEqual((await all(bytes(`a\n${long}b\n`))).found, ["a\n", long, "b\n"]);
});

test("a packed file that ends too early is marked", async () => {
  const packed = gzipSync("one\ntwo\n".repeat(1000));
  assert.equal((await all(packed.subarray(0, packed.length - 9))).lines.cut, true);
});

test("a line's JSON is read, and bytes that are no UTF-8 are refused", () => {
  assert.deepEqual(parseLine(bytes('{"a":"é"}\r\n')), { a: "é" });
  assert.throws(() => parseLine(new Uint8Array([34, 0xff, 34])));
  assert.throws(() => parseLine(bytes("{")));
});
