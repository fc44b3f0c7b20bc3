/**
 * An operator's commands to a live server, as messages of a protocol.
 *
 * A restart stops the running battle, and starts the same battle when that has ended. Pure.
 */

/** @typedef {import("../model.js").Directory} Directory */
/** @typedef {import("../model.js").LobbyBot} LobbyBot */
/** @typedef {import("../model.js").Operator} Operator */
/** @typedef {{ type: string, [field: string]: unknown }} Command */

/**
 * The messages of a protocol for an operator's commands.
 *
 * `Again`: the data that is needed to start a battle again.
 * @template Again
 * @typedef {object} CommandMessages
 * @property {Command} pause
 * @property {Command} resume
 * @property {Command} step
 * @property {Command} stop
 * @property {Command} directories asks for the list of bots that the server can start
 * @property {(tps: number) => Command} speed −1: no limit
 * @property {(ids: string[]) => Command} boot
 * @property {(id: number, policy: { debugging?: boolean, breakpoint?: boolean }) => Command} policy
 * @property {(wanted: any) => Command} start starts a battle with the data of the game's dialog
 * @property {(again: Again, bots: LobbyBot[]) => Command} restart starts a battle again with these bots
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
    /** @type {Again | null} the newest battle */
    this.last = null;
    this.playing = false;
    /** Whether the battle must start again when it has stopped. */
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
   * Stop the battle and start it again with those of its bots that are still connected.
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

  /** Start the newest battle again. */
  again() {
    this.restarting = false;
    if (this.last !== null) {
      this.say(this.messages.restart(this.last, this.messages.botsOf(this.last, this.bots)));
    }
  }

  /**
   * @param {number} id the id of a participant
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

  /** @param {any} wanted the battle in the form of the game's dialog */
  start(wanted) {
    this.say(this.messages.start(wanted));
  }

  /**
   * Note that a battle has begun.
   * @param {Again} again
   */
  began(again) {
    this.last = again;
    this.playing = true;
  }

  /** Note that the battle is over or was stopped. */
  ended() {
    this.playing = false;
    if (this.restarting) {
      this.again();
    }
  }
}
