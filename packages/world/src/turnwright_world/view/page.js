/**
 * The page of the text world.
 *
 * Passes messages to the panels, and commands to the server.
 */
import { button, setText } from "../../../viewer/widgets/dom.js";
import { ThemeChoice, recall, remember } from "../../../viewer/page/theme.js";
import { outlineIcon } from "../../../viewer/widgets/icons.js";
import { plain } from "./ansi.js";
import { CommandView } from "./panels/command_view.js";
import { ThreatAnnouncer } from "./threat_announcer.js";
import { LoginView } from "./panels/login_view.js";
import { keyAction, reactionKeys, typedReaction } from "./keys.js";
import { Connection } from "./connection/connection.js";
import { LogView } from "./panels/log_view.js";
import { fields, text } from "./connection/messages.js";
import { MapView } from "./panels/map_view.js";
import { MindView } from "./panels/mind_view.js";
import { ReactionsView } from "./panels/reactions_view.js";
import { comingLine, goneLine } from "./threat_times.js";
import { RingsView } from "./panels/rings_view.js";
import { RoomView } from "./panels/room_view.js";
import { SelfView } from "./panels/self_view.js";
import { localUs } from "./connection/socket.js";
import { Sound } from "./sound.js";
import { WorldState } from "./state.js";
import { showHelp } from "./panels/help_view.js";

/** @typedef {import("./connection/messages.js").Message} Message */
/** @typedef {import("./ansi.js").Piece} Piece */

const RESIZE_MS = 300;
/** The layout for fights stays for this time after the last threat. */
const FIGHT_STAYS_MS = 10_000;
const DANGER = "bold ansi-red";
const GOOD = "ansi-green";
/** The end of a line of text that reports a threat, with its number: "[3]", "[3] - parry or dodge?" */
const THREAT_LINE = /\[(\d+)\](?: - [^[\]]*)?$/;
const NAME_KEY = "turnwright.world.name";
const RETURN_KEY = "turnwright.world.return";
/** @type {Record<string, string>} */
const STATES = {
  connecting: "connecting …",
  name: "",
  entering: "coming in …",
  passphrase: "",
  checking: "checking …",
  playing: "",
  lost: "connection lost, coming back …",
  over: "left",
};

export class WorldPage {
  constructor() {
    this.state = new WorldState();
    this.sound = new Sound();
    /** @type {string[]} */
    this.banner = [];
    this.question = "";
    /** The threat that the player selected as the target of reactions. @type {number | null} */
    this.aimed = null;
    this.fightTimer = 0;
    this.drawing = false;
    /** @type {Map<string, string>} */
    this.letters = new Map();
    this.log = new LogView(place("story"));
    this.rings = new RingsView(place("danger"), (id) => this.aim(id));
    this.reactions = new ReactionsView(place("danger"), (reaction) => this.react(reaction, this.aimed));
    this.room = new RoomView(place("scene"), (command) => this.command(command));
    this.map = new MapView(place("map"), place("story"));
    this.self = new SelfView(place("self"), () => this.command("stop"));
    this.connection = new Connection(
      {
        fresh: () => this.forget(),
        stage: () => this.showStage(),
        line: (pieces) => this.hear(pieces),
        question: (question) => this.ask(question),
        message: (message) => this.take(message),
      },
      () => this.log.columns,
    );
    this.commandLine = new CommandView(place("say"), {
      send: (typed) => this.typed(typed),
      words: () => this.words(),
      page: (pages) => this.log.page(pages),
    });
    this.loginView = new LoginView(/** @type {HTMLDialogElement} */ (place("door")), {
      enter: (name) => this.enter(name),
      watch: (what) => this.watch(what),
      unlock: (passphrase) => this.unlock(passphrase),
      again: () => this.connection.connect(),
    });
    this.mind = new MindView(/** @type {HTMLDialogElement} */ (place("mind")), (name, data) => this.connection.socket?.send(name, data));
    this.announcer = new ThreatAnnouncer(place("alert"));
    this.makeTools();
    this.loginView.name.value = recall(NAME_KEY) ?? "";
    document.addEventListener("keydown", (event) => this.key(event));
    this.watchSize();
    this.connection.login.name = returning() ?? "";
    this.connection.login.returning = this.connection.login.name !== "";
    this.connection.connect();
  }

  makeTools() {
    const theme = button({ class: "tool", "aria-label": "Switch between dark and light" }, [outlineIcon("theme")], () => choice.toggle());
    const choice = new ThemeChoice(() => {});
    const sound = button({ class: "tool", "aria-pressed": String(this.sound.on) }, ["Sound"], () => {
      this.sound.toggle();
      sound.setAttribute("aria-pressed", String(this.sound.on));
    });
    const map = button({ class: "tool map-tool for-players", "aria-pressed": "false" }, ["Map"], () => {
      const shown = document.documentElement.classList.toggle("map-open");
      map.setAttribute("aria-pressed", String(shown));
    });
    const help = button({ class: "tool", "aria-label": "Help" }, ["?"], () => showHelp(this.letters));
    const mind = button({ class: "tool for-players" }, ["Mind"], () => this.mind.open());
    place("tools").append(map, mind, sound, theme, help);
  }

