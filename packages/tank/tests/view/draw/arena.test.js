import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeCanvas, fakeContext } from "../fake_canvas.js";
import { ArenaView, drawArena } from "../../../src/turnwright_tank/view/draw/arena.js";
import { Camera } from "../../../src/turnwright_tank/view/draw/camera.js";
import { themeNamed } from "../../../src/turnwright_tank/view/draw/palette.js";
import { FilmSource, botState, bulletState, frame, rounds, seat } from "../../../../core/tests/viewer/films.js";

const OPTIONS = {
  scans: "all", trails: "all", names: true, losses: true, debug: false, calm: false, selected: 1, hovered: 2, overtime: 0, seconds: 1 / 60,
};

function draw(source, position, more = {}, theme = "dark", scale = 1) {
  const camera = new Camera();
  camera.resize(1280, 720);
  camera.setArena(800, 600);
  if (scale !== 1) {
    camera.zoom(scale);
  }
  const view = new ArenaView(camera, () => {});
  view.use(source, themeNamed(theme));
  view.ratio = 2;
  const layers = { haze: fakeContext(1280, 720), main: fakeContext(2560, 1440) };
  const here = Math.floor(position);
  const poses = drawArena(layers, view, source.at(here), source.at(here + 1), position - here, { ...OPTIONS, ...more });
  const calls = [...layers.haze.calls, ...layers.main.calls];
  return { poses, names: calls.map(([name]) => name), calls };
}

function battle() {
  const frames = rounds(40, 5);
  frames[3].bulletStates = [bulletState(1), bulletState(2, { power: 3, color: "#ff0000" })];
  frames[4].events = [
    { type: "BotDeathEvent", turnNumber: 5, victimId: 2 },
    { type: "BulletHitBotEvent", turnNumber: 5, victimId: 2, bullet: bulletState(1), damage: 4, energy: -1 },
    { type: "BotHitWallEvent", turnNumber: 5, victimId: 1 },
  ];
  frames.slice(5, 40).forEach((each) => (each.botStates = [botState(1)]));
  return new FilmSource(frames);
}

for (const theme of ["dark", "light"]) {
  for (const scale of [0.1, 1, 8]) {
    test(`every position can be drawn: ${theme}, zoomed ${scale}`, () => {
      const source = battle();
      for (let position = 0; position < source.length - 1; position += 0.7) {
        draw(source, position, {}, theme, scale);
        draw(source, position, { calm: true, scans: "none", trails: "none", names: false, losses: false }, theme, scale);
      }
    });
  }
}

test("a dead tank is drawn as an explosion, then as a wreck", () => {
  const source = battle();
  assert.deepEqual(draw(source, 3.5).poses.map(({ bot }) => bot.id), [1, 2]);
  assert.deepEqual(draw(source, 4.5).poses.map(({ bot }) => bot.id), [1]);
  const bare = { scans: "none", trails: "none", names: false, losses: false, selected: null };
  const pictures = (position) => draw(source, position, bare).names.filter((name) => name === "drawImage").length;
  assert.ok(pictures(10) > pictures(39), "explosion");
  const wrecked = draw(source, 39, bare).names.filter((name) => name === "drawImage").length;
  const whole = draw(source, 42, bare).names.filter((name) => name === "drawImage").length;
  assert.equal(whole, 2 * (wrecked - 1), "two tanks, or one tank and one wreck");
});

test("sweeps and trails are those that are asked for", () => {
  const source = battle();
  const bare = { names: false, losses: false, trails: "none" };
  const lines = (scans) => draw(source, 1, { ...bare, scans }).names.filter((name) => name === "lineTo").length;
  assert.ok(lines("all") > lines("selected"));
  assert.ok(lines("selected") > lines("none"));
});

