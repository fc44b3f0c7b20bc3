import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMarkup } from "../../../../src/turnwright_tank/view/draw/debug/markup.js";
import { safeDrawing } from "../../../../src/turnwright_tank/view/draw/debug/safe_svg.js";

/** @param {any} node */
const told = (node) =>
  node.nodeType === 3
    ? node.textContent
    : [node.localName, Object.fromEntries(node.attributes.map(({ name, value }) => [name, value])), ...node.childNodes.map(told)];

for (const [text, expected] of [
  ["<svg/>", ["svg", {}]],
  ['<?xml version="1.0"?>\n<svg xmlns="x" width="3"  height = \'4\' />\n', ["svg", { xmlns: "x", width: "3", height: "4" }]],
  ["<svg><g><line x1='1'/></g><!-- <a> --></svg>", ["svg", {}, ["g", {}, ["line", { x1: "1" }]]]],
  ["<svg><text>a &lt;b&gt; &amp;&#65;&#x42;&quot;</text></svg>", ["svg", {}, ["text", {}, 'a <b> &AB"']]],
  ["<svg><text><![CDATA[<b>&lt;]]></text></svg>", ["svg", {}, ["text", {}, "<b>&lt;"]]],
  ["<s:svg xmlns:s='x'><s:rect/></s:svg>", ["svg", { "xmlns:s": "x" }, ["rect", {}]]],
  ["<svg><rect x='1' x='2'/></svg>", ["svg", {}, ["rect", { x: "1" }]]],
  ["<svg a='&#9999999;&nbsp;'/>", ["svg", { a: "\ufffd&nbsp;" }]],
]) {
  test(`${text.trim()} is read`, () => assert.deepEqual(told(parseMarkup(text)), expected));
}

for (const text of [
  "", "  ", "x", "<svg>", "</svg>", "<svg></g>", "<svg><g></svg></g>", "<svg/><svg/>", "<svg/>x", "<svg", "<svg a>", "<svg a=1/>",
  '<svg a="<"/>', "<svg a='1'b='2'/>", "<!DOCTYPE svg><svg/>", "<svg><!-- </svg>", "<svg><![CDATA[</svg>", "<1/>", "< svg/>", "<svg>&lt;</svg",
  "<g>".repeat(200) + "</g>".repeat(200),
]) {
  test(`"${text.slice(0, 40)}" is no drawing`, () => assert.equal(parseMarkup(text), null));
}

test("a text of the greatest length is read quickly, whatever it is", () => {
  const room = 100_000;
  const shapes = `<svg>${"<line x1='1' y1='2' x2='3' y2='4' stroke='red'/>".repeat(room / 50)}</svg>`;
  const texts = [shapes, `<svg ${" ".repeat(room)}`, `<svg${" a='b'".repeat(room / 6)}`, "<!--".repeat(room / 4), "<svg>".repeat(room / 5)];
  texts.push(`<svg a='${"&".repeat(room)}'/>`, `<svg>${"&#".repeat(room / 2)}</svg>`, `<${"a".repeat(room)}`, `<svg ${"a".repeat(room)}`);
  const begun = process.cpuUsage().user;
  const read = texts.map(parseMarkup);
  assert.equal(read[0]?.childNodes.length, room / 50);
  assert.ok(process.cpuUsage().user - begun < 1_000_000, "1 s for all of them at most");
});

test("parsed markup becomes a drawing without unknown parts", () => {
  const shape = parseMarkup("<svg onload='a()'><rect width='9' style='fill:url(//x)'/><script>a()</script><text y='2'>&lt;b&gt;</text></svg>");
  const drawing = safeDrawing(shape, 800, 600);
  assert.match(drawing, /<rect width="9"><\/rect><g transform="matrix\(1 0 0 -1 0 4\)"><text y="2">&#60;b&#62;<\/text><\/g><\/g><\/svg>$/);
});
