/**
 * The pictures of tanks and bullets, drawn once and then copied.
 *
 * There is one for each set of colours and each size.
 */
import { mix, withAlpha } from "../color.js";
import { BitmapCache, finished, newBitmap } from "../bitmap_cache.js";
import { tracePath } from "./shapes.js";
import { drawDroidHatch, drawHull, drawRadar, drawTrack, drawTurret } from "./tank_art.js";
import { FIREPOWER_MAX, FIREPOWER_MIN, clamp } from "../../resim/rules.js";

/** @typedef {import("../bitmap_cache.js").Picture} Bitmap */
/** @typedef {import("../bitmap_cache.js").Pen} Pen */
/** @typedef {import("../palette.js").TankColors} TankColors */
/** @typedef {import("../palette.js").Theme} Theme */

/** The number of pictures of a moving track. */
export const TREAD_STEPS = 6;
/** The number of steps of each track if both tracks and the hull are one picture. */
const WHOLE_STEPS = 4;
/** The number of steps on small tanks, where both tracks move in the same way. */
const SMALL_STEPS = 2;
/** Tanks are small below this size, device pixels for each unit. */
const FINE_SCALE = 0.62;
/** Above this size tracks and hull are separate pictures, because together they would need too much memory. */
const WHOLE_SCALE_MAX = 4.1;
/** Pictures are prepared in steps of this factor. The canvas scales between the steps. */
const SIZE_STEP = 1.26;
const KEPT_MAX = 1600;
const GREY = "#6b7280";

/**
 * A picture and its place relative to its origin, in units. It is as small as possible, because each copied pixel takes
 * time.
 * @typedef {{ bitmap: Bitmap, left: number, top: number, width: number, height: number }} Sprite
 */

/** @typedef {[left: number, top: number, right: number, bottom: number]} Box units */

/** @type {Box} */
const TRACK_LEFT = [-18, -17.4, 18, -8.6];
/** @type {Box} */
const TRACK_RIGHT = [-18, 8.6, 18, 17.4];
/** @type {Box} */
const HULL = [-15.6, -12, 17.4, 12];
/** @type {Box} */
const WHOLE = [-18, -17.4, 18, 17.4];
/** @type {Box} */
const TURRET = [-10.4, -10, 27.6, 10];
/** @type {Box} */
const RADAR = [-5.5, -9, 6, 9];

export class Sprites {
  constructor() {
    /** @type {BitmapCache<Sprite>} */
    this.cache = new BitmapCache(KEPT_MAX);
    this.size = 1;
    /** @type {Theme | null} */
    this.theme = null;
  }

  /**
   * Prepare for a size.
   * @param {number} scale device pixels for each unit
   * @param {Theme} theme
   */
  use(scale, theme) {
    if (theme !== this.theme) {
      this.cache.clear();
      this.theme = theme;
    }
    this.size = SIZE_STEP ** Math.ceil(Math.log(Math.max(0.15, scale)) / Math.log(SIZE_STEP));
  }

  get isFine() {
    return this.size >= FINE_SCALE;
  }

  /**
   * @param {string} key
   * @param {Box} box
   * @param {(pen: Pen) => void} draw in units
   * @returns {Sprite}
   */
  make(key, box, draw) {
    return this.cache.get(`${key} ${this.size}`, () => {
      const { size } = this;
      const [left, top, right, bottom] = box;
      const width = Math.ceil((right - left) * size) + 2;
      const height = Math.ceil((bottom - top) * size) + 2;
      const { bitmap, pen } = newBitmap(width, height);
      pen.translate(1 - left * size, 1 - top * size);
      pen.scale(size, size);
      draw(pen);
      const edge = 1 / size;
      return {
        bitmap: finished(bitmap),
        left: left - edge,
        top: top - edge,
        width: width / size,
        height: height / size,
      };
    });
  }

  /**
   * @param {TankColors} colors
   * @param {number} phase 0…1
   * @param {number} side 1 left, -1 right
   */
  track(colors, phase, side) {
    const step = Math.floor(phase * TREAD_STEPS) % TREAD_STEPS;
    const rim = this.rim;
    return this.make(`track ${colors.tracks} ${step} ${side}`, side > 0 ? TRACK_LEFT : TRACK_RIGHT, (pen) =>
      drawTrack(pen, colors, rim, step / TREAD_STEPS, side),
    );
  }

