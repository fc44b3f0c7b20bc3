import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import "../resim/browser_streams.js";
import { RoyaleSource } from "../../../src/turnwright_tank/view/files/source_royale.js";
import { bot, gameStarted, messages, tick } from "../resim/making.js";

const RESULTS = [{ id: 2, name: "Bot 2", version: "1.0", rank: 1, totalScore: 10 }];
const ROUND_ENDED = { type: "RoundEndedEventForObserver", roundNumber: 1, turnNumber: 2, results: RESULTS };
const ENDED = { type: "GameEndedEventForObserver", numberOfRounds: 2, results: RESULTS };
const WHOLE = [gameStarted(), tick(1, 1), tick(1, 2), ROUND_ENDED, tick(2, 1), ENDED];

async function opened(list, end) {
  const source = new RoyaleSource(list instanceof Uint8Array ? list : messages(list, end));
  await source.loaded;
  return source;
}

test("a recording is a frame a tick, with results where a round ends", async () => {
  const source = await opened(WHOLE);
  assert.deepEqual([source.kind, source.length, source.status.phase, source.status.message], ["royale", 3, "over", ""]);
  assert.deepEqual([0, 1, 2].map((k) => source.at(k).turnNumber), [1, 2, 1]);
  assert.deepEqual([0, 1, 2].map((k) => source.at(k).roundResults?.[0].totalScore), [undefined, 10, undefined]);
  assert.equal(source.battle.results[0].name, "Bot 2");
  assert.deepEqual([source.at(3), source.at(-1), source.verified], [null, null, null]);
});

test("standings are those of the last round that was over; before it nothing is known", async () => {
  const source = await opened(WHOLE);
  const unknown = { points: null, teamPoints: null, place: null, missed: null };
  assert.deepEqual([...source.at(0).standings], [[1, unknown], [2, unknown]]);
  for (const index of [1, 2]) {
    assert.deepEqual([...source.at(index).standings], [[1, unknown], [2, { ...unknown, points: 10, place: 1 }]]);
  }
});

test("bots of a team have the points of the team", async () => {
  const participants = [1, 2, 3].map((id) => ({ id, name: `Bot ${id}`, ...(id === 2 ? {} : { teamId: 1, teamName: "T" }) }));
  const results = [{ id: 1, name: "T", isTeam: true, rank: 1, totalScore: 90 }, { id: 2, name: "Bot 2", rank: 2, totalScore: 8 }];
  const source = await opened([gameStarted({ participants }), tick(1, 1), { ...ROUND_ENDED, results }]);
  const told = [...source.at(0).standings.values()].map(({ points, teamPoints, place }) => [points, teamPoints, place]);
  assert.deepEqual(told, [[null, 90, 1], [8, null, 2], [null, 90, 1]]);
});

test("packed, with line ends of Windows and blank lines it is the same", async () => {
  const source = await opened(gzipSync(messages(WHOLE, "\r\n\r\n")));
  assert.deepEqual([source.length, source.status.message], [3, ""]);
});

test("a file that begins with a tick has seats from its frames and a guessed arena", async () => {
  const source = await opened([tick(3, 7), tick(3, 8, { botStates: [bot(1), bot(9, { x: 1190, y: 20 })] }), ENDED]);
  assert.deepEqual(source.battle.seats.map(({ id }) => id), [1, 2, 9]);
  assert.deepEqual([source.battle.width, source.battle.height, source.battle.rounds], [1300, 600, 3]);
  assert.match(source.status.message, /size of the arena is a guess/);
});

test("lines that cannot be read are left out and counted", async () => {
  const text = new TextDecoder().decode(messages(WHOLE)).split("\n");
  text.splice(2, 0, "{broken", "[1]", '"x"', '{"type":"TickEventForObserver"}', '{"type":"SomethingNew"}');
  const source = await opened(new TextEncoder().encode(text.join("\n")));
  assert.deepEqual([source.length, source.status.message], [3, "4 lines could not be read"]);
});

test("a file that was cut off plays up to there", async () => {
  const list = [gameStarted(), ...Array.from({ length: 300 }, (_, k) => tick(1, k + 1, { botStates: [bot(1, { x: (k * 7919) % 500 })] }))];
  const packed = gzipSync(messages(list));
  const source = await opened(packed.subarray(0, packed.length >> 1));
  assert.ok(source.length > 10 && source.length < 300);
  assert.equal(source.status.message, "the recording is truncated; the readable part is shown");
});

test("a recording that ends too early says so", async () => {
  assert.equal((await opened([gameStarted(), tick(1, 1)])).status.message, "the recording is truncated");
});

test("an aborted battle is aborted", async () => {
  const { status } = await opened([gameStarted(), tick(1, 1), { type: "GameAbortedEvent" }]);
  assert.deepEqual([status.phase, status.message], ["aborted", "the battle was stopped"]);
});

test("a second battle in the file is not shown", async () => {
  for (const more of [[gameStarted(), tick(1, 1)], [tick(1, 1)]]) {
    const source = await opened([...WHOLE, ...more]);
    assert.equal(source.length, 3);
    assert.match(source.status.message, /second battle/);
  }
});

test("a file without a turn has failed", async () => {
  const source = await opened([gameStarted()]);
  assert.deepEqual([source.status.phase, source.status.message], ["failed", "there is no turn of a battle in this file"]);
});

test("a tank that the list of participants lacks is added", async () => {
  const source = await opened([gameStarted(), tick(1, 1, { botStates: [bot(1), bot(5)] }), ENDED]);
  assert.deepEqual(source.battle.seats.map(({ id }) => id), [1, 2, 5]);
});

test("a large file is read in slices", async () => {
  const frame = tick(1, 1, { botStates: Array.from({ length: 50 }, (_, id) => bot(id)) });
  const source = new RoyaleSource(messages([gameStarted(), ...Array.from({ length: 3000 }, () => frame)]));
  let told = 0;
  source.on("status", () => (told += 1));
  await source.loaded;
  assert.equal(source.length, 3000);
  assert.ok(told > 2);
});
