/**
 * Long work in short slices, so that the page stays alive while a file is read.
 */

const SLICE_MS = 12;
/** How many steps are made between two looks at the clock. */
const STEPS = 16;

/**
 * Make steps until there are none left, or nobody wants them any more.
 * @param {() => boolean} step does a little; returns whether there is more to do
 * @param {() => void} rest called after each slice
 * @param {() => boolean} wanted
 * @returns {Promise<void>}
 */
export async function inSlices(step, rest, wanted) {
  const channel = new MessageChannel();
  try {
    for (let more = true; more && wanted(); ) {
      const end = performance.now() + SLICE_MS;
      do {
        for (let k = 0; k < STEPS && more; k++) {
          more = step();
        }
      } while (more && performance.now() < end);
      rest();
      await turnOf(channel);
    }
  } finally {
    channel.port1.close();
  }
}

/**
 * Let the page do what it has to; unlike a timer, a message is not held back in a hidden tab.
 * @param {MessageChannel} channel
 * @returns {Promise<void>}
 */
function turnOf(channel) {
  return new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
