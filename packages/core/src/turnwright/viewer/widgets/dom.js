/**
 * Makes elements.
 *
 * Texts become only text nodes and attribute values. No markup is parsed anywhere.
 */

/**
 * Attributes. `class` and `text` set these. true: an attribute without a value. false, null: no attribute.
 * @typedef {Record<string, string | number | boolean | null>} Props
 */

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "text") {
      element.textContent = String(value);
    } else if (value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * Make a button with an action.
 * @param {Props} props
 * @param {(Node | string)[]} children
 * @param {(event: MouseEvent) => void} act
 * @returns {HTMLButtonElement}
 */
export function button(props, children, act) {
  const element = h("button", { type: "button", ...props }, children);
  element.addEventListener("click", act);
  return element;
}

/**
 * Set a text, but only if it changes.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/**
 * Set an attribute, but only if it changes. null removes it.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function setAttribute(element, name, value) {
  if (value === null) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}

/**
 * Keep as many children as there are items, and let each child show its item.
 * @template {HTMLElement} E
 * @template T
 * @param {HTMLElement} parent an element that has only such children
 * @param {T[]} items
 * @param {() => E} make
 * @param {(element: E, item: T, nth: number) => void} show
 */
export function showEach(parent, items, make, show) {
  while (parent.children.length > items.length) {
    parent.lastElementChild?.remove();
  }
  while (parent.children.length < items.length) {
    parent.append(make());
  }
  items.forEach((item, k) => show(/** @type {E} */ (parent.children[k]), item, k));
}

let ids = 0;

/**
 * @param {string} stem
 * @returns {string} an id that no other element has
 */
export function freshId(stem) {
  ids += 1;
  return `${stem}-${ids}`;
}
