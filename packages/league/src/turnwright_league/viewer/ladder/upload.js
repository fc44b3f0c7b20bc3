/** Choosing a bot's file and sending it. */
import { freshId, h, setText } from "../widgets/dom.js";
import { Refused, send } from "./api.js";

/** @typedef {import("./model.js").LadderOverview} LadderOverview */
/** @typedef {import("./model.js").Me} Me */

const BYTES_MAX = 10 * 1024 * 1024;

export class UploadPart {
  /**
   * @param {HTMLElement} place
   * @param {() => void} changed
   */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    const id = freshId("file");
    this.input = h("input", { id, type: "file", accept: ".zip,.py,.java,.cs,.sh,.jar" });
    this.submit = h("button", { type: "submit", class: "main", text: "Upload" });
    this.said = h("p", { class: "said", role: "status" });
    const form = h("form", {}, [
      h("h2", { text: "Upload a bot" }),
      h("p", { class: "field" }, [h("label", { for: id, text: "A zip of the bot's folder, or one file such as MyBot.py (at most 10 MiB)" }), this.input]),
      h("p", { class: "buttons" }, [this.submit]),
      this.said,
    ]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start(this.input.files?.[0]);
    });
    place.append(form);
    place.addEventListener("dragover", (event) => event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      this.start(event.dataTransfer?.files[0]);
    });
  }

  /**
   * @param {LadderOverview} overview
   * @param {Me} me
   */
  show(overview, me) {
    this.place.hidden = me.name === null;
    this.submit.disabled = overview.frozen;
    if (overview.frozen) setText(this.said, "Uploads are frozen by the teacher.");
    else if (this.said.textContent === "Uploads are frozen by the teacher.") setText(this.said, "");
  }

  /** @param {File | undefined} file */
  async start(file) {
    if (file === undefined) {
      setText(this.said, "Choose a file first.");
      return;
    }
    if (file.size > BYTES_MAX) {
      setText(this.said, "The file has more than 10 MiB.");
      return;
    }
    setText(this.said, "Sending …");
    try {
      await send(file);
      setText(this.said, "Upload complete. “Your bots” shows its state.");
      this.input.value = "";
      this.changed();
    } catch (error) {
      setText(this.said, error instanceof Refused ? `Upload refused: ${error.message}.` : "The upload failed, because the ladder server does not answer. Try again.");
    }
  }
}
