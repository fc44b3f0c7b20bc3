/** A live server as a source: joining, watching, commanding, losing the connection, coming back. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { LiveSource, TOKEN_KEY, WAITS_MS } from "../../../../core/src/turnwright/viewer/sources/source_live.js";
import { ROYALE } from "../../../src/turnwright_tank/view/live/royale.js";

const SETUP = { gameType: "1v1", arenaWidth: 800, arenaHeight: 600, numberOfRounds: 3, turnTimeout: 30000 };
const PARTICIPANTS = [
  { id: 1, sessionId: "a", name: "A", version: "1", authors: ["x"], isDroid: true, teamId: 4, teamName: "T" },
  { id: 2, sessionId: "b", name: "B", version: "2" },
];
const STARTED = { type: "GameStartedEventForObserver", gameSetup: SETUP, participants: PARTICIPANTS };
const BOTS = PARTICIPANTS.map((bot) => ({ ...bot, host: "127.0.0.1", port: 5000 + bot.id }));

class FakeSocket {
  constructor() {
    this.said = [];
    this.closed = false;
    this.onmessage = null;
    this.onclose = null;
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  hear(...messages) {
    for (const message of messages) {
      this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) });
    }
  }

  end(code = 1006, reason = "") {
    this.onclose?.({ code, reason });
  }
}

/** A source, the connections it has opened, what it waits for, what it has told. */
function page({ code = null, token = null } = {}) {
  const kept = new Map(token === null ? [] : [[TOKEN_KEY, token]]);
  const sockets = [];
  const waiting = [];
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
  const source = new LiveSource({
    url: "ws://localhost:7654/",
    code,
    storage,
    connect: () => {
      sockets.push(new FakeSocket());
      return sockets.at(-1);
    },
    later: (call, ms) => waiting.push({ call, ms }),
  }, ROYALE);
  const told = [];
  for (const name of ["battle", "frames", "status", "operator"]) {
    source.on(name, () => told.push(name));
  }
  return {
    source,
    sockets,
    waiting,
    told,
    kept,
    get socket() {
      return sockets.at(-1);
    },
  };
}

function greet(it) {
  it.socket.hear({ type: "ServerHandshake", sessionId: "s" });
}

function join(it) {
  greet(it);
  it.socket.hear({ type: "BotListUpdate", bots: BOTS }, { type: "TpsChangedEvent", tps: 30 });
}

test("without a code it watches", () => {
  const it = page();
  assert.equal(it.source.status.phase, "loading");
  join(it);
  const [hello] = it.socket.said;
  assert.deepEqual([hello.type, hello.sessionId, hello.history, hello.turnwright], ["ObserverHandshake", "s", 1, 1]);
  assert.equal("secret" in hello || "code" in hello, false);
  assert.equal(it.source.operator, null);
  assert.deepEqual(it.source.status, {
    phase: "waiting",
    tps: 30,
    progress: null,
    message: "2 bots are connected.",
  });
});

test("a battle that begins has its seats and no frame yet", () => {
  const it = page();
  join(it);
  it.socket.hear(STARTED);
  assert.equal(it.source.status.phase, "running");
  assert.deepEqual(it.source.battle?.seats[0], {
    id: 1,
    name: "A",
    version: "1",
    teamId: 4,
    teamName: "T",
    isDroid: true,
    authors: ["x"],
    platform: null,
  });
  assert.deepEqual([it.source.battle?.width, it.source.battle?.rounds, it.source.battle?.results], [800, 3, null]);
  assert.deepEqual([it.source.first, it.source.length, it.source.at(0)], [0, 0, null]);
  assert.ok(["battle", "frames", "status"].every((name) => it.told.includes(name)));
});

