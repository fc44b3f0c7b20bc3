/**
 * Places labels next to their tanks so that they do not cover each other. It is pure arithmetic.
 */

/**
 * @typedef {object} Wish
 * @property {number} id
 * @property {number} x the tank's centre, CSS pixels
 * @property {number} y the tank's centre, CSS pixels
 * @property {number} radius the tank's, CSS pixels
 * @property {number} width of the whole label
 * @property {number} smallWidth width of a label with only the number
 * @property {number} height
 * @property {boolean} first whether it gets its place before the others
 */

/** @typedef {{ id: number, x: number, y: number, small: boolean, side: number }} Spot x, y: top left corner */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** CSS pixels; something else is left of `left` and above `top`. @typedef {{ width: number, height: number, left?: number, top?: number }} View */

const GAP = 5;
const EDGE = 3;

/**
 * @param {Box} a
 * @param {Box} b
 */
function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/**
 * Return the place at which a label is completely in view.
 * @param {Box} box
 * @param {View} view
 * @returns {{ x: number, y: number }}
 */
export function inside({ x, y, width, height }, view) {
  return {
    x: Math.min(view.width - width - EDGE, Math.max((view.left ?? 0) + EDGE, x)),
    y: Math.min(view.height - height - EDGE, Math.max((view.top ?? 0) + EDGE, y)),
  };
}

/**
 * @param {Wish} wish
 * @param {number} side 0 above, 1 below, 2 right, 3 left
 * @param {number} width
 * @param {View} view
 * @returns {Box}
 */
function boxAt(wish, side, width, view) {
  const { x, y, radius, height } = wish;
  const far = radius + GAP;
  const left = side === 2 ? x + far : side === 3 ? x - far - width : x - width / 2;
  const top = side === 0 ? y - far - height : side === 1 ? y + far : y - height / 2;
  return { ...inside({ x: left, y: top, width, height }, view), width, height };
}

/**
 * Return a place for each label.
 *
 * A label keeps its side if that is free. Otherwise it gets another side, or becomes small. Labels without room are
 * left out, but never those that come first.
 * @param {Wish[]} wishes
 * @param {Map<number, number>} before side by id
 * @param {View} view
 * @returns {Spot[]}
 */
export function placeLabels(wishes, before, view) {
  /** @type {Box[]} */
  const taken = [];
  const tanks = wishes.map((wish) => ({
    x: wish.x - wish.radius,
    y: wish.y - wish.radius,
    width: wish.radius * 2,
    height: wish.radius * 2,
  }));
  /** @type {Spot[]} */
  const spots = [];
  const order = wishes.map((_, place) => place).sort((a, b) => rank(wishes[b]) - rank(wishes[a]) || a - b);
  for (const place of order) {
    const wish = wishes[place];
    if (!wish) {
      continue;
    }
    const had = before.get(wish.id) ?? 0;
    const sides = [had, ...[0, 1, 2, 3].filter((side) => side !== had)];
    const choice = choose(wish, sides, taken, tanks, view);
    if (choice) {
      taken.push(choice.box);
      spots.push({ id: wish.id, x: choice.box.x, y: choice.box.y, small: choice.small, side: choice.side });
    }
  }
  return spots;
}

/**
 * Return the places of labels that are moving.
 *
 * Labels that would cover each other while moving are at their final places at once.
 * @template {Box} Place
 * @param {Place[]} going their current places
 * @param {Place[]} spots their final places in the same order, which do not cover each other
 * @returns {Place[]}
 */
export function apart(going, spots) {
  const places = [...going];
  for (let changed = true; changed; ) {
    changed = false;
    places.forEach((place, k) => {
      const covers = places.some((other, j) => j !== k && overlap(place, other));
      if (covers && places[k] !== spots[k]) {
        places[k] = spots[k];
        changed = true;
      }
    });
  }
  return places;
}

/** @param {Wish | undefined} wish */
function rank(wish) {
  return wish?.first ? 1 : 0;
}

/**
 * @param {Wish} wish
 * @param {number[]} sides
 * @param {Box[]} taken
 * @param {Box[]} tanks
 * @param {View} view
 */
function choose(wish, sides, taken, tanks, view) {
  const sizes = wish.width === wish.smallWidth ? [wish.width] : [wish.width, wish.smallWidth];
  for (const width of sizes) {
    for (const strict of [true, false]) {
      for (const side of sides) {
        const box = boxAt(wish, side, width, view);
        const onLabel = taken.some((other) => overlap(box, other));
        const onTank = strict && tanks.some((tank) => overlap(box, tank)); // its own tank, if the label was moved into view
        if (!onLabel && !onTank) {
          return { box, side, small: width !== wish.width };
        }
      }
    }
  }
  const side = sides[0] ?? 0;
  return wish.first ? { box: boxAt(wish, side, wish.width, view), side, small: false } : null;
}
