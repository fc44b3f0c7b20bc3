/**
 * An operator's commands to a live server, in the messages of a protocol.
 *
 * A restart stops the battle that is played, and begins the same one when that has ended. Pure.
 */

/** @typedef {import("../model.js").Directory} Directory */
/** @typedef {import("../model.js").LobbyBot} LobbyBot */
/** @typedef {import("../model.js").Operator} Operator */
/** @typedef {{ type: string, [field: string]: unknown }} Command */

/**
 * The messages of a protocol for an operator's commands.
 *
 * `Again`: what is needed to begin a battle again.
 * @template Again
 * @typedef {object} CommandMessages
 * @property {Command} pause
 * @property {Command} resume
 * @property {Command} step
 * @property {Command} stop
 * @property {Command} directories asks for what can be started
 * @property {(tps: number) => Command} speed −1: no limit
 * @property {(ids: string[]) => Command} boot
 * @property {(id: number, policy: { debugging?: boolean, breakpoint?: boolean }) => Command} policy
 * @property {(wanted: any) => Command} start a battle, as the game's dialog says
 * @property {(again: Again, bots: LobbyBot[]) => Command} restart
 * @property {(again: Again, lobby: LobbyBot[]) => LobbyBot[]} botsOf the bots of a battle that are still in the lobby
 */

/**
 * @template Again
 * @implements {Operator}
 */
export class OperatorCommands {
  /**
   * @param {(message: Command) => void} say
   * @param {CommandMessages<Again>} messages
   */
  constructor(say, messages) {
    this.say = say;
    this.messages = messages;
    /** @type {LobbyBot[]} */
    this.bots = [];
    /** @type {Directory[]} */
    this.directories = [];
    /** @type {Again | null} the battle that was played last */
    this.last = null;
    this.playing = false;
    /** Whether the battle is to begin again when it has stopped. */
    this.restarting = false;
  }

  pause() {
    this.say(this.messages.pause);
  }

  resume() {
    this.say(this.messages.resume);
  }

  step() {
    this.say(this.messages.step);
  }

  /** @param {number} tps −1: no limit */
  setTps(tps) {
    this.say(this.messages.speed(tps));
  }

  stop() {
    this.restarting = false;
    this.say(this.messages.stop);
  }

  /**
   * Stop, and begin the same battle again.
   *
   * With those of its bots that are still here.
   */
  restart() {
    if (this.playing) {
      this.restarting = true;
      this.say(this.messages.stop);
    } else {
      this.again();
    }
  }

  get canRestart() {
    return this.last !== null && this.messages.botsOf(this.last, this.bots).length > 0;
  }

  /** Begin the battle that was played last again. */
  again() {
    this.restarting = false;
    if (this.last !== null) {
      this.say(this.messages.restart(this.last, this.messages.botsOf(this.last, this.bots)));
    }
  }

  /**
   * @param {number} id of a participant
   * @param {{ debugging?: boolean, breakpoint?: boolean }} policy
   */
  setPolicy(id, policy) {
    this.say(this.messages.policy(id, policy));
  }

  requestDirectories() {
    this.say(this.messages.directories);
  }

  /** @param {string[]} ids */
  boot(ids) {
    this.say(this.messages.boot(ids));
  }

  /** @param {any} wanted a battle, as the game's dialog says */
  start(wanted) {
    this.say(this.messages.start(wanted));
  }

  /**
   * A battle has begun.
   * @param {Again} again
   */
  began(again) {
    this.last = again;
    this.playing = true;
  }

  /** It is over, or was stopped. */
  ended() {
    this.playing = false;
    if (this.restarting) {
      this.again();
    }
  }
}
