import assert from "node:assert/strict";
import { test } from "node:test";
import { keyAction, reactionKeys, typedReaction } from "../../src/turnwright_world/view/keys.js";

const NAMES = ["dodge", "parry", "ward", "deflect", "counter"];
const used = reactionKeys(NAMES);

/** @param {string} key */
const stroke = (key, shift = false, other = false) => ({ key, shift, other });

test("each reaction has its own letter", () => {
  assert.deepEqual([...used], [["d", "dodge"], ["p", "parry"], ["w", "ward"], ["e", "deflect"], ["c", "counter"]]);
});

test("outside of the command line letters react, digits go, others begin to type", () => {
  const out = { typing: false, empty: true };
  assert.deepEqual(keyAction(stroke("d"), out, used), { what: "react", reaction: "dodge" });
  assert.deepEqual(keyAction(stroke("3"), out, used), { what: "exit", nth: 2 });
  assert.deepEqual(keyAction(stroke("k"), out, used), { what: "type" });
  assert.deepEqual(keyAction(stroke("/"), out, used), { what: "type" });
  assert.equal(keyAction(stroke("Tab"), out, used), null);
  assert.equal(keyAction(stroke(" "), out, used), null);
});

test("in the command line one types, unless it is empty", () => {
  const empty = { typing: true, empty: true };
  const full = { typing: true, empty: false };
  assert.equal(keyAction(stroke("d"), empty, used), null);
  assert.deepEqual(keyAction(stroke("D", true), empty, used), { what: "react", reaction: "dodge" });
  assert.equal(keyAction(stroke("D", true), full, used), null);
  assert.deepEqual(keyAction(stroke("1"), empty, used), { what: "exit", nth: 0 });
  assert.equal(keyAction(stroke("1"), full, used), null);
  assert.deepEqual(keyAction(stroke("Escape"), full, used), { what: "leave" });
});

test("the browser's own keys stay its own", () => {
  assert.equal(keyAction(stroke("d", false, true), { typing: false, empty: true }, used), null);
});

test("a typed reaction is one, with the threat that it names", () => {
  const reactions = NAMES.map((name) => ({ name, short: [name.slice(0, 3)], shortThreatened: [name.slice(0, 2), name.slice(0, 3)] }));
  assert.deepEqual(typedReaction("Dodge", reactions, false), { reaction: "dodge", id: null });
  assert.deepEqual(typedReaction(" ward #12 ", reactions, false), { reaction: "ward", id: 12 });
  assert.equal(typedReaction("dodge the question", reactions, true), null);
  assert.equal(typedReaction("look", reactions, true), null);
  assert.deepEqual(typedReaction("WAR 3", reactions, false), { reaction: "ward", id: 3 });
  assert.deepEqual(typedReaction("do", reactions, true), { reaction: "dodge", id: null });
  assert.equal(typedReaction("do", reactions, false), null);
});
