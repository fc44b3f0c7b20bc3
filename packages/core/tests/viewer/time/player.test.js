import assert from "node:assert/strict";
import { test } from "node:test";
import { Player, ROUND_HOLD_TURNS } from "../../../src/turnwright/viewer/time/player.js";
import { FakeScreen, FilmSource, frame, rounds } from "../films.js";

function playing(source) {
  const screen = new FakeScreen();
  const player = new Player(screen.request);
  player.setSource(source);
  player.start();
  screen.run(17);
  return { screen, player };
}

test("at speed 1 thirty turns go by in a second, and between frames it is between frames", () => {
  const { screen, player } = playing(new FilmSource(rounds(200)));
  player.seek(0);
  screen.run(1000);
  assert.ok(Math.abs(player.position - 30) < 0.6, String(player.position));
  screen.run(1000 / 60);
  assert.equal(player.frame.index, Math.floor(player.position));
  assert.equal(player.next.index, player.frame.index + 1);
});

for (const [rate, turns] of [
  [{ kind: "speed", value: 0.1 }, 3],
  [{ kind: "speed", value: 16 }, 480],
  [{ kind: "tps", value: 1 }, 1],
  [{ kind: "tps", value: 1000 }, 1000],
  [{ kind: "tps", value: 0 }, 0],
  [{ kind: "tps", value: -1 }, 60],
]) {
  test(`${rate.kind} ${rate.value} shows ${turns} turns in a second`, () => {
    const { screen, player } = playing(new FilmSource(rounds(3000)));
    player.setRate(rate);
    player.seek(0);
    screen.run(1000);
    assert.ok(Math.abs(player.position - turns) <= Math.max(0.05, turns * 0.02), String(player.position));
  });
}

test("rates have bounds and nonsense changes nothing", () => {
  const { player } = playing(new FilmSource(rounds(3)));
  player.setRate({ kind: "speed", value: 99 });
  assert.equal(player.rate.value, 16);
  player.setRate({ kind: "speed", value: 0 });
  assert.equal(player.rate.value, 0.1);
  player.setRate({ kind: "tps", value: -7 });
  assert.equal(player.rate.value, -1);
  player.setRate({ kind: "tps", value: Number.NaN });
  assert.equal(player.rate.value, -1);
});

test("the last frame of a round stays for a moment, then the next round begins", () => {
  const { screen, player } = playing(new FilmSource(rounds(10, 10)));
  player.seek(9);
  screen.run(500);
  assert.equal(player.position, 9);
  assert.ok(player.overtime > 10 && player.overtime < ROUND_HOLD_TURNS);
  screen.run(1000);
  assert.ok(player.position > 10);
  assert.equal(player.overtime, 0);
});

test("no picture lies between two rounds", () => {
  const { screen, player } = playing(new FilmSource(rounds(4, 4, 4)));
  player.setRate({ kind: "speed", value: 16 });
  player.seek(0);
  screen.run(3000, 7, () => {
    const between = player.position - Math.floor(player.position);
    if (between > 0) {
      assert.equal(player.next.roundNumber, player.frame.roundNumber);
    }
  });
});

test("at the end it pauses, and playing again restarts", () => {
  const { screen, player } = playing(new FilmSource(rounds(6)));
  screen.run(3000);
  assert.deepEqual([player.playing, player.position], [false, 5]);
  player.toggle();
  assert.deepEqual([player.playing, player.position], [true, 0]);
});

test("in the last turn it has ended while the explosion continues, and playing restarts", () => {
  const { screen, player } = playing(new FilmSource(rounds(6)));
  assert.equal(player.ended, false);
  screen.run(300);
  assert.deepEqual([player.playing, player.position, player.ended], [true, 5, true]);
  assert.ok(player.overtime < ROUND_HOLD_TURNS);
  player.toggle();
  assert.deepEqual([player.playing, player.ended], [true, false]);
  assert.ok(player.position < 1);
});

test("a jump from the end stays at its target", () => {
  const { screen, player } = playing(new FilmSource(rounds(6)));
  screen.run(300);
  assert.equal(player.ended, true);
  player.seek(2);
  screen.run(500);
  assert.deepEqual([player.playing, player.position], [false, 2]);
});

test("a battle that was watched live and is over is played again from its beginning", () => {
  const source = new FilmSource(rounds(60), "live", 60);
  const { screen, player } = playing(source);
  assert.equal(player.ended, false, "more may follow");
  source.become("over");
  screen.run(100);
  assert.equal(player.ended, true);
  player.toggle();
  screen.run(500);
  assert.equal(player.atEdge, false);
  assert.ok(player.position > 5 && player.position < 30, String(player.position));
});

test("stepping pauses and goes to whole frames, both ways", () => {
  const { player } = playing(new FilmSource(rounds(10)));
  player.seek(4.4);
  player.step(1);
  assert.deepEqual([player.position, player.playing], [5, false]);
  player.seek(4.4);
  player.step(-1);
  assert.equal(player.position, 4);
  player.step(-1);
  assert.equal(player.position, 3);
  player.step(-100);
  assert.equal(player.position, 0);
  player.step(100);
  assert.equal(player.position, 9);
});