test("pauses are shown with their cause, and stops are shown", () => {
  const it = page();
  join(it);
  it.socket.hear(STARTED, { type: "GamePausedEventForObserver", pauseCause: "breakpoint" });
  assert.deepEqual([it.source.status.phase, /breakpoint/.test(it.source.status.message)], ["paused", true]);
  it.socket.hear({ type: "GameResumedEventForObserver" });
  assert.deepEqual([it.source.status.phase, it.source.status.message], ["running", ""]);
  it.socket.hear({ type: "TpsChangedEvent", tps: -1 }, { type: "GameAbortedEvent" });
  assert.deepEqual([it.source.status.phase, it.source.status.tps], ["aborted", -1]);
});

test("breakpoint mode shows its bots and the awaited ones", () => {
  const it = page();
  join(it);
  it.socket.hear(STARTED);
  assert.deepEqual(it.source.policies, { debugging: [], breakpoints: [], waitedFor: [] });
  it.socket.hear({ type: "BotPolicies", debugging: [1], breakpoints: [2] });
  assert.deepEqual(it.source.policies, { debugging: [1], breakpoints: [2], waitedFor: [] });
  assert.equal(it.source.status.message, "In breakpoint mode: B.");
  it.socket.hear({ type: "BotPolicies", breakpoints: [2], waitedFor: [2] });
  it.socket.hear({ type: "GamePausedEventForObserver", pauseCause: "breakpoint" });
  assert.deepEqual(
    [it.source.status.phase, it.source.status.message],
    ["paused", "Paused: the turn waits for B, in breakpoint mode."],
  );
  it.socket.hear({ type: "BotPolicies", breakpoints: [1, 2], waitedFor: [1, 2] });
  assert.equal(it.source.status.message, "Paused: the turn waits for A, B, in breakpoint mode.");
  it.socket.hear({ type: "BotPolicies", breakpoints: [1, 2] }, { type: "GameResumedEventForObserver" });
  assert.deepEqual([it.source.status.phase, it.source.status.message], ["running", "In breakpoint mode: A, B."]);
  it.socket.hear({ type: "BotPolicies", waitedFor: [2] });
  assert.equal(it.source.status.message, "Waiting for the first answer of B.");
  it.socket.hear({ type: "BotPolicies" });
  assert.equal(it.source.status.message, "");
  it.socket.hear({ type: "GamePausedEventForObserver", pauseCause: "pause" });
  assert.equal(it.source.status.message, "");
  it.socket.hear({ type: "GamePausedEventForObserver", pauseCause: "debug_step" });
  assert.match(it.source.status.message, /debug mode/);
});

test("many in breakpoint mode are counted, and a game that begins has none", () => {
  const it = page();
  join(it);
  it.socket.hear(STARTED, { type: "BotPolicies", breakpoints: [1, 2, 3, 4, 5] });
  assert.equal(it.source.status.message, "In breakpoint mode: A, B, bot 3 and 2 more.");
  it.socket.hear({ type: "GameAbortedEvent" }, { type: "BotPolicies" });
  assert.equal(it.source.status.phase, "aborted");
  assert.match(it.source.status.message, /stopped/);
  it.socket.hear({ type: "BotPolicies", breakpoints: [1] }, STARTED);
  assert.deepEqual([it.source.status.message, it.source.policies?.breakpoints], ["", []]);
});

test("a code makes an operator, and its token is saved for a reload", () => {
  const it = page({ code: "once" });
  greet(it);
  const [hello] = it.socket.said;
  assert.deepEqual([hello.type, hello.code, "secret" in hello], ["ControllerHandshake", "once", false]);
  it.socket.hear({ type: "OperatorToken", token: "long" }, { type: "BotListUpdate", bots: BOTS });
  assert.equal(it.kept.get(TOKEN_KEY), "long");
  assert.deepEqual(it.source.operator?.bots, BOTS);
  it.source.operator?.pause();
  assert.deepEqual(it.socket.said[1], { type: "PauseGame" });
  it.socket.hear({ type: "Directories", entries: [{ id: "x", name: "X", kind: "bot" }] });
  assert.equal(it.source.operator?.directories[0].id, "x");
  const later = page({ token: "long" });
  greet(later);
  assert.deepEqual([later.socket.said[0].type, later.socket.said[0].secret], ["ControllerHandshake", "long"]);
});

