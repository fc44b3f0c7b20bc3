/**
 * Input of mouse, pen and touch on the arena.
 *
 * Dragging moves the view, wheel and pinch zoom, and a click selects.
 */

/**
 * The actions of the arena.
 *
 * Places are CSS pixels from the canvas's top left corner.
 * @typedef {object} Hands
 * @property {(dx: number, dy: number) => void} pan
 * @property {(x: number, y: number, factor: number) => void} zoom
 * @property {(x: number, y: number) => void} click
 * @property {(x: number, y: number) => void} hover
 * @property {() => void} leave
 */

/** A press that moves less than this is a click, CSS pixels. */
const CLICK_PX_MAX = 5;
const WHEEL_STRENGTH = 0.0016;
const LINE_PX = 16;

export class Pointers {
  /**
   * @param {HTMLElement} element
   * @param {Hands} hands
   */
  constructor(element, hands) {
    this.element = element;
    this.hands = hands;
    /** @type {Map<number, { x: number, y: number }>} */
    this.down = new Map();
    this.travel = 0;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.release(event, true));
    element.addEventListener("pointercancel", (event) => this.release(event, false));
    element.addEventListener("pointerleave", () => hands.leave());
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** @param {{ clientX: number, clientY: number }} event */
  place(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) {
      return;
    }
    this.element.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, this.place(event));
    this.travel = this.down.size > 1 ? CLICK_PX_MAX + 1 : 0;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const here = this.place(event);
    const before = this.down.get(event.pointerId);
    if (!before) {
      this.hands.hover(here.x, here.y);
      return;
    }
    const other = [...this.down].find(([id]) => id !== event.pointerId)?.[1];
    this.down.set(event.pointerId, here);
    this.travel += Math.abs(here.x - before.x) + Math.abs(here.y - before.y);
    const share = other ? 0.5 : 1;
    if (this.travel > CLICK_PX_MAX) {
      this.element.classList.add("dragging");
      this.hands.pan((here.x - before.x) * share, (here.y - before.y) * share);
    }
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(here.x - other.x, here.y - other.y);
      if (was > 0 && is > 0) {
        this.hands.zoom((here.x + other.x) / 2, (here.y + other.y) / 2, is / was);
      }
    }
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} wanted
   */
  release(event, wanted) {
    if (!this.down.delete(event.pointerId)) {
      return;
    }
    this.element.classList.remove("dragging");
    if (wanted && this.travel <= CLICK_PX_MAX) {
      const { x, y } = this.place(event);
      this.hands.click(x, y);
    }
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const { x, y } = this.place(event);
    const px = event.deltaMode === 0 ? event.deltaY : event.deltaY * LINE_PX;
    this.hands.zoom(x, y, Math.exp(-px * WHEEL_STRENGTH * (event.ctrlKey ? 4 : 1)));
  }
}
