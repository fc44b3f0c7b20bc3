import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bearing,
  duration,
  fixed,
  amount,
  capital,
  grouped,
  ordinal,
  percent,
  plural,
  shortName,
  signed,
  sizeText,
  titlesOf,
} from "../../../src/turnwright/viewer/widgets/format.js";

test("numbers are short, and an unknown one is a dash", () => {
  assert.deepEqual([fixed(1.25, 1), fixed(null), fixed(NaN), fixed(-0.01, 1)], ["1.3", "–", "–", "0.0"]);
  assert.deepEqual([signed(3, 1), signed(-1.5, 1), signed(0)], ["+3.0", "−1.5", "0"]);
  assert.deepEqual([grouped(1234567), grouped(999)], ["1,234,567", "999"]);
  const values = [12345, 0.5, -1234.5678, 1234.5, null, undefined, "a word", true, "x".repeat(50)];
  const texts = ["12,345", "0.5", "-1,234.57", "1,234.5", "–", "–", "a word", "true", `${"x".repeat(39)}…`];
  assert.deepEqual(values.map(amount), texts);
  assert.deepEqual([percent(1, 3), percent(1, 0)], ["33 %", "–"]);
});

test("durations are in the unit that fits", () => {
  assert.deepEqual(
    [duration(48), duration(800), duration(12_345), duration(1_200_000), duration(null)],
    ["48 µs", "0.8 ms", "12 ms", "1.20 s", "–"],
  );
});

test("a message begins with a capital letter, unless its first word is a name", () => {
  const texts = ["the bot's name", "broken: why", "it's late", "main.py is missing", "Ünicode", "<b>", ""];
  assert.deepEqual(texts.map(capital), ["The bot's name", "Broken: why", "It's late", "main.py is missing", "Ünicode", "<b>", ""]);
});

test("sizes are in the unit that fits", () => {
  assert.deepEqual([sizeText(0), sizeText(1), sizeText(2 ** 20 * 3.4)], ["0 KiB", "1 KiB", "3.4 MiB"]);
});

test("one is not many", () => {
  assert.deepEqual([plural(1, "turn"), plural(2000, "turn")], ["1 turn", "2,000 turns"]);
});

test("a name is one line of visible letters", () => {
  assert.equal(shortName("a\nb\u202ec\u0000d\u200be"), "abcde");
  assert.equal(shortName("x".repeat(100), 10), `${"x".repeat(9)}…`);
  assert.equal(shortName("\u202e"), "(no name)");
  assert.equal(shortName("<b>bold</b>"), "<b>bold</b>");
});

test("bearings are to the left or right", () => {
  assert.deepEqual([bearing(190), bearing(-190), bearing(180), bearing(720)], [-170, 170, 180, 0]);
});

test("places are said", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal), [
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "112th",
  ]);
});

test("bots of one name have their numbers in sentences; others do not need them", () => {
  const names = new Map([
    [1, "Ace"],
    [2, "Duck"],
    [7, "Ace"],
  ]);
  assert.deepEqual([...titlesOf(names).values()], ["Ace #1", "Duck", "Ace #7"]);
});
