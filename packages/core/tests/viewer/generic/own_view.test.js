import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedView, Mistakes, viewOf } from "../../../src/turnwright/viewer/generic/own_view.js";

/** Lines that a page gets. */
function told(mistakes) {
  const lines = [];
  mistakes.onto((line) => lines.push(line));
  return lines;
}

test("a view without mistakes is unchanged and reports nothing", () => {
  const mistakes = new Mistakes();
  const view = checkedView({ unit: 3, size: (state) => state.size, describe() { return `${this.unit}`; } }, mistakes);
  assert.deepEqual(view.size({ size: { width: 7, height: 1 } }), { width: 7, height: 1 });
  assert.equal(view.describe(), "3", "its methods see it as `this`");
  assert.equal("draw" in view, false);
  assert.deepEqual(told(mistakes), []);
});

test("a method that throws says nothing, and the page says so once", (t) => {
  const logged = t.mock.method(console, "error", () => {});
  const mistakes = new Mistakes();
  const lines = told(mistakes);
  const view = checkedView({ draw: () => undefined.x, say: () => { throw "a\nb"; } }, mistakes);
  assert.equal(view.draw(), undefined);
  view.draw();
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^view\.js: draw\(\) threw TypeError: .*undefined/);
  view.say();
  assert.match(lines[1], /draw\(\).*; view\.js: say\(\) threw a b$/);
  assert.equal(logged.mock.callCount(), 2);
});

test("a size that cannot be drawn is named, and the page takes the place it has", () => {
  const wrong = [{ width: NaN, height: 2 }, { width: 3, height: 0 }, { width: 3 }, { width: Infinity, height: 1 }, 7, null];
  for (const size of wrong) {
    const mistakes = new Mistakes();
    assert.equal(checkedView({ size: () => size }, mistakes).size(), undefined);
    assert.match(told(mistakes)[0], /^view\.js: size\(\) returned .*(NaN|0|undefined|Infinity|7|null).*; expected/);
  }
});

test("an invalid view is replaced by an empty one", () => {
  for (const [given, word] of [[null, "null"], [3, "number"], [undefined, "undefined"]]) {
    const mistakes = new Mistakes();
    assert.deepEqual(checkedView(given, mistakes), {});
    assert.match(told(mistakes)[0], new RegExp(`view.* ${word}; expected an object`));
  }
  const mistakes = new Mistakes();
  assert.deepEqual(checkedView({ draw: 3 }, mistakes), {});
  assert.match(told(mistakes)[0], /draw is a number; expected a function/);
});

test("a script that failed is named with its error and line", () => {
  const error = { message: "Uncaught SyntaxError: Unexpected token '}'", filename: "http://here/viewer/own_view.js", lineno: 7 };
  const mistakes = new Mistakes();
  assert.deepEqual(viewOf({ turnwrightErrors: [error] }, mistakes), {});
  assert.match(told(mistakes)[0], /^view\.js: Uncaught SyntaxError: .*'}' \(line 7\); frames are shown as text$/);
  const other = new Mistakes();
  viewOf({ turnwrightErrors: [] }, other);
  assert.match(told(other)[0], /did not load/);
  assert.equal(viewOf({ turnwrightView: { describe: () => "1" } }, new Mistakes()).describe(), "1");
});

test("mistakes are said again when they are asked for, and not where there are none", () => {
  const mistakes = new Mistakes();
  const lines = told(mistakes);
  mistakes.tell();
  assert.deepEqual(lines, []);
  mistakes.add("size", "x".repeat(999));
  mistakes.tell();
  assert.equal(lines.length, 2);
  assert.equal(lines[0].length, 300);
});