test("only wide and faint shapes are on the coarse canvas, which is wiped when no sweep is left", () => {
  const source = battle();
  source.frames[1].botStates[0].radarSweep = source.frames[2].botStates[0].radarSweep = 30;
  const camera = new Camera();
  const view = new ArenaView(camera, () => {});
  view.use(source, themeNamed("dark"));
  const picture = (more) => {
    const layers = { haze: fakeContext(), main: fakeContext() };
    drawArena(layers, view, source.at(1), source.at(2), 0, { ...OPTIONS, ...more });
    return layers.haze.calls.map(([name]) => name);
  };
  const swept = picture({});
  assert.equal(swept.filter((name) => name === "fill").length, 1, "one of the two has turned its radar");
  assert.ok(swept.includes("clip"));
  assert.deepEqual(picture({ scans: "none" }), ["setTransform", "clearRect"]);
  assert.deepEqual(picture({ scans: "none" }), [], "there is nothing to wipe");
});

test("frames without tanks and with unknown tanks are drawn", () => {
  const source = new FilmSource([frame(0, 1, 1, { botStates: [] }), frame(1, 1, 2, { botStates: [botState(77)] })]);
  source.battle = null;
  assert.deepEqual(draw(source, 0).poses, []);
  assert.equal(draw(source, 1).poses.length, 1);
});

test("a hundred tanks in a large arena, all in one place, are drawn", () => {
  const botStates = Array.from({ length: 100 }, (_, id) => botState(id + 1, { x: 300, y: 300, radarSweep: 45, energy: id - 1 }));
  const source = new FilmSource([frame(0, 1, 1, { botStates })]);
  source.battle.seats = botStates.map(({ id }) => seat(id, { teamId: id % 3 }));
  assert.equal(draw(source, 0).poses.length, 100);
});

test("names of strangers reach the canvas as short texts only", () => {
  const source = new FilmSource([frame(0, 1, 1, { botStates: [botState(1, { name: "<img src=x onerror=alert(1)>".repeat(9) })] })]);
  source.battle.seats = [seat(1, { name: "\u0000\n".repeat(5000) })];
  draw(source, 0);
  assert.ok(FakeCanvas);
});

test("no label leaves the view, not even on its way to a new place while its tank is quick", () => {
  const frames = rounds(40, 5);
  frames.forEach((each, k) => {
    each.botStates = [botState(1, { x: 400 - 10 * k, y: 30 + k }), botState(2, { x: 400 + 10 * k, y: 590 })];
  });
  const source = new FilmSource(frames);
  const camera = new Camera();
  camera.resize(390, 360);
  camera.setArena(800, 600);
  const view = new ArenaView(camera, () => {});
  view.use(source, themeNamed("light"));
  view.ratio = 1;
  const only = { ...OPTIONS, scans: "none", trails: "none", losses: false, selected: null, hovered: null };
  for (let here = 0; here < 39; here += 3) {
    const main = fakeContext(390, 360);
    drawArena({ haze: fakeContext(390, 360), main }, view, source.at(here), source.at(here + 1), 0, only);
    const bars = main.calls.filter(([name, , , , height]) => name === "fillRect" && height === 3);
    assert.ok(bars.length >= 2);
    for (const [, x, y, width] of bars) assert.ok(x >= 3 && x + width <= 390 - 3 && y >= 3 && y <= 360, `${x} in turn ${here}`);
  }
});

test("a bullet is drawn in its owner's colour, whatever colour it has, and no two owners' look alike", () => {
  const source = battle();
  const bullet = (ownerId, color) => {
    source.frames[3].bulletStates = [bulletState(1, { ownerId, color })];
    const camera = new Camera();
    camera.resize(1280, 720);
    camera.setArena(800, 600);
    const view = new ArenaView(camera, () => {});
    view.use(source, themeNamed("dark"));
    drawArena({ haze: fakeContext(), main: fakeContext() }, view, source.at(3), source.at(4), 0, OPTIONS);
    return [...view.sprites.cache.kept.keys()].filter((key) => key.startsWith("bullet ")).join();
  };
  assert.equal(bullet(1, "#ff0000"), bullet(1, "#00ff00"));
  assert.notEqual(bullet(1, "#ff0000"), bullet(2, "#ff0000"));
});
