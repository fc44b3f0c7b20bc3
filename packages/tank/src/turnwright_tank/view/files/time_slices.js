/**
 * Runs long work in short slices, so that the page responds while a file is read.
 */

const SLICE_MS = 12;
/** The number of steps between two readings of the clock. */
const STEPS = 16;

/**
 * Make steps until none are left, or until `wanted` returns false.
 * @param {() => boolean | Promise<boolean>} step does a little; returns whether there is more to do
 * @param {() => void} rest called after each slice
 * @param {() => boolean} wanted
 * @returns {Promise<void>}
 */
export async function inSlices(step, rest, wanted) {
  for (let more = true; more && wanted(); ) {
    const end = performance.now() + SLICE_MS;
    do {
      for (let k = 0; k < STEPS && more; k++) {
        const done = step();
        more = typeof done === "boolean" ? done : await done;
      }
    } while (more && performance.now() < end);
    rest();
    await turn();
  }
}

/**
 * Let the page handle its events.
 *
 * Unlike a timer, a message is not delayed in a hidden tab.
 * @returns {Promise<void>}
 */
export function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
