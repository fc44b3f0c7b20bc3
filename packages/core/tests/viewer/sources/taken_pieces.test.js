import assert from "node:assert/strict";
import { test } from "node:test";
import { TakenPieces } from "../../../src/turnwright/viewer/sources/taken_pieces.js";

/** What is new of each of some messages, and whether it continues what was there. */
function taken(...messages) {
  const pieces = new TakenPieces();
  return messages.map(([first, texts, start = null]) => {
    const { news, isAnew } = pieces.take(first, [...texts], start);
    return `${isAnew ? "anew " : ""}${news.join("")}${pieces.isCut ? " cut" : ""}`;
  });
}

test("pieces are new once, however often they come", () => {
  assert.deepEqual(taken([0, "abc"], [2, "cd"], [0, "abcde"], [5, "f"]), ["abc", "d", "e", "f"]);
});

test("another first piece is of another battle", () => {
  assert.deepEqual(taken([0, "abc"], [0, "xyz"], [3, "w"]), ["abc", "anew xyz", "w"]);
});

test("after lost pieces the next ones start a new line and are marked as cut", () => {
  assert.deepEqual(taken([7, "hi"], [9, "j"]), ["anew hi cut", "j cut"]);
  assert.deepEqual(taken([0, "ab"], [7, "hi"]), ["ab", "anew hi cut"]);
});

test("with a start the first piece is in front, and is known again", () => {
  assert.deepEqual(taken([7, "ahi", {}], [0, "abcdefghij"], [7, "ahijk", {}]), ["anew ahi cut", "j cut", "k cut"]);
});

test("a start where nothing is lost changes nothing", () => {
  assert.deepEqual(taken([0, "abcd"], [2, "acde", {}]), ["abcd", "e"]);
});
