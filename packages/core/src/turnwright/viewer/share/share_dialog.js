/** The dialog for sharing: a link to the turn, a picture, a short video. */
import { button, h, setText } from "../widgets/dom.js";
import { grouped, placeText, shortName } from "../widgets/format.js";
import { NORMAL_TPS } from "../model.js";
import { findTurn } from "../time/turns.js";
import { Video, videoType, spanProblem } from "./video.js";
import { compose, download, sizeOf } from "./picture.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../widgets/dialog.js").DialogBox} DialogBox */

const PICTURE_WIDEST = 3840;
const VIDEO_WIDEST = 1280;
/** By default a video shows this many turns before the current one: 5 s. */
const SPAN_TURNS = 150;
const SPEEDS = [0.5, 1, 2, 4, 8];
const NAMES_MAX = 4;

export class ShareDialog {
  /**
   * @param {PanelContext} shared
   * @param {DialogBox} dialog
   * @param {import("../model.js").Room} room
   * @param {() => Promise<string>} copyLink copies the link and returns a message about it
   */
  constructor(shared, dialog, room, copyLink) {
    this.shared = shared;
    this.dialog = dialog;
    this.room = room;
    this.copyLink = copyLink;
    /** @type {Video | null} */
    this.video = null;
  }

  /** @returns {HTMLCanvasElement[]} the canvases of the arena, the lowest first; []: the game draws no pictures */
  get layers() {
    const all = ["ground", "haze", "arena"].map((id) => /** @type {HTMLCanvasElement} */ (document.getElementById(id)));
    return all[2].classList.contains("behind-text") ? [] : all;
  }

  show() {
    const { frame } = this.shared.player;
    if (frame === null) {
      this.dialog.show("Share", [h("p", { text: "There is nothing to share yet: no battle is shown." })]);
      return;
    }
    const status = h("p", { class: "hint", role: "status" });
    const link = button({}, ["Copy a link to this turn"], async () => setText(status, await this.copyLink()));
    const picture = button({}, ["Save a picture (PNG)"], () => this.savePicture(status));
    const drawn = this.layers.length > 0;
    picture.disabled = !drawn;
    const none = drawn ? [] : [h("p", { class: "hint", text: "This game shows its frames as text: there is no picture to save." })];
    this.dialog.show(
      "Share",
      [
        h("p", { text: `Shown now: ${this.placeOf(frame)}.` }),
        h("div", { class: "row" }, [link, picture]),
        ...none,
        ...(drawn ? this.videoPart(frame, status) : []),
        status,
      ],
      () => this.video?.cancel(),
    );
  }

  /** @param {any} frame */
  placeOf(frame) {
    return placeText(frame.roundNumber, frame.turnNumber, this.shared.battle);
  }

  /**
   * Return the battle and the scores in one line.
   * @param {any} frame
   */
  captionOf(frame) {
    const rows = this.room.board(frame);
    const scores = rows.slice(0, NAMES_MAX).map(({ name, value }) => `${shortName(name, 18)} ${value}`);
    const more = rows.length > NAMES_MAX ? [`and ${grouped(rows.length - NAMES_MAX)} more`] : [];
    return `${this.placeOf(frame)} · ${[...scores, ...more].join(", ")} · turnwright`;
  }

  /** @param {any} frame */
  fileStem(frame) {
    return `turnwright-${this.placeOf(frame).replaceAll(/[^a-z0-9]+/g, "-")}`;
  }

  /** @param {HTMLElement} status */
  savePicture(status) {
    const { frame } = this.shared.player;
    const layers = this.layers;
    const arena = layers[layers.length - 1];
    const size = sizeOf(arena.width, arena.height, PICTURE_WIDEST);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [size.width, size.height];
    compose(canvas, layers, size.caption, this.captionOf(frame));
    canvas.toBlob((blob) => {
      if (blob !== null) {
        download(blob, `${this.fileStem(frame)}.png`);
        setText(status, "Saved in your browser's downloads.");
      }
    }, "image/png");
  }

  /**
   * @param {any} frame
   * @param {HTMLElement} status
   * @returns {HTMLElement[]}
   */
  videoPart(frame, status) {
    if (videoType() === null) {
      return [h("p", { class: "hint", text: "This browser cannot record video. Use a current Firefox, Chromium or Safari." })];
    }
    const turn = frame.turnNumber;
    const field = (/** @type {string} */ label, /** @type {number} */ value) =>
      h("input", { type: "number", min: 1, step: 1, value, "aria-label": label, class: "turn-field" });
    const from = field("First turn of the video", Math.max(1, turn - SPAN_TURNS));
    const to = field("Last turn of the video", Math.max(turn, Math.min(SPAN_TURNS, turn + SPAN_TURNS)));
    const speed = h("select", { "aria-label": "Speed of the video" }, SPEEDS.map((value) => h("option", { value, text: `${value}×`, selected: value === 1 })));
    const progress = h("progress", { max: 1, value: 0, "aria-label": "Video", hidden: true });
    const make = button({ class: "primary" }, ["Make the video (WebM)"], () =>
      this.makeVideo(frame.roundNumber, { from: Number(from.value), to: Number(to.value), speed: Number(speed.value) }, { make, progress, status }),
    );
    return [
      h("h3", { text: "A video of some turns of this round" }),
      h("div", { class: "row" }, [
        h("label", { class: "field" }, ["from turn ", from]),
        h("label", { class: "field" }, ["to turn ", to]),
        h("label", { class: "field" }, ["speed ", speed]),
        make,
        progress,
      ]),
      h("p", { class: "hint", text: "The page plays these turns while it records them. Keep it visible. Close this window to cancel." }),
    ];
  }

  /**
   * @param {number} round
   * @param {{ from: number, to: number, speed: number }} span turns
   * @param {{ make: HTMLButtonElement, progress: HTMLProgressElement, status: HTMLElement }} shown
   */
  async makeVideo(round, span, { make, progress, status }) {
    const { player } = this.shared;
    const { source } = player;
    const at = (/** @type {number} */ turn) => (source === null ? NaN : (findTurn(source, round, turn) ?? NaN));
    const [from, to] = [at(span.from), at(span.to)];
    const problem = spanProblem(from, to, span.speed * NORMAL_TPS);
    setText(status, problem);
    if (problem !== "" || this.video !== null) {
      return;
    }
    const arena = this.layers[this.layers.length - 1];
    this.video = new Video(player, this.layers, sizeOf(arena.width, arena.height, VIDEO_WIDEST), (frame) => this.captionOf(frame));
    make.disabled = true;
    progress.hidden = false;
    setText(status, "Recording …");
    try {
      const blob = await this.video.record(from, to, span.speed, (part) => (progress.value = part));
      if (blob !== null) {
        const suffix = blob.type.endsWith("mp4") ? "mp4" : "webm";
        download(blob, `turnwright-round-${round}-turns-${span.from}-${span.to}.${suffix}`);
        setText(status, `Saved: ${grouped(Math.ceil(blob.size / 1000))} kB, in your browser's downloads.`);
      }
    } catch (error) {
      setText(status, `No video was made. ${error instanceof Error ? error.message : error}`);
    } finally {
      this.video = null;
      make.disabled = false;
      progress.hidden = true;
    }
  }
}
