import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf } from "../../../src/turnwright_tank/view/panels/score_parts.js";

const row = (totalScore, survival, last, bullets, bulletKills, rams = 0, ramKills = 0) =>
  /** @type {any} */ ({
    totalScore,
    survival,
    lastSurvivorBonus: last,
    bulletDamage: bullets,
    bulletKillBonus: bulletKills,
    ramDamage: rams,
    ramKillBonus: ramKills,
  });
const sum = (parts) => Object.values(parts).reduce((all, part) => all + part, 0);

test("the parts shown add up to the score shown", () => {
  for (const each of [row(720, 350, 30, 300, 39), row(600, 200, 30, 265, 40, 65), row(475, 300, 30, 130, 14, 3), row(719, 350, 30, 301, 40)]) {
    assert.equal(sum(partsOf(each)), each.totalScore);
  }
  assert.equal(partsOf(row(720, 350, 30, 300, 39)).bulletKillBonus, 40, "its fraction was cut down");
  assert.equal(partsOf(row(720, 350, 30, 300, 39)).survival, 350, "it has none");
});

test("the scores of a server that counts otherwise are not bent", () => {
  assert.equal(sum(partsOf(row(900, 350, 30, 300, 39))), 719);
  assert.equal(sum(partsOf(row(1, 0, 0, 0, 0))), 0);
});
