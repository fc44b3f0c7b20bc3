/**
 * A DecompressionStream as browsers have it: a piece counts as written when all that came out of it is there. Node's own
 * says so when the piece was taken. tests/browser/test_dropped.py has the one of a browser.
 */

import { createGunzip } from "node:zlib";

class DecompressionStreamOfBrowsers extends TransformStream {
  constructor() {
    const gunzip = createGunzip();
    const settled = (work) =>
      new Promise((done, fail) => {
        gunzip.once("error", fail);
        work((error) => (error ? fail(error) : setImmediate(done)));
      }).finally(() => gunzip.removeAllListeners("error").on("error", () => {}));
    super({
      start: (controller) => void gunzip.on("data", (data) => controller.enqueue(new Uint8Array(data))),
      transform: (chunk) => settled((done) => gunzip.write(chunk, done)),
      flush: () => settled((done) => gunzip.once("end", done).end()),
    });
  }
}

globalThis.DecompressionStream = DecompressionStreamOfBrowsers;
