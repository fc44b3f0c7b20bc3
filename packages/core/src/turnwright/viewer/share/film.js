/**
 * A short film of a span of turns.
 *
 * It is recorded from the page's own canvases while these play the turns. Its length is the time that the span takes to play; nothing leaves the page.
 */
import { compose } from "./picture.js";

/** @typedef {import("../time/player.js").Player} Player */

/** The first that the browser can write is taken. */
const TYPES = ["video/webm;codecs=vp8", "video/webm", "video/mp4"];
const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 6_000_000;
/** The last picture stays so long, ms: what the browser writes comes a little later than what it is shown. */
const HOLD_MS = 500;
/** A longer film is refused: it is held in memory. */
export const FILM_SECONDS_MAX = 300;

/** @returns {string | null} the type of film that this browser writes */
export function filmType() {
  return typeof MediaRecorder === "undefined" ? null : (TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null);
}

/**
 * Return what is wrong with a span, or "".
 * @param {number} from index of its first frame
 * @param {number} to index of its last frame
 * @param {number} speed turns per second
 */
export function spanProblem(from, to, speed) {
  if (!Number.isInteger(from) || !Number.isInteger(to)) {
    return "These turns are not in the battle as this page has it; choose others of this round.";
  }
  if (to <= from) {
    return "The last turn has to come after the first one.";
  }
  const seconds = (to - from) / speed;
  return seconds > FILM_SECONDS_MAX ? `The film would take ${Math.ceil(seconds)} s; up to ${FILM_SECONDS_MAX} s can be made: choose fewer turns or a higher speed.` : "";
}

export class Film {
  /**
   * @param {Player} player
   * @param {HTMLCanvasElement[]} layers
   * @param {{ width: number, height: number, caption: number }} size
   * @param {(frame: any) => string} captionOf
   */
  constructor(player, layers, size, captionOf) {
    this.player = player;
    this.layers = layers;
    this.size = size;
    this.captionOf = captionOf;
    this.canvas = document.createElement("canvas");
    this.canvas.width = size.width;
    this.canvas.height = size.height;
    this.cancelled = false;
  }

  /** End it; what was recorded is dropped. */
  cancel() {
    this.cancelled = true;
  }

  /**
   * Play a span and record it; afterwards the page shows what it showed before.
   * @param {number} from index
   * @param {number} to index
   * @param {number} speed relative to 30 turns per second
   * @param {(part: number) => void} onProgress 0…1
   * @returns {Promise<Blob | null>} null: it was cancelled
   */
  async record(from, to, speed, onProgress) {
    const { player } = this;
    const before = { rate: player.rate, position: player.position, playing: player.playing };
    const type = filmType();
    if (type === null) {
      throw new Error("this browser records no films");
    }
    player.pause();
    player.setRate({ kind: "speed", value: speed });
    player.seek(from);
    this.draw();
    const recorder = new MediaRecorder(this.canvas.captureStream(FRAMES_A_SECOND), { mimeType: type, videoBitsPerSecond: BITS_A_SECOND });
    /** @type {Blob[]} */
    const parts = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.start(1000);
    await this.playTo(from, to, onProgress);
    recorder.stop();
    await stopped;
    player.setRate(before.rate);
    player.pause();
    player.seek(before.position);
    if (before.playing) {
      player.play();
    }
    const film = new Blob(parts, { type: type.split(";")[0] });
    if (film.size === 0 && !this.cancelled) {
      throw new Error("this browser was too busy to write one; choose more turns or a lower speed");
    }
    return this.cancelled ? null : film;
  }

  /**
   * @param {number} from index
   * @param {number} to index
   * @param {(part: number) => void} onProgress
   * @returns {Promise<void>}
   */
  playTo(from, to, onProgress) {
    const { player } = this;
    return new Promise((resolve) => {
      /** @type {number | null} */
      let endMs = null;
      const end = player.on("draw", () => {
        this.draw();
        onProgress(Math.min(1, (player.position - from) / (to - from)));
        if (player.position >= to || !player.playing || this.cancelled) {
          player.pause();
          endMs ??= performance.now();
          if (this.cancelled || performance.now() - endMs >= HOLD_MS) {
            end();
            resolve();
          }
        }
      });
      player.play();
    });
  }

  draw() {
    compose(this.canvas, this.layers, this.size.caption, this.captionOf(this.player.frame));
  }
}
