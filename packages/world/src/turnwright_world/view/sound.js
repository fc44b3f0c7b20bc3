/** Plays a short tone for a new threat, and another for its last second. Off by default. */
import { recall, remember } from "../../../viewer/page/theme.js";

const KEY = "turnwright.world.sound";
const COME_HZ = 330;
const SOON_HZ = 660;
const TONE_S = 0.12;
const LOUD = 0.08;

export class Sound {
  constructor() {
    this.on = recall(KEY) === "on";
    /** @type {AudioContext | null} */
    this.context = null;
  }

  toggle() {
    this.on = !this.on;
    remember(KEY, this.on ? "on" : "off");
    if (this.on) {
      this.tone(COME_HZ);
    }
  }

  /** @param {{ came: number, soon: number }} heard */
  play({ came, soon }) {
    if (this.on && came + soon > 0) {
      this.tone(soon > 0 ? SOON_HZ : COME_HZ);
    }
  }

  /** @param {number} hertz */
  tone(hertz) {
    this.context = this.context ?? new AudioContext();
    const { context } = this;
    const gain = context.createGain();
    const tone = context.createOscillator();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(LOUD, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(LOUD / 100, context.currentTime + TONE_S);
    tone.connect(gain).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + TONE_S);
  }
}
