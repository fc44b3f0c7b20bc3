/** A picture of the arena with a caption, made from the canvases of the page. */

const CAPTION_PART = 0.06;
const SANS = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/**
 * Return the size of a picture of an arena.
 *
 * Its numbers are even, because videos need that, and the picture is not wider than `widest`.
 * @param {number} width device pixels
 * @param {number} height device pixels
 * @param {number} widest
 * @returns {{ width: number, height: number, caption: number }} caption: the height of the strip at the bottom, a part of `height`
 */
export function sizeOf(width, height, widest) {
  const part = Math.min(1, widest / Math.max(1, width));
  const even = (/** @type {number} */ value) => Math.max(2, 2 * Math.round(value / 2));
  const arena = even(height * part);
  const caption = even(Math.max(28, arena * CAPTION_PART));
  return { width: even(width * part), height: arena + caption, caption };
}

/**
 * Draw the current arena into a picture.
 * @param {HTMLCanvasElement} picture
 * @param {HTMLCanvasElement[]} layers the lowest first; hidden ones are left out
 * @param {number} caption the height of the strip at the bottom
 * @param {string} text the text in it
 */
export function compose(picture, layers, caption, text) {
  const pen = picture.getContext("2d");
  if (pen === null) {
    return;
  }
  const colors = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => colors.getPropertyValue(name).trim();
  const high = picture.height - caption;
  pen.fillStyle = color("--bg");
  pen.fillRect(0, 0, picture.width, picture.height);
  for (const layer of layers) {
    if (!layer.hidden && layer.width > 1) {
      pen.drawImage(layer, 0, 0, picture.width, high);
    }
  }
  pen.fillStyle = color("--panel");
  pen.fillRect(0, high, picture.width, caption);
  pen.fillStyle = color("--ink");
  pen.font = `600 ${Math.round(caption * 0.5)}px ${SANS}`;
  pen.textBaseline = "middle";
  pen.fillText(text, caption * 0.4, high + caption / 2, picture.width - caption * 0.8);
}

/**
 * Let the user save a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const link = document.createElement("a");
  const url = URL.createObjectURL(blob);
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
