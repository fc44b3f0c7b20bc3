import assert from "node:assert/strict";
import { test } from "node:test";
import { Analysis, REST_MS, RETRY_MS } from "../../../src/turnwright/viewer/sources/analysis.js";

const text = (ending, turns = 1) => JSON.stringify({ lines: [{ kind: "battle", ending, turns }] });

/** An analysis whose server gives these answers, one after the other; `asked` counts, `waits` are calls to come. */
function asking(...answers) {
  const bench = { asked: 0, waits: [], changes: 0 };
  const ask = async () => {
    const answer = answers[Math.min(bench.asked, answers.length - 1)];
    bench.asked += 1;
    if (answer instanceof Error) throw answer;
    return { status: 200, text: "", ...answer };
  };
  bench.analysis = new Analysis(ask, undefined, (call, ms) => bench.waits.push([ms, call]));
  bench.analysis.emitter.on("change", () => (bench.changes += 1));
  return bench;
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test("an embedded analysis is shown immediately without a request", () => {
  const analysis = new Analysis(null).give(text("over"));
  assert.equal(analysis.whole, true);
  assert.equal(analysis.lines[0].turns, 1);
  analysis.refresh(10);
  assert.match(new Analysis(null).give("{").message, /damaged/);
});

test("the analysis of a running battle is requested again after a rest when there are more frames", async () => {
  const bench = asking({ text: text(null) }, { text: text(null, 2) });
  bench.analysis.refresh(0);
  assert.equal(bench.asked, 0);
  bench.analysis.refresh(5);
  bench.analysis.refresh(6);
  await soon();
  assert.equal(bench.asked, 1);
  bench.analysis.refresh(7);
  assert.equal(bench.asked, 1);
  const [[ms, wake]] = bench.waits;
  assert.equal(ms, REST_MS);
  wake();
  bench.analysis.refresh(5);
  assert.equal(bench.asked, 1);
  bench.analysis.refresh(7);
  await soon();
  assert.deepEqual([bench.asked, bench.analysis.lines[0].turns, bench.changes >= 2], [2, 2, true]);
});

test("the end of a battle is requested until it arrives, and then never again", async () => {
  const bench = asking({ status: 202 }, { text: text(null) }, { text: text("over") });
  await bench.analysis.settle();
  while (bench.waits.length > 0) {
    const [ms, call] = bench.waits.shift();
    assert.equal(ms, RETRY_MS);
    call();
    await soon();
  }
  assert.deepEqual([bench.asked, bench.analysis.whole], [3, true]);
  bench.analysis.refresh(100);
  assert.equal(bench.asked, 3);
});

test("a missing or refusing server is reported, and earlier results stay", async () => {
  const bench = asking(new Error("gone"), { status: 422, text: "no record\n" }, { text: text(null) }, new Error("gone"));
  await bench.analysis.fetch();
  assert.match(bench.analysis.message, /does not answer/);
  await bench.analysis.fetch();
  assert.equal(bench.analysis.message, "no record");
  await bench.analysis.fetch();
  await bench.analysis.fetch();
  assert.equal(bench.analysis.lines.length, 1);
});

test("an answer about the battle before is not taken", async () => {
  const bench = asking({ text: text("over") });
  const asked = bench.analysis.fetch();
  bench.analysis.forget();
  await asked;
  assert.equal(bench.analysis.lines, null);
});
