/** A box that scrolls sideways, with a cue on each side where there is more. */
import { h } from "../widgets/dom.js";

/** A distance up to this, in pixels, may come from the browser's rounding. */
const SLACK = 2;

/**
 * @param {string} label
 * @param {Node[]} children
 * @returns {HTMLElement}
 */
export function scrollBox(label, children) {
  const box = h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, children);
  const show = () => {
    box.classList.toggle("more-left", box.scrollLeft > SLACK);
    box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - SLACK);
  };
  box.addEventListener("scroll", show, { passive: true });
  const sizes = new ResizeObserver(show);
  for (const one of [box, ...box.children]) sizes.observe(one);
  return box;
}

/**
 * Note how far each box inside an element is scrolled.
 * @param {Element} parent
 * @returns {() => void} scrolls the boxes of its new content as far
 */
export function keepScrolled(parent) {
  const before = new Map(boxesIn(parent).map((box) => [box.getAttribute("aria-label"), [box.scrollLeft, box.scrollTop]]));
  return () => {
    for (const box of boxesIn(parent)) {
      const [left, top] = before.get(box.getAttribute("aria-label")) ?? [0, 0];
      if (left || top) box.scrollTo(left, top);
    }
  };
}

/** @param {Element} parent */
function boxesIn(parent) {
  return [...parent.querySelectorAll(".scroll")];
}
