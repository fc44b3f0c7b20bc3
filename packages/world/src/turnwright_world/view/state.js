/**
 * The state of the player's body and its threats, from messages and predictions.
 *
 * After a press, the page shows at once which threats the reaction will probably clear. Combat.Result and
 * Combat.Threat.Gone then confirm or revoke this prediction.
 */
import { fields, list, number, readBlocks, readMap, readReaction, readRoom, readThings, readThreat, readVitals, text } from "./connection/messages.js";
import { taken } from "./threat_times.js";

/** @typedef {import("./connection/messages.js").Message} Message */
/** @typedef {import("./connection/messages.js").Fields} Fields */
/** @typedef {import("./connection/messages.js").Reaction} Reaction */
/** predicted: the probable outcome, "" without a press. @typedef {import("./connection/messages.js").ThreatData & { predicted: string }} Threat */
/** @typedef {{ threat: Threat, why: string, damage: number }} Gone */
/** @typedef {{ reaction: Reaction, ids: number[], lockedUntilUs: number }} Press */
/** The part that has changed. @typedef {"name" | "vitals" | "status" | "queue" | "items" | "room" | "map" | "threats" | "blocks" | "rules"} Part */

const THREATS_MAX = 64;
const PRESSES_MAX = 16;

export class WorldState {
  constructor() {
    this.name = "";
    /** Whether the user is a spectator, without a body. */
    this.watching = false;
    /** @type {import("./connection/messages.js").Vitals} */
    this.vitals = { hp: 0, maxhp: 0, sp: 0, maxsp: 0, money: 0 };
    this.status = { state: "", action: "" };
    /** @type {{ commands: string[], max: number }} */
    this.queue = { commands: [], max: 0 };
    /** @type {import("./connection/messages.js").Thing[]} */
    this.items = [];
    /** @type {import("./connection/messages.js").Room} */
    this.room = { id: "", name: "", area: "", desc: "", exits: [], known: {}, doors: {}, here: [], hereMore: 0, items: [] };
    /** @type {import("./connection/messages.js").WorldMap} */
    this.map = { places: [], links: [], stubs: [], more: 0 };
    /** Reasons why reactions would do nothing, by name. @type {Map<string, import("./connection/messages.js").Block[]>} */
    this.blocks = new Map();
    /** @type {string[]} */
    this.verbs = [];
    /** @type {Reaction[]} */
    this.reactions = [];
    /** @type {Map<number, Threat>} */
    this.threats = new Map();
    /** Threats that have just ended. The code that shows them removes them. @type {Gone[]} */
    this.gone = [];
    /** @type {Press[]} */
    this.presses = [];
    this.lockedUs = 0;
    /** The reason why the last reaction had no effect, until something else happens. */
    this.refusal = "";
  }

  /**
   * Forget threats and presses after a lost connection. The server sends the threats again.
   */
  forgetFight() {
    this.threats.clear();
    this.blocks.clear();
    this.gone = [];
    this.presses = [];
    this.lockedUs = 0;
    this.refusal = "";
  }

  /**
   * Return why a reaction would do nothing at a game time, or null if it has an effect.
   * @param {string} reaction
   * @param {number} nowUs
   */
  blockOf(reaction, nowUs) {
    return (this.blocks.get(reaction) ?? []).find((block) => block.untilUs === 0 || block.untilUs > nowUs) ?? null;
  }

  /** The game time in µs until which no other reaction is possible, as far as the page knows. */
  get lockedUntilUs() {
    return Math.max(this.lockedUs, ...this.presses.map((press) => press.lockedUntilUs));
  }

