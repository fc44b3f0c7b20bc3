/** The canvas of a generic game. It shows what the game's view draws, or the frame as text. */
import { h } from "../widgets/dom.js";
import { Inks } from "../widgets/canvas_util.js";
import { FrameText } from "./frame_text.js";

/** @typedef {import("./game_view.js").SimpleView} SimpleView */
/** @typedef {import("../time/player.js").Player} Player */

/** The space around the arena, in CSS pixels. Buttons and notices are above it. */
const MARGIN = 16;
const RATIO_MAX = 3;
/** Colours of the page by the names that views use. */
const INKS = new Map([
  ["text", "ink"],
  ["muted", "muted"],
  ["line", "line"],
  ["panel", "panel"],
  ["good", "good"],
  ["bad", "bad"],
  ["warn", "warn"],
  ["accent", "accent"],
]);

/**
 * Return the place of an arena: as large as possible, in the middle.
 * @param {{ width: number, height: number }} place CSS pixels
 * @param {{ width: number, height: number }} arena units
 * @returns {{ x: number, y: number, unit: number }} CSS pixels, and CSS pixels in a unit
 */
export function fit(place, arena) {
  const room = [place.width - 2 * MARGIN, place.height - 2 * MARGIN];
  const unit = Math.max(Math.min(room[0] / Math.max(arena.width, 1), room[1] / Math.max(arena.height, 1)), 0.01);
  return { x: (place.width - arena.width * unit) / 2, y: (place.height - arena.height * unit) / 2, unit };
}

/**
 * @param {SimpleView} view
 * @param {Player} player
 * @param {import("../model.js").ArenaPlaces} places
 * @returns {import("../model.js").Arena}
 */
export function gameCanvas(view, player, places) {
  const inks = new Inks();
  for (const canvas of [places.ground, places.haze]) {
    canvas.hidden = true;
  }
  places.buttons.hidden = true;
  const shown = view.draw ? new Drawing(view, player, places, inks) : new TextArena(player, places);
  return {
    setTheme: () => shown.touch(),
    setStill: (still) => shown.setStill(still),
    setOverlay: () => {},
    follow: () => {},
    toggleDebug: () => {},
    keys: {},
    describe: (frame) => view.describe?.(frame.state) ?? "",
  };
}

/** The game's own drawing. */
class Drawing {
  /**
   * @param {SimpleView} view
   * @param {Player} player
   * @param {import("../model.js").ArenaPlaces} places
   * @param {Inks} inks
   */
  constructor(view, player, { place, arena }, inks) {
    this.view = view;
    this.player = player;
    this.place = place;
    this.canvas = arena;
    this.inks = inks;
    this.still = false;
    this.dirty = true;
    for (const name of /** @type {const} */ (["source", "battle", "state", "frame"])) {
      player.on(name, () => this.touch());
    }
    player.on("draw", () => this.draw());
    new ResizeObserver(() => this.touch()).observe(place);
  }

  touch() {
    this.dirty = true;
  }

  /** @param {boolean} still */
  setStill(still) {
    this.still = still;
    this.touch();
  }

  draw() {
    const { player, canvas, place } = this;
    const context = canvas.getContext("2d");
    if ((!this.dirty && !player.playing) || context === null) {
      return;
    }
    this.dirty = false;
    const ratio = Math.min(window.devicePixelRatio || 1, RATIO_MAX);
    const size = { width: place.clientWidth, height: place.clientHeight };
    canvas.width = Math.max(1, Math.round(size.width * ratio));
    canvas.height = Math.max(1, Math.round(size.height * ratio));
    if (player.frame) {
      const { state } = player.frame;
      const { x, y, unit } = fit(size, this.view.size?.(state) ?? size);
      context.setTransform(ratio * unit, 0, 0, ratio * unit, ratio * x, ratio * y);
      context.save();
      this.paint(context, unit);
      context.restore();
    }
  }

  /**
   * Let the game's view draw the shown frame.
   * @param {CanvasRenderingContext2D} context
   * @param {number} unit CSS pixels in a unit
   */
  paint(context, unit) {
    const { player, inks } = this;
    const seats = player.source?.battle?.seats ?? [];
    const nth = new Map(seats.map((/** @type {{ id: number }} */ { id }, /** @type {number} */ k) => [id, k]));
    this.view.draw?.(context, {
      state: player.frame.state,
      next: player.next?.state ?? null,
      part: this.still || !player.next ? 0 : player.position - Math.floor(player.position),
      seats,
      color: (seat) => inks.line(Number(nth.get(seat) ?? 0)),
      selected: player.selected,
      unit,
      ink: (name) => inks.of(INKS.get(name) ?? name),
    });
  }
}

/** Shows the frame as text and tables in place of the arena. */
class TextArena {
  /**
   * @param {Player} player
   * @param {import("../model.js").ArenaPlaces} places
   */
  constructor(player, { place, arena }) {
    arena.classList.add("behind-text");
    this.text = new FrameText();
    this.element = h("div", { class: "text-arena", tabindex: 0, role: "region", "aria-label": "Frame" }, [this.text.element]);
    place.append(this.element);
    const show = () => {
      this.element.hidden = player.frame === null;
      this.text.show(player.frame?.state ?? null);
    };
    player.on("frame", show);
    player.on("battle", show);
    show();
  }

  touch() {}

  setStill() {}
}
