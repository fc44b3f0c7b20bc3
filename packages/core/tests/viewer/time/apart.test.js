import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../../../src/turnwright/viewer/time/player.js";
import { FakeScreen, FilmSource, rounds } from "../films.js";

/** A battle that waits for no spectator: it has `length` turns already. */
function watching(length, tps = 30) {
  const source = new FilmSource(rounds(length));
  Object.assign(source, { kind: "live", apart: true, battles: 1 });
  source.status = { ...source.status, phase: "running", tps };
  const screen = new FakeScreen();
  const player = new Player(screen.request);
  player.setSource(source);
  player.onBattle();
  player.start();
  screen.run(17);
  return { source, screen, player };
}

test("a battle that waits for no spectator is shown from its first turn, at the speed of its server", () => {
  const { screen, player } = watching(2000);
  screen.run(1000);
  assert.ok(Math.abs(player.position - 30) < 1.5, String(player.position));
  assert.equal(player.atEdge, false);
  assert.ok(Math.abs(watching(2000, 10).player.rate.value - 10) < 1e-9);
});

test("at tps 0 the position does not change", () => {
  const { screen, player } = watching(2000, 0);
  screen.run(1000);
  assert.equal(player.position, 0);
});

test("it does not follow the newest turn by itself, and does so when it is asked", () => {
  const { screen, player } = watching(20);
  screen.run(3000);
  assert.equal(player.atEdge, false);
  player.toEdge();
  assert.equal(player.atEdge, true);
  player.setRate({ kind: "speed", value: 2 });
  assert.equal(player.atEdge, false, "another speed is its own again");
});

test("the furthest shown position is known, also after going back", () => {
  const { player } = watching(200);
  player.seek(50);
  player.seek(10);
  assert.equal(player.reached, 50);
});