  /**
   * Apply a message. Return the part that has changed, or null if the message is not about the body.
   * @param {Message} message
   * @returns {Part | null}
   */
  take(message) {
    const { name, data } = message;
    switch (name) {
      case "Welcome":
        this.watching = text(data.watching) !== "";
        this.name = text(data.name);
        return "name";
      case "Char.Name":
        this.name = text(data.name);
        return "name";
      case "Char.Vitals":
        this.vitals = readVitals(data);
        return "vitals";
      case "Char.Status":
        this.status = { state: text(data.state), action: text(data.action) };
        return "status";
      case "Char.Queue":
        this.queue = { commands: list(data.commands).map((line) => text(line, 200)), max: number(data.max) };
        return "queue";
      case "Char.Items.List":
        this.items = readThings(data.items);
        return "items";
      case "Room.Info":
        this.room = readRoom(data);
        return "room";
      case "World.Map":
        this.map = readMap(data);
        return "map";
      case "Combat.Reactions":
        this.blocks = readBlocks(data);
        return "blocks";
      case "World.Rules":
        this.verbs = list(data.verbs).map((verb) => text(verb, 32));
        this.reactions = list(data.reactions).map(readReaction).filter((one) => one.name !== "");
        return "rules";
      default:
        return this.takeFight(message);
    }
  }

  /**
   * @param {Message} message
   * @returns {Part | null}
   */
  takeFight({ name, data }) {
    if (name === "Combat.Threat.Add") {
      this.refusal = "";
      this.insert(data);
    } else if (name === "Combat.Threat.Gone") {
      this.refusal = "";
      this.remove(number(data.id, -1), text(data.why), number(data.damage));
    } else if (name === "Combat.Result") {
      this.answered(data);
    } else {
      return null;
    }
    return "threats";
  }

  /**
   * Note a reaction, and mark the threats that it will probably clear.
   *
   * atUs: the timestamp, in µs of game time. wanted: the threat that the reaction is meant for.
   * @param {string} word
   * @param {number} atUs
   * @param {number | null} wanted
   */
  press(word, atUs, wanted) {
    this.refusal = "";
    const reaction = this.reactions.find((one) => one.name === word);
    if (reaction === undefined || this.presses.length >= PRESSES_MAX) {
      return;
    }
    const can = atUs >= this.lockedUntilUs && this.vitals.sp >= reaction.stamina;
    const open = [...this.threats.values()].filter((threat) => threat.predicted === "");
    const ids = can ? taken(open, reaction, atUs, wanted).map((threat) => threat.id) : [];
    for (const id of ids) {
      this.predict(id, reaction.why);
    }
    const lockedUntilUs = ids.length > 0 ? atUs + reaction.lockoutUs : 0;
    this.presses.push({ reaction, ids, lockedUntilUs });
  }

  /** @param {unknown} value */
  insert(value) {
    const threat = readThreat(value);
    if (threat !== null && (this.threats.has(threat.id) || this.threats.size < THREATS_MAX)) {
      const known = this.threats.get(threat.id);
      this.threats.set(threat.id, { ...threat, predicted: known?.predicted ?? "" });
    }
  }

  /**
   * @param {number} id
   * @param {string} why
   * @param {number} damage
   */
  remove(id, why, damage) {
    const threat = this.threats.get(id);
    if (threat !== undefined) {
      this.threats.delete(id);
      this.gone.push({ threat, why, damage });
      this.gone = this.gone.slice(-THREATS_MAX);
    }
  }

  /** @param {Fields} data of Combat.Result */
  answered(data) {
    const press = this.presses.shift();
    const ok = data.ok === true;
    this.refusal = ok ? "" : text(data.why);
    for (const id of press?.ids ?? []) {
      this.predict(id, "");
    }
    if (!ok) {
      this.restore(data);
      return;
    }
    if (press !== undefined) {
      this.lockedUs = Math.max(this.lockedUs, number(data.at) + press.reaction.lockoutUs);
    }
    for (const id of list(data.taken)) {
      this.predict(number(id, -1), press?.reaction.why ?? text(data.why));
    }
  }

  /** @param {Fields} data has all current threats */
  restore(data) {
    if (!Array.isArray(data.threats)) {
      return;
    }
    const there = list(data.threats);
    const ids = new Set(there.map((value) => number(fields(value).id, -1)));
    for (const id of [...this.threats.keys()].filter((known) => !ids.has(known))) {
      this.threats.delete(id);
    }
    for (const value of there) {
      this.insert(value);
    }
  }

  /**
   * @param {number} id
   * @param {string} why
   */
  predict(id, why) {
    const threat = this.threats.get(id);
    if (threat !== undefined) {
      threat.predicted = why;
    }
  }
}
