import assert from "node:assert/strict";
import { test } from "node:test";
import { SVG_SHAPES_MAX, isHarmless, safeDrawing } from "../../../../src/turnwright_tank/view/draw/debug/safe_svg.js";

const shape = (localName, attributes = {}, ...childNodes) => ({
  nodeType: 1, localName, attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })), childNodes,
});
const words = (textContent) => ({ nodeType: 3, textContent });
const drawn = (...childNodes) => safeDrawing(shape("svg", {}, ...childNodes), 800, 600);

test("known shapes stay, in the arena's coordinates", () => {
  const text = drawn(shape("circle", { cx: "10", cy: "20.5", r: "3", stroke: "#00FFAA", fill: "none" }));
  assert.match(text, /^<svg [^>]*viewBox="0 0 800 600"><g transform="matrix\(1 0 0 -1 0 600\)">/);
  assert.match(text, /<circle cx="10" cy="20.5" r="3" stroke="#00FFAA" fill="none"><\/circle>/);
});

test("texts stand upright where they were, and cannot become markup", () => {
  const text = drawn(shape("text", { x: "5", y: "40", "font-size": "12" }, words("<script>alert('x')&</script>")));
  assert.match(text, /<g transform="matrix\(1 0 0 -1 0 80\)"><text x="5" y="40" font-size="12">/);
  assert.ok(!text.includes("<script"));
  assert.match(text, /&#60;script&#62;alert&#40;|&#60;script&#62;alert\(/);
});

for (const name of ["script", "foreignObject", "image", "use", "a", "style", "animate", "set", "filter", "iframe", "svg", "linearGradient"]) {
  test(`<${name}> is left out, with all that is in it`, () => {
    assert.ok(!drawn(shape(name, { href: "http://x" }, shape("circle", { r: "1" }))).includes("circle"));
  });
}

for (const [name, value] of [
  ["onload", "alert(1)"],
  ["style", "fill:url(http://x)"],
  ["href", "http://x"],
  ["fill", "url(http://x/#a)"],
  ["fill", "url(#a)"],
  ["stroke", "red;x"],
  ["filter", "url(#a)"],
  ["transform", "translate(1) url(x)"],
  ["d", "M0 0 javascript:"],
  ["points", "1,2 \"><script>"],
  ["x", "1e9999"],
  ["x", "NaN"],
  ["width", "calc(1px)"],
  ["d", "M".repeat(9000)],
  ["constructor", "1"],
  ["__proto__", "1"],
]) {
  test(`${name}="${value.slice(0, 30)}" is left out`, () => {
    assert.equal(isHarmless(name, value), false);
    assert.ok(drawn(shape("rect", { [name]: value })).includes("<rect></rect>"));
  });
}

for (const [name, value] of [
  ["x", "-12.5e-1"], ["fill", "rgba(1, 2, 3, .5)"], ["fill", "cornflowerblue"], ["d", "M0,0 L10-20.5Z"], ["stroke", "#0FA8"],
  ["points", "1,2 3,4"], ["transform", "rotate(45 10 10) scale(2)"], ["stroke-dasharray", "4 2"], ["opacity", "50%"],
]) {
  test(`${name}="${value}" stays`, () => assert.equal(isHarmless(name, value), true));
}

test("there is an end to shapes and to their depth", () => {
  const many = drawn(...Array.from({ length: SVG_SHAPES_MAX + 500 }, () => shape("rect", { x: "1" })));
  assert.equal(many.split("<rect").length - 1, SVG_SHAPES_MAX);
  let deep = shape("circle", { r: "1" });
  for (let k = 0; k < 5000; k++) {
    deep = shape("g", {}, deep);
  }
  assert.ok(!drawn(deep).includes("circle"));
});
