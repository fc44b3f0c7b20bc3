import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import "../resim/browser_streams.js";
import { Unpacker, isGzip } from "../../../src/turnwright_tank/view/files/unpack.js";

async function all(bytes, most) {
  const unpacker = new Unpacker(bytes, most);
  const parts = [];
  for (let part = await unpacker.next(); part !== null; part = await unpacker.next()) {
    parts.push(part);
  }
  return { text: String(Buffer.concat(parts)), unpacker };
}

const LINES = Array.from({ length: 20000 }, (_, k) => `line ${k} ${(k * 7919) % 10007}\n`).join("");

test("packed data is unpacked", async () => {
  for (const text of ["hello", "", LINES]) {
    const found = await all(gzipSync(text));
    assert.equal(found.text, text);
    assert.deepEqual([found.unpacker.cut, found.unpacker.progress], [false, 1]);
    assert.equal(await found.unpacker.next(), null);
  }
});

test("a head with a name, a comment, extra bytes and a check sum is read", async () => {
  const plain = gzipSync("hello");
  const head = Buffer.from(plain.subarray(0, 10));
  head[3] = 4 | 8 | 16;
  const more = Buffer.concat([head, Buffer.from([3, 0, 1, 2, 3]), Buffer.from("name\0comment\0")]);
  assert.equal((await all(Buffer.concat([more, plain.subarray(10)]))).text, "hello");
});

test("data that is truncated anywhere is marked, and its readable part is given", async () => {
  const packed = gzipSync("hello hello hello");
  for (let length = 2; length < packed.length; length++) {
    const { text, unpacker } = await all(packed.subarray(0, length));
    assert.equal(unpacker.cut, true, `at ${length}`);
    assert.equal(text, "hello hello hello".slice(0, text.length));
  }
  assert.equal((await all(packed.subarray(0, packed.length - 8))).text, "hello hello hello");
});

test("the whole readable part of a large truncated file is given", async () => {
  const packed = gzipSync(LINES);
  for (const part of [0.1, 0.5, 0.9]) {
    const some = packed.subarray(0, Math.floor(packed.length * part));
    const { text, unpacker } = await all(some);
    assert.equal(unpacker.cut, true);
    assert.ok(LINES.startsWith(text));
    assert.equal(text, String(gunzipSync(some, { finishFlush: constants.Z_SYNC_FLUSH })));
  }
});

test("damaged data is reported, and gives most of the part before", async () => {
  const wrong = gzipSync("hello");
  wrong[wrong.length - 8] ^= 1;
  await assert.rejects(all(wrong), /the file is damaged .*: copy or download it again/);
  const packed = gzipSync(LINES);
  packed.fill(255, packed.length >> 1, (packed.length >> 1) + 100);
  const unpacker = new Unpacker(packed);
  let text = "";
  await assert.rejects(async () => {
    for (;;) text += String(Buffer.from(await unpacker.next()));
  }, /the file is damaged/);
  assert.ok(LINES.startsWith(text.slice(0, 0.4 * LINES.length)));
  assert.ok(text.length > 0.4 * LINES.length);
});

test("as much as the limit is unpacked, and not a byte more", async () => {
  assert.equal((await all(gzipSync(Buffer.alloc(1000)), 1000)).text.length, 1000);
  await assert.rejects(all(gzipSync(Buffer.alloc(1001)), 1000), /too large for this page/);
});

test("a stopped unpacker gives no further text", async () => {
  const unpacker = new Unpacker(gzipSync(LINES));
  assert.ok((await unpacker.next()).length > 0);
  unpacker.stop();
  assert.deepEqual([await unpacker.next(), unpacker.cut], [null, false]);
});

test("two bytes tell gzip data", () => {
  assert.equal(isGzip(gzipSync("")), true);
  assert.equal(isGzip(new Uint8Array([0x1f])), false);
  assert.equal(isGzip(new TextEncoder().encode('{"type"')), false);
});
