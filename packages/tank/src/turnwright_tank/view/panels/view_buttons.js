/**
 * The buttons over the arena: zoom, whole arena, follow, and display options.
 */
import { button, h } from "../../../../viewer/widgets/dom.js";
import { outlineIcon } from "../../../../viewer/widgets/icons.js";

/** @typedef {import("../draw/arena_canvas.js").ArenaCanvas} ArenaCanvas */
/** @typedef {import("../draw/arena_canvas.js").Look} Look */
/** @typedef {import("../draw/arena.js").Which} Which */

const ZOOM_STEP = 1.35;
const GAP_PX = 2;
/** @type {Record<Which, string>} */
const WHICH = { all: "all bots", selected: "selected bot", none: "none" };
/** @type {Which[]} */
const ORDER = ["all", "selected", "none"];

export class ViewButtons {
  /**
   * @param {ArenaCanvas} stage
   * @param {HTMLElement} place
   * @param {(message: string) => void} say
   */
  constructor(stage, place, say) {
    this.stage = stage;
    this.say = say;
    this.followButton = this.tool("follow", "Follow the selected bot (F)", () => this.toggleFollow());
    this.sheet = h("div", { class: "view-sheet", hidden: true }, [
      this.choice("Radar sweeps", "scans"),
      this.choice("Trails", "trails"),
      this.check("Names and energy", "names"),
      this.check("Energy lost at hits", "losses"),
      this.check("Bots' debug graphics", "debug"),
    ]);
    this.lookButton = this.tool("look", "Display options", () => this.toggleSheet());
    this.lookButton.setAttribute("aria-expanded", "false");
    place.append(
      h("div", { class: "view-buttons" }, [
        this.tool("plus", "Zoom in (I)", () => this.zoom(1)),
        this.tool("minus", "Zoom out (O)", () => this.zoom(-1)),
        this.tool("fit", "Whole arena (Z)", () => this.fit()),
        this.followButton,
      ]),
      h("div", { class: "view-menu" }, [h("div", { class: "view-buttons" }, [this.lookButton]), this.sheet]),
    );
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.sheet.hidden) {
        event.stopPropagation();
        this.toggleSheet();
        this.lookButton.focus();
      }
    });
    stage.emitter.on("look", () => this.refresh());
    new ResizeObserver(() => this.makeRoom(place)).observe(place);
    this.refresh();
  }

  /**
   * Keep the arena clear of the buttons above and next to it.
   * @param {HTMLElement} place
   */
  makeRoom(place) {
    const { offsetTop, offsetWidth, offsetHeight } = place; // 0 if they are not shown
    const inRow = offsetWidth > offsetHeight;
    const edge = 2 * offsetTop + GAP_PX;
    this.stage.cover(inRow ? edge + offsetHeight : 0, inRow || offsetWidth === 0 ? 0 : edge + offsetWidth);
  }

  /**
   * @param {string} name of its icon
   * @param {string} label
   * @param {() => void} act
   */
  tool(name, label, act) {
    return button({ class: "tool", title: label, "aria-label": label }, [outlineIcon(name)], act);
  }

  /**
   * @param {string} label
   * @param {"scans" | "trails"} field
   */
  choice(label, field) {
    const options = ORDER.map((which) => h("option", { value: which, text: WHICH[which] }));
    const select = h("select", { "data-field": field }, options);
    select.addEventListener("change", () => {
      const which = ORDER.find((known) => known === select.value) ?? "none";
      this.stage.setLook({ [field]: which });
    });
    return h("label", { class: "view-row" }, [label, select]);
  }

  /**
   * @param {string} label
   * @param {"names" | "losses" | "debug"} field
   */
  check(label, field) {
    const input = h("input", { type: "checkbox", "data-field": field });
    input.addEventListener("change", () => this.stage.setLook({ [field]: input.checked }));
    return h("label", { class: "view-row" }, [label, input]);
  }

  /** Show the current settings. */
  refresh() {
    this.followButton.setAttribute("aria-pressed", String(this.stage.following));
    for (const field of this.sheet.querySelectorAll("[data-field]")) {
      const name = /** @type {keyof Look} */ (field.getAttribute("data-field"));
      const value = this.stage.look[name];
      if (field instanceof HTMLInputElement) {
        field.checked = value === true;
      } else if (field instanceof HTMLSelectElement) {
        field.value = String(value);
      }
    }
  }

  toggleSheet() {
    this.sheet.hidden = !this.sheet.hidden;
    this.lookButton.setAttribute("aria-expanded", String(!this.sheet.hidden));
  }

  /** @param {number} steps positive: nearer */
  zoom(steps) {
    this.stage.moveView(() => this.stage.camera.zoom(ZOOM_STEP ** steps), false);
  }

  fit() {
    this.stage.follow(false);
  }

  toggleFollow() {
    if (!this.stage.following && this.stage.player.selected === null) {
      this.say("Select a bot first: click it, or press its number; then the view follows it.");
      return;
    }
    this.stage.follow(!this.stage.following);
  }

  /** @param {"scans" | "trails"} field */
  cycle(field) {
    const which = ORDER[(ORDER.indexOf(this.stage.look[field]) + 1) % ORDER.length] ?? "all";
    this.stage.setLook({ [field]: which });
    this.say(`${field === "scans" ? "Radar sweeps" : "Trails"}: ${WHICH[which]}.`);
  }

  /** @param {"names" | "losses" | "debug"} field */
  toggle(field) {
    this.stage.setLook({ [field]: !this.stage.look[field] });
  }
}
