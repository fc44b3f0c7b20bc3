/** Small pictures that are drawn once and then copied, which is the fastest way to draw. */

/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Pen */
/** @typedef {HTMLCanvasElement | OffscreenCanvas} Bitmap */
/** @typedef {HTMLCanvasElement | OffscreenCanvas | ImageBitmap} Picture */

/**
 * Return a new canvas that is not on the page.
 * @param {number} width device pixels
 * @param {number} height device pixels
 * @returns {{ bitmap: Bitmap, pen: Pen }}
 */
export function newBitmap(width, height) {
  const w = Math.max(1, Math.ceil(width));
  const h = Math.max(1, Math.ceil(height));
  const bitmap = typeof OffscreenCanvas === "function" ? new OffscreenCanvas(w, h) : document.createElement("canvas");
  bitmap.width = w;
  bitmap.height = h;
  const pen = /** @type {Pen | null} */ (bitmap.getContext("2d"));
  if (!pen) {
    throw new Error("This browser has no 2D canvas. Use a newer browser.");
  }
  return { bitmap, pen };
}

/**
 * Return a finished picture in the form that is copied fastest.
 * @param {Bitmap} bitmap must not be used afterwards
 * @returns {Picture}
 */
export function finished(bitmap) {
  return "transferToImageBitmap" in bitmap ? bitmap.transferToImageBitmap() : bitmap;
}

/**
 * Pictures by name. The least recently used picture is dropped first.
 * @template T
 */
export class BitmapCache {
  /** @param {number} max the number of pictures that are kept */
  constructor(max) {
    this.max = max;
    /** @type {Map<string, T>} */
    this.kept = new Map();
  }

  /**
   * @param {string} key
   * @param {() => T} make called if the picture is missing
   * @returns {T}
   */
  get(key, make) {
    const found = this.kept.get(key);
    if (found !== undefined) {
      if (this.kept.size * 2 > this.max) {
        this.kept.delete(key);
        this.kept.set(key, found);
      }
      return found;
    }
    const made = make();
    this.kept.set(key, made);
    if (this.kept.size > this.max) {
      const [oldest] = this.kept.keys();
      if (oldest !== undefined) {
        this.kept.delete(oldest);
      }
    }
    return made;
  }

  clear() {
    this.kept.clear();
  }
}
