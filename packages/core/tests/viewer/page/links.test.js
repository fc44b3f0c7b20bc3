import assert from "node:assert/strict";
import { test } from "node:test";
import { addressWithout, codeIn, hashOf, noRecordText, nowhereText, readHash, readSearch, recordsIn, replayAddress } from "../../../src/turnwright/viewer/page/links.js";
import { frame } from "../films.js";

test("a link leads to a turn or to a frame", () => {
  assert.deepEqual(readHash("#turn=2.31"), { kind: "turn", round: 2, turn: 31 });
  assert.deepEqual(readHash("#index=700"), { kind: "index", index: 700 });
  for (const other of ["", "#", "#turn=2", "#turn=2.x", "#turn=-1.2", "#turn=1.2.3", "#index=1e9", "#index=99999999999", "#turn=<b>"]) {
    assert.equal(readHash(other), null, other);
  }
});

test("the link of a frame is read back", () => {
  assert.deepEqual(readHash(hashOf(frame(41, 3, 12))), { kind: "turn", round: 3, turn: 12 });
});

test("the address selects record, overlay, followed bot and speed", () => {
  assert.deepEqual(readSearch("?replay=/records/x.twr&overlay=1&follow=Ace&tps=-1"), {
    replay: "/records/x.twr", overlay: "board", kiosk: false, follow: "Ace", bot: null, tps: -1,
  });
  assert.deepEqual(readSearch(""), { replay: null, overlay: "off", kiosk: false, follow: null, bot: null, tps: null });
  const overlay = (search) => readSearch(search).overlay;
  assert.deepEqual(["?overlay=0", "?overlay=arena", "?kiosk=1", "?kiosk=1&overlay=0", "?kiosk=0"].map(overlay), ["off", "arena", "board", "off", "off"]);
  assert.deepEqual([readSearch("?kiosk=1").kiosk, readSearch("?bot=Ace").bot], [true, "Ace"]);
  assert.equal(readSearch("?tps=fast").tps, null);
  assert.deepEqual(["-2", "-99", "-100000"].map((tps) => readSearch(`?tps=${tps}`).tps), [-1, -1, -1]);
});

test("records are read from the page's own server only", () => {
  const base = "http://127.0.0.1:7654/?replay=x";
  assert.deepEqual(replayAddress("/records/a b.twr", base), { url: "http://127.0.0.1:7654/records/a%20b.twr" });
  for (const other of ["http://elsewhere.example/x.twr", "//elsewhere.example/x", "javascript:alert(1)", "data:text/plain,x", "http://", "file:///etc/passwd", "blob:http://127.0.0.1:7654/x"]) {
    assert.ok("problem" in replayAddress(other, base), other);
  }
});

test("an operator's code is short and plain", () => {
  assert.equal(codeIn("#code=Ab_9-x"), "Ab_9-x");
  assert.equal(codeIn("#turn=1.2"), null);
  assert.equal(codeIn("#code="), null);
  assert.equal(codeIn(`#code=${"x".repeat(200)}`), null);
  assert.equal(codeIn("#code=<script>"), null);
});

test("a missing turn is named with the number of rounds", () => {
  assert.equal(
    nowhereText("#turn=9.5", 3),
    "This battle has no turn 5 of round 9, which the link names; it was made for 3 rounds.",
  );
  assert.match(nowhereText("#index=70000", 1), /no turn number 70000, .* for 1 round\./);
});

test("the address of a reader's own file names neither a record nor a turn", () => {
  assert.equal(
    addressWithout("http://127.0.0.1:7654/?replay=/records/x.twr&overlay=1#turn=2.3"),
    "http://127.0.0.1:7654/?overlay=1",
  );
});

test("records of a server lead to the page that plays them, at a table, too", () => {
  const [record] = recordsIn({ records: [{ name: "a#1.twr", url: "/records/a%231.twr", bytes: 9 }] });
  assert.equal(record.name, "a#1.twr");
  const replay = readSearch(record.address).replay;
  assert.deepEqual(replayAddress(replay, "http://localhost:1/t/duel/"), { url: "http://localhost:1/t/duel/records/a%231.twr" });
  assert.deepEqual([recordsIn(null), recordsIn({ records: 5 })], [[], []]);
});

test("a deleted record, a missing one and a failed server have different texts", () => {
  const told = [404, 410, 500].map(noRecordText);
  assert.equal(new Set(told).size, 3);
  assert.match(told[1], /deleted/);
  assert.match(told[2], /500/);
});
