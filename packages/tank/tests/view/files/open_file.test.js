import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import "../resim/browser_streams.js";
import { openFile } from "../../../src/turnwright_tank/view/files/open_file.js";
import { FileProblem } from "../../../src/turnwright_tank/view/files/file_problem.js";
import { gameStarted, header, messages, tick, twr } from "../resim/making.js";

test("a record is recognised, whatever its name", async () => {
  const source = await openFile("x.battle.gz", twr([header(), { t: 1 }]));
  assert.equal(source.kind, "record");
});

test("a recording is recognised, packed or not, also when its first lines are blank or broken", async () => {
  const plain = messages([gameStarted(), tick(1, 1)]);
  for (const bytes of [plain, gzipSync(plain), Buffer.concat([Buffer.from("\n{bro\n"), plain])]) {
    assert.equal((await openFile("x", bytes)).kind, "royale");
  }
});

for (const [name, bytes, message] of [
  ["empty.twr", new Uint8Array(0), /^empty\.twr: the file is empty$/],
  ["a.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47]), /^a\.png: expected a record of turnwright \(\.twr\)/],
  ["text.json", new TextEncoder().encode('{"hello":1}\n'), /expected a record/],
  ["bad.gz", new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 7, 7]), /^bad\.gz: the file is damaged/],
  ["n".repeat(500), new TextEncoder().encode("x"), /^n{80}…: /],
]) {
  test(`${name.slice(0, 20)} is refused in one line`, async () => {
    await assert.rejects(openFile(name, bytes), (error) => error instanceof FileProblem && message.test(error.message));
  });
}
