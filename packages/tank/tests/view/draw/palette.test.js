import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { contrast } from "../../../src/turnwright_tank/view/draw/color.js";
import { marksOf, paintedBots, scanColor, seatColor, tankColors, themeNamed } from "../../../src/turnwright_tank/view/draw/palette.js";
import { botState, seat } from "../../../../core/tests/viewer/films.js";

const SHEET = readFileSync(new URL("../../../../core/src/turnwright/viewer/app.css", import.meta.url), "utf8");
const [DARK, LIGHT] = [/:root \{([^}]*)\}/, /:root\[data-theme="light"\] \{([^}]*)\}/].map((block) => {
  const found = SHEET.match(block)[1].matchAll(/--([\w-]+): (#[0-9a-f]+);/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
});

test("the page and the arena have the same colours for the same seats", () => {
  for (let order = 0; order < 8; order++) {
    assert.equal(DARK[`line-${order + 1}`], seatColor(order, "dark"));
    assert.equal(LIGHT[`line-${order + 1}`], seatColor(order, "light"));
  }
  assert.equal(seatColor(8, "dark"), seatColor(0, "dark"));
});

test("texts are readable and lines are visible on their backgrounds", () => {
  for (const colors of [DARK, LIGHT]) {
    for (const behind of ["bg", "panel", "raised"]) {
      for (const name of ["ink", "muted", "accent", "good", "warn", "bad"]) {
        const ratio = contrast(colors[name], colors[behind]);
        assert.ok(ratio >= 4.5, `${name} on ${behind}: ${ratio.toFixed(2)}`);
      }
    }
    assert.ok(contrast(colors["accent-ink"], colors.accent) >= 4.5);
    for (let line = 1; line <= 8; line++) {
      assert.ok(contrast(colors[`line-${line}`], colors.panel) >= 3, `line-${line}`);
    }
  }
});

test("names in the arena can be read", () => {
  for (const name of ["dark", "light"]) {
    const theme = themeNamed(name);
    assert.ok(contrast(theme.ink, theme.pill) >= 7);
    assert.ok(contrast(theme.scale, theme.outside) >= 4.5);
  }
  assert.equal(themeNamed("other").name, "dark");
});

test("team mates share a team, and each has its own mark", () => {
  const seats = [seat(1, { teamId: 7 }), seat(2, { teamId: 9 }), seat(3, { teamId: 7 }), seat(4)];
  const marks = marksOf({ seats }, "dark");
  assert.deepEqual([1, 2, 3, 4].map((id) => marks.get(id).team), [0, 1, 0, null]);
  assert.equal(marks.get(1).teamColor, marks.get(3).teamColor);
  assert.notEqual(marks.get(1).color, marks.get(3).color);
  assert.equal(marks.get(4).teamColor, marks.get(4).color);
  assert.equal(marksOf(null, "dark").size, 0);
});

test("a tank has its own colours, and others where they are none", () => {
  const own = tankColors(botState(1, { bodyColor: "#010203", gunColor: "javascript:x" }), "#56b4e9");
  assert.equal(own.body, "#010203");
  assert.match(own.gun, /^#[0-9a-f]{6}$/);
  assert.equal(scanColor(botState(1, { scanColor: "url(http://x)" }), "#56b4e9"), "#56b4e9");
});

const BODIES = (...colors) => colors.map((bodyColor, k) => ({ id: k + 1, bodyColor }));
const painted = (...colors) => [...paintedBots(BODIES(...colors), marksOf({ seats: colors.map((_, k) => seat(k + 1)) }, "dark"))].sort();

test("tanks that look alike get the paint of their seats, the others keep their colours", () => {
  assert.deepEqual(painted("#ff0000", "#ffffff"), []);
  assert.deepEqual(painted("#ff0000", "#fe0202", "#ffffff"), [1, 2], "two reds");
  assert.deepEqual(painted(null, "#ff0000"), [1], "one has set none");
  assert.deepEqual(painted("#111827", "#ff0000"), [1], "the floor swallows it");
  assert.deepEqual(painted("#00008b", "#00008b", "#56b4e9", "#ff00ff"), [1, 2, 3], "the third looks like the first's paint");
  assert.deepEqual(painted("javascript:x"), [1]);
  assert.deepEqual(painted(), []);
});

test("a painted tank shows none of its own colours except those of its radar and its tracks", () => {
  const bot = botState(1, { bodyColor: "#010203", turretColor: "#010203", gunColor: "#010203" });
  const colors = tankColors(bot, "#56b4e9", true);
  assert.ok(![colors.body, colors.turret, colors.gun].includes("#010203"));
});
