import assert from "node:assert/strict";
import { test } from "node:test";
import { colorOr, contrast, inkOn, luminance, mix, parseColor, withAlpha } from "../../../src/turnwright_tank/view/draw/color.js";

test("only #RGB and #RRGGBB are colours", () => {
  assert.deepEqual(parseColor("#1aF"), { r: 17, g: 170, b: 255 });
  assert.deepEqual(parseColor("#102030"), { r: 16, g: 32, b: 48 });
  for (const other of ["red", "#12", "#12345", "url(x)", "", null, 7, "#12345g", "#123456\n", " #123456"]) {
    assert.equal(parseColor(other), null, String(other));
    assert.equal(colorOr(other, "#111111"), "#111111");
  }
});

test("mixing, transparency and brightness", () => {
  assert.equal(mix("#000000", "#ffffff", 0.5), "#808080");
  assert.equal(withAlpha("#102030", 0.5), "rgba(16,32,48,0.5)");
  assert.equal(luminance("#ffffff"), 1);
  assert.equal(Math.round(contrast("#000000", "#ffffff")), 21);
  assert.equal(inkOn("#e8dc3c"), "#0b0f17");
  assert.equal(inkOn("#1673a8"), "#ffffff");
});
