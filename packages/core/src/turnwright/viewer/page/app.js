/**
 * The whole page: player, arena, buttons, files, addresses.
 *
 * The game's view provides what is shown of a battle.
 */
import { Analysis, BUSY, NOT_SENT, RETRY_MS, TRIES_MAX, askServer } from "../sources/analysis.js";
import { Player } from "../time/player.js";
import { button } from "../widgets/dom.js";
import { placeText } from "../widgets/format.js";
import { Address } from "./address.js";
import { Files } from "./files.js";
import { outlineIcon } from "../widgets/icons.js";
import { mountPanels } from "./panels.js";
import { noRecordText, nowhereText, readHash, readSearch, recordsIn, replayAddress } from "./links.js";
import { Notice } from "./notice.js";
import { ownBot } from "./own_bot.js";
import { Kiosk } from "../room/kiosk.js";
import { ThemeChoice, recall, remember } from "./theme.js";
import { Welcome } from "./welcome.js";

/** @typedef {import("../model.js").Source} Source */
/** @typedef {import("../model.js").GameView} GameView */
/** @typedef {import("../model.js").Page} Page */
/** @typedef {import("../model.js").Places} Places */

/** The beginning of the paths of rooms. */
const ROOMS_PATH = "/t/";
/** The element with the record of a page that plays from disk. */
const EMBEDDED = "embedded-record";
/** The element with the analysis of that record. */
const EMBEDDED_ANALYSIS = "embedded-analysis";
/** The key under which the name of the last selected bot is stored. */
const CHOSEN_KEY = "turnwright.bot";

