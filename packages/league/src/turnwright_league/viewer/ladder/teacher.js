/**
 * The teacher's part of the page.
 *
 * It freezes uploads, removes bots, gives new passphrases, starts tournaments, and downloads everything.
 */
import { button, h, setText } from "../widgets/dom.js";
import { capital, plural, sizeText } from "../widgets/format.js";
import { field } from "./account.js";
import { Refused, get, post } from "./api.js";
import { stateText, titleOf } from "./bots.js";

/** @typedef {import("./model.js").LadderOverview} LadderOverview */
/** @typedef {import("./model.js").Me} Me */
/** @typedef {import("./model.js").Pupil} Pupil */

const MARK = "#teacher";
const BEGINS = "It begins when the running battles are over.";

export class TeacherPart {
  /**
   * @param {HTMLElement} place
   * @param {() => void} changed
   */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    /** @type {boolean | undefined} undefined: nothing is shown yet */
    this.inside = undefined;
    this.people = "";
    this.said = h("p", { class: "said", role: "status" });
    this.freeze = button({}, ["Freeze uploads"], () => this.act({ do: "freeze" }, "Uploads are frozen."));
    this.allow = button({}, ["Allow uploads"], () => this.act({ do: "unfreeze" }, "Uploads are allowed."));
    this.stop = button({}, ["Stop it"], () => this.act({ do: "stop" }, "Stopped. The results so far are kept."));
    /** The number of tournaments that there were before one was started. */
    this.tournaments = Infinity;
    /** @type {HTMLButtonElement | null} of the form that is shown */
    this.start = null;
    this.list = h("div", {});
    this.asked = location.hash.startsWith(MARK);
    const secret = location.hash.startsWith(`${MARK}=`) ? decodeURIComponent(location.hash.slice(MARK.length + 1)) : "";
    if (this.asked) history.replaceState(null, "", location.pathname);
    if (secret) this.enter(secret);
  }

  /**
   * @param {Me} me
   * @param {LadderOverview} overview
   */
  async look(me, overview) {
    if (this.inside !== me.teacher) {
      this.inside = me.teacher;
      this.place.replaceChildren(...(me.teacher ? this.panel() : this.form()));
      this.place.hidden = !me.teacher && !this.asked;
    }
    if (!me.teacher) return;
    this.offer(overview);
    const { people } = await get("api/teacher");
    const text = JSON.stringify(people);
    if (text !== this.people) {
      this.people = text;
      this.list.replaceChildren(...this.pupils(people));
    }
  }

  /**
   * Of each pair of buttons, show the one that has an effect now.
   * @param {LadderOverview} overview
   */
  offer(overview) {
    const running = overview.tournaments.find((one) => one.state === "running");
    showOne(this.freeze, this.allow, !overview.frozen);
    if (this.start !== null) showOne(this.start, this.stop, running === undefined);
    const newest = overview.tournaments.length > this.tournaments ? overview.tournaments[0] : undefined;
    const waits = newest === undefined || (newest.state === "running" && newest.total === null);
    if (this.said.textContent === BEGINS) {
      if (!waits) setText(this.said, "");
    } else {
      this.tournaments = overview.tournaments.length;
    }
  }

  /** @returns {Node[]} */
  form() {
    const secret = field("The secret that was printed when the ladder server was started", { type: "password", autocomplete: "off", required: true });
    const form = h("form", {}, [h("h2", { text: "Teacher" }), secret.row, h("p", { class: "buttons" }, [h("button", { type: "submit", class: "main", text: "Open" })]), this.said]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(secret.input.value);
    });
    return [form];
  }

  /** @returns {Node[]} */
  panel() {
    this.people = "";
    const name = field("Name of the tournament", { type: "text", maxlength: 40, value: "Tournament" });
    const battles = field("Battles of each pairing", { type: "number", min: 1, max: 100, value: 2 });
    this.start = button({}, ["Start it"], () => this.act({ do: "start", name: name.input.value, battles: Number(battles.input.value) }, BEGINS));
    return [
      h("h2", { text: "Teacher" }),
      h("p", { class: "buttons" }, [
        this.freeze,
        this.allow,
        button({}, ["Download everything (zip)"], () => this.pack()),
        button({}, ["Close this panel"], () => this.act({ do: "logout" }, "")),
      ]),
      h("h3", { text: "A tournament of the current bots" }),
      name.row,
      battles.row,
      h("p", { class: "buttons" }, [
        this.start,
        this.stop,
      ]),
      this.said,
      h("h3", { text: "People" }),
      this.list,
    ];
  }

  /**
   * @param {Pupil[]} people
   * @returns {Node[]}
   */
  pupils(people) {
    if (people.length === 0) return [h("p", { class: "hint", text: "Nobody has an account yet." })];
    return [h("ul", { class: "people" }, people.map((one) => this.pupil(one)))];
  }

  /**
   * @param {Pupil} one
   * @returns {HTMLElement}
   */
  pupil(one) {
    const bots = one.bots.map((bot) => {
      const title = titleOf(bot);
      return h("li", {}, [h("bdi", { text: title }), h("span", { class: "told", text: stateText(bot.state) }), button({ "aria-label": `Remove ${title} of ${one.name}` }, ["Remove"], () => this.act({ do: "remove", upload: bot.id }, `${title} of ${one.name} is removed.`))]);
    });
    return h("li", {}, [
      h("p", { class: "person" }, [h("strong", {}, [h("bdi", { text: one.name })]), h("span", { class: "told", text: `${plural(one.uploads, "upload")}, ${sizeText(one.bytes)}` }), button({ "aria-label": `New passphrase for ${one.name}` }, ["New passphrase"], () => this.reset(one))]),
      h("ul", {}, bots),
    ]);
  }

  /** @param {string} secret */
  async enter(secret) {
    this.asked = true;
    try {
      await post("api/teacher/login", { secret });
      setText(this.said, "");
      this.changed();
    } catch (error) {
      this.tell(error);
    }
  }

  /**
   * @param {Record<string, unknown>} order
   * @param {string} done the message when the server has accepted the order
   */
  async act(order, done) {
    try {
      await post("api/teacher", order);
      setText(this.said, done);
      this.changed();
    } catch (error) {
      this.tell(error);
    }
  }

  /** @param {Pupil} one */
  async reset(one) {
    try {
      const { word } = await post("api/teacher", { do: "reset", person: one.folded });
      setText(this.said, `The new passphrase of ${one.name}: ${word}`);
    } catch (error) {
      this.tell(error);
    }
  }

  async pack() {
    setText(this.said, "Packing …");
    try {
      await post("api/teacher", { do: "pack" });
      setText(this.said, "The zip is ready. The download begins.");
      location.assign("api/home.zip");
    } catch (error) {
      this.tell(error);
    }
  }

  /** @param {unknown} error */
  tell(error) {
    setText(this.said, error instanceof Refused ? `${capital(error.message)}.` : "The ladder server does not answer.");
  }
}

/**
 * Show one of two buttons, and move the focus to it.
 * @param {HTMLButtonElement} one
 * @param {HTMLButtonElement} other
 * @param {boolean} isFirst whether `one` is shown
 */
function showOne(one, other, isFirst) {
  const [shown, hidden] = isFirst ? [one, other] : [other, one];
  const hadFocus = document.activeElement === hidden;
  shown.hidden = false;
  hidden.hidden = true;
  if (hadFocus) shown.focus();
}
