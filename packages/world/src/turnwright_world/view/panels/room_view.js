/** The panel of the place. It shows the text, a compass of exits, and creatures and things with menus. */
import { button, h, setText } from "../../../../viewer/widgets/dom.js";
import { counted, target, targetOf } from "./command_history.js";

/** @typedef {import("../state.js").WorldState} WorldState */
/** @typedef {{ label: string, command: string }} Choice */

const TO_CREATURES = ["consider", "talk", "attack", "strike", "kill", "hit"];
const TO_THINGS = ["get", "examine"];
const SHORT_MAX = 9;
/** Directions that have a side of the compass. */
const SIDES = ["north", "east", "south", "west", "up", "down", "in", "out"];

export class RoomView {
  /**
   * @param {HTMLElement} place
   * @param {(command: string) => void} onCommand
   */
  constructor(place, onCommand) {
    this.onCommand = onCommand;
    this.name = h("h2", { class: "room-name" });
    this.area = h("span", { class: "room-area" });
    this.text = h("p", { class: "room-text" });
    this.exits = h("div", { class: "exits", role: "group", "aria-label": "Exits" });
    this.here = h("ul", { class: "here", "aria-label": "Who and what is here" });
    place.append(h("div", { class: "room-title" }, [this.name, this.area]), this.exits, this.text, this.here);
    this.shown = "";
    document.addEventListener("click", (event) => {
      if (!(event.target instanceof Element && event.target.closest(".here li"))) {
        this.closeMenu();
      }
    });
    this.here.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.closeMenu(true);
      }
    });
  }

  /** @param {WorldState} state */
  update(state) {
    const { room, verbs, watching } = state;
    setText(this.name, room.name);
    setText(this.area, room.area);
    setText(this.text, room.desc);
    const exits = JSON.stringify([watching, room.exits, room.known, room.doors]);
    if (exits !== this.exits.dataset.shown) {
      this.exits.dataset.shown = exits;
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.way : undefined;
      this.exits.replaceChildren(...room.exits.map((way, nth) => this.exitButton(room, nth, !watching)));
      [...this.exits.querySelectorAll("button")].find((one) => focused !== undefined && one.dataset.way === focused)?.focus();
    }
    const shown = JSON.stringify([room.here, room.hereMore, room.items, verbs.length]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.showHere(state);
    }
  }

  /** @param {WorldState} state */
  showHere({ room, verbs }) {
    const open = /** @type {HTMLElement | null} */ (this.here.querySelector("[aria-expanded=true]"))?.dataset.key;
    const names = room.here.map((one) => one.name);
    const creatures = room.here.map((one, nth) => {
      const word = targetOf(names, nth);
      const choices = choicesFor(word, one.player ? ["talk"] : TO_CREATURES, verbs);
      const parts = [one.linkdead ? "absent" : "", one.doing, one.state === "unhurt" ? "" : one.state];
      const more = parts.filter((part) => part !== "").join(", ");
      return this.entry(`c${one.id}`, one.name, more, choices, one.player ? "player" : "creature");
    });
    const things = counted(room.items).map(({ one, label }) => {
      const choices = choicesFor(target(one.name), TO_THINGS, verbs);
      return this.entry(`i${one.id}`, label, "", choices, "thing");
    });
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const more = room.hereMore > 0 ? [h("li", { class: "one-more", text: `and ${room.hereMore} more` })] : [];
    this.here.replaceChildren(...creatures, ...more, ...things);
    /** @param {string | undefined} key */
    const named = (key) =>
      [...this.here.querySelectorAll("button")].find((one) => key !== undefined && one.dataset.key === key);
    named(open)?.click();
    named(focused)?.focus();
  }

  /**
   * A button of the compass, with the name of the place behind it if it is known.
   * @param {WorldState["room"]} room
   * @param {number} nth
   * @param {boolean} usable
   */
  exitButton(room, nth, usable) {
    const way = room.exits[nth];
    const [behind, door] = [room.known[way], room.doors[way]];
    const digit = nth < SHORT_MAX ? [h("kbd", { text: nth + 1, "aria-hidden": "true" })] : [];
    const words = [
      ...(door?.shut ? [h("span", { class: "exit-door", text: `${door.name} shut` })] : []),
      ...(behind === undefined ? [] : [h("span", { class: "exit-behind", text: behind })]),
    ];
    const label = [way, behind ?? "", door === undefined ? "" : `${door.name} ${door.shut ? "shut" : "open"}`];
    const side = SIDES.includes(way) ? `side-${way}` : "side-other";
    const name = label.filter((part) => part !== "").join(", "); // the full name for screen readers, with an open door
    return button({ class: `exit ${side}`, disabled: !usable, "data-way": way, title: name }, [
      ...digit,
      h("span", { class: "exit-words" }, [h("span", { class: "exit-way", text: way }), ...words]),
    ], () => this.go(way));
  }

  /** @param {string} way */
  go(way) {
    this.onCommand(`go ${way}`);
  }

  /**
   * @param {string} key
   * @param {string} name
   * @param {string} more
   * @param {Choice[]} choices
   * @param {string} kind
   */
  entry(key, name, more, choices, kind) {
    const menu = h("div", { class: "menu", hidden: true });
    const opener = button(
      { class: `one ${kind}`, "data-key": key, "aria-expanded": "false" },
      [h("span", { class: "one-name", text: name }), h("span", { class: "one-more", text: more })],
      () => {
        const isOpen = opener.getAttribute("aria-expanded") === "true";
        this.closeMenu();
        opener.setAttribute("aria-expanded", String(!isOpen));
        menu.hidden = isOpen;
      },
    );
    for (const choice of choices) {
      menu.append(button({ class: "choice", "aria-label": `${choice.label} ${name}` }, [choice.label], () => {
        this.closeMenu();
        this.onCommand(choice.command);
      }));
    }
    return h("li", {}, [opener, menu]);
  }

  /** @param {boolean} [back] whether to return the focus to the button that opened it */
  closeMenu(back = false) {
    for (const opener of this.here.querySelectorAll("[aria-expanded=true]")) {
      opener.setAttribute("aria-expanded", "false");
      /** @type {HTMLElement} */ (opener.nextElementSibling).hidden = true;
      if (back) {
        /** @type {HTMLElement} */ (opener).focus();
      }
    }
  }
}

/**
 * The actions on a creature or thing, of those verbs that the world has.
 * @param {string} word
 * @param {string[]} wanted
 * @param {string[]} verbs
 * @returns {Choice[]}
 */
function choicesFor(word, wanted, verbs) {
  const known = wanted.filter((verb) => verbs.includes(verb));
  return ["look", ...known].map((verb) => ({ label: verb, command: `${verb} ${word}` }));
}
