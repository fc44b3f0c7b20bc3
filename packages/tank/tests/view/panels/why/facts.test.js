import assert from "node:assert/strict";
import { test } from "node:test";
import { Facts, ledgerOf, sentence } from "../../../../src/turnwright_tank/view/panels/why/facts.js";

const bot = (round, fate, more = {}) => ({
  kind: "bot",
  round,
  bot: 1,
  name: "Ann",
  energy_at_start: 100,
  energy: -1,
  died: 5,
  fate,
  blows: [],
  tally: {},
  ...more,
});
const LINES = [
  { kind: "battle", ending: "over" },
  { kind: "result", id: 1, is_team: false, verdict: "Ann won." },
  { kind: "total", bot: 1, fate: "died in 2 of 2 rounds: by Bob in 2" },
  { kind: "note", bot: 1, round: null, text: "missed 5 turns" },
  { kind: "round", round: 1, complete: true },
  bot(1, "died in turn 5"),
  { kind: "note", bot: 1, round: 1, text: "its radar never saw Bob" },
  { kind: "note", bot: 2, round: 1, text: "stood still" },
  bot(2, "died in turn 6"),
];

test("facts are found by bot and round", () => {
  const facts = new Facts(LINES);
  assert.equal(facts.of(1, 2).fate, "died in turn 6");
  assert.equal(facts.of(2, 1), null);
  assert.deepEqual(facts.notesOf(1, null), ["Missed 5 turns."]);
  assert.deepEqual(facts.notesOf(1, 1), ["Its radar never saw Bob."]);
  assert.deepEqual([facts.verdictOf(1, false), facts.verdictOf(1, true)], ["Ann won.", ""]);
});

test("the end of a bot is that of its round, or of all its rounds", () => {
  assert.equal(new Facts(LINES).fateOf(1), "died in 2 of 2 rounds: by Bob in 2");
  assert.equal(new Facts(LINES.slice(0, 6)).fateOf(1), "died in turn 5");
  assert.equal(new Facts(LINES).fateOf(9), "");
});

/** The rows shown but the last, added up in tenths, and the last one. */
function sums(energy, tally) {
  const rows = ledgerOf(bot(1, "", { energy, tally }));
  const last = rows.pop();
  return { rows, last, sum: rows.reduce((sum, { value }) => sum + Math.round(10 * value), 0) / 10 };
}

test("the account adds up to the remaining energy, with overkill separate and without empty rows", () => {
  const { rows, last, sum } = sums(-1.01, { won_back: 9, shot_energy: 6, bullet_energy: 104, wall_energy: 0, other_energy: 0.01 });
  assert.deepEqual(rows.map(({ value }) => value), [100, 9, -6, -104, 1]);
  assert.equal(rows.at(-1).kind, "over");
  assert.deepEqual([last.value, last.kind, sum], [0, "left", 0]);
});

test("a survivor has no overkill", () => {
  const { rows, last, sum } = sums(40, { shot_energy: 60 });
  assert.deepEqual(rows.map(({ kind }) => kind), ["change", "change"]);
  assert.deepEqual([last.value, sum], [40, 40]);
});

test("rounded figures add up, whatever they are", () => {
  for (let seed = 1; seed < 400; seed += 1) {
    const part = (k) => ((seed * 7919 * (k + 1)) % 6007) / 173;
    const tally = { won_back: part(1), shot_energy: part(2), bullet_energy: part(3), wall_energy: part(4), ram_energy: part(5), other_energy: 0 };
    const energy = 100 + tally.won_back - tally.shot_energy - tally.bullet_energy - tally.wall_energy - tally.ram_energy;
    const { last, sum } = sums(energy, tally);
    assert.equal(sum, last.value, JSON.stringify(tally));
  }
});

test("a text becomes a sentence", () => {
  assert.deepEqual(["", "a b", "A won."].map(sentence), ["", "A b.", "A won."]);
});
