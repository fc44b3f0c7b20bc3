/**
 * The steps of logging in, and of logging in again after a lost connection.
 *
 * The server asks for a name or "guest", and for a passphrase if the name is registered. Spectators answer "watch" and
 * its subject. After a lost connection the page gives the same answers again by itself. To do so, it keeps the
 * passphrase in memory, and nowhere else.
 */

/**
 * The state of the login.
 *
 * After "lost" the page tries again. "over" means that the server has ended the game for this user.
 */
/** @typedef {"connecting" | "name" | "entering" | "passphrase" | "checking" | "playing" | "lost" | "over"} Stage */

const WAITS_MS = [500, 1000, 2000, 4000, 8000];
const WATCH = "watch";
/** A line that asks to watch. No player can have such a name. */
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
    /** The given name. For a spectator it is "watch" and the subject. */
    this.name = "";
    this.passphrase = "";
    /** The reason why the login stopped. */
    this.problem = "";
    /** Whether to hide typed text. */
    this.secret = false;
    /** The failed attempts since the last successful login. */
    this.tries = 0;
    this.heard = "";
    this.returning = false;
  }

  /** Whether the user watches, or asked to watch. */
  get watching() {
    return WATCH_LINE.test(this.name);
  }

  /** The time until the next attempt, in ms. */
  get waitMs() {
    return WAITS_MS[Math.min(this.tries, WAITS_MS.length) - 1] ?? WAITS_MS[0];
  }

  /** Handle a new connection. */
  opened() {
    this.stage = "connecting";
    this.secret = false;
    this.heard = "";
  }

  /**
   * Log in with a name.
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
   * Log in as a spectator.
   * @param {string} what a place or a player; "": where most players are
   */
  watch(what) {
    this.enter(`${WATCH} ${what.trim()}`);
  }

  /**
   * Note that a spectator watches another subject, for the login after a lost connection.
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

  /** Handle a prompt of the server. */
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
   * Whether to send the name again later, because the server has not noticed the lost connection yet.
   */
  get again() {
    return this.stage === "name" && this.name !== "";
  }

  /** Send the name again. */
  sayAgain() {
    if (this.again) {
      this.tries += 1;
      this.stage = "entering";
      this.send(this.name);
    }
  }

  /**
   * Handle a successful login.
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
   * Handle the end of the connection.
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
