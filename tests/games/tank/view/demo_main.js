// The page for development: the same as main.js, with the frames of /frames.json for a source. Not in the product.
import { Emitter } from "./widgets/emitter.js";
import { App } from "./page/app.js";
import { TANK } from "../games/tank/view/game_view.js";

const COLORS = ["bodyColor", "turretColor", "radarColor", "bulletColor", "scanColor", "tracksColor", "gunColor"];
const TEXTS = ["stdOut", "stdErr", "debugGraphics"];

/** @param {any} frame as demo_frames.py prints it */
function complete(frame) {
  const nothing = Object.fromEntries([...COLORS, ...TEXTS].map((name) => [name, null]));
  const botStates = frame.botStates.map((bot) => ({ ...nothing, ...bot }));
  const bulletStates = frame.bulletStates.map((bullet) => ({ color: null, ...bullet }));
  return { timing: null, serverLateUs: null, roundResults: null, ...frame, botStates, bulletStates };
}

class DemoSource {
  constructor(film, kind) {
    this.kind = kind;
    this.battle = film.battle;
    this.frames = film.frames.map(complete);
    this.first = 0;
    this.length = kind === "live" ? 1 : this.frames.length;
    this.verified = null;
    this.operator = null;
    this.emitter = new Emitter();
    const phase = kind === "live" ? "running" : "over";
    this.status = { phase, tps: kind === "live" ? 30 : null, progress: null, message: "" };
    this.timer = kind === "live" ? setInterval(() => this.grow(), 33.3) : 0;
  }

  grow() {
    this.length = Math.min(this.frames.length, this.length + 1);
    this.emitter.emit("frames");
    if (this.length === this.frames.length) {
      clearInterval(this.timer);
      this.status = { ...this.status, phase: "over" };
      this.emitter.emit("status");
    }
  }

  at(index) {
    return index < this.length ? (this.frames[index] ?? null) : null;
  }

  on(name, listener) {
    return this.emitter.on(name, listener);
  }

  close() {
    clearInterval(this.timer);
  }
}

const wanted = new URLSearchParams(location.search);
const film = await (await fetch(`/frames/${wanted.get("film") ?? "six"}.json`)).json();
const source = () => new DemoSource(film, wanted.has("live") ? "live" : "royale");
const app = new App({ ...TANK, file: async () => source(), live: source });
globalThis.app = app;
