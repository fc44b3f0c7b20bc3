/**
 * Rows of a table that change their order only while the user does not point at them.
 *
 * A row stays the same element for the same key as long as it exists. Under a mouse, a finger or the keyboard's focus
 * the order does not change. Otherwise rows move to their new places, slowly enough to be followed.
 */

/** The shortest time between two changes of the order while time runs, ms. */
const PAUSE_MS = 1500;
const GLIDE_MS = 250;
/** The time after a touch in which the order does not change, ms, because a second touch may follow. */
const TOUCH_MS = 3000;

/**
 * Put items into an order that was shown before.
 *
 * A new item comes after the item that it follows in its own order.
 * @template T
 * @param {T[]} items in their own order
 * @param {(item: T) => number} keyOf
 * @param {number[]} shown the keys in the order that is shown now
 * @returns {T[]}
 */
export function inOrderOf(items, keyOf, shown) {
  const place = new Map(shown.map((key, k) => [key, k]));
  let last = -1;
  const places = items.map((item) => (last = place.get(keyOf(item)) ?? last));
  return items.map((item, k) => ({ item, place: places[k], k })).sort((a, b) => a.place - b.place || a.k - b.k).map(({ item }) => item);
}

/** @template T */
export class ReorderingRows {
  /**
   * @param {HTMLElement} body has only such rows
   * @param {(item: T) => number} keyOf
   * @param {() => HTMLElement} make
   * @param {{ moving: () => boolean, ended: () => boolean, onFree: () => void }} time moving: whether time runs
   * (otherwise a new order is shown at once); ended: whether nothing will change any more, so that the order is the
   * last one, even under the pointer; onFree: called when rows may move again
   */
  constructor(body, keyOf, make, { moving, ended, onFree }) {
    this.body = body;
    this.keyOf = keyOf;
    this.make = make;
    this.moving = moving;
    this.ended = ended;
    this.onFree = onFree;
    /** Whether the order must be checked again after a pause. */
    this.waits = false;
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.pointed = false;
    this.touchedMs = -Infinity;
    this.movedMs = -Infinity;
    body.addEventListener("pointerenter", () => (this.pointed = true));
    body.addEventListener("pointerleave", () => {
      this.pointed = false;
      onFree();
    });
    body.addEventListener("focusout", onFree);
    body.addEventListener("pointerdown", () => {
      this.touchedMs = performance.now();
      setTimeout(onFree, TOUCH_MS);
    });
  }

  /** Whether the order must not change. */
  get held() {
    const touched = performance.now() - this.touchedMs < TOUCH_MS;
    return touched || this.pointed || this.body.querySelector(":focus-visible") !== null;
  }

  /**
   * Return the items in the order that must be shown now.
   * @param {T[]} items
   * @returns {T[]}
   */
  order(items) {
    const shown = [...this.rows.keys()];
    const same = items.length === shown.length && items.every((item) => this.rows.has(this.keyOf(item)));
    const early = this.moving() && performance.now() - this.movedMs < PAUSE_MS;
    if (same && early && !this.waits) {
      this.waits = true; // if no more frames arrive, the order must still become right
      setTimeout(() => {
        this.waits = false;
        this.onFree();
      }, PAUSE_MS);
    }
    return same && !this.ended() && (this.held || early) ? inOrderOf(items, this.keyOf, shown) : items;
  }

  /**
   * Show items in the given order.
   * @param {T[]} items
   * @param {(row: HTMLElement, item: T) => void} show
   */
  show(items, show) {
    const keys = items.map(this.keyOf);
    const before = [...this.rows.keys()];
    const moved = keys.length !== before.length || keys.some((key, k) => key !== before[k]);
    const tops = moved && this.moving() ? this.tops() : new Map();
    if (!this.moving()) {
      this.settle();
    }
    const rows = new Map(keys.map((key) => [key, this.rows.get(key) ?? this.make()]));
    items.forEach((item, k) => show(/** @type {HTMLElement} */ (rows.get(keys[k])), item));
    if (moved) {
      this.rows = rows;
      this.movedMs = performance.now();
      this.body.replaceChildren(...rows.values());
      this.glide(tops);
    }
  }

  /** Put moving rows into their places, because nothing moves while time is paused. */
  settle() {
    for (const row of this.rows.values()) {
      row.getAnimations().forEach((animation) => animation.finish());
    }
  }

  /** @returns {Map<number, number>} the position of each row, CSS pixels */
  tops() {
    return new Map([...this.rows].map(([key, row]) => [key, row.offsetTop]));
  }

  /**
   * Move rows from their old places. This respects the user's wish for less motion.
   * @param {Map<number, number>} tops
   */
  glide(tops) {
    if (tops.size === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return;
    }
    for (const [key, row] of this.rows) {
      const way = (tops.get(key) ?? row.offsetTop) - row.offsetTop;
      if (way !== 0) {
        const zIndex = way > 0 ? 1 : 0; // a rising row passes in front of the others
        const frames = [{ transform: `translateY(${way}px)`, zIndex }, { transform: "none", zIndex }];
        row.animate(frames, { duration: GLIDE_MS, easing: "ease-in-out" });
      }
    }
  }
}
