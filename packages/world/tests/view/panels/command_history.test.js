import assert from "node:assert/strict";
import { test } from "node:test";
import { Completion, History, counted, fitting, target, targetOf } from "../../../src/turnwright_world/view/panels/command_history.js";

const words = { verbs: ["go", "get", "attack"], exits: ["north", "in"], names: ["grey wolf", "Grete"] };

test("earlier lines come back, and the unfinished line stays at the end", () => {
  const history = new History();
  history.add("look");
  history.add("north");
  assert.equal(history.move(-1, "dra"), "north");
  assert.equal(history.move(-1, "north"), "look");
  assert.equal(history.move(-1, "look"), "look");
  assert.equal(history.move(1, "look"), "north");
  assert.equal(history.move(1, "north"), "dra");
});

test("a line is not kept twice in a row, nor an empty one, nor too many", () => {
  const history = new History();
  for (const line of ["a", "a", " ", "b"]) {
    history.add(line);
  }
  assert.deepEqual(history.lines, ["a", "b"]);
  for (let k = 0; k < 500; k += 1) {
    history.add(`line ${k}`);
  }
  assert.equal(history.lines.length, 200);
  assert.equal(history.lines[199], "line 499");
});

test("the first word is an exit or a verb, later ones are names; after go, exits", () => {
  assert.deepEqual(fitting("g", words), ["go", "get"]);
  assert.deepEqual(fitting("n", words), ["north"]);
  assert.deepEqual(fitting("attack w", words), ["attack wolf"]);
  assert.deepEqual(fitting("go ", words), ["go north", "go in"]);
  assert.deepEqual(fitting("", words), []);
});

test("again and again it goes round, back with the other step", () => {
  const completion = new Completion();
  assert.equal(completion.next("g", words), "go");
  assert.equal(completion.next("go", words), "get");
  assert.equal(completion.next("get", words), "go");
  assert.equal(completion.next("go", words, -1), "get");
  assert.equal(completion.next("xyz", words), "xyz");
});

test("a creature is named by the last word, and by a number if others share it", () => {
  assert.equal(target("an Old Wolf"), "wolf");
  const names = ["grey wolf", "wolfhound", "grey wolf", "deer"];
  assert.deepEqual(names.map((_, nth) => targetOf(names, nth)), ["wolf", "wolfhound", "3.wolf", "deer"]);
});

test("equal things are one, with their number", () => {
  const things = ["tail", "lamp", "tail", "tail"].map((name, id) => ({ id, name }));
  assert.deepEqual(counted(things).map(({ one, label }) => [one.id, label]), [[0, "tail (3)"], [1, "lamp"]]);
});
