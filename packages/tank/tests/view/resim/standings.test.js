import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RecordSource } from "../../../src/turnwright_tank/view/resim/source_record.js";
import { StandingTable } from "../../../src/turnwright_tank/view/resim/standings.js";
import { DEATH } from "../../../src/turnwright_tank/view/resim/rules.js";

const SAMPLE = readFileSync(new URL("samples/departures.twr", import.meta.url));

/** What a table looks at of a simulation. */
function simulation(reached, missed, kinds = [DEATH]) {
  const world = { arena: { events: kinds.length }, events: kinds.map((kind) => ({ kind })) };
  return { roundOver: false, missed, tables: { world }, scoresSoFar: () => ({ reached: () => reached }) };
}

test("a change is there from its turn on", () => {
  const table = new StandingTable([{ team: null }, { team: 4 }]);
  const nobody = [{ points: 0, teamPoints: null, place: 0 }, { points: 0, teamPoints: 0, place: 0 }];
  const second = [{ points: 0, teamPoints: null, place: 2 }, { points: 50, teamPoints: 50, place: 1 }];
  table.put(simulation(nobody, [0, 0], []));
  table.put(simulation(nobody, [1, 0], []));
  table.put(simulation(second, [1, 0]));
  table.put(simulation([], [1, 0], []));
  const shown = [0, 1, 2, 3].map((k) => [...table.at(k).values()].map(({ points, place, missed }) => [points, place, missed]));
  assert.deepEqual(shown, [
    [[0, 0, 0], [0, 0, 0]],
    [[0, 0, 1], [0, 0, 0]],
    [[0, 2, 1], [50, 1, 0]],
    [[0, 2, 1], [50, 1, 0]],
  ]);
  assert.deepEqual([...table.at(3).values()].map(({ teamPoints }) => teamPoints), [null, 50]);
});

test("at each round's end they are the results", async () => {
  const source = new RecordSource(SAMPLE);
  await source.loaded;
  const frames = Array.from({ length: source.length }, (_, k) => source.at(k));
  const ends = frames.filter((frame) => frame.roundResults !== null);
  assert.equal(ends.length, 2);
  for (const { roundResults, standings } of ends) {
    for (const { id, teamId } of source.battle.seats) {
      const row = roundResults.find((each) => each.isTeam === (teamId !== null) && each.id === (teamId ?? id));
      const { points, teamPoints, place } = standings.get(id);
      assert.deepEqual([teamPoints ?? points, place], [row.totalScore, row.rank]);
    }
  }
  const totals = frames.map(({ standings }) => [...standings.values()].reduce((sum, { points }) => sum + points, 0));
  assert.ok(totals.every((total, k) => k === 0 || total >= totals[k - 1]), "points only grow");
  assert.ok(new Set(totals).size > 5);
});
