import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordReader } from "../../../src/turnwright_tank/view/resim/record_lines.js";
import { chained, header } from "./making.js";

function read(bytes) {
  const reader = new RecordReader();
  const lines = Buffer.from(bytes).toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const said = lines.map((line) => reader.read(Buffer.from(line, "latin1")));
  return { said, reader };
}

const ONE = { type: "BotIntent", targetSpeed: 1, stdOut: "hello" };

test("a header, turns and a footer are read", () => {
  const lines = [header(), {}, { i: { 1: ONE }, s: [0], l: { 0: 5000 }, d: "ab" }, { kind: "footer", ending: "over", turns: 2 }];
  const { said, reader } = read(chained(lines));
  const turn = said[2].turn;
  assert.equal(said[0].setup.seats[1].name, "Two");
  assert.deepEqual([turn.number, turn.skipped, turn.digest, turn.lateNs.get(0)], [2, [0], "ab", 5000]);
  assert.deepEqual([...turn.intents.keys()], [1]);
  assert.deepEqual(reader.footer, { ending: "over", turns: 2, printed: new Map() });
});

test("a repeated intent is the one before", () => {
  const { said } = read(chained([header(), { i: { 0: ONE } }, { r: [0] }]));
  assert.equal(said[2].turn.intents.get(0), said[1].turn.intents.get(0));
});

test("changes are put into the intent before; null takes a key away", () => {
  const lines = [header(), { i: { 0: ONE, 1: ONE } }, { i: { 0: { turnRate: 2, stdOut: null } } }, { d: "" }, { r: [1] }];
  const { said } = read(chained(lines));
  const turns = said.slice(1).map(({ turn }) => turn);
  const { speed, turn, out } = turns[1].intents.get(0);
  assert.deepEqual([speed, turn, out], [1, 2, null]);
  assert.deepEqual(turns.map(({ intents }) => [...intents.keys()]), [[0, 1], [0, 1], [0, 1], [1]]);
  assert.deepEqual(turns.map(({ number }) => number), [1, 2, 3, 4]);
});

test("answer times and the server's own lateness are read where they are", () => {
  const { said } = read(chained([header(), { a: "J-", w: 7000 }, { d: "" }]));
  assert.deepEqual([said[1].turn.answers, said[1].turn.serverLateNs], ["J-", 7000]);
  assert.deepEqual([said[2].turn.answers, said[2].turn.serverLateNs], ["", 0]);
});

test("every digit of a seed is preserved, wherever the header has it", () => {
  const text = JSON.stringify(header({ setup: { game_type: 'seed":5,{"' }, seed: 0 }));
  const large = text.replace('"seed":0', '"seed":9223372036854775807');
  const nested = large.replace('{"turnwright"', '{"made_by":"\\"seed\\":3","x":{"seed":4},"turnwright"');
  assert.equal(read(chained([large])).said[0].setup.seed, 9223372036854775807n);
  assert.equal(read(chained([nested])).said[0].setup.seed, 9223372036854775807n);
});

test("a last line without its newline was cut off", () => {
  const bytes = chained([header(), {}, {}]);
  assert.equal(read(bytes.subarray(0, bytes.length - 5)).said[2], null);
});

test("any changed byte is found, in the line where it is", () => {
  const lines = [header(), { l: { 0: 12345 }, d: "abcdef" }, {}, { kind: "footer", ending: "over", turns: 2 }];
  const bytes = chained(lines);
  for (let at = 0; at < bytes.length - 1; at++) {
    const changed = bytes.slice();
    changed[at] ^= 1;
    assert.throws(() => read(changed), undefined, `byte ${at}`);
  }
});

test("lines that were swapped or left out are found", () => {
  const lines = new TextDecoder().decode(chained([header(), {}, {}, {}])).trimEnd().split("\n");
  const bytes = (order) => new TextEncoder().encode(order.map((k) => `${lines[k]}\n`).join(""));
  assert.throws(() => read(bytes([0, 2, 1])), /line 2 of the record cannot be read: its hash is wrong/);
  assert.throws(() => read(bytes([0, 1, 3])), /line 3 of the record cannot be read: its hash is wrong/);
});

const WRONG = [
  [[{ hello: 1 }], /this is not a record of turnwright/],
  [[header({ turnwright: 1 })], /version 1 of the format, this page reads version 2: use a development version/],
  [[header({ turnwright: 3 })], /version 3 of the format, this page reads version 2: use a newer turnwright/],
  [[header(), { s: [2] }], /there is no seat 2/],
  [[header(), { s: 5 }], /names seats by 5; expected a list/],
  [[header(), { i: { x: ONE } }], /there is no seat/],
  [[header(), { r: [0] }], /seat 0 repeats its last intent, but has sent no intent before/],
  [[header(), { i: { 0: { rescan: 1 } } }], /line 2 .* rescan is 1/],
  [[header(), { a: "J" }], /1 answer times for 2 seats/],
  [[header(), { kind: "footer", ending: "over", turns: 0 }, {}], /it comes after the footer/],
  [[JSON.stringify(header()).replace('"seed"', '"sowed"')], /header has no seed/],
];

for (const [lines, message] of WRONG) {
  test(`${JSON.stringify(lines.at(-1)).slice(0, 60)} is refused`, () => {
    assert.throws(() => read(chained(lines)), (error) => message.test(error.message) && !error.message.includes("\n"));
  });
}

test("bytes that are no JSON or no UTF-8 are refused", () => {
  assert.throws(() => read(new TextEncoder().encode("hello\n")), /this is not a record of turnwright/);
  assert.throws(() => read(new Uint8Array([255, 10])), /this is not a record of turnwright/);
});

test("failures are read by seat, and empty fields may be left out", () => {
  const { said } = read(chained([header(), { e: { 1: { reason: "left", round: 1, turn: 3 } } }]));
  const failure = { reason: "left", round: 1, turn: 3, error: "", printed: [] };
  assert.deepEqual([...said[1].turn.failures], [[1, failure]]);
  assert.throws(() => read(chained([header(), { e: { 5: { reason: "left" } } }])), /no seat 5/);
});

test("the reason of a disqualification for a round is read by seat", () => {
  const { said } = read(chained([header(), { x: [1], q: { 1: { reason: "slow", round: 2, turn: 31 } } }]));
  const failure = { reason: "slow", round: 2, turn: 31, error: "", printed: [] };
  assert.deepEqual([...said[1].turn.out], [[1, failure]]);
  assert.throws(() => read(chained([header(), { q: { 5: { reason: "slow" } } }])), /no seat 5/);
});

test("prints of bots are read by seat, in turns and in the footer", () => {
  const footer = { kind: "footer", ending: "over", turns: 1, p: { 0: ["bye\n", ""] } };
  const { said } = read(chained([header(), { p: { 1: ["hello\n", "oh\n"] } }, footer]));
  assert.deepEqual([...said[1].turn.printed], [[1, { out: "hello\n", err: "oh\n" }]]);
  assert.deepEqual([...said[2].footer.printed], [[0, { out: "bye\n", err: "" }]]);
});

for (const [what, p] of [["a seat that is not there", { 9: ["a\n", ""] }], ["one text", { 0: ["a\n"] }], ["a number", { 0: [1, ""] }]]) {
  test(`a record with ${what} in place of prints is refused`, () => {
    assert.throws(() => read(chained([header(), { p }])), /line 2/);
  });
}
