/**
 * The panel "What this bot saw".
 *
 * It shows the arena as the bot observed it in the last turns.
 */
import { badge, setBadge } from "../../../../../viewer/widgets/badge.js";
import { button, h, setAttribute, setText, showEach } from "../../../../../viewer/widgets/dom.js";
import { fixed, signed } from "../../../../../viewer/widgets/format.js";
import { sheetOf } from "../../../../../viewer/widgets/canvas_util.js";
import { contactsOf, lastState, notesOf } from "./bot_view.js";
import { LastFrames } from "./last_frames.js";
import { RADAR_RADIUS, TANK_RADIUS } from "../../resim/rules.js";

/** @typedef {import("../../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./bot_view.js").Contact} Contact */
/** @typedef {import("./bot_view.js").Note} Note */
/** @typedef {import("../../model.js").BotState} BotState */
/** @typedef {import("../../model.js").Frame} Frame */
/** @typedef {import("../../../../../viewer/widgets/canvas_util.js").Sheet} Sheet */

const NOTES_MAX = 60;
const OLD_TURNS = 30;

export class BotViewPanel {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.frames = new LastFrames(shared);
    this.canvas = h("canvas", { class: "sight", role: "img", "aria-label": "Map of what this bot saw" });
    this.rows = h("tbody");
    this.table = h("table", { class: "contacts" }, [
      h("caption", { class: "hidden-text", text: "Bots that its radar found" }),
      h("thead", {}, [
        h(
          "tr",
          {},
          ["Bot", "Ago", "Distance", "Bearing", "Energy", "Speed"].map((text) => h("th", { scope: "col", text })),
        ),
      ]),
      this.rows,
    ]);
    this.blind = h("p", { class: "hint" });
    this.notes = h("ol", { class: "notes", "aria-label": "Events received" });
    this.hint = h("p", { class: "hint", text: "Select a bot to see what it saw." });
    this.title = h("h2");
    this.titled = "";
    this.body = h("div", {}, [
      this.title,
      h("p", { class: "hint", text: "Bots that its own radar found in the last turns; older sightings are fainter." }),
      this.canvas,
      this.blind,
      this.table,
      h("h3", { text: "Events received" }),
      this.notes,
    ]);
    this.element = h("div", { class: "sight-panel" }, [this.hint, this.body]);
  }

  refresh() {
    const id = this.shared.player.selected;
    this.hint.hidden = id !== null;
    this.body.hidden = id === null;
    if (id === null) {
      return;
    }
    const name = this.shared.plainNameOf(id);
    if (this.titled !== `${id} ${name}`) {
      this.titled = `${id} ${name}`;
      this.title.replaceChildren("What ", badge(this.shared, id), ` ${name} saw`);
    }
    const all = this.frames.of(id);
    const round = all[all.length - 1]?.roundNumber;
    const frames = all.filter((frame) => frame.roundNumber === round);
    const contacts = contactsOf(frames, id);
    const me = lastState(frames, id);
    this.showTable(contacts);
    this.canvas.hidden = me === null;
    const text = this.blindText(frames, id, me, contacts);
    this.blind.hidden = text === "";
    setText(this.blind, text);
    this.showNotes(notesOf(frames, id, (other) => this.shared.nameOf(other), NOTES_MAX));
    this.draw(me, contacts);
  }

  /**
   * @param {Frame[]} frames of this round, oldest first
   * @param {number} id
   * @param {BotState | null} me
   * @param {Contact[]} contacts
   * @returns {string} why it sees nothing, or nothing new, or "" if it sees a tank
   */
  blindText(frames, id, me, contacts) {
    const now = this.shared.player.frame ?? frames[frames.length - 1];
    if (now && !now.botStates.some((/** @type {BotState} */ bot) => bot.id === id)) {
      const died = this.shared.history?.round(now.roundNumber)?.died.get(id)?.turn;
      const when = died ? `It died in turn ${died}` : "It is not in the arena";
      return me === null ? `${when}: it no longer sees anything.` : `${when}. Its last observation is shown.`;
    }
    if (me?.isDroid) {
      return "A droid has no radar; it sees nothing.";
    }
    return contacts.length > 0 ? "" : `Its radar found no bot in the last ${frames.length} turns.`;
  }

  /** @param {Contact[]} contacts */
  showTable(contacts) {
    this.table.hidden = contacts.length === 0;
    const make = () =>
      h("tr", {}, [
        h("td", {}, [h("span"), h("span", { class: "name" })]),
        ...Array.from({ length: 5 }, () => h("td", { class: "number" })),
      ]);
    showEach(this.rows, contacts, make, (row, contact) => {
      const [who, age, distance, angle, energy, speed] = row.children;
      setBadge(/** @type {HTMLElement} */ (who.firstChild), this.shared, contact.id);
      setText(/** @type {Node} */ (who.lastChild), this.shared.plainNameOf(contact.id));
      setText(age, contact.age === 0 ? "now" : `${contact.age}`);
      setText(distance, fixed(contact.distance));
      setText(angle, `${signed(contact.bearing)}°`);
      setText(energy, fixed(contact.energy, 1));
      setText(speed, signed(contact.speed, 1));
      setAttribute(row, "class", contact.age > OLD_TURNS ? "old" : null);
    });
  }

  /** @param {Note[]} notes */
  showNotes(notes) {
    const make = () =>
      h("li", {}, [
        button({ class: "plain when" }, [], (event) => {
          this.shared.show(Number(/** @type {HTMLElement} */ (event.currentTarget).dataset.index));
        }),
        h("span"),
      ]);
    showEach(this.notes, notes, make, (row, note) => {
      const when = /** @type {HTMLElement} */ (row.firstChild);
      setText(when, `${note.round}.${note.turn}`);
      setAttribute(when, "data-index", String(note.index));
      setText(/** @type {Node} */ (row.lastChild), note.text);
    });
  }

  // ---- the map -----------------------------------------------------------------------------------------------

  /**
   * @param {BotState | null} me
   * @param {Contact[]} contacts
   */
  draw(me, contacts) {
    const battle = this.shared.battle;
    const sheet = sheetOf(this.canvas);
    if (!sheet || !battle || !me) {
      return;
    }
    const scale = Math.min((sheet.width - 4) / battle.width, (sheet.height - 4) / battle.height);
    const { context } = sheet;
    const { inks } = this.shared;
    context.translate((sheet.width - battle.width * scale) / 2, (sheet.height + battle.height * scale) / 2);
    context.scale(scale, -scale);
    context.fillStyle = inks.of("band-odd");
    context.fillRect(0, 0, battle.width, battle.height);
    context.strokeStyle = inks.of("line");
    context.lineWidth = 1 / scale;
    context.strokeRect(0, 0, battle.width, battle.height);
    context.save();
    context.beginPath();
    context.rect(0, 0, battle.width, battle.height);
    context.clip();
    this.drawRadar(context, me, scale);
    contacts.forEach((contact) => this.drawContact(context, contact, scale));
    this.drawMe(context, me, scale);
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {BotState} me
   * @param {number} scale
   */
  drawRadar(context, me, scale) {
    if (me.isDroid) {
      return;
    }
    const end = (me.radarDirection * Math.PI) / 180;
    const start = end - (me.radarSweep * Math.PI) / 180;
    context.globalAlpha = 0.25;
    context.fillStyle = this.shared.inks.of("accent");
    context.strokeStyle = this.shared.inks.of("accent");
    context.lineWidth = 1.5 / scale;
    context.beginPath();
    context.moveTo(me.x, me.y);
    context.arc(me.x, me.y, RADAR_RADIUS, start, end, me.radarSweep < 0);
    context.closePath();
    context.fill();
    context.stroke();
    context.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {BotState} me
   * @param {number} scale
   */
  drawMe(context, me, scale) {
    const size = Math.max(TANK_RADIUS, 6 / scale);
    context.save();
    context.translate(me.x, me.y);
    context.rotate((me.direction * Math.PI) / 180);
    context.fillStyle = this.shared.inks.line(this.shared.seatOf(me.id));
    context.strokeStyle = this.shared.inks.of("ink");
    context.lineWidth = 1.5 / scale;
    context.beginPath();
    context.moveTo(size * 1.3, 0);
    context.lineTo(-size, size * 0.9);
    context.lineTo(-size, -size * 0.9);
    context.closePath();
    context.fill();
    context.stroke();
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Contact} contact
   * @param {number} scale
   */
  drawContact(context, contact, scale) {
    const color = this.shared.inks.line(this.shared.seatOf(contact.id));
    const fade = Math.max(1 - contact.age / 90, 0.25);
    context.strokeStyle = color;
    context.globalAlpha = fade * 0.6;
    context.lineWidth = 1.5 / scale;
    context.beginPath();
    contact.trace.forEach((place) => context.lineTo(place.x, place.y));
    context.stroke();
    context.globalAlpha = fade;
    context.lineWidth = 2.5 / scale;
    context.beginPath();
    context.arc(contact.x, contact.y, Math.max(TANK_RADIUS, 6 / scale), 0, 2 * Math.PI);
    context.stroke();
    context.save();
    context.translate(contact.x, contact.y);
    context.scale(1 / scale, -1 / scale);
    context.font = "bold 11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = this.shared.inks.of("ink");
    context.fillText(String(contact.id), 0, 0);
    context.restore();
    context.globalAlpha = 1;
  }
}