  watchSize() {
    let timer = 0;
    addEventListener("resize", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.connection.size(), RESIZE_MS);
    });
  }

  // ---- login ----------------------------------------------------------------------------------------------

  /** @param {string} name */
  enter(name) {
    if (!/^(guest|watch(\s.*)?)$/i.test(name.trim())) {
      remember(NAME_KEY, name);
    }
    this.connection.login.enter(name);
    this.showStage();
  }

  /** @param {string} what */
  watch(what) {
    this.connection.login.watch(what);
    this.showStage();
  }

  /** @param {string} passphrase */
  unlock(passphrase) {
    this.connection.login.unlock(passphrase);
    this.showStage();
  }

  showStage() {
    const { login } = this.connection;
    const playing = login.stage === "playing";
    const enters = playing && this.loginView.dialog.open;
    this.loginView.update(login, this.banner.join(" "));
    setText(place("who"), !login.returning ? "" : login.watching ? "Watching" : login.name);
    this.showTime();
    document.documentElement.classList.toggle("away", !playing);
    document.documentElement.classList.toggle("watching", login.returning && login.watching);
    this.commandLine.setSecret(playing && login.secret, this.question, playing && login.watching);
    if (login.stage === "lost" || login.stage === "over") {
      this.state.forgetFight();
      this.rings.clear();
      this.update();
      keepReturn(login.stage === "lost" ? login.name : "");
    }
    if (playing) {
      keepReturn(login.name);
    }
    if (enters && matchMedia("(pointer: fine)").matches) {
      this.commandLine.input.focus();
    }
  }

  /** Begin again after a new login, perhaps with another body. */
  forget() {
    this.state = new WorldState();
    this.aimed = null;
    this.rings.clear();
    this.update();
  }

  // ---- messages -------------------------------------------------------------------------------------------

  /** @param {Piece[]} pieces of a line of text */
  hear(pieces) {
    const words = plain(pieces);
    this.mind.hear(words);
    if (this.connection.login.stage !== "playing") {
      this.banner = this.connection.login.stage === "connecting" ? [...this.banner, words].slice(-12) : [];
    }
    const found = THREAT_LINE.exec(words.trimEnd());
    this.log.add(pieces, found !== null && this.state.threats.has(Number(found[1])) ? "threat" : "text");
  }

  /** @param {string} question */
  ask(question) {
    this.question = question;
    if (question !== "") {
      this.log.note(question);
    }
    this.commandLine.setSecret(this.connection.login.secret, question, this.connection.login.watching);
  }

  /** @param {Message} message */
  take(message) {
    if (message.name === "Game.Text") {
      this.log.add(this.connection.ansi.line(text(fields(message.data).text, 4000)));
    }
    if (message.name.startsWith("Mind.")) {
      this.mind.take(message);
      return;
    }
    if (message.name === "Time.Segment") {
      this.showTime();
    }
    const before = this.state.threats.size;
    const part = this.state.take(message);
    if (this.connection.socket?.packed) {
      this.tellThreat(message, before);
    }
    if (part === "threats" || part === "rules" || part === "vitals") {
      this.update();
    } else if (part === "room" || part === "map") {
      this.room.update(this.state);
      this.map.update(this.state);
    } else if (part === "blocks") {
      this.reactions.update(this.state, this.letters);
    } else if (part !== null) {
      this.self.update(this.state);
    }
    this.run();
  }

  /**
   * Add a line about a new or ended threat to the log. With packed messages the server sends no such text.
   * @param {Message} message
   * @param {number} before the number of threats before the message
   */
  tellThreat({ name, data }, before) {
    const { threats, gone, reactions } = this.state;
    const come = name === "Combat.Threat.Add" && threats.size > before ? threats.get(Number(data.id)) : undefined;
    const left = name === "Combat.Threat.Gone" && threats.size < before ? gone[gone.length - 1] : undefined;
    if (come !== undefined) {
      this.log.add([{ text: comingLine(come, reactions), style: DANGER }], "threat");
    } else if (left !== undefined) {
      const words = goneLine(left.threat, left.why, left.damage);
      const hurts = left.why === "landed" || left.why === "overflow";
      if (words !== "") {
        this.log.add([{ text: words, style: hurts ? DANGER : GOOD }]);
      }
    }
  }

  update() {
    const { state } = this;
    this.letters = reactionKeys(state.reactions.map((reaction) => reaction.name));
    if (this.aimed !== null && !state.threats.has(this.aimed)) {
      this.aimed = null;
    }
    this.connection.clock.rings = state.threats.size > 0;
    this.#showFight(state.threats.size > 0);
    this.rings.update(state, this.aimed);
    this.reactions.update(state, this.letters);
    this.room.update(state);
    this.map.update(state);
    this.self.update(state);
  }

  /**
   * Show the layout for fights until some seconds after the last threat, so that buttons do not move in a fight.
   * @param {boolean} on whether an attack is coming
   */
  #showFight(on) {
    const page = document.documentElement.classList;
    if (on) {
      clearTimeout(this.fightTimer);
      this.fightTimer = 0;
      page.add("fighting");
    } else if (this.fightTimer === 0 && page.contains("fighting")) {
      this.fightTimer = setTimeout(() => {
        this.fightTimer = 0;
        page.remove("fighting");
      }, FIGHT_STAYS_MS);
    }
  }

  // ---- commands -------------------------------------------------------------------------------------------

  /** @param {string} line */
  typed(line) {
    if (this.connection.login.secret) {
      this.connection.socket?.type(line);
      return;
    }
    const found = typedReaction(line, this.state.reactions, this.state.threats.size > 0);
    if (found !== null) {
      this.react(found.reaction, found.id ?? this.aimed);
      return;
    }
    this.command(line);
  }

  /** @param {string} command */
  command(command) {
    this.log.toEnd();
    this.log.add([{ text: `> ${command}`, style: "" }], "typed");
    this.connection.login.typed(command);
    if (this.connection.login.stage === "playing") {
      this.connection.socket?.type(command);
    } else {
      this.log.note("Not sent: the connection is lost. The page reconnects by itself.");
    }
  }

  /**
   * @param {string} reaction
   * @param {number | null} id
   */
  react(reaction, id) {
    const stamp = this.connection.react(reaction, id);
    if (stamp !== null) {
      this.state.press(reaction, stamp, id);
    }
    this.update();
    this.run();
  }

  /** @param {number} id */
  aim(id) {
    this.aimed = this.aimed === id ? null : id;
    this.update();
  }

  words() {
    const { room, verbs, reactions, items } = this.state;
    const names = [...room.here, ...room.items, ...items].map((one) => one.name);
    return { exits: room.exits, names, verbs: [...verbs, ...reactions.map((one) => one.name), ...ALWAYS] };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const inDialog = document.querySelector("dialog[open]") !== null;
    if (inDialog || event.defaultPrevented || event.isComposing || this.commandLine.secret) {
      return;
    }
    const stroke = { key: event.key, code: event.code, shift: event.shiftKey, other: event.ctrlKey || event.altKey || event.metaKey };
    const done = keyAction(stroke, { typing: this.commandLine.focused, empty: this.commandLine.empty }, this.letters);
    if (done === null || (event.repeat && done.what !== "type")) {
      return;
    }
    if (done.what === "way") {
      if (!this.state.watching && this.state.room.exits.includes(done.way)) {
        this.room.go(done.way);
      }
    } else if (done.what === "exit" && this.state.room.exits[done.nth] !== undefined && !this.state.watching) {
      this.room.go(this.state.room.exits[done.nth]);
    } else if (done.what === "react") {
      this.react(done.reaction, this.aimed);
    } else if (done.what === "leave") {
      this.commandLine.input.blur();
    } else {
      this.commandLine.input.focus();
      if (event.key !== "/") {
        return;
      }
    }
    event.preventDefault();
  }

  // ---- frames ---------------------------------------------------------------------------------------------

  /** Draw frames while anything moves. */
  run() {
    if (!this.drawing) {
      this.drawing = true;
      requestAnimationFrame(() => this.frame());
    }
  }

  /** Show that time is paused, while it is paused. */
  showTime() {
    const stands = this.connection.login.stage === "playing" && this.connection.clock.segment?.rate === 0;
    setText(place("state"), stands ? "time stands still" : STATES[this.connection.login.stage]);
  }

  frame() {
    const { state, connection } = this;
    const nowUs = localUs();
    const ringUs = connection.clock.ready ? connection.clock.ringUs(nowUs) : null;
    const lockedUs = ringUs === null ? 0 : Math.max(0, state.lockedUntilUs - ringUs);
    this.rings.draw(ringUs, connection.clock.segment?.rate === 0);
    this.reactions.draw(lockedUs, ringUs);
    if (ringUs !== null) {
      this.sound.play(this.announcer.look(state, ringUs, nowUs / 1000));
    }
    this.drawing = false;
    if (state.threats.size > 0 || lockedUs > 0 || this.announcer.waiting.length > 0) {
      this.run();
    }
  }
}

const ALWAYS = ["look", "inventory", "score", "who", "tell", "reply", "chat", "say", "queue", "stop", "keep", "mind", "brief", "map", "exits", "reactions", "help", "quit"];

/** @param {string} id */
function place(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** The name with which this tab was logged in before the page was reloaded. */
function returning() {
  try {
    return sessionStorage.getItem(RETURN_KEY);
  } catch {
    return null;
  }
}

/** @param {string} name */
function keepReturn(name) {
  try {
    sessionStorage.setItem(RETURN_KEY, name);
  } catch {
    // Without storage, the page asks for the name again after a reload.
  }
}
