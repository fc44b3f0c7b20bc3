import assert from "node:assert/strict";
import { test } from "node:test";
import { contactsOf, lastState, notesOf, statusOf, toldTo } from "../../../../src/turnwright_tank/view/panels/bot/bot_view.js";
import { death, frame, hit, nameOf, ram, scan, wall } from "../making.js";

const me = (x, y, direction) => [1, 100, { x, y, direction }];

test("a contact is where it was last seen, from where the bot is now", () => {
  const frames = [
    frame(0, [me(0, 0, 0)], [scan(1, 2, 0, 50), scan(3, 2, 999, 999)]),
    frame(1, [me(0, 0, 0)], [scan(1, 2, 0, 100)]),
    frame(2, [me(0, 0, 90)], [scan(1, 3, 100, 0)]),
  ];
  const [second, first] = contactsOf(frames, 1);
  assert.deepEqual([second.id, second.age, second.distance, Math.round(second.bearing)], [3, 0, 100, -90]);
  assert.deepEqual([first.id, first.age, first.distance, Math.round(first.bearing)], [2, 1, 100, 0]);
  assert.deepEqual(first.trace, [
    { x: 0, y: 50 },
    { x: 0, y: 100 },
  ]);
});

test("the dead are no contacts", () => {
  assert.deepEqual(contactsOf([frame(0, [me(0, 0, 0)], [scan(1, 2)]), frame(1, [me(0, 0, 0)], [death(2)])], 1), []);
});

test("a dead bot's last sights stay", () => {
  const frames = [frame(0, [me(5, 0, 0)], [scan(1, 2)]), frame(1, [[3, 9]])];
  assert.equal(contactsOf(frames, 1).length, 1);
  assert.equal(lastState(frames, 1).x, 5);
  assert.deepEqual(contactsOf(frames, 7), []);
});

test("a bot's view lists its own events and deaths", () => {
  assert.equal(toldTo(hit(2, 1, 4, 50), 1, nameOf), "hit by Bob: −4.0");
  assert.equal(toldTo(hit(1, 2, 4, 50), 1, nameOf), "my bullet hit Bob: −4.0");
  assert.equal(toldTo(hit(2, 3, 4, 50), 1, nameOf), null);
  assert.equal(toldTo(wall(1), 1, nameOf), "I drove into a wall");
  assert.equal(toldTo(ram(1, 2, 9), 1, nameOf), "I rammed Bob");
  assert.equal(toldTo(ram(2, 1, 9), 1, nameOf), null);
  assert.equal(toldTo(death(3), 1, nameOf), "Cid died");
  assert.equal(toldTo(scan(1, 2), 1, nameOf), null);
});

test("notes are the newest first and not too many", () => {
  const frames = Array.from({ length: 20 }, (_, k) => frame(k, [me(0, 0, 0)], [wall(1)]));
  const notes = notesOf(frames, 1, nameOf, 3);
  assert.deepEqual(
    notes.map((note) => [note.index, note.turn]),
    [
      [19, 20],
      [18, 19],
      [17, 18],
    ],
  );
});

test("a bot's status comes from the server, or else from its energy", () => {
  const shown = frame(0, [[1, 100], [2, 0], [3, -1]]);
  const of = (id) => statusOf(shown, id, shown.botStates.find((bot) => bot.id === id) ?? null);
  assert.deepEqual([1, 2, 3, 4].map(of), ["running", "disabled", "dead", "dead"]);
  shown.timing = new Map([[1, { skipped: true, lateUs: null, answerUs: null, rttUs: null, status: "disconnected" }]]);
  assert.deepEqual([1, 2].map(of), ["disconnected", "disabled"]);
});
