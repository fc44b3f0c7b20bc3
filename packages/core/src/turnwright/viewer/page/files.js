/**
 * Files of the user's own machine, which are dropped on the page or chosen.
 *
 * The page reads them and sends them nowhere.
 */
import { h } from "../widgets/dom.js";

/** The largest file that is read. With a larger one the browser would run out of memory. */
export const FILE_BYTES_MAX = 512 * 1024 * 1024;

/** @typedef {(name: string, bytes: Uint8Array) => void} OnFile */

export class Files {
  /**
   * @param {OnFile} onFile
   * @param {(problem: string) => void} onProblem
   * @param {string} accept suffixes of files that can be chosen
   */
  constructor(onFile, onProblem, accept) {
    this.onFile = onFile;
    this.onProblem = onProblem;
    this.input = h("input", { type: "file", accept, hidden: true, "aria-label": "A record to replay" });
    this.input.addEventListener("change", () => this.take(this.input.files));
    document.body.append(this.input);
    this.depth = 0;
    document.addEventListener("dragenter", (event) => this.drag(event, 1));
    document.addEventListener("dragleave", (event) => this.drag(event, -1));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.depth = 0;
      this.show();
      this.take(event.dataTransfer?.files ?? null);
    });
  }

  /** Ask for a file. */
  ask() {
    this.input.value = "";
    this.input.click();
  }

  /**
   * @param {DragEvent} event
   * @param {number} step
   */
  drag(event, step) {
    event.preventDefault();
    this.depth = Math.max(0, this.depth + step);
    this.show();
  }

  show() {
    document.documentElement.classList.toggle("drop-here", this.depth > 0);
  }

  /** @param {FileList | null} files */
  take(files) {
    const file = files?.[0];
    if (!file) {
      return;
    }
    if (file.size > FILE_BYTES_MAX) {
      this.onProblem(`${file.name} has ${Math.ceil(file.size / 1e6)} MB; this page reads up to 512 MB. Use turnwright replay --text`);
      return;
    }
    file.arrayBuffer().then(
      (buffer) => this.onFile(file.name, new Uint8Array(buffer)),
      () => this.onProblem(`${file.name} cannot be read: choose it again, or copy it to another place first`),
    );
  }
}
