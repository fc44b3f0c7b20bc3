/** Steps of speed, and their texts. */

/** @typedef {import("../model.js").Rate} Rate */

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const TPS = [-1, 0, 1, 5, 10, 20, 30, 60, 100, 200, 500, 1000];
const OPERATOR_TPS = [0, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 750, 1000, -1];

/** @returns {Rate[]} the rates to choose from */
export function ratesOffered() {
  const speeds = SPEEDS.map((value) => ({ kind: /** @type {const} */ ("speed"), value }));
  return [...speeds, ...TPS.map((value) => ({ kind: /** @type {const} */ ("tps"), value }))];
}

/**
 * @param {Rate} rate
 * @returns {string} "speed 2", a key that `rateOf` reads
 */
export function rateKey(rate) {
  return `${rate.kind} ${rate.value}`;
}

/**
 * @param {string} key
 * @returns {Rate | null}
 */
export function rateOf(key) {
  const [kind, value] = key.split(" ");
  if ((kind !== "speed" && kind !== "tps") || value === undefined || !Number.isFinite(Number(value))) return null;
  return { kind, value: Number(value) };
}

/**
 * @param {Rate} rate
 * @returns {string}
 */
export function rateText(rate) {
  if (rate.kind === "speed") return `${Number(rate.value.toFixed(2))}×`;
  if (rate.value < 0) return "max";
  return rate.value === 0 ? "0 (still)" : `${rate.value} TPS`;
}

/**
 * Return the next faster (1) or slower (−1) rate of the same kind. At the end of the steps it is the same rate.
 * @param {Rate} rate
 * @param {1 | -1} way
 * @returns {Rate}
 */
export function neighbour(rate, way) {
  const steps = rate.kind === "speed" ? SPEEDS : [...TPS.slice(1), -1];
  const order = (/** @type {number} */ value) => (rate.kind === "tps" && value < 0 ? Infinity : value);
  const here = order(rate.value);
  const found =
    way > 0
      ? steps.find((value) => order(value) > here)
      : steps
          .slice()
          .reverse()
          .find((value) => order(value) < here);
  return { kind: rate.kind, value: found ?? rate.value };
}

/** The positions of the operator's slider: 0…`TPS_STEPS`. */
export const TPS_STEPS = OPERATOR_TPS.length - 1;

/**
 * @param {number} step
 * @returns {number} turns per second; −1: as fast as possible
 */
export function tpsOfStep(step) {
  return OPERATOR_TPS[Math.min(Math.max(Math.round(step), 0), TPS_STEPS)];
}

/**
 * @param {number} tps
 * @returns {number} the nearest position of the slider
 */
export function stepOfTps(tps) {
  if (tps < 0) return TPS_STEPS;
  let best = 0;
  for (let k = 0; k < TPS_STEPS; k += 1) {
    if (Math.abs(OPERATOR_TPS[k] - tps) < Math.abs(OPERATOR_TPS[best] - tps)) best = k;
  }
  return best;
}

/**
 * @param {number | null} tps
 * @returns {string}
 */
export function tpsText(tps) {
  if (tps === null) return "–";
  if (tps < 0) return "max";
  return tps === 0 ? "0 (still)" : String(tps);
}
