import assert from "node:assert/strict";
import { test } from "node:test";
import "../fake_canvas.js";
import { BitmapCache, finished, newBitmap } from "../../../src/turnwright_tank/view/draw/bitmap_cache.js";

test("pictures are made once and the least used are forgotten", () => {
  const cache = new BitmapCache(3);
  let made = 0;
  const get = (key) => cache.get(key, () => (made += 1));
  ["a", "b", "c", "a", "d", "a"].forEach(get);
  assert.equal(made, 4, "a was used and is still there");
  get("b");
  assert.equal(made, 5);
  assert.equal(cache.kept.size, 3);
  cache.clear();
  assert.equal(cache.kept.size, 0);
});

test("bitmap has at least one pixel", () => {
  const { bitmap } = newBitmap(0.2, -3);
  assert.deepEqual([bitmap.width, bitmap.height], [1, 1]);
  assert.equal(finished(bitmap), bitmap);
});
