/** The line to the world: a WebSocket with the sub-protocol `gmcp.`. Text frames are packages, binary ones text. */
import { readMessage } from "./messages.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {{ open: () => void, message: (message: Message) => void, text: (text: string) => void, close: (code: number, reason: string) => void }} Hearer */

const LOCAL_US = 1000;

/** The page's own clock, which never goes back, µs. */
export function localUs() {
  return Math.floor(performance.now() * LOCAL_US);
}

export class WorldSocket {
  /**
   * @param {string} url
   * @param {Hearer} hearer
   */
  constructor(url, hearer) {
    this.socket = new WebSocket(url, ["gmcp."]);
    this.socket.binaryType = "arraybuffer";
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    this.encoder = encoder;
    this.socket.addEventListener("open", () => hearer.open());
    this.socket.addEventListener("close", (event) => hearer.close(event.code, event.reason));
    this.socket.addEventListener("message", (event) => {
      if (typeof event.data !== "string") {
        hearer.text(decoder.decode(event.data));
        return;
      }
      const message = readMessage(event.data);
      if (message !== null) {
        hearer.message(message);
      }
    });
  }

  /** @param {string} line */
  type(line) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(this.encoder.encode(`${line.replace(/[\r\n]+/g, " ")}\n`));
    }
  }

  /**
   * @param {string} name
   * @param {object} data
   */
  send(name, data) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(`${name} ${JSON.stringify(data)}`);
    }
  }

  close() {
    this.socket.close();
  }
}

/** Where the world is: where the page came from. */
export function worldUrl() {
  const url = new URL(".", location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.hash = url.search = "";
  return url.href;
}
