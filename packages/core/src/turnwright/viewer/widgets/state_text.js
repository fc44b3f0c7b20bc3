/** The state of the page in one or two words and one line. */

import { sentence } from "./format.js";

/** @typedef {import("../model.js").Source} Source */

/**
 * `kind` is a class in panels.css, and `sign` is a symbol, so that the state does not depend only on colour.
 * @typedef {{ kind: "good" | "warn" | "bad" | "plain", sign: string, label: string, detail: string }} StateText
 */

/** A message with its own line. @typedef {{ kind: "warn" | "bad" | "plain", text: string }} Message */

/** @type {Record<string, StateText>} */
const PHASES = {
  loading: { kind: "plain", sign: "…", label: "loading", detail: "" },
  waiting: { kind: "plain", sign: "…", label: "waiting", detail: "Waiting for a battle to begin." },
  running: { kind: "good", sign: "●", label: "live", detail: "Bots and spectators see each turn at the same time." },
  paused: { kind: "warn", sign: "❚❚", label: "server paused", detail: "The operator has paused the battle." },
  over: { kind: "plain", sign: "■", label: "over", detail: "" },
  aborted: { kind: "warn", sign: "■", label: "stopped", detail: "The battle was stopped before its end." },
  failed: { kind: "bad", sign: "✕", label: "failed", detail: "" },
};

/**
 * @param {Source | null} source
 * @param {boolean} atEdge whether the page follows the newest frame
 * @returns {StateText}
 */
export function stateOf(source, atEdge) {
  if (source === null) return { kind: "plain", sign: "–", label: "no battle", detail: "Drop a record on the page." };
  const { phase, message, progress } = source.status;
  const state = { ...(PHASES[phase] ?? PHASES.failed) };
  if (phase === "loading" && progress !== null) state.label = `loading ${Math.floor(100 * progress)} %`;
  if (phase === "over" && source.kind !== "live") Object.assign(state, { sign: "▤", label: "record" });
  if (phase === "running" && source.kind !== "live") Object.assign(state, { sign: "▤", label: "record" });
  if (phase === "running" && source.apart) {
    Object.assign(state, atEdge ? {} : { sign: "◷", label: "playback" });
    state.detail = "Bots do not wait for spectators.";
  } else if (phase === "running" && source.kind === "live" && !atEdge) {
    Object.assign(state, { kind: "warn", sign: "◷", label: "behind live" });
  }
  if (message !== "") state.detail = message;
  return state;
}

/**
 * Return the message with its own line, or null.
 * @param {Source | null} source
 * @returns {Message | null}
 */
export function messageOf(source) {
  if (source === null || source.status.message === "" || source.status.phase === "loading") return null;
  const { phase, message } = source.status;
  const text = source.kind === "live" ? message : sentence(message); // a server's message may begin with a bot's name
  if (phase === "failed" || source.verified === "differs") return { kind: "bad", text };
  return { kind: phase === "waiting" ? "plain" : "warn", text };
}

/** @type {Record<string, StateText>} */
const VERIFIED = {
  running: { kind: "plain", sign: "…", label: "verifying", detail: "Replaying the record to compare its digests." },
  ok: {
    kind: "good",
    sign: "✓",
    label: "verified here",
    detail: "This browser has replayed the record. Every turn matches.",
  },
  differs: {
    kind: "bad",
    sign: "≠",
    label: "differs",
    detail: "This browser has replayed the record. A turn differs, so do not trust this record.",
  },
  unchecked: { kind: "warn", sign: "?", label: "not verified", detail: "This record cannot be checked here." },
};

/** The texts if turnwright has replayed the record, not this browser. @type {Record<string, StateText>} */
const VERIFIED_BEFORE = {
  ok: {
    kind: "good",
    sign: "✓",
    label: "verified",
    detail: "turnwright has replayed the record for this page. Every turn matches.",
  },
  differs: {
    kind: "bad",
    sign: "≠",
    label: "differs",
    detail: "turnwright has replayed the record for this page. A turn differs, so do not trust this record.",
  },
};

/**
 * @param {Source | null} source
 * @returns {StateText | null} null: there is nothing to verify
 */
export function verifiedOf(source) {
  if (source === null || source.verified === null) return null;
  const known = source.kind === "frames" ? { ...VERIFIED, ...VERIFIED_BEFORE } : VERIFIED;
  const state = known[source.verified] ?? VERIFIED.unchecked;
  if (source.verified === "differs" && source.status.message !== "") return { ...state, detail: source.status.message };
  if (source.verified === "ok" && source.endsAt) {
    const { round, turn } = source.endsAt;
    return {
      ...state,
      label: `verified up to ${round}.${turn}`,
      detail: `The record is truncated after turn ${turn} of round ${round}. Every turn up to it matches.`,
    };
  }
  return state;
}
