import assert from "node:assert/strict";
import { test } from "node:test";
import { Wrecks } from "../../../../src/turnwright_tank/view/draw/tanks/wrecks.js";
import { FilmSource, botState, rounds } from "../../../../../core/tests/viewer/films.js";

function source() {
  const frames = rounds(20, 20);
  for (const [index, frame] of frames.entries()) {
    const gone = frame.roundNumber === 1 && frame.turnNumber > 8;
    frame.botStates = [botState(1), ...(gone ? [] : [botState(2, { x: 100 + index })])];
  }
  frames[7].events = [{ type: "BotDeathEvent", turnNumber: 8, victimId: 2 }];
  return new FilmSource(frames);
}

test("a wreck lies where the tank was last seen, from its death to the end of the round", () => {
  const film = source();
  const wrecks = new Wrecks();
  const at = (index) => wrecks.at(film, film.at(index));
  assert.deepEqual(at(19), [{ id: 2, x: 107, y: 200, direction: 0, index: 7 }]);
  assert.deepEqual(at(7).map(({ id }) => id), [2]);
  assert.deepEqual(at(6), []);
  assert.deepEqual(at(25), []);
});

test("a tank that was never seen in a round has no wreck, and another battle has its own wrecks", () => {
  const film = source();
  const wrecks = new Wrecks();
  assert.equal(wrecks.at(film, film.at(19)).length, 1);
  const other = source();
  other.frames.slice(0, 20).forEach((frame) => (frame.botStates = [botState(1)]));
  other.frames[7].events = [];
  assert.deepEqual(wrecks.at(other, other.at(19)), []);
});

test("it looks at few frames, so a long round costs nothing", () => {
  const frames = rounds(20_000);
  frames.forEach((frame, index) => (frame.botStates = index < 12_345 ? [botState(1), botState(2)] : [botState(1)]));
  const film = new FilmSource(frames);
  let looked = 0;
  const at = film.at.bind(film);
  film.at = (index) => ((looked += 1), at(index));
  assert.equal(new Wrecks().at(film, frames[19_999])[0].index, 12_344);
  assert.ok(looked < 60, String(looked));
});
