/**
 * The steps of logging in, and of logging in again after a lost connection.
 *
 * The server asks for a name, or "guest". It asks for a passphrase if the name is kept, and spectators give "watch" and
 * its subject. After a lost connection the page answers the same questions again by itself. For that it keeps the
 * passphrase, in its memory alone.
 */

/**
 * The state of the login.
 *
 * After "lost" it will be tried again. With "over" the world has said farewell.
 */
/** @typedef {"connecting" | "name" | "entering" | "passphrase" | "checking" | "playing" | "lost" | "over"} Stage */

const WAITS_MS = [500, 1000, 2000, 4000, 8000];
const WATCH = "watch";
/** Nobody can be called so. */
const WATCH_LINE = /^watch(\s|$)/i;
const HERE_ALREADY = /is here already/;
const COMES_BACK = /stopping|restart/;
const REFUSED_MAX = 8;
const CLOSE_NORMAL = 1000;

export class Login {
  /** @param {(line: string) => void} send a typed line */
  constructor(send) {
    this.send = send;
    /** @type {Stage} */
    this.stage = "connecting";
    /** The name that was given: for a spectator, "watch" and what. */
    this.name = "";
    this.passphrase = "";
    /** The reason why the login stopped. */
    this.problem = "";
    /** Whether typed text is not to be shown. */
    this.secret = false;
    /** The tries in vain since one last played. */
    this.tries = 0;
    this.heard = "";
    this.returning = false;
  }

  /** One watches, or wants to. */
  get watching() {
    return WATCH_LINE.test(this.name);
  }

  /** The time until it is tried again, ms. */
  get waitMs() {
    return WAITS_MS[Math.min(this.tries, WAITS_MS.length) - 1] ?? WAITS_MS[0];
  }

  /** A new line is open. */
  opened() {
    this.stage = "connecting";
    this.secret = false;
    this.heard = "";
  }

  /**
   * Go in by a name.
   * @param {string} name
   */
  enter(name) {
    this.name = name.trim();
    this.passphrase = "";
    this.problem = "";
    this.returning = false;
    if (this.stage === "name" && this.name !== "") {
      this.stage = "entering";
      this.send(this.name);
    }
  }

  /**
   * Watch, read only, instead of playing.
   * @param {string} what a place or a player; "": where most players are
   */
  watch(what) {
    this.enter(`${WATCH} ${what.trim()}`);
  }

  /**
   * A spectator has asked for something else.
   *
   * That is asked for again after a lost line.
   * @param {string} line
   */
  typed(line) {
    if (this.watching && WATCH_LINE.test(line)) {
      this.name = line.trim();
    }
  }

  /** @param {string} passphrase */
  unlock(passphrase) {
    this.passphrase = passphrase;
    this.problem = "";
    if (this.stage === "passphrase") {
      this.stage = "checking";
      this.send(passphrase);
    }
  }

  /** @param {string} line a line of text that came */
  line(line) {
    if (line.trim() !== "") {
      this.heard = line.trim();
    }
  }

  /** The server waits for a line. */
  asked() {
    if (this.stage === "connecting") {
      this.stage = "name";
      if (this.name !== "") {
        this.stage = "entering";
        this.heard = "";
        this.send(this.name);
      }
    } else if (this.secret && (this.stage === "entering" || this.stage === "checking")) {
      this.askedPassphrase();
    } else if (this.stage === "entering" || this.stage === "checking") {
      this.refused();
    }
  }

  askedPassphrase() {
    const again = this.stage === "checking";
    this.stage = "passphrase";
    if (again) {
      this.problem = this.heard;
      this.passphrase = "";
    } else if (this.passphrase !== "") {
      this.unlock(this.passphrase);
    }
  }

  refused() {
    this.stage = "name";
    this.problem = this.heard;
    if (!this.returning || !HERE_ALREADY.test(this.heard) || this.tries >= REFUSED_MAX) {
      this.name = "";
      this.returning = false;
    }
  }

  /**
   * Whether the name is to be said again by and by.
   *
   * The line that was lost is not known to be lost there.
   */
  get again() {
    return this.stage === "name" && this.name !== "";
  }

  /** Say the name again. */
  sayAgain() {
    if (this.again) {
      this.tries += 1;
      this.stage = "entering";
      this.send(this.name);
    }
  }

  /**
   * The login is done.
   * @param {string} name the player's name; a spectator has none
   */
  welcomed(name) {
    this.stage = "playing";
    if (!this.watching) {
      this.name = name;
    }
    this.problem = "";
    this.tries = 0;
    this.returning = true;
  }

  /**
   * The line is closed.
   * @param {number} code
   * @param {string} reason
   */
  closed(code, reason) {
    const farewell = code === CLOSE_NORMAL && reason !== "" && !COMES_BACK.test(reason);
    this.secret = false;
    this.problem = reason;
    if (farewell) {
      this.stage = "over";
      this.name = "";
      this.passphrase = "";
      this.returning = false;
    } else {
      this.stage = "lost";
      this.tries += 1;
    }
  }
}