test("a turn that is not loaded yet is shown as soon as it is loaded", () => {
  const source = new FilmSource(rounds(50, 50), "record", 5);
  source.status.phase = "loading";
  const { player } = playing(source);
  player.pause();
  player.toTurn(2, 7);
  assert.ok(player.position < 5);
  source.grow(40);
  assert.ok(player.position < 5);
  source.grow(40);
  assert.deepEqual([player.frame.roundNumber, player.frame.turnNumber], [2, 7]);
  source.grow(10);
  assert.equal(player.position, 56, "and only once");
  player.toRound(1);
  assert.equal(player.position, 0);
});

test("a turn that the battle does not have is reported when all is loaded", () => {
  const source = new FilmSource(rounds(30, 30));
  const told = [];
  const { player } = playing(source);
  player.on("nowhere", () => told.push(player.position));
  player.pause();
  player.toTurn(2, 30);
  assert.deepEqual(told, []);
  player.toTurn(9, 1);
  assert.equal(told.length, 1);
  assert.deepEqual([player.position, player.wish], [59, null], "it stays where it is");
  source.status.phase = "loading";
  player.toTurn(1, 31);
  assert.equal(told.length, 1, "it may still come");
  source.status.phase = "over";
  source.emitter.emit("status");
  assert.deepEqual([told.length, player.wish], [2, null]);
});

test("while a record is loaded, playback waits at the last turn and then continues", () => {
  const source = new FilmSource(rounds(100), "record", 5);
  source.status.phase = "loading";
  const { screen, player } = playing(source);
  screen.run(1000);
  assert.deepEqual([player.position, player.playing, player.overtime], [4, true, 0]);
  source.grow(95);
  screen.run(500);
  assert.ok(player.position > 10);
});

test("live follows the newest frame closely, smoothly and never back", () => {
  const source = new FilmSource(rounds(3000), "live", 1);
  const { screen, player } = playing(source);
  assert.equal(player.atEdge, true);
  let dueMs = 0;
  let last = player.position;
  const gaps = [];
  const steps = [];
  // Frames come every 33 ms, each up to 20 ms late.
  screen.run(20_000, 1000 / 60, (nowMs) => {
    for (; dueMs + ((dueMs * 7) % 20) <= nowMs; dueMs += 1000 / 30) {
      source.grow();
    }
    assert.ok(player.position >= last);
    if (nowMs > 5000) {
      gaps.push(source.length - 1 - player.position);
      steps.push(player.position - last);
    }
    last = player.position;
  });
  assert.ok(Math.max(...gaps) < 5, `behind ${Math.max(...gaps)}`);
  assert.ok(Math.max(...steps) < 1, `a step of ${Math.max(...steps)} turns in a picture`);
});

test("live catches up after a hidden tab", () => {
  const source = new FilmSource(rounds(3000), "live", 1);
  const { screen, player } = playing(source);
  source.grow(1500);
  screen.run(100);
  assert.ok(source.length - 1 - player.position < 5, String(player.position));
});

test("live: pausing here leaves the newest frame; the edge comes back", () => {
  const source = new FilmSource(rounds(900), "live", 300);
  const { screen, player } = playing(source);
  player.pause();
  source.grow(100);
  screen.run(500);
  const stood = player.position;
  source.grow(100);
  screen.run(500);
  assert.equal(player.position, stood);
  player.seek(10);
  player.play();
  assert.equal(player.atEdge, false);
  screen.run(1000);
  assert.ok(player.position > 30 && player.position < 60);
  player.toEdge();
  assert.deepEqual([player.atEdge, player.position], [true, 499]);
});

test("live: slow motion that is overtaken never is; normal speed reaches the edge and follows", () => {
  const source = new FilmSource(rounds(900), "live", 300);
  const { screen, player } = playing(source);
  player.setRate({ kind: "speed", value: 0.5 });
  assert.equal(player.atEdge, false);
  player.setRate({ kind: "speed", value: 4 });
  player.seek(250);
  screen.run(1000);
  assert.equal(player.atEdge, true);
});

test("the operator's steps are shown immediately", () => {
  const source = new FilmSource(rounds(100), "live", 20);
  const { screen, player } = playing(source);
  source.become("paused");
  screen.run(1000);
  assert.equal(player.position, 19);
  source.grow();
  screen.run(200);
  assert.equal(player.position, 20);
});

test("a new game on the same server begins at its own beginning", () => {
  const source = new FilmSource(rounds(500), "live", 500);
  const { screen, player } = playing(source);
  player.select(2);
  source.length = 1;
  source.emitter.emit("battle");
  screen.run(100);
  assert.deepEqual([player.position, player.atEdge, player.selected], [0, true, null]);
});

test("a live source that forgets old frames takes the position along", () => {
  const source = new FilmSource(rounds(500), "live", 400);
  const { screen, player } = playing(source);
  player.pause();
  player.seek(5);
  source.first = 100;
  screen.run(50);
  assert.equal(player.position, 100);
  assert.equal(player.frame.index, 100);
});

test("another source closes the one before", () => {
  const one = new FilmSource(rounds(5));
  const { player } = playing(one);
  const heard = [];
  player.on("source", () => heard.push("source"));
  player.on("frame", () => heard.push(player.frame?.index));
  player.setSource(new FilmSource([frame(0, 1, 1)]));
  assert.equal(one.closed, true);
  assert.deepEqual(heard, ["source", 0]);
});

test("nothing to show is no reason to fail", () => {
  const { screen, player } = playing(new FilmSource([], "live"));
  player.step(1);
  player.toEdge();
  player.toRound(3);
  player.play();
  screen.run(100);
  assert.equal(player.frame, null);
});
