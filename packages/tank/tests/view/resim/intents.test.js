import assert from "node:assert/strict";
import { test } from "node:test";
import { IDLE, colorText, readIntent } from "../../../src/turnwright_tank/view/resim/intents.js";

test("an unset field has its default", () => {
  const { speed, turn, power, rescan, fireAssist, colors, out } = readIntent({ type: "BotIntent" });
  assert.deepEqual([speed, turn, power, rescan, fireAssist, colors, out], [0, 0, 0, 0, 1, null, null]);
  assert.deepEqual(IDLE, readIntent({ targetSpeed: null, rescan: null, stdOut: null }));
});

test("numbers and switches are read unchanged, and infinite numbers as 0", () => {
  const intent = readIntent({ targetSpeed: -0, turnRate: 1e300, firepower: Infinity, rescan: true, fireAssist: false });
  assert.ok(Object.is(intent.speed, -0));
  assert.deepEqual([intent.turn, intent.power, intent.rescan, intent.fireAssist], [1e300, 0, 1, 0]);
});

test("colours are three or six digits, blanks around them do not count", () => {
  const colors = readIntent({
    bodyColor: "#abc", turretColor: " #FF0001\x1c", radarColor: "red", bulletColor: "", scanColor: "#12345",
    tracksColor: "\ufeff#fff", gunColor: ` ${" ".repeat(40)}#fff`,
  }).colors;
  assert.deepEqual(colors, [0xaabbcc, 0xff0001, -1, -1, -1, -1, -1]);
  assert.equal(readIntent({ bodyColor: "red" }).colors, null);
});

test("blank texts are none", () => {
  const intent = readIntent({ stdOut: " \t\x85", stdErr: "\ufeff", debugGraphics: "" });
  assert.deepEqual([intent.out, intent.err, intent.graphics], [null, "\ufeff", null]);
});

for (const [said, message] of [
  [{ targetSpeed: "1" }, /targetSpeed is 1; expected a number/],
  [{ rescan: 1 }, /rescan is 1; expected true or false/],
  [{ bodyColor: 5 }, /bodyColor is 5; expected a text/],
  [{ stdOut: [] }, /stdOut is \[\]; expected a text/],
  [null, /the intent of the record is null/],
]) {
  test(`an intent of ${JSON.stringify(said)} is refused`, () => {
    assert.throws(() => readIntent(said), message);
  });
}

test("a colour is shown with six digits in upper case", () => {
  assert.deepEqual([colorText(-1), colorText(0), colorText(0xabcdef)], [null, "#000000", "#ABCDEF"]);
});