test("a code that was used watches only, and says so", () => {
  const it = page({ code: "old" });
  greet(it);
  it.socket.end(1008, "Invalid code");
  assert.equal(it.sockets.length, 2);
  join(it);
  assert.equal(it.socket.said[0].type, "ObserverHandshake");
  assert.equal(it.source.operator, null);
  it.socket.hear(STARTED);
  assert.match(it.source.status.message, /already used/);
});

test("a token that the server has forgotten is forgotten here", () => {
  const it = page({ token: "stale" });
  greet(it);
  it.socket.end(1008, "Invalid secret");
  assert.equal(it.kept.has(TOKEN_KEY), false);
  greet(it);
  assert.equal(it.socket.said[0].type, "ObserverHandshake");
});

test("a server that asks for a secret is not asked again and again, but with one", () => {
  const it = page();
  greet(it);
  it.socket.end(1008, "Invalid secret");
  assert.deepEqual([it.source.status.phase, it.waiting.length, it.sockets.length], ["failed", 0, 1]);
  assert.equal(it.source.reach, "refused");
  assert.match(it.source.status.message, /secret/);
  it.source.claim("right");
  join(it);
  assert.equal(it.socket.said[0].secret, "right");
  assert.notEqual(it.source.operator, null);
  assert.equal(it.source.status.phase, "waiting");
  assert.equal(it.kept.has(TOKEN_KEY), false);
});

test("a lost connection is tried again, more and more patiently", () => {
  const it = page();
  for (const ms of [...WAITS_MS, WAITS_MS.at(-1)]) {
    it.socket.end();
    assert.equal(it.source.status.phase, "waiting");
    assert.equal(it.waiting.at(-1).ms, ms);
    it.waiting.at(-1).call();
  }
  assert.equal(it.source.reach, "lost");
  join(it);
  assert.equal(it.source.reach, "open");
  it.socket.end();
  assert.deepEqual([it.waiting.at(-1).ms, it.source.reach], [WAITS_MS[0], "lost"]);
});

test("a page that was too slow says so, and comes back to the same battle", () => {
  const it = page();
  join(it);
  it.socket.hear(STARTED);
  it.socket.end(1013, "too slow to follow");
  assert.match(it.source.status.message, /could not keep up/);
  it.waiting.at(-1).call();
  join(it);
  it.socket.hear(STARTED);
  assert.deepEqual([it.source.status.phase, it.source.battles], ["running", 1]);
});

test("a page that is closed stays away", () => {
  const it = page();
  join(it);
  it.source.close();
  assert.ok(it.socket.closed);
  it.socket.end();
  assert.deepEqual([it.waiting.length, it.sockets.length], [0, 1]);
});

test("an error of the server is shown, and nonsense does no harm", () => {
  const it = page({ code: "c" });
  join(it);
  it.socket.hear({ type: "ErrorReply", code: "bad-setup", message: "StartGame is refused: no bots" });
  assert.equal(it.source.status.message, "StartGame is refused: no bots");
  it.socket.hear("", "{", "[]", "null", "7", { type: "Unknown" }, { type: "constructor" });
  assert.equal(it.source.status.message, "StartGame is refused: no bots");
});

test("after the farewell of a server of one battle the page does not reconnect", () => {
  for (const [told, phase] of [
    [[], "over"],
    [[{ type: "GameAbortedEvent" }], "aborted"],
  ]) {
    const it = page();
    it.socket.hear({ type: "ServerHandshake", sessionId: "s" }, STARTED, ...told);
    it.socket.end(1000, "the battle is over");
    assert.equal(it.source.status.phase, phase);
    assert.equal(it.source.reach, "gone");
    assert.match(it.source.status.message, /battle has ended/);
    assert.equal(it.waiting.length, 0);
  }
});
