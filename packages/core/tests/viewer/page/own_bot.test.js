import assert from "node:assert/strict";
import { test } from "node:test";
import { ownBot } from "../../../src/turnwright/viewer/page/own_bot.js";

const builtIn = (id, name) => ({ id, name, authors: ["turnwright"] });
const mine = (id, name) => ({ id, name, authors: ["unknown"] });
const SEATS = [builtIn(1, "Ace"), mine(2, "MyBot"), builtIn(3, "Spinner")];

test("the only bot that does not come with turnwright is the reader's", () => {
  assert.equal(ownBot(SEATS, null, null), 2);
  assert.equal(ownBot([mine(4, "One"), mine(5, "Two")], null, null), null, "of two it is not known");
  assert.equal(ownBot([builtIn(1, "Ace"), builtIn(2, "Duck")], null, null), null);
  assert.equal(ownBot([mine(1, "Alone")], null, null), null, "there is nobody to tell it from");
  assert.equal(ownBot([], "x", "y"), null);
});

test("the address comes first, the earlier choice of the reader comes last", () => {
  assert.equal(ownBot(SEATS, "spinner", "Ace"), 3);
  assert.equal(ownBot(SEATS, "1", null), 1);
  assert.equal(ownBot(SEATS, "nobody", "Ace"), 2);
  assert.equal(ownBot([builtIn(1, "Ace"), builtIn(2, "Duck")], null, "duck"), 2);
});
