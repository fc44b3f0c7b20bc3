import assert from "node:assert/strict";
import { test } from "node:test";
import { PanelContext } from "../../../src/turnwright/viewer/page/panel_context.js";
import { Player } from "../../../src/turnwright/viewer/time/player.js";
import { FakeScreen, FilmSource, rounds } from "../films.js";

/** The parts of a page of which colours are taken. */
Object.assign(globalThis, {
  document: { documentElement: {} },
  matchMedia: () => ({ addEventListener() {} }),
  MutationObserver: class {
    observe() {}
  },
});

test("the parts of a turn are shown in the same picture as the turn", () => {
  const screen = new FakeScreen();
  const player = new Player(screen.request);
  const none = { next: 0, order: new Map(), add() {}, settle: () => false };
  const shared = new PanelContext(player, /** @type {any} */ ({}), () => /** @type {any} */ (none));
  let [shown, late, refreshes] = [-1, 0, 0];
  shared.onTurn(() => (shown = player.frame?.index ?? -1));
  shared.onRefresh(() => (refreshes += 1));
  player.on("draw", () => (late += shown === (player.frame?.index ?? -1) ? 0 : 1)); // as the arena is drawn
  player.setSource(new FilmSource(rounds(90)));
  player.start();
  screen.run(2000);
  assert.ok(shown > 50, String(shown));
  assert.equal(late, 0);
  assert.ok(refreshes <= 30, `the others are shown ten times a second at most: ${refreshes}`);
});
