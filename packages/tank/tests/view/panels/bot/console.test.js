import assert from "node:assert/strict";
import { test } from "node:test";
import { failureAt, failureOf, failureWord } from "../../../../src/turnwright_tank/view/failures.js";
import { printedAtEnd, printedBy } from "../../../../src/turnwright_tank/view/panels/bot/console.js";
import { frame } from "../making.js";

const said = (index, stdOut, stdErr = null) => frame(index, [[1, 9, { stdOut, stdErr }]]);

test("lines come with their turns, errors after normal output", () => {
  const lines = printedBy([said(0, "one\ntwo\n"), said(1, "three\r\n", "oh")], 1, 10);
  assert.deepEqual(
    lines.map((line) => [line.turn, line.error, line.text]),
    [
      [1, false, "one"],
      [1, false, "two"],
      [2, false, "three"],
      [2, true, "oh"],
    ],
  );
});

test("only the last lines are kept", () => {
  const lines = printedBy(
    Array.from({ length: 50 }, (_, k) => said(k, `line ${k}`)),
    1,
    3,
  );
  assert.deepEqual(
    lines.map((line) => line.text),
    ["line 47", "line 48", "line 49"],
  );
});

test("a flood is bounded in lines and letters", () => {
  const [line, ...more] = printedBy([said(0, "x".repeat(1_000_000))], 1, 10);
  assert.ok(line.text.length <= 2001 && more.length === 0);
  assert.ok(printedBy([said(0, "\n".repeat(1_000_000))], 1, 10).length <= 10);
  const all = printedBy(
    Array.from({ length: 100 }, (_, k) => said(k, "y".repeat(5000))),
    1,
    100,
  );
  assert.ok(all.reduce((sum, each) => sum + each.text.length, 0) < 25_000);
});

test("lines of a bot whose tank is gone are shown, too", () => {
  const fallen = [{ id: 2, stdOut: "I died\n", stdErr: null }];
  const frames = [frame(0, [[1, 9], [2, 0, { stdOut: "ouch\n", stdErr: null }]]), frame(1, [[1, 9]], [], { fallen })];
  assert.deepEqual(
    printedBy(frames, 2, 10).map((line) => [line.turn, line.text]),
    [
      [1, "ouch"],
      [2, "I died"],
    ],
  );
});

test("others' prints are not shown", () => {
  assert.deepEqual(printedBy([said(0, "one")], 2, 10), []);
});

test("a failure is shown from its turn on, followed by the last prints", () => {
  const failure = failureOf({ reason: "crashed", round: 2, turn: 3, error: "E: bad", printed: ["Traceback", "E: bad"] });
  const source = { failures: new Map([[1, failure]]) };
  const at = (roundNumber, turnNumber) => failureAt(source, 1, { roundNumber, turnNumber });
  assert.deepEqual([at(1, 9), at(2, 2), at(2, 3), at(3, 1)], [null, null, failure, failure]);
  assert.equal(failureAt(source, 2, { roundNumber: 3, turnNumber: 1 }), null);
  const lines = printedAtEnd(failure, 7);
  assert.deepEqual(
    lines.map((line) => [line.round, line.turn, line.error, line.text]),
    [
      [2, 3, true, "crashed in turn 3 of round 2: E: bad"],
      [2, 3, true, "Traceback"],
      [2, 3, true, "E: bad"],
    ],
  );
});

test("why a bot was out of a round is shown in that round alone", () => {
  const out = [1, 3].map((round) => failureOf({ reason: "slow", round, turn: 5 }));
  const source = { failures: new Map(), outOfRounds: new Map([[1, out]]) };
  const at = (roundNumber, turnNumber) => failureAt(source, 1, { roundNumber, turnNumber });
  assert.deepEqual([at(1, 4), at(1, 5), at(2, 9), at(3, 5)], [null, out[0], null, out[1]]);
});

test("a row of the ranking names in a word why a bot is out", () => {
  const word = (reason, error = "") => failureWord(failureOf({ reason, error }));
  assert.deepEqual(["crashed", "silent", "slow", "kicked", "news"].map((reason) => word(reason)), [
    "crashed",
    "no answers",
    "too slow",
    "removed",
    "out",
  ]);
  assert.equal(word("silent", "refused: 5 is not an intent"), "no valid answers");
});
