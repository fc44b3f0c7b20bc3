import assert from "node:assert/strict";
import { test } from "node:test";
import { recall, remember } from "../../../src/turnwright/viewer/page/theme.js";

test("a browser that keeps nothing is no reason to fail", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("SecurityError");
    },
  });
  remember("x", "y");
  assert.equal(recall("x"), null);
});

test("a remembered value is recalled", () => {
  const kept = new Map();
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    value: { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) },
  });
  remember("x", "y");
  assert.equal(recall("x"), "y");
});
