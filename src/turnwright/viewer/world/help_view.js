/** What keys do, in a dialog. */
import { button, h } from "../ui/dom.js";

const OUTSIDE = " (without Shift outside of the command line)";
const RINGS =
  "A ring is a blow on its way: it lands when the ring has run out. Under it stand the reactions that meet it. " +
  "Click a ring to mean that one.";

/**
 * @param {Map<string, string>} letters letter: reaction
 */
export function showHelp(letters) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("help"));
  const rows = [
    ["Enter, ↑ ↓, Tab", "send; earlier commands; complete the word"],
    ["1 … 9", "the exit of that number, as long as the command line is empty"],
    ...[...letters].map(([letter, reaction]) => [`Shift+${letter.toUpperCase()}`, `${reaction}${OUTSIDE}`]),
    ["Escape", "leave the command line; any letter or / goes back to it"],
    ["Page Up, Page Down", "read what was before"],
  ];
  dialog.replaceChildren(
    h("h2", { id: "help-title", text: "Keys" }),
    h("p", { text: RINGS }),
    h(
      "dl",
      { class: "keys" },
      rows.flatMap(([key, what]) => [h("dt", {}, [h("kbd", { text: key })]), h("dd", { text: what })]),
    ),
    h("p", { text: "Type help for what the world understands, keep to keep your character, quit to leave." }),
    button({ class: "big-button" }, ["Close"], () => dialog.close()),
  );
  dialog.showModal();
}
