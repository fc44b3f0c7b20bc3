import assert from "node:assert/strict";
import { test } from "node:test";
import {
  announcement,
  byLanding,
  comingLine,
  goneLine,
  part,
  remainingUs,
  seconds,
  taken,
  urgency,
} from "../../src/turnwright_world/view/threat_times.js";

const bite = { id: 1, from: 7, name: "wolf", kind: "bite", at: 1_000_000, us: 3_000_000 };
const fire = { id: 2, from: 8, name: "salamander", kind: "fire", at: 500_000, us: 2_000_000 };
const shot = { id: 3, from: 9, name: "bandit", kind: "shot", at: 2_000_000, us: 5_000_000 };
const all = [bite, fire, shot];

/** @param {string} clears @param {string[]} kinds */
function reaction(clears, kinds = [], bandUs = 0) {
  return { name: clears, clears, kinds, bandUs, stamina: 10, lockoutUs: 500_000, why: "cleared" };
}

test("the remaining time follows the shared formula and is never negative", () => {
  assert.equal(remainingUs(bite, 1_000_000), 3_000_000);
  assert.equal(remainingUs(bite, 3_999_999), 1);
  assert.equal(remainingUs(bite, 9_000_000), 0);
  assert.equal(part(bite, 2_500_000), 0.5);
  assert.equal(part(bite, 0), 1);
});

test("a ring is calm, near, at its last second, landing", () => {
  const at = [1_000_000, 2_499_999, 2_500_000, 2_999_999, 3_000_000, 3_999_999, 4_000_000];
  const expected = ["calm", "calm", "near", "near", "now", "now", "landing"];
  assert.deepEqual(at.map((us) => urgency(bite, us)), expected);
});

test("seconds are rounded up, so that 0.0 means that it is over", () => {
  assert.deepEqual([0, 1, 100_000, 100_001, 2_950_000].map(seconds), ["0.0", "0.1", "0.1", "0.2", "3.0"]);
});

test("threats are in order of landing, ties in order of coming", () => {
  assert.deepEqual(byLanding(all).map((threat) => threat.id), [2, 1, 3]);
  assert.deepEqual(byLanding([{ ...bite, id: 9 }, bite]).map((threat) => threat.id), [1, 9]);
});

test("reactions take the threats that the server declares", () => {
  const ids = (/** @type {any} */ one, /** @type {number | null} */ wanted = null) =>
    taken(all, one, 1_000_000, wanted).map((threat) => threat.id);
  assert.deepEqual(ids(reaction("all")), [2, 1, 3]);
  assert.deepEqual(ids(reaction("first")), [2]);
  assert.deepEqual(ids(reaction("first", ["bite", "shot"])), [1]);
  assert.deepEqual(ids(reaction("id", ["shot", "fire"]), 3), [3]);
  assert.deepEqual(ids(reaction("id", ["shot", "fire"])), [2]);
  assert.deepEqual(ids(reaction("id", ["shot"]), 1), []);
  assert.deepEqual(ids(reaction("band", [], 1_500_000)), [2]);
  assert.deepEqual(ids(reaction("band", ["bite"], 3_000_000)), [1]);
});

test("a threat is announced when it comes and when a second is left, and not again", () => {
  const answers = [{ ...reaction("first", ["bite"]), name: "parry" }, { ...reaction("id", ["fire"]), name: "ward" }];
  assert.equal(announcement(bite, 0, 1_000_000, /** @type {any} */ (answers)), "The wolf: bite in 3.0 seconds. Parry.");
  assert.equal(announcement(bite, 1, 2_999_999, []), null);
  assert.equal(announcement(bite, 1, 3_000_000, []), "Bite: one second.");
  assert.equal(announcement(bite, 1, 4_000_000, []), null);
  assert.equal(announcement(bite, 2, 3_500_000, []), null);
});

test("an attack on its way is announced with the article of its name and its reactions", () => {
  const stops = [{ ...reaction("first", ["bite"]), name: "parry" }, { ...reaction("all"), name: "dodge", stamina: 30 }];
  const rules = /** @type {any} */ (stops);
  assert.equal(comingLine(bite, rules), "The wolf: bite in 3.0 s [1] - parry or dodge?");
  assert.equal(comingLine({ ...bite, name: "Red Mott" }, []), "Red Mott: bite in 3.0 s [1]");
  assert.equal(announcement(bite, 0, 1_000_000, rules), "The wolf: bite in 3.0 seconds. Parry or dodge.");
});

test("an attack that is over is described with the article that the attacker's name takes", () => {
  assert.match(goneLine(bite, "dodged", 0), /\bthe wolf\b/);
  assert.match(goneLine(bite, "landed", 4), /^The wolf\b.*\b4\b/);
  assert.match(goneLine(bite, "overflow", 4), /\bonce: the wolf\b.*\b4\b/);
  for (const name of ["Anna", "the troll", "an owl", "somebody"]) {
    const line = goneLine({ ...bite, name }, "dodged", 0);
    assert.ok(line.includes(name) && !line.includes(`the ${name}`), line);
  }
});
