/**
 * The timeline of the battle or of the current round.
 *
 * It marks rounds, deaths, hits and missed turns.
 *
 * It is a slider for mouse, touch and keyboard. Deaths are crosses, hits are bars from below, and missed turns are triangles at
 * the bottom. So no meaning depends only on colour.
 */
import { h, setAttribute, setText } from "../widgets/dom.js";
import { sheetOf, unitOf } from "../widgets/canvas_util.js";
import { placeText } from "../widgets/format.js";
import { clamp, Scale } from "../widgets/scale.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../model.js").History} History */
/** @typedef {import("../widgets/canvas_util.js").Sheet} Sheet */

const TOP = 15;
const FOOT = 9;
const LABEL_WIDTH = 22;
/** The space at both ends, so that a mark there is fully visible. */
const EDGE = 6;
/** The width of a bar and the gap after it. */
const COLUMN = 3;
const VALUE_TEXT_MS = 500;

export class Timeline {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    /** Whether the current round fills the whole width. */
    this.zoomed = false;
    this.canvas = h("canvas", { class: "timeline-marks", "aria-hidden": "true" });
    this.head = h("div", { class: "playhead", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", "aria-hidden": "true" });
    this.tip.hidden = true;
    this.element = h(
      "div",
      {
        class: "timeline",
        role: "slider",
        tabindex: 0,
        "aria-label": "Timeline",
        "aria-valuemin": 0,
      },
      [this.canvas, this.head, this.tip],
    );
    this.drawn = "";
    /** The number of CSS pixels in a drawing unit. */
    this.unit = 1;
    /** In drawing units. */
    this.width = 0;
    this.saidMs = -Infinity;
    /** @type {boolean} whether the battle was playing when scrubbing began */
    this.playedBefore = false;
    this.scrubbing = false;
    new ResizeObserver(() => this.measure()).observe(this.element);
    this.listen();
    shared.onDraw(() => this.moveHead());
    shared.onRefresh(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  measure() {
    this.unit = unitOf();
    this.width = this.element.clientWidth / this.unit;
    this.drawn = "";
    this.shared.touch();
  }

  listen() {
    this.element.addEventListener("pointerdown", (event) => this.begin(event));
    this.element.addEventListener("pointermove", (event) => this.move(event));
    this.element.addEventListener("pointerup", () => this.end());
    this.element.addEventListener("pointercancel", () => this.end());
    this.element.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
  }

  // ---- positions ---------------------------------------------------------------------------------------------

  /** @returns {{ from: number, to: number }} the indices at both ends */
  range() {
    const { source, frame } = this.shared.player;
    const first = source ? source.first : 0;
    const last = source ? Math.max(source.length - 1, first + 1) : 1;
    const tally = this.zoomed && frame ? this.shared.history?.round(frame.roundNumber) : null;
    return tally ? { from: tally.first, to: Math.max(tally.last, tally.first + 1) } : { from: first, to: last };
  }

  /** @returns {Scale} */
  scale() {
    const { from, to } = this.range();
    return new Scale(from, to, EDGE, Math.max(this.width - EDGE, EDGE + 1));
  }

  moveHead() {
    if (this.width > 0) {
      const x = clamp(this.scale().pixels(this.shared.player.position), 0, this.width) * this.unit;
      this.head.style.transform = `translateX(${x.toFixed(1)}px)`;
    }
  }

  // ---- pointing ----------------------------------------------------------------------------------------------

  /**
   * @param {PointerEvent} event
   * @returns {number} the index under the pointer
   */
  indexAt(event) {
    const { from, to } = this.range();
    const x = event.clientX - this.element.getBoundingClientRect().left;
    return clamp(Math.round(this.scale().value(x / this.unit)), from, to);
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button !== 0) {
      return;
    }
    this.element.setPointerCapture(event.pointerId);
    this.playedBefore = this.shared.player.playing;
    this.scrubbing = true;
    this.shared.show(this.indexAt(event));
  }

  /** @param {PointerEvent} event */
  move(event) {
    const index = this.indexAt(event);
    if (this.scrubbing) {
      this.shared.player.seek(index);
    }
    this.preview(index, event.clientX - this.element.getBoundingClientRect().left);
  }

  end() {
    if (this.scrubbing) {
      this.scrubbing = false;
      if (this.playedBefore) {
        this.shared.player.play();
      }
    }
  }

  /**
   * @param {number} index
   * @param {number} x CSS pixels from the left end
   */
  preview(index, x) {
    const { from, to } = this.range();
    const near = Math.ceil(((to - from) / Math.max(this.width, 1)) * 4);
    const { battle, history } = this.shared;
    const text = history?.marks.preview(index, near, (/** @type {number} */ id) => this.shared.nameOf(id), battle) ?? "";
    this.tip.hidden = text === "";
    setText(this.tip, text);
    const half = this.tip.offsetWidth / 2;
    const room = Math.max(this.width * this.unit - 2 * half, 0);
    this.tip.style.transform = `translateX(${clamp(x - half, 0, room).toFixed(0)}px)`;
  }

  // ---- showing -----------------------------------------------------------------------------------------------

  refresh() {
    this.say();
    const { from, to } = this.range();
    const next = this.shared.history?.next ?? 0;
    const key = `${from} ${to} ${next} ${this.width} ${this.unit} ${this.shared.inks.version}`;
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    const sheet = sheetOf(this.canvas);
    if (sheet && this.shared.history) {
      this.draw(sheet, this.shared.history);
    }
  }

  /** Tell screen readers the position, but not too often while the battle plays. */
  say() {
    const { player, history } = this.shared;
    const { from, to } = this.range();
    const now = performance.now();
    if (player.playing && now - this.saidMs < VALUE_TEXT_MS) {
      this.shared.touch(); // so that the last turn is reported, too, when no other turn comes
      return;
    }
    this.saidMs = now;
    setAttribute(this.element, "aria-valuemin", String(from));
    setAttribute(this.element, "aria-valuemax", String(to));
    setAttribute(this.element, "aria-valuenow", String(Math.max(this.shared.index, from)));
    const at = history?.marks.turnAt(this.shared.index);
    setAttribute(this.element, "aria-valuetext", at ? placeText(at.round, at.turn, this.shared.battle) : "nothing yet");
  }

  /**
   * @param {Sheet} sheet
   * @param {History} history
   */
  draw(sheet, history) {
    const scale = this.scale();
    this.drawRounds(sheet, history, scale);
    this.drawCounts(sheet, history, scale);
    this.drawDeaths(sheet, history, scale);
  }

  /**
   * @param {Sheet} sheet
   * @param {History} history
   * @param {Scale} scale
   */
  drawRounds({ context, width, height }, history, scale) {
    const { inks } = this.shared;
    const rounds = history.marks.rounds;
    const hasRounds = this.shared.battle?.rounds !== null;
    let labelled = -Infinity;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "top";
    rounds.forEach((round, k) => {
      const x = scale.pixels(round.index);
      const end = k + 1 < rounds.length ? scale.pixels(rounds[k + 1].index) : scale.pixels(history.next);
      if (end < 0 || x > width) {
        return;
      }
      context.fillStyle = inks.of(round.round % 2 === 0 ? "band-even" : "band-odd");
      context.fillRect(x, TOP, Math.max(end - x, 1), height - TOP);
      context.fillStyle = inks.of("line");
      context.fillRect(Math.round(x), 0, 1, height);
      if (hasRounds && x - labelled >= LABEL_WIDTH) {
        context.fillStyle = inks.of("muted");
        context.fillText(end - x > 60 ? `round ${round.round}` : String(round.round), Math.max(x, 0) + 4, 1);
        labelled = x;
      }
    });
  }

  /**
   * @param {Sheet} sheet
   * @param {History} history
   * @param {Scale} scale
   */
  drawCounts({ context, width, height }, history, scale) {
    const { inks } = this.shared;
    const { from, to } = this.range();
    const turns = to + 1 - from;
    const columns = Math.max(Math.min(Math.floor((width - 2 * EDGE) / COLUMN), turns), 1);
    const bins = history.marks.bins(from, to + 1, columns);
    const most = bins.reduce((top, bin) => Math.max(top, bin.hits), 2);
    const room = height - TOP - FOOT - 10;
    bins.forEach((bin, k) => {
      const x = Math.round(scale.pixels(from + (k * turns) / columns));
      if (bin.hits > 0) {
        const tall = Math.max((bin.hits / most) * room, 3);
        context.fillStyle = inks.of("mark-hit");
        context.fillRect(x, height - FOOT - tall, COLUMN - 1, tall);
      }
      if (bin.skips > 0) {
        context.fillStyle = inks.of("warn");
        context.beginPath();
        context.moveTo(x + 1, height - FOOT + 2);
        context.lineTo(x + 4.5, height - 1);
        context.lineTo(x - 2.5, height - 1);
        context.fill();
      }
    });
  }

  /**
   * @param {Sheet} sheet
   * @param {History} history
   * @param {Scale} scale
   */
  drawDeaths({ context, width }, history, scale) {
    context.strokeStyle = this.shared.inks.of("bad");
    context.lineWidth = 2;
    const y = TOP + 7;
    context.beginPath();
    for (const death of history.marks.deaths) {
      const x = scale.pixels(death.index);
      if (x < -5 || x > width + 5) {
        continue;
      }
      context.moveTo(x - 4, y - 4);
      context.lineTo(x + 4, y + 4);
      context.moveTo(x + 4, y - 4);
      context.lineTo(x - 4, y + 4);
    }
    context.stroke();
  }
}