  /**
   * Return the pictures of the parts that turn with the body, the lowest first.
   *
   * If possible they are one picture, because each turned picture and each pixel take time.
   * @param {TankColors} colors
   * @param {number} left 0…1
   * @param {number} right 0…1
   * @returns {Sprite[]}
   */
  body(colors, left, right) {
    if (this.size > WHOLE_SCALE_MAX) {
      return [this.track(colors, left, 1), this.track(colors, right, -1), this.hull(colors)];
    }
    const steps = this.isFine ? WHOLE_STEPS : SMALL_STEPS;
    const first = Math.floor(left * steps) % steps;
    const second = this.isFine ? Math.floor(right * steps) % steps : first;
    const rim = this.rim;
    const whole = this.make(`body ${colors.body} ${colors.tracks} ${first} ${second} ${steps}`, WHOLE, (pen) => {
      drawTrack(pen, colors, rim, first / steps, 1);
      drawTrack(pen, colors, rim, second / steps, -1);
      drawHull(pen, colors, rim);
    });
    return [whole];
  }

  /** @param {TankColors} colors */
  hull(colors) {
    const rim = this.rim;
    return this.make(`hull ${colors.body}`, HULL, (pen) => drawHull(pen, colors, rim));
  }

  /** @param {TankColors} colors */
  turret(colors) {
    const rim = this.rim;
    return this.make(`turret ${colors.turret} ${colors.gun}`, TURRET, (pen) => drawTurret(pen, colors, rim));
  }

  /**
   * Turret and radar as one picture, for a radar that looks where the gun points.
   * @param {TankColors} colors
   * @param {boolean} isDroid
   */
  head(colors, isDroid) {
    const rim = this.rim;
    return this.make(`head ${colors.turret} ${colors.gun} ${colors.radar} ${isDroid}`, TURRET, (pen) => {
      drawTurret(pen, colors, rim);
      if (isDroid) {
        drawDroidHatch(pen, colors);
      } else {
        drawRadar(pen, colors);
      }
    });
  }

  /** @param {TankColors} colors */
  radar(colors) {
    return this.make(`radar ${colors.radar}`, RADAR, (pen) => drawRadar(pen, colors));
  }

  /**
   * A bullet with its tail, flying east.
   * @param {string} color
   * @param {number} power 0.1…3
   * @param {string} sign its shape, see `shapes.js`
   */
  bullet(color, power, sign) {
    const strength = Math.round(clamp(power, FIREPOWER_MIN, FIREPOWER_MAX) * 4) / 4;
    const radius = 1.9 + 1.25 * Math.sqrt(strength);
    const light = this.theme?.name === "light";
    const far = radius * 2.6;
    return this.make(`bullet ${color} ${strength} ${sign}`, [-26, -far, far, far], (pen) => {
      const tail = pen.createLinearGradient(-26, 0, 0, 0);
      tail.addColorStop(0, withAlpha(color, 0));
      tail.addColorStop(1, withAlpha(color, light ? 0.6 : 0.75));
      pen.fillStyle = tail;
      pen.beginPath();
      pen.moveTo(-26, 0);
      pen.lineTo(0, -radius);
      pen.lineTo(0, radius);
      pen.fill();
      const halo = pen.createRadialGradient(0, 0, radius * 0.6, 0, 0, far);
      halo.addColorStop(0, withAlpha(color, light ? 0.34 : 0.6));
      halo.addColorStop(1, withAlpha(color, 0));
      pen.fillStyle = halo;
      pen.beginPath();
      pen.arc(0, 0, far, 0, 7);
      pen.fill();
      pen.fillStyle = light ? color : mix(color, "#ffffff", 0.2);
      pen.strokeStyle = light ? mix(color, "#000000", 0.5) : "#0b0f17";
      pen.lineWidth = 0.7;
      tracePath(pen, sign, 0, 0, radius);
      pen.fill();
      pen.stroke();
    });
  }

  /**
   * A soft round light.
   * @param {string} color
   */
  glow(color) {
    return this.make(`glow ${color}`, [-16, -16, 16, 16], (pen) => {
      const shade = pen.createRadialGradient(0, 0, 0, 0, 0, 16);
      shade.addColorStop(0, withAlpha(color, 1));
      shade.addColorStop(0.35, withAlpha(color, 0.72));
      shade.addColorStop(1, withAlpha(color, 0));
      pen.fillStyle = shade;
      pen.fillRect(-16, -16, 32, 32);
    });
  }

  get rim() {
    return this.theme?.rim ?? "#ffffff";
  }
}

/**
 * Return the colours of a tank that has no energy to move.
 * @param {TankColors} colors
 * @returns {TankColors}
 */
export function faded(colors) {
  return {
    body: mix(colors.body, GREY, 0.7),
    turret: mix(colors.turret, GREY, 0.7),
    gun: mix(colors.gun, GREY, 0.7),
    radar: mix(colors.radar, GREY, 0.7),
    tracks: mix(colors.tracks, GREY, 0.3),
  };
}
