/**
 * Sounds of a battle, made in the page. They are off until the user switches them on.
 *
 * Each sound is a short tone or a burst of noise. No file is loaded.
 */

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../model.js").SoundName} SoundName */

/**
 * `kind` is the wave. `hertz` is the pitch at its beginning and end. `seconds` is its length. `loud` is from 0 to 1.
 * @type {Record<SoundName, { kind: OscillatorType | "noise", hertz: [number, number], seconds: number, loud: number }>}
 */
const SOUNDS = {
  shot: { kind: "triangle", hertz: [520, 180], seconds: 0.07, loud: 0.05 },
  hit: { kind: "noise", hertz: [1800, 500], seconds: 0.11, loud: 0.12 },
  out: { kind: "noise", hertz: [420, 60], seconds: 0.7, loud: 0.3 },
  end: { kind: "sine", hertz: [523, 784], seconds: 0.8, loud: 0.14 },
};
/** After a jump over more frames than this, no sound is played. */
const JUMP_FRAMES = 30;
/** The shortest time between two equal sounds, ms. */
const AGAIN_MS = 45;

export class Sound {
  /**
   * @param {PanelContext} shared
   * @param {(frame: any) => SoundName[]} soundsOf
   */
  constructor(shared, soundsOf) {
    this.shared = shared;
    this.soundsOf = soundsOf;
    this.on = false;
    this.index = -1;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioBuffer | null} */
    this.noise = null;
    /** @type {Map<SoundName, number>} when each sound was last played, ms */
    this.heardMs = new Map();
    shared.onDraw(() => this.look());
    shared.onReset(() => (this.index = -1));
  }

  /** @returns {boolean} whether sounds are on now */
  toggle() {
    this.on = !this.on;
    if (this.on) {
      this.context ??= new AudioContext();
      void this.context.resume();
      this.play("hit");
    }
    return this.on;
  }

  /** Play the sounds of the frames since the last call. */
  look() {
    const { player, index } = this.shared;
    const from = this.index;
    this.index = index;
    if (!this.on || !player.playing || from < 0 || index <= from || index - from > JUMP_FRAMES) {
      return;
    }
    /** @type {Set<SoundName>} */
    const heard = new Set();
    for (let k = from + 1; k <= index; k += 1) {
      const frame = player.source?.at(k);
      (frame ? this.soundsOf(frame) : []).forEach((name) => heard.add(name));
    }
    heard.forEach((name) => this.play(name));
  }

  /** @param {SoundName} name */
  play(name) {
    const { context } = this;
    const now = performance.now();
    if (context === null || now - (this.heardMs.get(name) ?? -Infinity) < AGAIN_MS) {
      return;
    }
    this.heardMs.set(name, now);
    const { kind, hertz, seconds, loud } = SOUNDS[name];
    const [begin, end] = [context.currentTime, context.currentTime + seconds];
    const gain = context.createGain();
    gain.gain.setValueAtTime(loud, begin);
    gain.gain.exponentialRampToValueAtTime(loud / 200, end);
    gain.connect(context.destination);
    if (kind === "noise") {
      const source = context.createBufferSource();
      const filter = context.createBiquadFilter();
      source.buffer = this.noise ??= noiseOf(context);
      filter.type = "lowpass";
      sweep(filter.frequency, hertz, begin, end);
      source.connect(filter).connect(gain);
      source.start(begin);
      source.stop(end);
    } else {
      const tone = context.createOscillator();
      tone.type = kind;
      sweep(tone.frequency, hertz, begin, end);
      tone.connect(gain);
      tone.start(begin);
      tone.stop(end);
    }
  }
}

/**
 * @param {AudioParam} frequency
 * @param {[number, number]} hertz
 * @param {number} begin seconds
 * @param {number} end seconds
 */
function sweep(frequency, [from, to], begin, end) {
  frequency.setValueAtTime(from, begin);
  frequency.exponentialRampToValueAtTime(to, end);
}

/**
 * A second of noise, the same in every page.
 * @param {AudioContext} context
 * @returns {AudioBuffer}
 */
function noiseOf(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  let state = 1;
  for (let k = 0; k < samples.length; k += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    samples[k] = state / 0x3fffffff - 1;
  }
  return buffer;
}
