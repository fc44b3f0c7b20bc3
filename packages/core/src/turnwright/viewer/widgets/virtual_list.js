/** Long lists of which only the rows in sight exist. */

/**
 * @param {number} scrollTop pixels
 * @param {number} height of the visible part, pixels
 * @param {number} rowHeight pixels
 * @param {number} count of all rows
 * @param {number} spare the number of further rows above and below
 * @returns {{ first: number, last: number }} rows to make: `first` to before `last`
 */
export function rowsInSight(scrollTop, height, rowHeight, count, spare) {
  const top = Math.max(Math.floor(scrollTop / rowHeight) - spare, 0);
  const last = Math.min(Math.ceil((scrollTop + height) / rowHeight) + spare, count);
  return { first: Math.min(top, last), last };
}

/**
 * Return the scroll position, in pixels, at which a row is visible.
 * @param {number} row its number, from 0
 * @param {number} scrollTop
 * @param {number} height
 * @param {number} rowHeight
 * @returns {number} the new scrollTop; the old one if the row is already visible
 */
export function scrollToRow(row, scrollTop, height, rowHeight) {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