/**
 * Return an element of the page. It throws an Error if the page has no such element.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function place(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) {
    throw new Error(`the page has no <${kind.name}> called ${id}`);
  }
  return element;
}

export class App {
  /** @param {GameView} game */
  constructor(game) {
    this.game = game;
    this.wanted = readSearch(location.search);
    this.player = new Player((callback) => requestAnimationFrame(callback));
    this.notice = new Notice(place("notice", HTMLElement));
    const stage = place("stage", HTMLElement);
    const canvas = place("arena", HTMLCanvasElement);
    const [ground, haze] = [place("ground", HTMLCanvasElement), place("haze", HTMLCanvasElement)];
    const buttons = place("view-buttons", HTMLElement);
    this.arena = game.arena(this.player, { place: stage, ground, haze, arena: canvas, buttons }, (message, bad) => this.notice.say(message, bad));
    this.files = new Files((name, bytes) => this.openBytes(name, bytes, null), (problem) => this.notice.say(problem, true), game.accept);
    this.welcome = new Welcome(this.player, stage, game.files, () => this.files.ask(), () => void this.listRecords());
    /** @type {(() => boolean) | null} */
    this.sound = null;
    /** The seats of the battle in which the user's bot was selected. It is selected once for each battle. */
    this.seatsKey = "";
    /** @type {number | null} the selection that the page made, not the user */
    this.preset = null;
    this.theme = new ThemeChoice((name) => {
      this.arena.setTheme(name);
      this.player.emitter.emit("state");
    });
    this.followMotionSetting();
    this.overlayIfWanted();
    this.tools(place("tools", HTMLElement));
    document.addEventListener("keydown", (event) => this.key(event));
    this.player.on("frame", () => this.describe(canvas));
    this.player.on("battle", () => {
      this.selectOwn();
      this.followIfWanted();
    });
    this.player.on("state", () => this.noteChosen());
    this.player.on("nowhere", () => this.notice.say(nowhereText(location.hash, this.player.source?.battle?.rounds), true));
    if (game.panels !== null) {
      mountPanels(this.player, this.places(), this.page(), game.panels, game.history);
    }
    this.address = new Address(this.player);
    this.player.start();
    this.begin();
  }

  /** @returns {Places} */
  places() {
    return {
      top: place("top", HTMLElement),
      side: place("side", HTMLElement),
      bottom: place("bottom", HTMLElement),
      dialog: place("dialog", HTMLDialogElement),
    };
  }

  /** @returns {Page} */
  page() {
    return {
      toggleTheme: () => this.theme.toggle(),
      toggleDebug: () => this.arena.toggleDebug(),
      toggleSide: () => this.toggleSide(),
      openFile: () => this.files.ask(),
      board: this.wanted.overlay === "board",
      offerSound: (toggle) => (this.sound = toggle),
      toggleSound: () => this.toggleSound(),
      say: (message) => this.notice.say(message),
    };
  }

  followMotionSetting() {
    const less = matchMedia("(prefers-reduced-motion: reduce)");
    const apply = () => this.arena.setStill(less.matches);
    less.addEventListener("change", apply);
    apply();
  }

  overlayIfWanted() {
    if (this.wanted.overlay !== "off") {
      document.documentElement.classList.add("overlay");
      this.arena.setOverlay();
    }
    document.documentElement.classList.toggle("kiosk", this.wanted.kiosk);
  }

  toggleSound() {
    const on = this.sound?.() ?? false;
    document.querySelector(".tool-sound")?.setAttribute("aria-pressed", String(on));
    this.notice.say(on ? "Sounds are on." : "Sounds are off.");
  }

  /** Select the user's bot when a battle begins to be shown. */
  selectOwn() {
    const seats = this.player.source?.battle?.seats ?? [];
    const key = JSON.stringify(seats.map((/** @type {any} */ { id, name }) => [id, name]));
    if (seats.length === 0 || (key === this.seatsKey && this.player.selected !== null)) {
      return;
    }
    this.seatsKey = key;
    this.preset = ownBot(seats, this.wanted.bot, recall(CHOSEN_KEY));
    if (this.preset !== null) {
      this.player.select(this.preset);
    }
  }

  /** Store the bot that the user selects. It is selected in the next battle, too. */
  noteChosen() {
    const { selected, source } = this.player;
    const seat = source?.battle?.seats.find((/** @type {any} */ { id }) => id === selected);
    if (seat && selected !== this.preset) {
      this.preset = selected;
      remember(CHOSEN_KEY, seat.name);
    }
  }

  followIfWanted() {
    const seats = this.player.source?.battle?.seats ?? [];
    const name = this.wanted.follow?.toLowerCase();
    const seat = seats.find((/** @type {any} */ known) => known.name.toLowerCase() === name || String(known.id) === name);
    if (seat) {
      this.player.select(seat.id);
      this.arena.follow();
    } else if (name !== undefined && seats.length > 0) {
      this.notice.say(`No bot is called ${this.wanted.follow}. Bots: ${seats.map((/** @type {any} */ s) => s.name).join(", ")}`, true);
    }
  }

  /** @param {HTMLElement} bar */
  tools(bar) {
    /** @type {[string, string, string, () => void][]} */
    const all = [
      ["open", "Open a record. It stays in your browser.", "Open", () => this.files.ask()],
      ["sound", "Sounds on or off (U)", "", () => this.toggleSound()],
      ["theme", "Switch between dark and light (T)", "", () => this.theme.toggle()],
      ["full", "Full screen", "", () => this.fullScreen()],
      ["side", "Show or hide the side panel (M)", "", () => this.toggleSide()],
    ];
    for (const [name, label, word, act] of all) {
      const tool = button({ class: `tool tool-${name}`, title: label, "aria-label": label }, [outlineIcon(name)], act);
      if (word) {
        const text = document.createElement("span");
        text.className = "tool-word";
        text.textContent = word;
        tool.append(text);
      }
      bar.append(tool);
    }
  }

  toggleSide() {
    document.documentElement.classList.toggle("no-side");
  }

  fullScreen() {
    const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => this.notice.say("This browser does not allow full screen here; try its own key (F11)."));
  }

  // ---- where frames come from ----------------------------------------------------------------------------------

  /** Show what the page or its address asks for. */
  begin() {
    const embedded = document.getElementById(EMBEDDED);
    if (embedded) {
      this.openEmbedded(embedded.dataset.name ?? "record", embedded.textContent ?? "");
    } else if (this.wanted.replay !== null) {
      this.openAddress(this.wanted.replay);
    } else if (this.game.live && /^https?:$/.test(location.protocol)) {
      this.show(this.game.live());
      void this.listRecords();
    }
    if (this.wanted.kiosk && this.game.live && /^https?:$/.test(location.protocol)) {
      this.goThrough(this.game.live);
    }
  }

  /**
   * Show the server's battles one after the other.
   * @param {() => Source} live
   */
  goThrough(live) {
    new Kiosk(this.player, {
      live: () => this.show(live()),
      record: (address) => void this.openAddress(address),
      list: async () => (await askRecords()).map(({ address }) => readSearch(address).replay ?? ""),
      rooms: askRooms,
      goTo: (room) => location.assign(`${room.url}${location.search}`),
    });
  }

  /** Show the server's list of records while no battle is running. */
  async listRecords() {
    this.welcome.list(await askRecords());
  }

  /**
   * Load a record and show it, or show why it cannot be loaded.
   * @param {string} replay its address, as given after "?replay="
   * @returns {Promise<void>}
   */
  async openAddress(replay) {
    const address = replayAddress(this.game.recordAddress?.(replay) ?? replay, location.href);
    if ("problem" in address) {
      this.fail(address.problem);
      return;
    }
    const name = decodeURIComponent(new URL(address.url).pathname.split("/").pop() ?? "record");
    try {
      const answer = await fetchReady(address.url);
      if (!answer.ok) {
        this.fail(`${name} ${noRecordText(answer.status)}`);
        void this.listRecords();
        return;
      }
      const analysis = new Analysis(askServer(`/analysis/${encodeURIComponent(name)}`));
      await this.openBytes(name, new Uint8Array(await answer.arrayBuffer()), analysis);
    } catch {
      this.fail(`${name} cannot be loaded: the server does not answer. Is it still running?`);
    }
  }

  /**
   * Show the record that the page contains.
   * @param {string} name
   * @param {string} base64
   */
  openEmbedded(name, base64) {
    try {
      const bytes = Uint8Array.from(atob(base64.trim()), (sign) => sign.charCodeAt(0));
      const facts = document.getElementById(EMBEDDED_ANALYSIS)?.textContent ?? null;
      const without = "This page contains no analysis; create it again with turnwright replay --html.";
      this.openBytes(name, bytes, facts === null ? new Analysis(null, without) : new Analysis(null).give(facts));
    } catch {
      this.fail(`${name}: the record in this page is damaged; create the page again with turnwright replay --html`);
    }
  }

  /**
   * Show a file.
   *
   * If it is not a record, the page continues to show the same as before.
   * @param {string} name
   * @param {Uint8Array} bytes
   * @param {Analysis | null} analysis its analysis; null: it is the user's own file, which has no address
   * @returns {Promise<void>}
   */
  async openBytes(name, bytes, analysis) {
    try {
      const source = await this.game.file(name, bytes);
      if (await hasFailed(source)) {
        source.close();
        throw new Error(`${name}: ${source.status.message || "this is not a record"}`);
      }
      if (this.game.analysed) {
        source.analysis = analysis ?? new Analysis(null, NOT_SENT);
      }
      if (analysis === null && this.player.source !== null) {
        this.address.leave();
      }
      this.show(source);
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {Source} source */
  show(source) {
    const target = readHash(location.hash);
    this.welcome.problem = "";
    this.notice.clear();
    this.player.setSource(source);
    if (this.wanted.tps !== null) {
      this.player.setRate({ kind: "tps", value: this.wanted.tps });
    }
    if (target && source.kind !== "live") {
      this.address.go();
    }
  }

  /** @param {string} message */
  fail(message) {
    if (this.player.frame === null) {
      this.welcome.fail(message);
    } else {
      this.notice.say(message, true);
    }
  }

  // ---- the reader ----------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target;
    const typing = target instanceof HTMLElement && target.closest("input, select, textarea, dialog, [contenteditable]");
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || typing) {
      return;
    }
    /** @type {Record<string, () => void>} */
    const acts = { ...this.arena.keys, m: () => this.toggleSide() };
    const act = acts[event.key.toLowerCase()];
    if (act && event.key.length === 1) {
      event.preventDefault();
      act();
    }
  }

  /**
   * Describe in words what the arena shows, for screen readers.
   * @param {HTMLCanvasElement} canvas
   */
  describe(canvas) {
    const { frame, playing } = this.player;
    if (!frame || (playing && frame.turnNumber % 30 !== 1)) {
      return;
    }
    const text = this.arena.describe(frame);
    const where = placeText(frame.roundNumber, frame.turnNumber, this.player.source?.battle ?? null);
    canvas.setAttribute("aria-label", `Arena, ${where}. ${text}`);
  }
}

