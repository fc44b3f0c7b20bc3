/**
 * A short video of some turns.
 *
 * The page records its own canvases while they play these turns, so the video is as long as that takes. Nothing leaves the page.
 */
import { compose } from "./picture.js";

/** @typedef {import("../time/player.js").Player} Player */

/** The types in order of preference. The first one that the browser can write is used. */
const TYPES = ["video/webm;codecs=vp8", "video/webm", "video/mp4"];
const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 6_000_000;
/** The time for which the last picture is shown, ms. The browser records it a little later than it is drawn. */
const HOLD_MS = 500;
/** The longest video, in seconds, because it is kept in memory. */
export const VIDEO_SECONDS_MAX = 300;

/** @returns {string | null} the type of video that this browser can write */
export function videoType() {
  return typeof MediaRecorder === "undefined" ? null : (TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null);
}

/**
 * Return what is wrong with a range of turns, or "".
 * @param {number} from index of its first frame
 * @param {number} to index of its last frame
 * @param {number} speed turns per second
 */
export function spanProblem(from, to, speed) {
  if (!Number.isInteger(from) || !Number.isInteger(to)) {
    return "These turns are not in the part of the battle that this page has. Choose other turns of this round.";
  }
  if (to <= from) {
    return "The last turn must come after the first one.";
  }
  const seconds = (to - from) / speed;
  return seconds > VIDEO_SECONDS_MAX ? `The video would take ${Math.ceil(seconds)} s, and the limit is ${VIDEO_SECONDS_MAX} s. Choose fewer turns or a higher speed.` : "";
}

export class Video {
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

  /** Stop the recording and drop it. */
  cancel() {
    this.cancelled = true;
  }

  /**
   * Play some turns and record them. Afterwards the page shows the same as before.
   *
   * It rejects with an Error of one line if the browser cannot record.
   * @param {number} from index
   * @param {number} to index
   * @param {number} speed relative to 30 turns per second
   * @param {(part: number) => void} onProgress 0…1
   * @returns {Promise<Blob | null>} null: it was cancelled
   */
  async record(from, to, speed, onProgress) {
    const { player } = this;
    const before = { rate: player.rate, position: player.position, playing: player.playing };
    const type = videoType();
    if (type === null) {
      throw new Error("This browser cannot record video.");
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
    const video = new Blob(parts, { type: type.split(";")[0] });
    if (video.size === 0 && !this.cancelled) {
      throw new Error("The browser was too busy to record. Choose more turns or a lower speed.");
    }
    return this.cancelled ? null : video;
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
