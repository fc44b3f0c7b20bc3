/** The panel with the current frame, as the server sent it. */
import { h, setText } from "../widgets/dom.js";
import { FrameText } from "./frame_text.js";

export class FramePanel {
  /** @param {import("../page/panel_context.js").PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.where = h("p", { class: "hint" });
    this.text = new FrameText();
    this.element = h("div", { class: "frame-panel" }, [this.where, this.text.element]);
  }

  refresh() {
    const { frame } = this.shared.player;
    setText(this.where, frame ? `Turn ${frame.turnNumber}, as the server sent it.` : "No frame yet.");
    this.text.show(frame?.state ?? null);
  }
}
