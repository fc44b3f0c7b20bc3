import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Gunzip, isGzip } from "../../src/turnwright/viewer/gunzip.js";

function all(bytes, most) {
  const gunzip = new Gunzip(bytes, most);
  const parts = [];
  for (let part = gunzip.next(); part !== null; part = gunzip.next()) {
    parts.push(part);
  }
  return { text: String(Buffer.concat(parts)), gunzip };
}

test("packed data is unpacked", () => {
  const { text, gunzip } = all(gzipSync("hello"));
  assert.equal(text, "hello");
  assert.equal(gunzip.cut, false);
  assert.equal(gunzip.progress, 1);
});

test("several members are one text, and what follows them is left alone", () => {
  const { text, gunzip } = all(Buffer.concat([gzipSync("one "), gzipSync("two"), Buffer.from("junk")]));
  assert.equal(text, "one two");
  assert.equal(gunzip.cut, false);
});

test("a head with a name, a comment, extra bytes and a check sum is read", () => {
  const plain = gzipSync("hello");
  const head = Buffer.from(plain.subarray(0, 10));
  head[3] = 2 | 4 | 8 | 16;
  const more = Buffer.concat([head, Buffer.from([3, 0, 1, 2, 3]), Buffer.from("name\0comment\0"), Buffer.from([9, 9])]);
  assert.equal(all(Buffer.concat([more, plain.subarray(10)])).text, "hello");
});

test("data cut off anywhere is marked, and gives what there is", () => {
  const packed = gzipSync("hello hello hello");
  for (let length = 2; length < packed.length; length++) {
    const { text, gunzip } = all(packed.subarray(0, length));
    assert.equal(gunzip.cut, true, `at ${length}`);
    assert.ok("hello hello hello".startsWith(text));
  }
});

test("a wrong check sum is told", () => {
  const packed = gzipSync("hello");
  packed[packed.length - 8] ^= 1;
  assert.throws(() => all(packed), /damaged \(its check sum is wrong\): copy/);
});

test("as much as the limit is unpacked, and not a byte more", () => {
  assert.equal(all(gzipSync(Buffer.alloc(1000)), 1000).text.length, 1000);
  assert.throws(() => all(gzipSync(Buffer.alloc(1001)), 1000), /too large for this page/);
});

test("two bytes tell gzip data", () => {
  assert.equal(isGzip(gzipSync("")), true);
  assert.equal(isGzip(new Uint8Array([0x1f])), false);
  assert.equal(isGzip(new TextEncoder().encode('{"type"')), false);
});
