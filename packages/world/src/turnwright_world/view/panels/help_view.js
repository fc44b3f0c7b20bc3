/** The dialog that explains the keys. */
import { button, h } from "../../../../viewer/widgets/dom.js";

const OUTSIDE = " (without Shift outside of the command line)";
const RINGS =
  "A ring is an attack on its way: it lands when the ring has run out. Below it are the reactions that stop it. " +
  "Click a ring to choose it. A reaction costs stamina (sp), and holds up the next one for the seconds next to it.";

/**
 * @param {Map<string, string>} letters letter: reaction
 */
export function showHelp(letters) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("help"));
  const rows = [
    ["Enter, ↑ ↓, Tab", "send; earlier commands; complete the word"],
    ["1 … 9", "the exit of that number, as long as the command line is empty"],
    ["Number block, ← ↑ → ↓", "the exit of that side of the compass (arrows: outside of the command line)"],
    ...[...letters].map(([letter, reaction]) => [`Shift+${letter.toUpperCase()}`, `${reaction}${OUTSIDE}`]),
    ["Escape", "leave the command line; any letter or / goes back to it"],
    ["Page Up, Page Down", "scroll through earlier text"],
  ];
  dialog.replaceChildren(
    h("h2", { id: "help-title", text: "Keys" }),
    h("p", { text: RINGS }),
    h(
      "dl",
      { class: "keys" },
      rows.flatMap(([key, what]) => [h("dt", {}, [h("kbd", { text: key })]), h("dd", { text: what })]),
    ),
    h("p", { text: "Type help for a list of commands, keep to save your character, quit to leave." }),
    button({ class: "big-button" }, ["Close"], () => dialog.close()),
  );
  dialog.showModal();
}
