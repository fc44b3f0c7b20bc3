/**
 * The page as a whole: player, arena, buttons, files, addresses. Where frames can come from is given to it, so that
 * tests and other pages can give something else.
 */
import { Stage } from "../draw/stage.js";
import { Player } from "../player.js";
import { button } from "../ui/dom.js";
import { Address } from "./address.js";
import { Files } from "./files.js";
import { glyph } from "./glyphs.js";
import { Lens } from "./lens.js";
import { nowhereText, readHash, readSearch, replayAddress } from "./links.js";
import { Notice } from "./notice.js";
import { ThemeChoice } from "./theme.js";
import { Welcome } from "./welcome.js";

/** @typedef {import("../model.js").Source} Source */
/** @typedef {import("../model.js").Page} Page */
/** @typedef {import("../model.js").Places} Places */

/**
 * Where frames can come from.
 * @typedef {object} Openers
 * @property {(name: string, bytes: Uint8Array) => Promise<Source>} file rejects with an Error of one line
 * @property {(() => Source) | null} live null: this page cannot watch
 */

/** The element that holds a record in a page that plays from disk. */
const EMBEDDED = "embedded-record";

/**
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
  /**
   * @param {Openers} openers
   * @param {(player: Player, places: Places, page: Page) => void} mountUi
   */
  constructor(openers, mountUi) {
    this.openers = openers;
    this.wanted = readSearch(location.search);
    this.player = new Player((callback) => requestAnimationFrame(callback));
    this.notice = new Notice(place("notice", HTMLElement));
    const stage = place("stage", HTMLElement);
    const canvas = place("arena", HTMLCanvasElement);
    const [ground, haze] = [place("ground", HTMLCanvasElement), place("haze", HTMLCanvasElement)];
    this.stage = new Stage(this.player, stage, { ground, haze, arena: canvas });
    this.files = new Files((name, bytes) => this.openBytes(name, bytes, true), (problem) => this.notice.say(problem, true));
    this.welcome = new Welcome(this.player, stage, () => this.files.ask());
    this.lens = new Lens(this.stage, place("lens", HTMLElement), (message) => this.notice.say(message));
    this.theme = new ThemeChoice((name) => {
      this.stage.setTheme(name);
      this.player.emitter.emit("state");
    });
    this.calmly();
    this.overlayIfWanted();
    this.tools(place("tools", HTMLElement));
    document.addEventListener("keydown", (event) => this.key(event));
    this.player.on("frame", () => this.describe(canvas));
    this.player.on("battle", () => this.followIfWanted());
    this.player.on("nowhere", () => this.notice.say(nowhereText(location.hash, this.player.source?.battle?.rounds), true));
    mountUi(this.player, this.places(), this.page());
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
      toggleDebug: () => this.lens.toggle("debug"),
      toggleSide: () => this.toggleSide(),
      openFile: () => this.files.ask(),
      say: (message) => this.notice.say(message),
    };
  }

  calmly() {
    const less = matchMedia("(prefers-reduced-motion: reduce)");
    const apply = () => {
      this.stage.calm = less.matches;
      this.stage.touch();
    };
    less.addEventListener("change", apply);
    apply();
  }

  overlayIfWanted() {
    if (this.wanted.overlay) {
      document.documentElement.classList.add("overlay");
      this.stage.setLook({ scans: "none", trails: "none", debug: false });
      this.stage.setOverlay(true);
    }
  }

  followIfWanted() {
    const seats = this.player.source?.battle?.seats ?? [];
    const name = this.wanted.follow?.toLowerCase();
    const seat = seats.find((known) => known.name.toLowerCase() === name || String(known.id) === name);
    if (seat) {
      this.player.select(seat.id);
      this.stage.follow(true);
    } else if (name !== undefined && seats.length > 0) {
      this.notice.say(`?follow=${this.wanted.follow}: no bot has this name; here are ${seats.map((s) => s.name).join(", ")}`, true);
    }
  }

  /** @param {HTMLElement} bar */
  tools(bar) {
    /** @type {[string, string, string, () => void][]} */
    const all = [
      ["open", "Open a record: it is read in this page and sent nowhere", "Open", () => this.files.ask()],
      ["theme", "Dark or light (T)", "", () => this.theme.toggle()],
      ["full", "Full screen", "", () => this.fullScreen()],
      ["side", "Show or hide the side panel (M)", "", () => this.toggleSide()],
    ];
    for (const [name, label, word, act] of all) {
      const tool = button({ class: `tool tool-${name}`, title: label, "aria-label": label }, [glyph(name)], act);
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
    change.catch(() => this.notice.say("This browser does not allow full screen here; its own key may (F11)."));
  }

  // ---- where frames come from ----------------------------------------------------------------------------------

  /** Show what the page or its address asks for. */
  begin() {
    const embedded = document.getElementById(EMBEDDED);
    if (embedded) {
      this.openEmbedded(embedded.dataset.name ?? "record", embedded.textContent ?? "");
    } else if (this.wanted.replay !== null) {
      this.openAddress(this.wanted.replay);
    } else if (this.openers.live && /^https?:$/.test(location.protocol)) {
      this.show(this.openers.live());
    }
  }

  /**
   * @param {string} replay
   * @returns {Promise<void>}
   */
  async openAddress(replay) {
    const address = replayAddress(replay, location.href);
    if ("problem" in address) {
      this.fail(address.problem);
      return;
    }
    const name = decodeURIComponent(new URL(address.url).pathname.split("/").pop() ?? "record");
    try {
      const answer = await fetch(address.url);
      if (!answer.ok) {
        const why = answer.status === 404 ? "is not on this server; the list is at /records.json" : `cannot be had: the server says ${answer.status}`;
        this.fail(`${name} ${why}`);
        return;
      }
      await this.openBytes(name, new Uint8Array(await answer.arrayBuffer()));
    } catch {
      this.fail(`${name} cannot be had: the server does not answer. Is it still running?`);
    }
  }

  /**
   * Show the record that the page itself holds.
   * @param {string} name
   * @param {string} base64
   */
  openEmbedded(name, base64) {
    try {
      const bytes = Uint8Array.from(atob(base64.trim()), (sign) => sign.charCodeAt(0));
      this.openBytes(name, bytes);
    } catch {
      this.fail(`${name}: the record in this page is damaged; make the page again with turnwright replay --html`);
    }
  }

  /**
   * Show a file. One that turns out not to be a record leaves what is shown as it is.
   * @param {string} name
   * @param {Uint8Array} bytes
   * @param {boolean} [own] whether it is the reader's, so that the address cannot lead to it
   * @returns {Promise<void>}
   */
  async openBytes(name, bytes, own = false) {
    try {
      const source = await this.openers.file(name, bytes);
      if (await hasFailed(source)) {
        source.close();
        throw new Error(`${name}: ${source.status.message || "this is no record"}`);
      }
      if (own && this.player.source !== null) {
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
    const acts = {
      f: () => this.lens.toggleFollow(),
      z: () => this.lens.fit(),
      i: () => this.lens.zoom(1),
      o: () => this.lens.zoom(-1),
      s: () => this.lens.cycle("scans"),
      x: () => this.lens.cycle("trails"),
      m: () => this.toggleSide(),
    };
    const act = acts[event.key.toLowerCase()];
    if (act && event.key.length === 1) {
      event.preventDefault();
      act();
    }
  }

  /**
   * Say in words what the arena shows, for those who do not see it.
   * @param {HTMLCanvasElement} canvas
   */
  describe(canvas) {
    const { frame, playing } = this.player;
    if (!frame || (playing && frame.turnNumber % 30 !== 1)) {
      return;
    }
    const bots = frame.botStates.map((bot) => `${bot.name} ${Math.max(0, bot.energy).toFixed(0)}`).join(", ");
    canvas.setAttribute("aria-label", `Arena, round ${frame.roundNumber}, turn ${frame.turnNumber}. Energy: ${bots}`);
  }
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
