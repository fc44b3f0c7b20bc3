import assert from "node:assert/strict";
import { test } from "node:test";
import { RoundTally } from "../../../src/turnwright/viewer/ui/tally.js";
import { compare, roundLines, roundText, TERMS } from "../../../src/turnwright/viewer/ui/verdict.js";
import { death, frame, hit, nameOf, row } from "./making.js";

const name = (each) => each.name;
const ROWS = [
  row(1, "Ann", 300, { survival: 200, bulletDamage: 100 }),
  row(2, "Bob", 90, { rank: 2, survival: 50, bulletDamage: 40 }),
];

test("the loser is told by how much and where the points were made", () => {
  assert.deepEqual(compare(ROWS, ROWS[1], name), [
    "Bob came 2nd, 210 points behind Ann.",
    "Most of that is survival (50 against 200) and bullet damage (40 against 100).",
  ]);
});

test("the winner is told how far ahead it was; equals share", () => {
  assert.deepEqual(compare(ROWS, ROWS[0], name), ["Ann won, 210 points ahead of Bob."]);
  const equal = [ROWS[0], { ...ROWS[0], id: 2, name: "Bob" }];
  assert.deepEqual(compare(equal, equal[1], name), ["Bob shares the best score, 300."]);
});

test("each round is one line that leads to the death", () => {
  const [first, second] = [new RoundTally(1, 0), new RoundTally(2, 2)];
  first.add(
    frame(0, [
      [1, 100],
      [2, 5],
    ]),
  );
  first.add(
    frame(
      1,
      [
        [1, 100],
        [2, -1],
      ],
      [hit(1, 2, 6, -1), death(2)],
      { roundResults: [] },
    ),
  );
  second.add(
    frame(
      2,
      [
        [1, 100],
        [2, 77],
      ],
      [],
      { roundNumber: 2, turnNumber: 1 },
    ),
  );
  assert.deepEqual(roundLines([first, second], 2, nameOf), [
    { round: 1, text: "died in turn 2 by Ann", seek: 1 },
    { round: 2, text: "alive, 77.0 energy", seek: 2 },
  ]);
});

test("a round's end is said in a sentence", () => {
  assert.equal(roundText(2, ROWS, name), "Round 2 is over. Ann 300, Bob 90.");
});

test("all six parts of a score have a name", () => {
  assert.equal(TERMS.length, 6);
});
