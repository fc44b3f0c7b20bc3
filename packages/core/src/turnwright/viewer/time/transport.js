/** The buttons for playback: play, step, speed, round, live. */
import { button, h, setAttribute, setText } from "../widgets/dom.js";
import { grouped } from "../widgets/format.js";
import { icon, setIcon } from "../widgets/icons.js";
import { neighbour, rateKey, rateOf, ratesOffered, rateText } from "./rates.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./timeline.js").Timeline} Timeline */

const CUSTOM = "custom";
const COPIED_MS = 1600;

export class Transport {
  /**
   * @param {PanelContext} shared
   * @param {Timeline} timeline
   * @param {{ help: () => void, results: () => void, share: () => void, words: { death: string, hits: string } }} open words: the meaning of the timeline's crosses and bars
   */
  constructor(shared, timeline, open) {
    this.shared = shared;
    this.timeline = timeline;
    const { player } = shared;
    this.play = iconButton("play", "Play", () => player.toggle());
    this.play.classList.add("main-button");
    this.live = button({ class: "live-button", title: "Go to the newest turn and follow it (L)" }, [icon("live"), "Live"], () =>
      player.toEdge(),
    );
    this.rounds = h("select", { "aria-label": "Jump to a round" });
    this.rounds.addEventListener("change", () => player.toRound(Number(this.rounds.value)));
    this.rates = h("select", {
      class: "rates",
      "aria-label": "Speed",
      title: "Speed (− +); max: every turn, as fast as it draws",
    });
    this.rates.addEventListener("change", () => this.choose());
    this.custom = h("input", {
      type: "number",
      min: -1,
      max: 1000,
      step: 1,
      "aria-label": "Turns per second, −1 to 1000",
      class: "tps-field",
    });
    this.custom.hidden = true;
    this.custom.addEventListener("change", () => this.setCustom());
    this.before = iconButton("previous", "Previous round (Page Up)", () => this.stepRound(-1));
    this.after = iconButton("next", "Next round (Page Down)", () => this.stepRound(1));
    this.where = h("output", { class: "where", "aria-label": "Position" });
    this.played = h("output", { class: "played", "aria-label": "Battle and view" });
    this.zoom = iconButton("zoom", "Timeline: only this round", () => this.toggleZoom());
    this.zoom.setAttribute("aria-pressed", "false");
    this.zoom.classList.add("zoom-button");
    this.link = iconButton("link", "Copy a link to this turn (K)", () => void this.copyLink());
    this.link.classList.add("link-button");
    this.whose = h("span", { class: "whose", "aria-hidden": "true", title: "These controls change only what this page shows. The battle continues", text: "my view" });
    this.roundsKey = "";
    this.fillRates();
    this.element = this.build(open);
    shared.onTurn(() => this.showWhere());
    shared.onRefresh(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  /**
   * @param {{ help: () => void, results: () => void, share: () => void, words: { death: string, hits: string } }} open words: the meaning of the timeline's crosses and bars
   * @returns {HTMLDivElement}
   */
  build(open) {
    const { player } = this.shared;
    const steps = h("div", { class: "group mine", role: "group", "aria-label": "Playback on this page" }, [
      this.whose,
      this.before,
      iconButton("back", "One turn back (←)", () => player.step(-1)),
      this.play,
      iconButton("forward", "One turn forward (→)", () => player.step(1)),
      this.after,
    ]);
    const where = h("div", { class: "group spot" }, [this.rounds, this.where, this.played, this.live]);
    const speed = h("div", { class: "group speed" }, [this.rates, this.custom]);
    const more = h("div", { class: "group right" }, [
      legend(open.words),
      this.zoom,
      this.link,
      iconButton("share", "Share: a link, a picture or a video (G)", open.share),
      iconButton("podium", "Results (R)", open.results),
      iconButton("help", "Keys and help (?)", open.help),
    ]);
    return h("div", { class: "transport", role: "toolbar", "aria-label": "Time" }, [steps, where, speed, more]);
  }

  fillRates() {
    const speeds = h("optgroup", { label: "relative to 30 turns per second" });
    const tps = h("optgroup", { label: "turns per second" });
    for (const rate of ratesOffered()) {
      (rate.kind === "speed" ? speeds : tps).append(h("option", { value: rateKey(rate), text: rateText(rate) }));
    }
    tps.append(h("option", { value: CUSTOM, text: "other …" }));
    this.rates.append(speeds, tps);
  }

  // ---- doing -------------------------------------------------------------------------------------------------

  /** @param {1 | -1} way */
  stepRound(way) {
    const { player } = this.shared;
    const round = player.frame?.roundNumber ?? 1;
    const begun = (player.frame?.turnNumber ?? 1) > 1;
    player.toRound(Math.max(way < 0 && begun ? round : round + way, 1));
  }

  /** @param {1 | -1} way */
  stepRate(way) {
    this.shared.player.setRate(neighbour(this.shared.player.rate, way));
  }

  choose() {
    const rate = rateOf(this.rates.value);
    this.custom.hidden = rate !== null;
    if (rate) {
      this.shared.player.setRate(rate);
    } else {
      this.custom.value = "30";
      this.custom.focus();
      this.setCustom();
    }
  }

  setCustom() {
    const value = Number(this.custom.value);
    if (this.custom.value !== "" && Number.isFinite(value)) {
      this.shared.player.setRate({ kind: "tps", value: Math.min(Math.max(Math.round(value), -1), 1000) });
    }
  }

  toggleZoom() {
    this.timeline.zoomed = !this.timeline.zoomed;
    setAttribute(this.zoom, "aria-pressed", String(this.timeline.zoomed));
    this.timeline.drawn = "";
    this.shared.touch();
  }

  /** @returns {Promise<string>} a message about the result */
  async copyLink() {
    const frame = this.shared.player.frame;
    if (!frame) {
      return "";
    }
    const url = new URL(location.href);
    url.hash = `turn=${frame.roundNumber}.${frame.turnNumber}`;
    const own = this.shared.player.source?.kind !== "live" && url.protocol !== "file:" && !url.searchParams.has("replay");
    let said = own ? "Copied: the link works once the file is open" : "Copied";
    try {
      await navigator.clipboard.writeText(url.href);
    } catch {
      history.replaceState(null, "", url);
      said = "The link is in the address bar";
    }
    setAttribute(this.link, "data-said", said);
    setTimeout(() => setAttribute(this.link, "data-said", null), COPIED_MS);
    return `${said}.`;
  }

  // ---- showing -----------------------------------------------------------------------------------------------

  refresh() {
    const { player, battle } = this.shared;
    const going = player.playing && !player.ended;
    setIcon(this.play, going ? "pause" : "play");
    const what = going ? "Pause (Space)" : player.ended ? "Play again (Space)" : "Play (Space)";
    setAttribute(this.play, "aria-label", what);
    setAttribute(this.play, "title", what);
    this.whose.hidden = player.source?.kind !== "live";
    this.live.hidden = player.source?.kind !== "live" || player.source.reach === "gone";
    this.live.disabled = player.source?.reach === "lost" || player.source?.reach === "refused";
    setAttribute(this.live, "aria-pressed", String(player.atEdge && !player.finished));
    for (const element of [this.rounds, this.before, this.after, this.zoom]) {
      element.hidden = battle?.rounds === null;
    }
    this.showRounds(battle?.rounds ?? 0);
    this.showRate();
    this.showWhere();
  }

  showWhere() {
    const { frame } = this.shared.player;
    setText(this.where, frame ? `turn ${grouped(frame.turnNumber)}` : "–");
    const text = playedText(this.shared.player);
    this.played.hidden = text === "";
    setText(this.played, text);
  }

  showRate() {
    const key = rateKey(this.shared.player.rate);
    const offered = [...this.rates.options].some((option) => option.value === key);
    const custom = !offered || (!this.custom.hidden && document.activeElement === this.custom);
    const wanted = custom ? CUSTOM : key;
    this.custom.hidden = !custom;
    if (this.rates.value !== wanted && document.activeElement !== this.rates) {
      this.rates.value = wanted;
    }
    if (custom && document.activeElement !== this.custom) {
      this.custom.value = String(this.shared.player.rate.value);
    }
  }

  /** @param {number} announced the number of rounds that the battle will have */
  showRounds(announced) {
    const seen = this.shared.history?.marks.rounds ?? [];
    const key = `${seen[0]?.round} ${seen.length} ${announced}`;
    if (key !== this.roundsKey) {
      this.roundsKey = key;
      const options = seen.map((/** @type {{ round: number }} */ { round }) => h("option", { value: round, text: `Round ${round} of ${announced}` }));
      this.rounds.replaceChildren(...options);
    }
    this.rounds.disabled = seen.length === 0;
    const now = String(this.shared.player.frame?.roundNumber ?? "");
    if (this.rounds.value !== now && document.activeElement !== this.rounds) {
      this.rounds.value = now;
    }
  }
}

/**
 * @param {string} name the name of its icon
 * @param {string} label
 * @param {() => void} act
 * @returns {HTMLButtonElement}
 */
function iconButton(name, label, act) {
  return button({ class: "icon-button", "aria-label": label, title: label }, [icon(name)], act);
}

/**
 * @param {import("./player.js").Player} player
 * @returns {string} how far a battle is that does not wait for spectators, and how far this page is
 */
function playedText({ source, frame, last }) {
  const newest = source?.apart && frame !== null && frame.index < last ? source.at(last) : null;
  return newest === null ? "" : `Battle at ${placeOf(newest, source)}, you at ${placeOf(frame, source)}`;
}

/**
 * @param {any} frame
 * @param {import("../model.js").Source | null} source
 */
function placeOf({ roundNumber, turnNumber }, source) {
  return source?.battle?.rounds === null ? grouped(turnNumber) : `${roundNumber}.${turnNumber}`;
}

/**
 * @param {{ death: string, hits: string }} words the meaning of crosses and bars
 * @returns {HTMLElement} the meaning of the marks on the timeline
 */
function legend(words) {
  return h("span", { class: "legend", "aria-label": "Marks on the timeline" }, [
    h("span", { class: "mark-death", text: "✕" }),
    ` ${words.death} `,
    h("span", { class: "mark-hits", text: "▮" }),
    ` ${words.hits} `,
    h("span", { class: "mark-skips", text: "▲" }),
    " missed turns",
  ]);
}
