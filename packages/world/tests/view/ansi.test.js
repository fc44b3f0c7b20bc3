import assert from "node:assert/strict";
import { test } from "node:test";
import { Ansi, isStatusPrompt, plain } from "../../src/turnwright_world/view/ansi.js";

test("colours are classes, and last until they are taken back", () => {
  const ansi = new Ansi();
  const { lines, prompt } = ansi.read("a\u001b[1;31mb\r\nc\u001b[0md\r\n> ");
  assert.deepEqual(lines, [
    [{ text: "a", style: "" }, { text: "b", style: "bold ansi-red" }],
    [{ text: "c", style: "bold ansi-red" }, { text: "d", style: "" }],
  ]);
  assert.equal(prompt, "> ");
});

test("bright, default and long colours", () => {
  const ansi = new Ansi();
  const styles = ansi.line("\u001b[92ma\u001b[39mb\u001b[38;5;31mc\u001b[38;2;1;1;31md\u001b[2me\u001b[22mf");
  assert.deepEqual(styles.map((piece) => piece.style), ["ansi-green", "", "", "", "dim", ""]);
});

test("nothing else of a terminal is obeyed or shown", () => {
  const ansi = new Ansi();
  const line = ansi.line("a\u001b[2Jb\u001b]0;title\u0007c\u001b[10;10Hd\u0008\u0007e\u001bcf\u009b");
  assert.equal(plain(line), "abcdef");
  assert.equal(plain(ansi.line("<img src=x onerror=1>")), "<img src=x onerror=1>");
});

test("lines and frames are cut", () => {
  const ansi = new Ansi();
  assert.equal(plain(ansi.line("x".repeat(10_000))).length, 4000);
  assert.ok(ansi.read("y\n".repeat(400_000)).lines.length <= 131_072);
});

test("a prompt that only says how one is, is known", () => {
  assert.ok(isStatusPrompt("[80/80 hp, 70/70 sp, turn 3] "));
  assert.ok(isStatusPrompt("> "));
  assert.ok(!isStatusPrompt("Your passphrase: "));
});
