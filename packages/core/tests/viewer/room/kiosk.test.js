import assert from "node:assert/strict";
import { test } from "node:test";
import { Kiosk, nextShow, nextRoom, seenIn } from "../../../src/turnwright/viewer/room/kiosk.js";

const LIVE = { kind: "live" };
const record = (address) => ({ kind: "record", address });
const LONG = 1e6;

test("a running show stays, and an ended one stays for a moment", () => {
  assert.equal(nextShow(LIVE, "busy", LONG, ["a"], null), null);
  assert.equal(nextShow(record("a"), "busy", LONG, ["a"], "a"), null);
  assert.equal(nextShow(record("a"), "done", 9_999, ["a"], "a"), null);
  assert.equal(nextShow(LIVE, "empty", 5_999, ["a"], null), null);
});

test("records are shown in turn, with a look at the battle between two", () => {
  assert.deepEqual(nextShow(LIVE, "empty", LONG, ["a", "b"], null), record("a"));
  assert.deepEqual(nextShow(record("a"), "done", LONG, [], "a"), LIVE);
  assert.deepEqual(nextShow(LIVE, "done", LONG, ["a", "b"], "a"), record("b"));
  assert.deepEqual(nextShow(LIVE, "empty", LONG, ["a", "b"], "b"), record("a"), "and again from the first");
  assert.deepEqual(nextShow(LIVE, "empty", LONG, ["c", "a"], "gone"), record("c"));
  assert.equal(nextShow(LIVE, "empty", LONG, [], "a"), null, "without records it waits");
});

test("a battle that is paused is seen, one that is over has ended", () => {
  const live = (phase, frame = {}) => seenIn({ source: { kind: "live", status: { phase } }, frame, playing: true });
  assert.deepEqual(["running", "paused", "over", "aborted"].map((phase) => live(phase)), ["busy", "busy", "done", "done"]);
  assert.equal(live("waiting", null), "empty");
  const file = { kind: "record", status: { phase: "over" } };
  assert.equal(seenIn({ source: file, frame: {}, playing: true }), "busy");
  assert.equal(seenIn({ source: file, frame: {}, playing: false }), "done");
  assert.equal(seenIn({ source: null, frame: null, playing: false }), "empty");
});

const room = (name, phase, state = "on") => ({ url: `/t/${name}/`, state, phase });

test("a kiosk continues with the next playing room, and stays without one", () => {
  const rooms = [room("a", "running"), room("b", "waiting"), room("c", "paused")];
  assert.equal(nextRoom(rooms, "/t/a/"), rooms[2]);
  assert.equal(nextRoom(rooms, "/t/c/"), rooms[0]);
  assert.equal(nextRoom(rooms, "/t/b/"), rooms[2]);
  assert.equal(nextRoom([room("a", "running")], "/t/a/"), null, "it is here already");
  assert.equal(nextRoom([room("a", "running"), room("b", undefined, "down")], "/t/a/"), null);
  assert.equal(nextRoom([room("a", "running"), room("b", "running", "silent")], "/t/a/"), null, "its page is a text");
  assert.equal(nextRoom([], "/"), null);
});

test("it goes when its battle is over, or has been shown for two minutes", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let nowMs = 0;
  context.mock.method(performance, "now", () => nowMs);
  globalThis.location = { pathname: "/t/a/" };
  const gone = [];
  const player = { source: { kind: "live", status: { phase: "running" } }, frame: {}, playing: true };
  const kiosk = new Kiosk(player, {
    live: () => {},
    record: () => {},
    list: async () => [],
    rooms: async () => [room("a", "running"), room("b", "running")],
    goTo: (one) => gone.push([nowMs, one.url]),
  });
  for (const [atMs, phase] of [[1_000, "running"], [119_000, "running"], [121_000, "running"], [150_000, "over"], [161_000, "over"]]) {
    nowMs = atMs;
    player.source.status.phase = phase;
    await kiosk.look();
  }
  assert.deepEqual(gone, [[121_000, "/t/b/"], [161_000, "/t/b/"]]);
});
