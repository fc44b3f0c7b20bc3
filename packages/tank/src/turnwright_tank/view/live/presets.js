/**
 * The presets of new games.
 *
 * They are those of `turnwright_tank/wire/royale/setup.py`; a test compares them.
 */

/** @typedef {Record<string, string | number | boolean>} GameSetup the official GameSetup */

const LOCKS = [
  "isArenaWidthLocked",
  "isArenaHeightLocked",
  "isMinNumberOfParticipantsLocked",
  "isMaxNumberOfParticipantsLocked",
  "isNumberOfRoundsLocked",
  "isGunCoolingRateLocked",
  "isMaxInactivityTurnsLocked",
  "isTurnTimeoutLocked",
  "isReadyTimeoutLocked",
];
const ARENA = ["isArenaWidthLocked", "isArenaHeightLocked", "isMinNumberOfParticipantsLocked"];
const FIELD = [...ARENA, "isMaxNumberOfParticipantsLocked"];
const ALL_BUT_TIMES = [...FIELD, "isNumberOfRoundsLocked", "isGunCoolingRateLocked", "isMaxInactivityTurnsLocked"];

/** The differences of each game type from `custom`. @type {[string, { locked: string[], changes: GameSetup }][]} */
const TYPES = [
  ["classic", { locked: ALL_BUT_TIMES, changes: {} }],
  ["1v1", { locked: FIELD, changes: { maxNumberOfParticipants: 2 } }],
  ["melee", { locked: ARENA, changes: { arenaWidth: 1000, arenaHeight: 1000, minNumberOfParticipants: 10 } }],
  [
    "twinduel",
    {
      locked: FIELD,
      changes: { arenaHeight: 800, minNumberOfParticipants: 4, maxNumberOfParticipants: 4, numberOfRounds: 75 },
    },
  ],
  ["custom", { locked: [], changes: {} }],
];

/**
 * Return the settings of a game type.
 *
 * Of an unknown one those of `custom`, under its name.
 * @param {string} gameType
 * @returns {GameSetup}
 */
export function preset(gameType) {
  const { locked, changes } = new Map(TYPES).get(gameType) ?? { locked: [], changes: {} };
  return {
    gameType,
    arenaWidth: 800,
    arenaHeight: 600,
    minNumberOfParticipants: 2,
    numberOfRounds: 10,
    gunCoolingRate: 0.1,
    maxInactivityTurns: 450,
    turnTimeout: 30_000,
    readyTimeout: 10_000_000,
    defaultTurnsPerSecond: 30,
    ...Object.fromEntries(LOCKS.map((lock) => [lock, locked.includes(lock)])),
    ...changes,
  };
}