/**
 * Ask the server of this page for its rooms.
 *
 * The list is empty if the server has a single battle or does not answer.
 * @returns {Promise<import("../room/kiosk.js").Room[]>}
 */
async function askRooms() {
  if (!location.pathname.startsWith(ROOMS_PATH)) {
    return [];
  }
  try {
    const answer = await fetch("/rooms.json");
    return answer.ok ? (await answer.json()).rooms : [];
  } catch {
    return []; // the server does not answer now
  }
}

/**
 * Ask the server of this page for its records.
 *
 * The list is empty if there are none, or if the server does not answer.
 * @returns {Promise<{ name: string, address: string }[]>}
 */
async function askRecords() {
  try {
    const answer = await fetch("records.json");
    return answer.ok ? recordsIn(await answer.json()) : [];
  } catch {
    return [];
  }
}

/**
 * Fetch data that the server may have to make first. Ask again until it is ready, at most TRIES_MAX times.
 * @param {string} url
 * @returns {Promise<Response>}
 */
async function fetchReady(url) {
  let answer = await fetch(url);
  for (let tries = 1; answer.status === BUSY && tries < TRIES_MAX; tries += 1) {
    await new Promise((resolve) => void setTimeout(resolve, RETRY_MS));
    answer = await fetch(url);
  }
  return answer;
}

/**
 * Wait until a source knows its battle, or has failed.
 * @param {Source} source
 * @returns {Promise<boolean>} whether it failed
 */
function hasFailed(source) {
  return new Promise((resolve) => {
    /** @type {(() => void)[]} */
    const ends = [];
    const look = () => {
      const failed = source.status.phase === "failed" && source.length === 0;
      if (failed || source.battle !== null) {
        for (const end of ends) {
          end();
        }
        resolve(failed);
      }
    };
    ends.push(source.on("battle", look), source.on("status", look));
    look();
  });
}
