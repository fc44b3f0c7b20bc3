/**
 * The WebSocket to the world, for packed or plain messages.
 *
 * With the sub-protocol `packed.`, binary frames are packed messages and text frames are text. With `gmcp.`, text frames
 * are packages and binary frames are text.
 */
import { checked, readMessage } from "./messages.js";
import { packMessage, unpackMessage } from "./packed.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {{ open: () => void, message: (message: Message) => void, text: (text: string) => void, close: (code: number, reason: string) => void }} Hearer */

const LOCAL_US = 1000;
const PACKED = "packed.";

/** A clock of the page that never goes back, in µs. */
export function localUs() {
  return Math.floor(performance.now() * LOCAL_US);
}

export class WorldSocket {
  /**
   * @param {string} url
   * @param {Hearer} hearer
   */
  constructor(url, hearer) {
    this.socket = new WebSocket(url, [PACKED, "gmcp."]);
    this.socket.binaryType = "arraybuffer";
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    this.encoder = encoder;
    this.socket.addEventListener("open", () => hearer.open());
    this.socket.addEventListener("close", (event) => hearer.close(event.code, event.reason));
    this.socket.addEventListener("message", (event) => {
      const isString = typeof event.data === "string";
      if (isString === this.packed) {
        hearer.text(isString ? event.data : decoder.decode(event.data));
        return;
      }
      const message = isString ? readMessage(event.data) : checked(unpackMessage(new Uint8Array(event.data)));
      if (message !== null) {
        hearer.message(message);
      }
    });
  }

  /** Whether the server sends packed messages. */
  get packed() {
    return this.socket.protocol === PACKED;
  }

  /** @param {string} line */
  type(line) {
    if (this.socket.readyState === WebSocket.OPEN) {
      const whole = `${line.replace(/[\r\n]+/g, " ")}\n`;
      this.socket.send(this.packed ? whole : this.encoder.encode(whole));
    }
  }

  /**
   * @param {string} name
   * @param {object} data
   */
  send(name, data) {
    if (this.socket.readyState === WebSocket.OPEN) {
      const fields = /** @type {Record<string, unknown>} */ (data);
      this.socket.send(this.packed ? packMessage(name, fields) : `${name} ${JSON.stringify(data)}`);
    }
  }

  close() {
    this.socket.close();
  }
}

/** The address of the world, which is the server of the page. */
export function worldUrl() {
  const url = new URL(".", location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.hash = url.search = "";
  return url.href;
}
