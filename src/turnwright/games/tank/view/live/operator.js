/** The commands of an operator: the official controller messages, and ours. Pure. */

import { preset } from "./presets.js";

/** @typedef {import("../model.js").Directory} Directory */
/** @typedef {import("../model.js").LobbyBot} LobbyBot */
/** @typedef {import("../model.js").Operator} Operator */
/** @typedef {{ gameSetup: Record<string, unknown>, sessionIds: string[] }} Game what was started last */
/** @typedef {{ host: string, port: number }} Address */

/** @implements {Operator} */
export class LiveOperator {
  /** @param {(message: { type: string, [field: string]: unknown }) => void} say */
  constructor(say) {
    this.say = say;
    /** @type {LobbyBot[]} */
    this.bots = [];
    /** @type {Directory[]} */
    this.directories = [];
    /** @type {Game | null} */
    this.game = null;
    this.playing = false;
    /** Whether the game is to begin again when it has stopped. */
    this.restarting = false;
  }

  pause() {
    this.say({ type: "PauseGame" });
  }

  resume() {
    this.say({ type: "ResumeGame" });
  }

  step() {
    this.say({ type: "NextTurn" });
  }

  /** @param {number} tps -1: no limit */
  setTps(tps) {
    this.say({ type: "ChangeTps", tps });
  }

  stop() {
    this.restarting = false;
    this.say({ type: "StopGame" });
  }

  /** Stop, and begin the same game again with those of its bots that are still here. */
  restart() {
    if (this.playing) {
      this.restarting = true;
      this.say({ type: "StopGame" });
    } else {
      this.again();
    }
  }

  /** @returns {Address[]} of those bots of the last game that are still here */
  get there() {
    const bySession = new Map(this.bots.map((bot) => [bot.sessionId, bot]));
    const known = this.game?.sessionIds.map((id) => bySession.get(id)) ?? [];
    return known.flatMap((bot) => (bot === undefined ? [] : [addressOf(bot)]));
  }

  get canRestart() {
    return this.there.length > 0;
  }

  /** Begin the game that was started last again. */
  again() {
    this.restarting = false;
    if (this.game !== null) {
      this.say({ type: "StartGame", gameSetup: this.game.gameSetup, botAddresses: this.there });
    }
  }

  /**
   * @param {number} botId
   * @param {{ debugging?: boolean, breakpoint?: boolean }} policy
   */
  setPolicy(botId, policy) {
    this.say({
      type: "BotPolicyUpdate",
      botId,
      ...(policy.debugging === undefined ? {} : { debuggingEnabled: policy.debugging }),
      ...(policy.breakpoint === undefined ? {} : { breakpointEnabled: policy.breakpoint }),
    });
  }

  requestDirectories() {
    this.say({ type: "ListDirectories" });
  }

  /** @param {string[]} ids */
  boot(ids) {
    this.say({ type: "BootBots", ids });
  }

  /** @param {{ gameType: string, rounds: number, width?: number, height?: number, addresses: Address[] }} wanted */
  start({ gameType, rounds, width, height, addresses }) {
    const gameSetup = {
      ...preset(gameType),
      numberOfRounds: rounds,
      ...(width === undefined ? {} : { arenaWidth: width }),
      ...(height === undefined ? {} : { arenaHeight: height }),
    };
    this.say({ type: "StartGame", gameSetup, botAddresses: addresses.map(addressOf) });
  }

  /**
   * A game has begun.
   * @param {Game} game
   */
  began(game) {
    this.game = game;
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

/**
 * @param {Address} bot
 * @returns {Address}
 */
function addressOf({ host, port }) {
  return { host, port };
}
