import assert from "node:assert/strict";
import { test } from "node:test";
import { Scrollback } from "../../../src/turnwright_world/view/panels/scrollback.js";

const line = (/** @type {number} */ k) => [{ text: `line ${k}`, style: "" }];

test("a new line is taken once", () => {
  const scroll = new Scrollback(10);
  scroll.add(line(1));
  scroll.add(line(2), "typed");
  assert.deepEqual(scroll.take().lines.map((one) => one.kind), ["text", "typed"]);
  assert.deepEqual(scroll.take(), { lines: [], drop: 0 });
});

test("the oldest are dropped, so that never more are shown than may be", () => {
  const scroll = new Scrollback(10);
  let shown = 0;
  for (let k = 0; k < 37; k += 1) {
    scroll.add(line(k));
    if (k % 4 === 0) {
      const { lines, drop } = scroll.take();
      shown += lines.length - drop;
      assert.ok(shown <= 10);
    }
  }
  assert.equal(scroll.shown, shown);
});

test("lines that arrive faster than they are shown are bounded, and the newest is included", () => {
  const scroll = new Scrollback(10);
  for (let k = 0; k < 1000; k += 1) {
    scroll.add(line(k));
    assert.ok(scroll.fresh.length <= 20);
  }
  const { lines, drop } = scroll.take();
  assert.equal(lines.length, 10);
  assert.equal(lines[9].pieces[0].text, "line 999");
  assert.equal(drop, 0);
});
